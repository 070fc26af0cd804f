/** Correcting a voucher: BFL 5:5, by a new one that takes it back, and perhaps one in its place. */

import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import { isBalanceAccount } from '../../domain/ledger/account.ts';
import { reverseRows } from '../../domain/ledger/reversal.ts';
import { isSettlementRow } from '../../domain/ledger/vat-settlement.ts';
import { movingFaults, type Reasoned, refuse } from '../../lib/errors.ts';
import { attachSame } from '../attachments/service.ts';
import { insertCorrection, listCorrections, lockAccountsOfRows } from './correction-store.ts';
import { type DetailRow, getVoucher, listDocuments, listVoucherRows } from './detail-store.ts';
import type { LedgerRow } from './posting-store.ts';
import { type AppVoucher, type PostedAppVoucher, postAppVoucher } from './service.ts';

export interface NewCorrection {
  readonly correctedId: string;
  readonly date: string;
  /** Of the voucher that takes back. */
  readonly description: string;
  /** What should have been there; null when nothing should. */
  readonly replacement: Pick<AppVoucher, 'description' | 'counterparty' | 'rows'> | null;
}

/** What of a kept row another voucher takes over. */
type KeptRow = Pick<
  DetailRow,
  'account' | 'debit_ore' | 'credit_ore' | 'note' | 'cost_center_id' | 'project_id' | 'vat_code'
>;

export const ledgerRowOf = (row: KeptRow): LedgerRow => ({
  account: row.account,
  debitOre: row.debit_ore,
  creditOre: row.credit_ore,
  note: row.note,
  costCenter: row.cost_center_id,
  project: row.project_id,
  vatCode: row.vat_code,
});

/**
 * Origins by which a voucher is told apart from what happened in its period: what replaces it keeps them. What has
 * income or costs opens nothing, and counts in its period.
 */
const replacementSource = (source: string, rows: AppVoucher['rows']): string =>
  source === 'vat' ||
  (source === 'opening' && rows.every(({ account }) => isBalanceAccount(account)))
    ? source
    : 'app';

/**
 * Takes a voucher back, row by row, in its own series and on a day that is open; what stands in its place
 * is posted on the same day and keeps its supporting documents. Throws 422 when it has been taken back
 * already, or when it books an invoice or a payment: those are corrected where they are, or customers'
 * and suppliers' ledgers would no longer agree with the books.
 */
export async function correctVoucher(
  tx: Tx,
  correction: NewCorrection,
  actor: string,
): Promise<{ readonly reversal: PostedAppVoucher; readonly replacement: PostedAppVoucher | null }> {
  const { correctedId, date, description } = correction;
  const corrected = await getVoucher(tx, correctedId);
  const obstacle = await obstacleToCorrection(tx, correctedId);
  if (obstacle !== null) {
    throw refuse('unprocessable', [{ path: '', ...obstacle }]);
  }
  await lockAccountsOfRows(tx, correctedId);
  const { series, counterparty, source } = corrected;
  if (source === 'vat') requireVatAlone(correction.replacement?.rows ?? []);
  const rows = reverseRows((await listVoucherRows(tx, correctedId)).map(ledgerRowOf));
  const reversal = await postAppVoucher(
    tx,
    { series, date, description, counterparty, source: 'reversal', rows },
    actor,
  ).catch((error) => {
    throw ofReversal(error);
  });
  const replacement =
    correction.replacement &&
    (await postAppVoucher(
      tx,
      {
        ...correction.replacement,
        series,
        date,
        source: replacementSource(source, correction.replacement.rows),
      },
      actor,
    ));
  const replacementId = replacement?.id ?? null;
  await insertCorrection(tx, { correctedId, reversalId: reversal.id, replacementId }, actor);
  if (replacementId) await attachSame(tx, { from: correctedId, to: replacementId }, actor);
  await recordEvent(tx, {
    actor,
    action: 'voucher.corrected',
    subject: correctedId,
    detail: { reversal_id: reversal.id, replacement_id: replacementId },
  });
  return { reversal, replacement };
}

/** No box counts a row of what settles VAT: a sale in its place would be left out of the return. */
function requireVatAlone(rows: AppVoucher['rows']): void {
  refuseAny(
    rows.flatMap(({ account }, n) =>
      isSettlementRow(account) ? [] : [{ path: `rows[${n}].account`, reason: 'not_vat_alone' }],
    ),
  );
}

/** The rows that take back are nobody's to change: what is wrong with them is not said of the replacement's. */
function ofReversal(error: unknown): unknown {
  return movingFaults(error, ({ path }) => path.replace(/^rows/, 'reversal'));
}

/** Why a voucher is not taken back, for a sentence that says what to do instead. */
export type CorrectionObstacle = Reasoned;

/** What keeps a voucher from being taken back here; null when it may be. */
export async function obstacleToCorrection(
  tx: Tx,
  voucherId: string,
): Promise<CorrectionObstacle | null> {
  const corrections = await listCorrections(tx, voucherId);
  const done = corrections.find(({ corrected }) => corrected.id === voucherId);
  if (done) return { reason: 'already_corrected', params: { by: done.reversal.label } };
  for (const { kind, number } of await listDocuments(tx, voucherId)) {
    // All others keep a ledger of their own, and are corrected there.
    if (kind !== 'bank_transaction' && kind !== 'accrual')
      return { reason: 'not_correctable', params: { kind, number } };
  }
  return null;
}
