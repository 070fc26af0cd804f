/** What people say of imported vouchers that look as if they settled VAT: once, and a shape alone says nothing. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { labelOf } from '../../domain/ledger/voucher.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { type CalledVoucher, getCalled } from './assignments.ts';
import { deleteJudgement, insertJudgement } from './imported-store.ts';
import type { VoucherInBrief } from './voucher-store.ts';

/** That it settles the period that ends so, or (null) that it is an ordinary voucher. */
export async function judgeImported(
  tx: Tx,
  { voucher: called, end }: { readonly voucher: CalledVoucher; readonly end: string | null },
  actor: string,
): Promise<VoucherInBrief> {
  const voucher = await getCalled(tx, called);
  await insertJudgement(tx, { voucherId: voucher.id, end }, actor);
  const detail = { period_end: end, voucher: labelOf(voucher) };
  await recordEvent(tx, { actor, action: 'vat.judged', subject: voucher.id, detail });
  return voucher;
}

/** It is asked about again. */
export async function takeBackJudgement(
  tx: Tx,
  called: CalledVoucher,
  actor: string,
): Promise<VoucherInBrief> {
  const voucher = await getCalled(tx, called);
  if (!(await deleteJudgement(tx, voucher.id))) {
    throw refuseWhole('unprocessable', 'settlement_not_judged');
  }
  const detail = { voucher: labelOf(voucher) };
  await recordEvent(tx, { actor, action: 'vat.unjudged', subject: voucher.id, detail });
  return voucher;
}
