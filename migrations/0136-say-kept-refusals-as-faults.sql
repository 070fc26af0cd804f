-- Why a purchase was not booked is kept as faults. What was kept before was a sentence, which says itself.
update purchases.invoices set booking_refusal = (booking_refusal - 'message')
    || jsonb_build_object('problems', jsonb_build_array(jsonb_build_object(
      'path', '', 'reason', 'kept', 'message', booking_refusal ->> 'message')))
  where booking_refusal is not null and not booking_refusal ? 'problems';
