/** A month's vouchers as pages to print: as many as one document should hold. */

import { nameOfActor } from '../../audit/actors.ts';
import { sourceName } from '../../ledger/vouchers/source-words.ts';
import { dayOf, momentOf } from '../../lib/clock.ts';
import { amountText, monthInWords } from '../../lib/swedish.ts';
import { loadTemplate, type Render } from '../../render/templates.ts';
import { runningTexts } from '../../render/wording.ts';
import type { ArchivedRow, ArchivedVoucher } from './store.ts';

/** Printed in seconds each, so that whoever waits for an invoice has the other printer meanwhile. */
export const rowsOfPart = 1_500;

export interface VouchersPart {
  /** `2026-03`. */
  readonly month: string;
  /** Of the month, from 1; null when the month is one document. */
  readonly part: number | null;
  readonly vouchers: readonly ArchivedVoucher[];
  readonly rows: ReadonlyMap<string, readonly ArchivedRow[]>;
}

let template: Render | undefined;

export function vouchersHtml(
  { month, part, vouchers, rows }: VouchersPart,
  company: { readonly name: string; readonly orgNumber: string },
  timeZone: string,
): string {
  template ??= loadTemplate('documents/vouchers');
  const title = `Verifikat ${monthInWords(month)}${part === null ? '' : `, del ${part}`}`;
  return template({
    title,
    ...runningTexts(title, company),
    vouchers: vouchers.map((voucher) => ({
      label: `${voucher.series}${voucher.number}`,
      date: voucher.date,
      description: voucher.description,
      counterparty: voucher.counterparty ?? '',
      registered: `${momentOf(voucher.posted_at, timeZone)} av ${nameOfActor(voucher.posted_by, voucher.posted_by_name)}, ${sourceName(voucher.source)}`,
      isLate: dayOf(voucher.posted_at, timeZone) !== voucher.date,
      corrects: voucher.corrects ?? '',
      correctedBy: voucher.corrected_by ?? '',
      hash: voucher.hash,
      rows: (rows.get(voucher.id) ?? []).map((row) => ({
        account: row.account,
        name: row.account_name,
        debit: row.debit_ore === 0n ? '' : amountText(row.debit_ore),
        credit: row.credit_ore === 0n ? '' : amountText(row.credit_ore),
        more: [row.note, row.dimensions, row.vat_code].filter(Boolean).join(' · '),
      })),
    })),
  });
}
