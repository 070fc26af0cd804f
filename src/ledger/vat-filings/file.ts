/** The VAT return of a period as a file: as it was filed, for ever, or as it would be filed now. */
import type { Tx } from '../../db/pool.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';
import { vatFileText } from '../../domain/ledger/vat-file.ts';
import { type VatReturn, vatReturnOf } from '../../domain/ledger/vat-return.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { findVatCompany } from './company-store.ts';
import { listReturnParts, listReturns } from './return-store.ts';
import { requireNote } from './service.ts';

export interface VatReturnFile {
  readonly name: string;
  /** In ISO 8859-1. */
  readonly content: Buffer;
  readonly vatReturn: VatReturn;
}

/** As it would be filed now: what is in the books, or what was filed and what mends it. */
export async function vatFileOfNow(
  tx: Tx,
  period: DateSpan,
  note: string | null,
): Promise<VatReturnFile> {
  if (note !== null) requireNote(note);
  const company = await findVatCompany(tx);
  if (!company) throw refuseWhole('unprocessable', 'not_set_up');
  const vatReturn = vatReturnOf(await listReturnParts(tx, period));
  return fileOf({ ...company, end: period.end, vatReturn, note }, '');
}

/** As it was filed. Throws 404 when the period has no such return. */
export async function vatFileAsFiled(
  tx: Tx,
  { end, number }: { readonly end: string; readonly number: number },
): Promise<VatReturnFile> {
  const filed = (await listReturns(tx, end)).find((one) => one.number === number);
  if (!filed) throw refuseWhole('not_found', 'unknown_vat_return', { end, number });
  return fileOf(
    { ...filed, vatReturn: vatReturnOf(filed.parts) },
    number === 1 ? '' : `-${number}`,
  );
}

const fileOf = (facts: Parameters<typeof vatFileText>[0], suffix: string): VatReturnFile => ({
  name: `moms-${facts.organizationNumber}-${facts.end.slice(0, 7)}${suffix}.xml`,
  content: Buffer.from(vatFileText(facts), 'latin1'),
  vatReturn: facts.vatReturn,
});
