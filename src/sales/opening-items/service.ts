/**
 * Takes over what was open when the books began: customers' invoices that can be paid, reminded, credited and
 * collected, and suppliers' that can be paid. Nothing is posted: the opening balance holds the sums.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import { type Ore, oreToNumber } from '../../domain/basics/money.ts';
import { capProblems } from '../../domain/basics/problems.ts';
import { accounts } from '../../domain/purchases/supplier-posting.ts';
import { receivablesAccount } from '../../domain/sales/invoice.ts';
import {
  excessProblem,
  type OpeningItem,
  type OpeningLine,
  type OpeningSide,
  openingDifference,
  readOpeningItems,
  remainderRow,
} from '../../domain/sales/opening-items.ts';
import { getYearOpening } from '../../ledger/fiscal-years/opening-balances.ts';
import { listYearSpans } from '../../ledger/fiscal-years/store.ts';
import { lockLedger } from '../../ledger/locks/store.ts';
import { type Fault, faultOf, refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { createSupplier } from '../../purchases/suppliers/service.ts';
import { insertCustomer } from '../customers/store.ts';
import {
  deleteOpeningItem,
  findMoveBalance,
  insertOpeningInvoices,
  insertOpeningPurchases,
  listParties,
  listRevenueRates,
  listTaken,
  sumOpeningItems,
} from './store.ts';

/** Where sales are booked unless a line says otherwise: 25 % VAT. */
const usualSaleAccount = 3001;

export interface OpeningStanding {
  /** The year the books began. */
  readonly year: number;
  /** The first day that is booked here: of that year, or after the company moved in. */
  readonly first: string;
  /** The last day in the old program; null when the books began here. */
  readonly movedOn: string | null;
  /** What 1510 opened with, or had when the company moved in; of 2440 as a debt. */
  readonly balanceOre: Ore;
  readonly itemsOre: Ore;
  /** What is left to enter; below zero when the balance was lessened afterwards. */
  readonly differenceOre: Ore;
}

/** Throws `unprocessable` before there is a fiscal year. */
export async function getOpeningStanding(db: Db, side: OpeningSide): Promise<OpeningStanding> {
  const [first] = await listYearSpans(db);
  if (!first) throw refuseWhole('unprocessable', 'no_fiscal_year_yet');
  const account = side === 'customers' ? receivablesAccount : accounts.payables;
  const move = await findMoveBalance(db, account);
  const { balances } = await getYearOpening(db, first.year);
  const opened = balances.find((one) => one.account === account)?.balanceOre ?? 0n;
  const balance = move?.ore ?? opened;
  const balanceOre = side === 'customers' ? balance : -balance;
  const itemsOre = await sumOpeningItems(db, side);
  return {
    year: first.year,
    first: move ? addDays(move.day, 1) : first.start,
    movedOn: move?.day ?? null,
    balanceOre,
    itemsOre,
    differenceOre: openingDifference(balanceOre, [{ openOre: itemsOre }]),
  };
}

/**
 * All of the lines or none. Customers and suppliers are known by number, else by name, and are added to the
 * register when they are new. Throws `unprocessable` with every problem, also when the items would come
 * to more than the opening balance.
 */
export async function takeOver(
  tx: Tx,
  side: OpeningSide,
  lines: readonly OpeningLine[],
  actor: string,
): Promise<OpeningStanding> {
  // The registers first: thousands of parties take their time, and nobody's posting waits for them.
  const parties = await findParties(tx, side, (await judged(tx, side, lines)).items, actor);
  await lockLedger(tx);
  const { items, first, year } = await judged(tx, side, lines);
  if (side === 'customers') await addInvoices(tx, items, parties, actor);
  else await addPurchases(tx, items, parties, first, actor);
  const after = await getOpeningStanding(tx, side);
  const detail = { count: items.length, left: oreToNumber(after.differenceOre) };
  const action = `opening_items.${side}_taken_over`;
  await recordEvent(tx, { actor, action, subject: String(year), detail });
  return after;
}

/** The items, once nothing is wrong with them beside the opening balance as it stands. */
async function judged(
  tx: Tx,
  side: OpeningSide,
  lines: readonly OpeningLine[],
): Promise<{ items: readonly OpeningItem[]; first: string; year: number }> {
  const { first, year, balanceOre, differenceOre } = await getOpeningStanding(tx, side);
  const { items, problems } = readOpeningItems(lines, side, first);
  if (problems.length > 0) throw refuse('unprocessable', problems);
  // Sent again, it is not too much but the same.
  const reason = side === 'customers' ? 'opening_number_taken' : 'opening_purchase_taken';
  const taken = (await listTaken(tx, side, items)).map((index) =>
    faultOf(`lines[${index}].number`, reason, { number: items[index]?.number ?? null }),
  );
  if (taken.length > 0) throw refuse('unprocessable', capProblems(taken));
  const excess = excessProblem(side, balanceOre, openingDifference(differenceOre, items));
  if (excess) throw refuse('unprocessable', [excess]);
  return { items, first, year };
}

/** Throws 404 when there is no such item. */
export async function giveUp(tx: Tx, side: OpeningSide, id: string, actor: string): Promise<void> {
  if (!(await deleteOpeningItem(tx, side, id))) {
    throw refuseWhole('not_found', 'no_opening_item');
  }
  await recordEvent(tx, { actor, action: 'opening_items.removed', subject: id, detail: { side } });
}

/** One id for each item. */
async function findParties(
  tx: Tx,
  side: OpeningSide,
  items: readonly OpeningItem[],
  actor: string,
): Promise<readonly string[]> {
  const problems: Fault[] = [];
  const found = new Map<string, string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    if (found.has(key)) continue;
    const [party, other] = await listParties(tx, side, item);
    if (other) {
      const params = { lineNo: index + 1, name: item.name };
      problems.push({ path: `lines[${index}].name`, reason: 'opening_name_ambiguous', params });
    }
    found.set(key, party?.id ?? (await addParty(tx, side, item, actor)));
  }
  if (problems.length > 0) throw refuse('unprocessable', problems);
  return items.map((item) => found.get(keyOf(item)) ?? '');
}

const keyOf = ({ organizationNumber, name }: OpeningItem): string =>
  organizationNumber ?? name.toLowerCase();

async function addParty(
  tx: Tx,
  side: OpeningSide,
  { name, organizationNumber }: OpeningItem,
  actor: string,
): Promise<string> {
  if (side === 'suppliers') {
    const supplier = { name, organizationNumber, vatNumber: null, endpoint: null };
    const rest = { countryCode: 'SE', account: null, accounts: [] };
    return (await createSupplier(tx, { ...supplier, ...rest }, actor)).id;
  }
  const { id } = await insertCustomer(tx, { name, organizationNumber });
  await recordEvent(tx, { actor, action: 'customer.created', subject: id, detail: { name } });
  return id;
}

/** What was paid before is null when nothing was. */
const originalOf = ({ totalOre, openOre }: OpeningItem): Ore | null =>
  totalOre === openOre ? null : totalOre;

async function addInvoices(
  tx: Tx,
  items: readonly OpeningItem[],
  customers: readonly string[],
  actor: string,
): Promise<void> {
  const rates = await listRevenueRates(
    tx,
    items.map(({ account }) => account ?? usualSaleAccount),
  );
  const problems: Fault[] = [];
  const invoices = items.map((item, index) => {
    const account = item.account ?? usualSaleAccount;
    const vatRate = rates.get(account);
    if (vatRate === undefined) {
      const params = { lineNo: index + 1, account };
      problems.push({ path: `lines[${index}].account`, reason: 'opening_account', params });
    }
    const description = `Faktura ${item.number}, övertagen med den ingående balansen`;
    return {
      id: uuid(),
      customerId: customers[index] ?? '',
      number: Number(item.number),
      ocr: item.ocr,
      invoiceDate: item.invoiceDate,
      dueDate: item.dueDate,
      totalOre: item.openOre,
      originalOre: originalOf(item),
      notes: 'Fakturerad i ett tidigare system.',
      row: {
        description,
        account,
        vatRate: vatRate ?? 0,
        ...remainderRow(item.openOre, vatRate ?? 0),
      },
    };
  });
  if (problems.length > 0) throw refuse('unprocessable', problems);
  await insertOpeningInvoices(tx, invoices, actor);
}

function addPurchases(
  tx: Tx,
  items: readonly OpeningItem[],
  suppliers: readonly string[],
  first: string,
  actor: string,
): Promise<void> {
  const purchases = items.map((item, index) => ({
    id: uuid(),
    supplierId: suppliers[index] ?? '',
    number: item.number,
    reference: item.ocr,
    invoiceDate: item.invoiceDate,
    dueDate: item.dueDate,
    payableOre: item.openOre,
    originalOre: originalOf(item),
    bookingDate: first,
  }));
  return insertOpeningPurchases(tx, purchases, actor);
}
