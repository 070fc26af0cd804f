/** What can happen that others may want to know of. */
export const eventTypes = [
  'voucher.posted',
  'invoice.drafted',
  'invoice.booked',
  'invoice.paid',
  'order.received',
  'order.rejected',
  'e_invoice.received',
] as const;

export type EventType = (typeof eventTypes)[number];
