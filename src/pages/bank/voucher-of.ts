/** The voucher that a person names. */
import type { Db } from '../../db/pool.ts';
import { findByLabel } from '../../ledger/vouchers/list-store.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../inputs.ts';

/** `A12`, in the year of the day when several years have one; or the id that a suggestion gives. */
export async function voucherOf(db: Db, typed: string, day: string): Promise<string> {
  if (uuid.safeParse(typed).success) return typed;
  const fault = (message: string) =>
    refuse('unprocessable', [{ path: 'voucher', reason: 'unknown_voucher', message }]);
  const [, series, number] = /^(\p{L}{1,2})\s?(\d{1,9})$/u.exec(typed) ?? [];
  if (!series || !number) throw fault('Skriv verifikatets serie och nummer, t.ex. A12.');
  const found = await findByLabel(db, { series, number: Number(number) });
  const voucher = found.find((one) => one.year === Number(day.slice(0, 4))) ?? found[0];
  if (!voucher) throw fault(`Det finns inget verifikat ${typed}.`);
  return voucher.id;
}
