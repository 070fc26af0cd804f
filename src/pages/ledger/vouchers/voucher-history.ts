/** What has happened to a voucher, in words, and what it belongs to. */
import { wordings } from '../../../audit/wordings.ts';
import type { Attachment } from '../../../ledger/attachments/store.ts';
import type { Correction } from '../../../ledger/vouchers/correction-store.ts';
import type {
  Deed,
  VoucherDetail,
  VoucherDocument,
} from '../../../ledger/vouchers/detail-store.ts';

export interface Happening {
  readonly at: string;
  readonly who: string;
  readonly what: string;
}

/** Told by the books themselves, and by what has been written down about the voucher besides. */
export function historyOf(
  {
    voucher,
    attachments,
    corrections,
    deeds,
  }: {
    readonly voucher: VoucherDetail;
    readonly attachments: readonly Attachment[];
    readonly corrections: readonly Correction[];
    readonly deeds: readonly Deed[];
  },
  who: (actor: string) => string,
  at: (time: Date) => string,
): Happening[] {
  const moments = [
    { time: voucher.posted_at, actor: voucher.posted_by, what: 'Bokfört' },
    ...attachments.map(({ created_at, created_by, file_name }) => ({
      time: created_at,
      actor: created_by,
      what: `Bilaga: ${file_name}`,
    })),
    ...corrections.map((one) => ({
      time: one.created_at,
      actor: one.created_by,
      what: partIn(one, voucher.id),
    })),
    ...deeds
      .filter(({ action }) => !(action in toldByTheBooks))
      .map(({ occurred_at, actor, action }) => ({
        time: occurred_at,
        actor,
        what: wordings[action]?.name ?? action,
      })),
  ];
  return moments
    .sort((one, other) => one.time.getTime() - other.time.getTime())
    .map(({ time, actor, what }) => ({ at: at(time), who: who(actor), what }));
}

const toldByTheBooks = { 'attachment.added': true, 'voucher.corrected': true };

function partIn({ corrected, reversal, replacement }: Correction, id: string): string {
  if (corrected.id === id) {
    return `Rättat med ${reversal.label}${replacement ? ` och ersatt av ${replacement.label}` : ''}`;
  }
  return reversal.id === id ? `Tog tillbaka ${corrected.label}` : `Ersatte ${corrected.label}`;
}

const kinds: Readonly<Record<VoucherDocument['kind'], string>> = {
  invoice: 'Kundfaktura',
  credit_note: 'Kreditfaktura',
  payment: 'Betalning av kundfaktura',
  reminder: 'Påminnelse på kundfaktura',
  purchase: 'Leverantörsfaktura',
  purchase_payment: 'Betalning av leverantörsfaktura',
  bank_transaction: 'Banktransaktion',
  accrual: 'Periodisering',
};

const places: Readonly<Record<VoucherDocument['kind'], string>> = {
  invoice: 'kundfakturor',
  credit_note: 'kundfakturor',
  payment: 'kundfakturor',
  reminder: 'kundfakturor',
  purchase: 'leverantorsinkorg',
  purchase_payment: 'leverantorsinkorg',
  bank_transaction: 'bank',
  accrual: 'periodiseringar',
};

/** The way to what a voucher books. */
export function documentLink({ kind, id, number, counterparty }: VoucherDocument) {
  return { kind: kinds[kind], number, counterparty, address: `/${places[kind]}/${id}` };
}
