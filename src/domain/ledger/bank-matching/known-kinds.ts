/** Rows that mean the same at every company, or at every one of its form: taxes, the bank's charges, interest. */
import { isPartnership, isPersonalNumber } from '../../basics/identifiers.ts';
import type { MatchReason, UnmatchedRow } from './match.ts';
import { folded } from './names.ts';

/** Skatteverket's bankgiro for the tax account. */
export const taxBankgiro = '50501055';

interface KnownKind {
  readonly on: UnmatchedRow['accountKind'];
  readonly direction: 'in' | 'out';
  readonly text: RegExp;
  /** BAS. */
  readonly account: number;
  readonly reason: MatchReason;
}

const kinds: readonly KnownKind[] = [
  { on: 'bank', direction: 'in', text: /^(kredit)?ranta\b/, account: 8310, reason: 'interest' },
  {
    on: 'bank',
    direction: 'out',
    text: /^(banktjanster|bankavgift|arsavgift|manadsavgift|kontoavgift|kortavgift|avgift\b|pris\b|prisn? nyckelkund)/,
    account: 6570,
    reason: 'bank_charge',
  },
  { on: 'tax', direction: 'out', text: /^moms\b/, account: 2650, reason: 'tax_account' },
  { on: 'tax', direction: 'in', text: /^moms\b/, account: 2650, reason: 'tax_account' },
  { on: 'tax', direction: 'out', text: /^arbetsgivaravgift/, account: 2731, reason: 'tax_account' },
  { on: 'tax', direction: 'out', text: /^avdragen skatt/, account: 2710, reason: 'tax_account' },
  { on: 'tax', direction: 'in', text: /^intaktsranta/, account: 8314, reason: 'interest' },
  { on: 'tax', direction: 'out', text: /^kostnadsranta/, account: 8423, reason: 'interest' },
];

export function knownKindOf(row: UnmatchedRow): { account: number; reason: MatchReason } | null {
  const text = folded(row.text).trim();
  const direction = row.amountOre > 0n ? 'in' : 'out';
  const found = kinds.find(
    (one) => one.on === row.accountKind && one.direction === direction && one.text.test(text),
  );
  return found ? { account: found.account, reason: found.reason } : null;
}

/**
 * Where income tax on the tax account usually stands: all of a sole trader's is the owner's own (2012); a company pays its
 * preliminary tax in advance (2518), and what its final tax settles a person says. Partners pay theirs themselves.
 */
export function incomeTaxAccount(row: UnmatchedRow, organizationNumber: string): number | null {
  if (row.accountKind !== 'tax') return null;
  const text = folded(row.text).trim();
  const isPreliminary = /^debiterad preliminarskatt\b/.test(text);
  if (isPersonalNumber(organizationNumber)) {
    return isPreliminary || /^slutlig skatt\b/.test(text) ? 2012 : null;
  }
  return isPreliminary && !isPartnership(organizationNumber) ? 2518 : null;
}

/** Money to or from Skatteverket, which the tax account (1630) meets. */
export function isTaxPayment({ text, amountOre, accountKind, payments }: UnmatchedRow): boolean {
  if (accountKind !== 'bank') return false;
  const said = [text, ...payments.flatMap(({ texts }) => texts)].join(' ');
  const parties = payments.map(({ debtor, creditor }) => (amountOre > 0n ? debtor : creditor));
  const numbers = [said, ...parties.map(({ account }) => account ?? '')];
  return (
    numbers.some((one) => /5050-?1055/.test(one)) ||
    [said, ...parties.map(({ name }) => name ?? '')].some((one) => /\bskatteverket\b/i.test(one))
  );
}
