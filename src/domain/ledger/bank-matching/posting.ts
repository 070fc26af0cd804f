/** What a row is booked as when it is what it is held for: the voucher, and what that settles. */
import type { Fault } from '../../../lib/errors.ts';
import { absolute, greatest, least, type Ore, sum } from '../../basics/money.ts';
import { differenceAccountOf, type SettlementKind } from '../settlement-accounts.ts';
import { type VatRate, vatAccountOf, vatFromGross } from '../vat.ts';
import { type PostingRow, signedRow } from '../voucher.ts';
import { goesAs } from './documents.ts';
import type { MatchDifference, MatchPart, OwedBack, UnmatchedRow } from './match.ts';

/** A booked document as it is when it is paid. */
export interface PayableDocument {
  readonly kind: 'invoice' | 'purchase';
  readonly id: string;
  readonly number: string;
  readonly who: string;
  /** Somebody laid it out for us, and gets it back. */
  readonly isOutlay?: boolean;
  readonly issuedOn: string;
  /** What is left of it with what was written off, and what was paid on it; by the bank's sign. */
  readonly openOre: Ore;
  readonly paidOre: Ore;
  /** What of it was written off as lost; money beyond what else is open takes that back. */
  readonly losses?: readonly { readonly account: number; readonly ore: Ore }[];
  /** What a loss that is taken back is booked as, when so much is paid of the document. */
  readonly takeLossBack?: (lossOre: Ore, paidOre: Ore) => readonly PostingRow[];
  /** What it is owed in: others than SEK are paid by the kronor of another day. */
  readonly currency: string;
  /** Where the debt stands: 1510, 2440, or an account of who laid out. */
  readonly debtAccount: number;
  /** What a file pays of it, and the bank may still pay. */
  readonly inFile?: PayablePayout | null;
}

export interface PayablePayout {
  readonly payoutId: string;
  /** Of the file, as people say it. */
  readonly number: number;
  /** By the bank's sign. */
  readonly amountOre: Ore;
  /** The bank has the file, and pays nothing else with it: a payment of just that is this one. */
  readonly isAlone: boolean;
}

/** So much of a document, by the document's own sign: what was owed is owed no more. */
export interface DocumentPayment {
  readonly kind: 'invoice' | 'purchase';
  readonly documentId: string;
  readonly settles: SettlementKind;
  readonly account: number;
  readonly amountOre: Ore;
}

export interface RowPosting {
  readonly series: string;
  readonly description: string;
  readonly counterparty: string | null;
  readonly source: 'payment' | 'supplier_payment' | 'bank';
  readonly rows: readonly PostingRow[];
  readonly payments: readonly DocumentPayment[];
}

/** What a customer has paid too much: it goes back, or is set off (BAS 2420). */
export const customersCredit = 2420;

/** A series for what customers, suppliers, and the bank itself do. */
const series = { payment: 'C', supplier_payment: 'E', bank: 'A' } as const;

/**
 * A payment of documents, whole or part. A difference (rounding, the bank's fee) settles what of them money does not; a
 * customer's credit settles nothing. Answers faults where a document is not open so far, or is of a later day.
 */
export function paymentPosting(
  row: Pick<UnmatchedRow, 'ledgerAccount' | 'amountOre' | 'day' | 'text'>,
  {
    parts,
    differences,
    payoutIds = [],
  }: {
    readonly parts: readonly MatchPart[];
    /** They and the row come to the parts. */
    readonly differences: readonly MatchDifference[];
    readonly payoutIds?: readonly string[];
  },
  find: (part: MatchPart) => PayableDocument | undefined,
): RowPosting | { readonly problems: readonly Fault[] } {
  const paid = parts.map((part) => ({ part, document: find(part) }));
  const problems = paid.flatMap(({ part, document }) => [
    ...partProblems(row.day, part, document),
    ...fileProblems(part, document?.inFile ?? null, payoutIds),
  ]);
  if (problems.length > 0) return { problems };
  const documents = paid.map(({ document }) => document).filter((one) => one !== undefined);
  const [first] = documents;
  const kind = first?.kind;
  if (documents.some((one) => one.kind !== kind)) return { problems: [changed] };
  const backs = paid.flatMap(({ part, document }) => lossBack(part, document));
  const source = kind === undefined ? 'bank' : kind === 'invoice' ? 'payment' : 'supplier_payment';
  const owedTo = differences.flatMap((one) => (one.kind === 'credit' ? one.owedTo : []));
  const counterparty = onlyOne([...documents.map(({ who }) => who), ...owedTo.map(nameOf)]);
  return {
    series: series[source],
    description: describe(row, documents, source),
    counterparty,
    source,
    rows: [
      signedRow(row.ledgerAccount, row.amountOre),
      ...[...debts(paid, backs)].map(([account, ore]) => signedRow(account, -ore)),
      ...backs.flatMap(({ rows }) => rows),
      ...differences.flatMap((one) => differenceRows(one, counterparty !== null)),
    ],
    payments: [
      ...settling(parts, row.ledgerAccount, differences),
      ...backs.flatMap(({ payments }) => payments),
    ],
  };
}

/** Money between two accounts of ours. */
export function transferPosting(
  row: Pick<UnmatchedRow, 'ledgerAccount' | 'amountOre'>,
  other: Pick<UnmatchedRow, 'ledgerAccount' | 'amountOre'>,
): RowPosting {
  const rows = [row, other].map((one) => signedRow(one.ledgerAccount, one.amountOre));
  return { ...ofBank('Överföring mellan egna konton'), rows };
}

/** What a person has split a row into: documents, and accounts; amounts by the bank's sign. */
export interface SplitTarget {
  readonly kind: 'split';
  readonly parts: readonly MatchPart[];
  /** What of the parts is settled beside the money. */
  readonly differences?: readonly MatchDifference[];
  readonly accounts: readonly {
    readonly account: number;
    readonly amountOre: Ore;
    readonly note: string | null;
  }[];
}

/** A payment of documents together with other accounts, or these alone. */
export function splitPosting(
  row: Pick<UnmatchedRow, 'ledgerAccount' | 'amountOre' | 'day' | 'text'>,
  { parts, differences = [], accounts }: SplitTarget,
  find: (part: MatchPart) => PayableDocument | undefined,
): RowPosting | { readonly problems: readonly Fault[] } {
  const others = accounts.map(({ account, amountOre, note }) =>
    signedRow(account, -amountOre, note),
  );
  if (parts.length === 0) {
    const rows = [signedRow(row.ledgerAccount, row.amountOre), ...others];
    return { ...ofBank(describeRow(row)), rows };
  }
  const posting = paymentPosting(row, { parts, differences }, find);
  return 'problems' in posting ? posting : { ...posting, rows: [...posting.rows, ...others] };
}

const describeRow = ({ text }: Pick<UnmatchedRow, 'text'>): string =>
  text.slice(0, descriptionMax) || 'Bankrad utan text';

/** The whole row against one account, in the bank's words unless others tell more. */
export function accountPosting(
  row: Pick<UnmatchedRow, 'ledgerAccount' | 'amountOre' | 'text'>,
  account: number,
  { words = '', counterparty = null }: { words?: string; counterparty?: string | null } = {},
): RowPosting {
  const rows = [signedRow(row.ledgerAccount, row.amountOre), signedRow(account, -row.amountOre)];
  return { ...ofBank(words.slice(0, descriptionMax) || describeRow(row)), counterparty, rows };
}

/** What stands against the bank's account: an account, and VAT of a rate within its amount. Null where the account has no VAT. */
export function counterRows(account: number, ore: Ore, rate: VatRate): PostingRow[] | null {
  if (rate === 0) return [signedRow(account, ore)];
  const vatAccount = vatAccountOf(account, rate);
  if (vatAccount === null) return null;
  const vatOre = vatFromGross(ore, rate);
  const net = signedRow(account, ore - vatOre);
  return vatOre === 0n ? [net] : [net, signedRow(vatAccount, vatOre)];
}

const ofBank = (description: string): Omit<RowPosting, 'rows'> => ({
  series: series.bank,
  description,
  counterparty: null,
  source: 'bank',
  payments: [],
});

const changed: Fault = { path: 'transactionId', reason: 'suggestion_changed' };

function partProblems(
  day: string,
  { amountOre }: MatchPart,
  document: PayableDocument | undefined,
): Fault[] {
  if (!document) return [changed];
  const { kind, number, openOre, paidOre, issuedOn: from } = document;
  // What goes the other way takes back what was paid.
  const mostOre = goesAs(amountOre, openOre)
    ? openOre
    : goesAs(-amountOre, paidOre)
      ? -paidOre
      : 0n;
  if (absolute(amountOre) > absolute(mostOre)) return [tooMuch(amountOre, document)];
  if (day >= from) return [];
  const reason = kind === 'invoice' ? 'paid_before_invoice' : 'paid_before_purchase';
  return [{ path: 'date', reason, params: { number, from } }];
}

/** By the document's own sign, as whoever registers a payment of it is told. */
function tooMuch(
  amountOre: Ore,
  { kind, number, openOre, paidOre, losses = [] }: PayableDocument,
): Fault {
  const path = 'amount';
  if (kind === 'invoice') {
    if (amountOre < 0n) return { path, reason: 'exceeds_paid', params: { number, paidOre } };
    const lostOre = sum(losses.map(({ ore }) => ore));
    return lostOre > 0n
      ? { path, reason: 'exceeds_open_and_lost', params: { number, openOre, lostOre } }
      : { path, reason: 'exceeds_open', params: { number, openOre: greatest(openOre, 0n) } };
  }
  const owedOre = -(openOre + paidOre);
  const isPaying = owedOre > 0n === amountOre < 0n;
  return isPaying || paidOre === 0n
    ? { path, reason: 'exceeds_open_purchase', params: { number, openOre: -openOre } }
    : { path, reason: 'exceeds_paid_purchase', params: { number, paidOre: absolute(paidOre) } };
}

/** A loss that the money takes back. */
interface LossBack {
  readonly debtAccount: number;
  readonly ore: Ore;
  readonly rows: readonly PostingRow[];
  readonly payments: readonly DocumentPayment[];
}

/** What of a part is money for what was written off: all that is more than else is open. */
function lossBack(part: MatchPart, document: PayableDocument | undefined): LossBack[] {
  const { losses = [], openOre = 0n, takeLossBack, debtAccount = 0 } = document ?? {};
  const lostOre = sum(losses.map(({ ore }) => ore));
  let left = part.amountOre - greatest(openOre - lostOre, 0n);
  if (!takeLossBack || lostOre === 0n || left <= 0n) return [];
  const ore = left;
  const payments = losses.flatMap(({ account, ore: lost }): DocumentPayment[] => {
    const back = least(left, lost);
    left -= back;
    if (back === 0n) return [];
    const { kind, documentId } = part;
    return [{ kind, documentId, settles: 'loss', account, amountOre: -back }];
  });
  return [{ debtAccount, ore, payments, rows: takeLossBack(-ore, part.amountOre) }];
}

/** What the bank may still pay is not paid beside it. */
function fileProblems(
  { amountOre }: MatchPart,
  inFile: PayablePayout | null,
  payoutIds: readonly string[],
): Fault[] {
  if (inFile === null || payoutIds.includes(inFile.payoutId)) return [];
  if (inFile.isAlone && inFile.amountOre === amountOre) return [];
  const params = { file: inFile.number };
  return [{ path: 'transactionId', reason: 'payment_in_file', params }];
}

/** What each account of debt is lessened by, by the bank's sign. */
function debts(
  paid: readonly { readonly part: MatchPart; readonly document: PayableDocument | undefined }[],
  backs: readonly LossBack[],
): Map<number, Ore> {
  const sums = new Map<number, Ore>();
  const add = (account: number, ore: Ore) => sums.set(account, (sums.get(account) ?? 0n) + ore);
  for (const { part, document } of paid) {
    if (document) add(document.debtAccount, part.amountOre);
  }
  for (const { debtAccount, ore } of backs) add(debtAccount, -ore);
  return new Map([...sums].filter(([, ore]) => ore !== 0n));
}

const nameOf = ({ name }: OwedBack): string => name;

/** What a customer is to have back is kept by whose it is: the voucher says, or where it is of several, each row. */
function differenceRows(difference: MatchDifference, isOfOne: boolean): PostingRow[] {
  if (difference.kind !== 'credit') {
    const { kind, amountOre } = difference;
    return [signedRow(differenceAccountOf(kind, -amountOre), -amountOre)];
  }
  return difference.owedTo.map(({ name, amountOre }) =>
    signedRow(customersCredit, -amountOre, isOfOne ? null : name),
  );
}

/** Rounding of one document is öre (lag 1970:1029). */
const roundingOreMax: Ore = 99n;

/** What each part settles by money, and what beside: no more rounding than a document may have, and some money always. */
function settling(
  parts: readonly MatchPart[],
  account: number,
  differences: readonly MatchDifference[],
): DocumentPayment[] {
  const settled = parts.map(({ kind, documentId, amountOre }) => {
    const own = (ore: Ore): Ore => (kind === 'invoice' ? ore : -ore);
    return { of: { kind, documentId }, own, moneyOre: amountOre, beside: [] as DocumentPayment[] };
  });
  for (const difference of differences) {
    const { kind: settles } = difference;
    if (settles === 'credit') continue;
    let left = difference.amountOre;
    const { documentId } = difference;
    const among = settled.filter(
      ({ of }) => documentId === undefined || of.documentId === documentId,
    );
    for (const part of among.toReversed()) {
      const isLess = !goesAs(left, part.moneyOre);
      const mostOre = isLess ? absolute(part.moneyOre) - 1n : absolute(left);
      const ore = nearestZero(
        left,
        settles === 'rounding' ? least(mostOre, roundingOreMax) : mostOre,
      );
      if (ore === 0n) continue;
      left -= ore;
      part.moneyOre += ore;
      const beyond = differenceAccountOf(settles, -difference.amountOre);
      part.beside.push({ ...part.of, settles, account: beyond, amountOre: part.own(-ore) });
    }
  }
  return settled.flatMap(({ of, own, moneyOre, beside }) => [
    { ...of, settles: 'money', account, amountOre: own(moneyOre) },
    ...beside,
  ]);
}

/** An amount, but no further from zero than so. */
const nearestZero = (ore: Ore, most: Ore): Ore =>
  absolute(ore) <= most ? ore : ore < 0n ? -most : most;

const descriptionMax = 500;

function describe(
  { amountOre, text }: Pick<UnmatchedRow, 'amountOre' | 'text'>,
  documents: readonly PayableDocument[],
  source: RowPosting['source'],
): string {
  const numbers = documents.map(({ number }) => number).join(', ');
  const who = onlyOne(documents.map((one) => one.who));
  const words = {
    payment: `${amountOre > 0n ? 'Inbetalning' : 'Återbetalning'} kundfaktura ${numbers}`,
    supplier_payment:
      documents.every(({ isOutlay }) => isOutlay === true) && who !== null
        ? `Utlägg åter till ${who}: ${numbers}`
        : `${amountOre < 0n ? 'Betalning av' : 'Återbetalning av'} leverantörsfaktura ${numbers}`,
    bank: `För mycket betalt: ${text}`,
  };
  return words[source].slice(0, descriptionMax);
}

function onlyOne(names: readonly string[]): string | null {
  const [only, ...others] = new Set(names);
  return only !== undefined && others.length === 0 ? only : null;
}
