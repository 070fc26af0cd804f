import type { DocumentPlace } from '../../../ledger/documents/store.ts';

/** Where a document is, or may belong, with the way there. */
export const placeLink = ({ kind, id, label, date, description }: DocumentPlace) => ({
  kind,
  id,
  href: kind === 'voucher' ? `/verifikat/${id}` : `/leverantorsinkorg/${id}`,
  label: kind === 'voucher' ? label : `Leverantörsfaktura ${label}`,
  date,
  description,
});
