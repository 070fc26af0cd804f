/** What can happen that others may want to know of, and when it has. */
export const eventMeanings = {
  'voucher.posted': 'Ett verifikat fick sitt nummer',
  'invoice.drafted': 'Ett fakturautkast gjordes, av API:et, en order eller en människa',
  'invoice.booked': 'En faktura fick sitt nummer och sitt verifikat',
  'invoice.paid': 'Inget återstår att betala på en faktura',
  'order.received': 'En orders byte är sparade',
  'order.rejected': 'En order blev inget fakturautkast',
  'e_invoice.received': 'En e-fakturas byte är sparade',
  'bank.imported': 'Kontoutdrag från banken är inlästa',
  'payment.matched': 'En rad från banken fick sitt verifikat',
  'payment_file.created': 'En betalfil till banken är gjord',
} as const;

export type EventType = keyof typeof eventMeanings;

export const eventTypes = Object.keys(eventMeanings) as readonly EventType[];
