/** What can happen that others may want to know of, and when it has. */
export const eventMeanings = {
  'voucher.posted': 'A voucher got its number',
  'invoice.drafted': 'An invoice draft was made, by the API, an order or a person',
  'invoice.booked': 'An invoice got its number and its voucher',
  'invoice.paid': 'Nothing remains to be paid on an invoice',
  'order.received': 'The bytes of an order are stored',
  'order.rejected': 'An order did not become an invoice draft',
  'e_invoice.received': 'The bytes of an e-invoice are stored',
  'bank.imported': 'Bank statements have been read in',
  'payment.matched': 'A row of the bank got its voucher',
  'payment_file.created': 'A file of payments to the bank is made',
  'documents.changed': 'Keys read other documents of a voucher than before',
  'record.removed': 'Something is no longer in the list that had it',
  'proposal.created': 'A program has proposed something',
  'proposal.decided': 'A person has approved or rejected a proposal',
  'proposal.withdrawn': 'A program has taken back what it proposed',
} as const;

export type EventType = keyof typeof eventMeanings;

export const eventTypes = Object.keys(eventMeanings) as readonly EventType[];
