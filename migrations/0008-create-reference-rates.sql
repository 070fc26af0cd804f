-- Riksbanken's reference rate per half-year (räntelagen 9 §): what default interest builds on.
-- Editable, because each half-year's rate is decided just before it begins.
create table sales.reference_rates (
  valid_from date not null,
  valid_to date not null,
  -- Hundredths of a percentage point; has been negative.
  percent_e2 integer not null,
  sfs text,
  constraint reference_rates_pkey primary key (valid_from),
  constraint reference_rates_span check (valid_to > valid_from),
  constraint reference_rates_do_not_overlap
    exclude using gist (daterange(valid_from, valid_to, '[]') with &&)
);
