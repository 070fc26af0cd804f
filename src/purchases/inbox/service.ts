/** Suppliers and their invoices: matched, coded, booked, rejected, paid. Always by somebody. */
import { recordEvent } from '../../audit/store.ts';
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { formatKronor, sum } from '../../domain/basics/money.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import type { PayeeAccount } from '../../domain/purchases/received-invoice.ts';
import { type SupplyMark, type VatGap, vatGaps } from '../../domain/purchases/reverse-charge.ts';
import {
  type LedgerOutcome,
  type LedgerVoucher,
  postToLedger,
} from '../../ledger/vouchers/ledger.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { uuid } from '../../lib/uuid.ts';
import { insertRows, type LockedPurchase, lockPurchases } from './store.ts';

const SERIES = 'D';

export interface NewSupplier {
  readonly name: string;
  readonly organizationNumber: string | null;
  readonly vatNumber: string | null;
  readonly endpoint: string | null;
  readonly countryCode: string;
  readonly account: number | null;
  readonly accounts: readonly Omit<PayeeAccount, 'bic'>[];
}

const taken: Record<string, string> = {
  suppliers_organization_number_key: 'organisationsnumret',
  suppliers_vat_number_key: 'momsnumret',
  suppliers_endpoint_key: 'den elektroniska adressen',
};

export async function createSupplier(
  tx: Tx,
  supplier: NewSupplier,
  actor: string,
): Promise<{ id: string; name: string }> {
  const id = uuid();
  const { name } = supplier;
  await tx
    .query(
      sql`insert into purchases.suppliers (id, name, organization_number, vat_number, endpoint,
            country_code, account, created_by)
          values (${id}, ${name}, ${supplier.organizationNumber}, ${supplier.vatNumber},
            ${supplier.endpoint}, ${supplier.countryCode}, ${supplier.account}, ${actor})`,
    )
    .catch((error) => {
      const field = taken[databaseErrorOf(error)?.constraint ?? ''];
      throw field === undefined
        ? error
        : new OperatorError(`En leverantör har redan ${field}; välj den i stället.`);
    });
  await addAccounts(tx, id, supplier.accounts, actor);
  await recordEvent(tx, { actor, action: 'supplier.created', subject: id, detail: { name } });
  return { id, name };
}

async function addAccounts(
  tx: Tx,
  supplierId: string,
  added: readonly Omit<PayeeAccount, 'bic'>[],
  actor: string,
): Promise<void> {
  if (added.length === 0) return;
  await tx.query(sql`insert into purchases.supplier_accounts (supplier_id, kind, number, created_by)
    select ${supplierId}::uuid, kind, number, ${actor}
    from unnest(${added.map(({ kind }) => kind)}::text[],
      ${added.map(({ number }) => number)}::text[]) as a (kind, number)
    on conflict do nothing`);
}

/** What the supplier sells, by a person's word: decides accounts and boxes when we owe the VAT. */
export async function markSupplier(
  tx: Tx,
  supplierId: string,
  { supply, rate }: SupplyMark,
  actor: string,
): Promise<void> {
  const [marked] = await tx.query(sql`update purchases.suppliers
    set supply = ${supply}, reverse_charge_rate = ${rate} where id = ${supplierId}::uuid returning id`);
  if (!marked) {
    throw new OperatorError(`Det finns ingen leverantör ${supplierId}; se huvudbok supplier list.`);
  }
  const detail = { supply, rate };
  await recordEvent(tx, { actor, action: 'supplier.marked', subject: supplierId, detail });
}

export interface SupplierWithMark {
  id: string;
  name: string;
  organization_number: string | null;
  vat_number: string | null;
  accounts: { kind: string; number: string }[];
  supply: SupplyMark['supply'];
  reverse_charge_rate: SupplyMark['rate'];
  is_active: boolean;
}

export function listSuppliers(db: Db): Promise<SupplierWithMark[]> {
  return db.query(sql`select s.id, s.name, s.organization_number, s.vat_number, s.supply,
      s.reverse_charge_rate, s.is_active,
      (select coalesce(json_agg(json_build_object('kind', a.kind, 'number', a.number)), '[]')
        from purchases.supplier_accounts a where a.supplier_id = s.id) as accounts
    from purchases.suppliers s order by s.name, s.id`);
}

/** Whose invoice it is, by a person's word. */
export async function matchToSupplier(
  tx: Tx,
  { purchaseId, supplierId }: { readonly purchaseId: string; readonly supplierId: string },
  actor: string,
): Promise<void> {
  const purchase = await lockOpen(tx, purchaseId);
  const [supplier] = await tx.query(
    sql`select from purchases.suppliers where id = ${supplierId}::uuid and is_active`,
  );
  if (!supplier) {
    throw new OperatorError(`Det finns ingen leverantör ${supplierId}; se huvudbok supplier list.`);
  }
  await tx.query(sql`update purchases.invoices set supplier_id = ${supplierId}::uuid
    where id = ${purchase.id}::uuid`);
  const detail = { supplier_id: supplierId };
  await recordEvent(tx, { actor, action: 'purchase.matched', subject: purchaseId, detail });
}

/**
 * Makes a supplier of what the document says of its seller, and matches the invoice to it. An electronic
 * address that another supplier has, as those of one office do, stays with that one.
 */
export async function createSupplierOf(
  tx: Tx,
  purchaseId: string,
  actor: string,
): Promise<{ id: string; name: string }> {
  const { seller, payment } = await lockOpen(tx, purchaseId);
  const [shared] = await tx.query(
    sql`select from purchases.suppliers where endpoint = ${seller.endpoint}`,
  );
  const supplier = await createSupplier(
    tx,
    {
      ...seller,
      endpoint: shared ? null : seller.endpoint,
      name: seller.name.slice(0, 200),
      countryCode: /^[A-Z]{2}$/.test(seller.countryCode) ? seller.countryCode : 'SE',
      account: null,
      accounts: payment.accounts,
    },
    actor,
  );
  await matchToSupplier(tx, { purchaseId, supplierId: supplier.id }, actor);
  return supplier;
}

/** The rows it is to be booked on, in kronor, instead of those suggested. They must balance. */
export async function setRows(
  tx: Tx,
  purchaseId: string,
  rows: readonly PostingRow[],
  actor: string,
): Promise<void> {
  const purchase = await lockOpen(tx, purchaseId);
  const debit = sum(rows.map(({ debitOre }) => debitOre));
  if (rows.length < 2 || debit !== sum(rows.map(({ creditOre }) => creditOre))) {
    throw new OperatorError('Raderna ska vara minst två, och debet ska vara lika med kredit.');
  }
  await tx.query(sql`delete from purchases.invoice_rows where invoice_id = ${purchase.id}::uuid`);
  await insertRows(tx, [{ id: purchase.id, rows }]);
  await recordEvent(tx, { actor, action: 'purchase.coded', subject: purchaseId });
}

/** Throws 422 naming each row whose account does not exist or is inactive; `path` is the row's own. */
export async function requireAccounts(
  tx: Tx,
  rows: readonly { readonly account: number; readonly path: string }[],
): Promise<void> {
  const active = await tx.query<{ number: number }>(
    sql`select number from ledger.accounts
        where is_active and number = any (${rows.map(({ account }) => account)}::integer[])`,
  );
  const known = new Set(active.map(({ number }) => number));
  const problems = rows
    .filter(({ account }) => !known.has(account))
    .map(({ account, path }) => ({
      path,
      reason: 'unknown_account',
      message: `Kontot ${account} finns inte i kontoplanen, eller är inaktivt.`,
    }));
  if (problems.length > 0) throw refuse('unprocessable', problems);
}

export async function rejectPurchase(
  tx: Tx,
  purchaseId: string,
  reason: string,
  actor: string,
): Promise<void> {
  const purchase = await lockOpen(tx, purchaseId);
  await tx.query(sql`select purchases.reject(${purchase.id}::uuid, ${reason}, ${actor})`);
  const detail = { reason };
  await recordEvent(tx, { actor, action: 'purchase.rejected', subject: purchaseId, detail });
}

async function lockOpen(tx: Tx, purchaseId: string): Promise<LockedPurchase> {
  const [purchase] = await lockPurchases(tx, [purchaseId]);
  if (!purchase) throw new OperatorError(`Det finns ingen leverantörsfaktura ${purchaseId}.`);
  if (purchase.status === 'booked') throw new OperatorError('Fakturan är redan bokförd.');
  if (purchase.status === 'rejected') throw new OperatorError('Fakturan är avvisad.');
  return purchase;
}

export interface PurchaseOutcome {
  readonly id: string;
  readonly voucherId: string | null;
  /** Why it was not booked. */
  readonly refusal: AppError | null;
}

/**
 * Books purchases through the ledger in the caller's transaction. One that is booked already is left as
 * it is, so booking twice books once; one that is refused keeps the reason, and its neighbours are
 * booked. In id order; an id of none has no outcome.
 */
export async function bookPurchases(
  tx: Tx,
  ids: readonly string[],
  actor: string,
  date?: string,
): Promise<PurchaseOutcome[]> {
  const purchases = await lockPurchases(tx, ids);
  const judged = purchases.map((purchase) => ({
    purchase,
    refusal: obstacleTo(purchase),
    voucher: voucherOf(purchase, actor, date),
  }));
  const sound = judged.filter(({ purchase, refusal }) => isOpen(purchase) && !refusal);
  // A document of zero kronor has nothing to post, but meets the same years and locks.
  const [bookable, empty] = [
    sound.filter(({ purchase }) => purchase.rows.length > 0),
    sound.filter(({ purchase }) => purchase.rows.length === 0),
  ];
  const outcomeOf = new Map([
    ...(await judgedByLedger(tx, bookable, { dryRun: false })),
    ...(await judgedByLedger(tx, empty, { dryRun: true })),
  ]);
  const outcomes: PurchaseOutcome[] = [];
  for (const one of judged) {
    const { purchase, voucher } = one;
    const outcome = outcomeOf.get(one);
    const error = outcome?.error;
    const refusal = error ? ledgerRefusal(error, outcome.detail ?? {}) : one.refusal;
    const isEmpty = empty.includes(one);
    if (outcome && !error && isEmpty) await settleEmpty(tx, purchase, voucher.date, actor);
    else if (outcome && !error) await settleBooked(tx, purchase, voucher, actor);
    else if (refusal && isOpen(purchase)) await noteRefusal(tx, purchase.id, refusal);
    const voucherId = outcome && !error && !isEmpty ? voucher.id : purchase.voucher_id;
    outcomes.push({ id: purchase.id, voucherId, refusal });
  }
  return outcomes;
}

/** What the ledger says of each; dry, it posts nothing. */
async function judgedByLedger<One extends { readonly voucher: LedgerVoucher }>(
  tx: Tx,
  judged: readonly One[],
  options: { readonly dryRun: boolean },
): Promise<[One, LedgerOutcome | undefined][]> {
  if (judged.length === 0) return [];
  const vouchers = judged.map(({ voucher }) => voucher);
  const outcomes = await postToLedger(tx, vouchers, options);
  return judged.map((one, index) => [one, outcomes[index]]);
}

export interface BookedTogether {
  readonly booked: number;
  /** Those that somebody should look at one by one. */
  readonly toReview: number;
  /** Why the others were refused, in the order of their ids. */
  readonly refusals: readonly AppError[];
}

/**
 * Books several that there is nothing to remark on. One that waits to be looked at is left: to book it is
 * to vouch for where its money goes.
 */
export async function bookUnremarked(
  tx: Tx,
  ids: readonly string[],
  actor: string,
): Promise<BookedTogether> {
  const purchases = await lockPurchases(tx, ids);
  const [toReview, sound] = [
    purchases.filter(({ status }) => status === 'review'),
    purchases.filter(({ status }) => status !== 'review'),
  ];
  const outcomes = await bookPurchases(
    tx,
    sound.map(({ id }) => id),
    actor,
  );
  const refusals = outcomes.flatMap(({ refusal }) => refusal ?? []);
  return { booked: outcomes.length - refusals.length, toReview: toReview.length, refusals };
}

const isOpen = ({ status }: LockedPurchase): boolean => status === 'new' || status === 'review';

/** What a person must do first. */
function obstacleTo(purchase: LockedPurchase): AppError | null {
  const { status, supplier_id, rows } = purchase;
  if (status === 'booked') return null;
  if (status === 'rejected') return new AppError('unprocessable', 'Fakturan är avvisad.');
  if (supplier_id === null) {
    return new AppError('unprocessable', 'Fakturan saknar leverantör; koppla den till en först.');
  }
  if (rows.length === 0 && !purchase.is_empty) {
    return new AppError('unprocessable', 'Fakturan saknar konteringsrader; ange dem först.');
  }
  if (purchase.is_deducted_twice) {
    const message =
      'Förskottet som raderna tar tillbaka är redan avdraget på en annan faktura; föreslå rader på nytt.';
    return new AppError('unprocessable', message);
  }
  const gaps = vatGaps(
    rows.map((row) => ({ ...row, ore: BigInt(row.debit) - BigInt(row.credit) })),
  );
  return gaps.length === 0 ? null : new AppError('unprocessable', gaps.map(gapSentence).join(' '));
}

const gapSentence = ({ outputBox, rate, baseOre, dueOre, bookedOre }: VatGap): string =>
  `Omvänd betalningsskyldighet går inte ihop: ${rate} % moms på underlaget ${formatKronor(baseOre)} är ${formatKronor(dueOre)}, men raderna har ${formatKronor(bookedOre)} utgående moms i ruta ${outputBox}. Rätta raderna, eller kontots momsruta i kontoplanen.`;

function voucherOf(purchase: LockedPurchase, actor: string, date?: string): LedgerVoucher {
  const { kind, invoice_number, issue_date, booking_date, supplier_name, seller, rows } = purchase;
  const name = supplier_name ?? seller.name;
  const word = kind === 'invoice' ? 'Leverantörsfaktura' : 'Kreditfaktura från leverantör';
  return {
    id: uuid(),
    series: SERIES,
    date: date ?? booking_date ?? issue_date,
    description: `${word} ${invoice_number}`.slice(0, 500),
    counterparty: name.slice(0, 200),
    source: 'supplier_invoice',
    actor,
    rows: rows.map(({ account, debit, credit, note }) => ({
      account,
      debitOre: BigInt(debit),
      creditOre: BigInt(credit),
      note,
    })),
  };
}

async function settleBooked(
  tx: Tx,
  purchase: LockedPurchase,
  voucher: LedgerVoucher,
  actor: string,
): Promise<void> {
  await tx.query(sql`select purchases.book(${purchase.id}::uuid, ${voucher.id}::uuid,
    ${voucher.date}::date, ${actor})`);
  const detail = { voucher_id: voucher.id };
  await recordEvent(tx, { actor, action: 'purchase.booked', subject: purchase.id, detail });
  // Who booked it has vouched for where the money goes.
  if (purchase.supplier_id) {
    await addAccounts(tx, purchase.supplier_id, purchase.payment.accounts, actor);
  }
}

/** Booked without a voucher: nothing is owed, and nothing has happened in the books. */
async function settleEmpty(
  tx: Tx,
  { id }: LockedPurchase,
  date: string,
  actor: string,
): Promise<void> {
  await tx.query(sql`select purchases.book(${id}::uuid, null, ${date}::date, ${actor})`);
  const detail = { voucher_id: null };
  await recordEvent(tx, { actor, action: 'purchase.booked', subject: id, detail });
}

async function noteRefusal(tx: Tx, id: string, { message, detail }: AppError): Promise<void> {
  const refusal = JSON.stringify({ message, ...detail });
  await tx.query(sql`update purchases.invoices set booking_refusal = ${refusal}::jsonb
    where id = ${id}::uuid`);
}
