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

/** The voucher that a document of the inbox is on now, and from there on to the next that waits. */
export const voucherOfDocument = (voucherId: string, documentId: string | undefined): string =>
  `/verifikat/${voucherId}${documentId === undefined ? '' : `?underlag=${documentId}`}`;
