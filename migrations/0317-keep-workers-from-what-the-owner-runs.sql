-- What pg-boss builds in the background it runs as whoever migrates: workers write no such command (grants.sql), and a
-- program of before, which would let them, is refused.
comment on table pgboss.bam is 'SQL that whoever migrates runs. Nobody but pg-boss writes it.';
