/** The rows a supplier's invoice is to be booked on, as a form; as a table once it is decided. */

import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { sum } from '../../domain/basics/money.ts';
import { accounts as known } from '../../domain/purchases/supplier-posting.ts';
import { say } from '../../lib/language.ts';
import type { PurchasePage } from '../../purchases/inbox/inbox-store.ts';
import { field } from '../fields.ts';
import { rowsOf, textOf } from '../form-fields.ts';
import { amountOrEmpty, amountText } from '../format.ts';
import type { FormInput } from '../visit.ts';

/** Empty rows below those there are, so that there is always somewhere to write. */
const spareRows = 3;
const rowsMin = 6;

interface CodingParts {
  readonly purchase: PurchasePage;
  readonly accounts: readonly { readonly number: number; readonly name: string }[];
  /** Where the supplier's purchases usually go. */
  readonly usual: { readonly number: number; readonly name: string } | undefined;
  readonly input: FormInput;
}

interface TypedRow {
  readonly account: string;
  readonly debit: string;
  readonly credit: string;
  readonly note: string;
}

export function codingView({ purchase, accounts, usual, input }: CodingParts) {
  const kept = purchase.rows.map((row) => ({
    account: String(row.account),
    debit: amountOrEmpty(BigInt(row.debit)),
    credit: amountOrEmpty(BigInt(row.credit)),
    note: row.note ?? '',
  }));
  const rows = input.isSent && rowsOf(input.fields, 'rows').length > 0 ? typedRows(input) : kept;
  const blank = { account: '', debit: '', credit: '', note: '' };
  const spare = Array.from({ length: Math.max(spareRows, rowsMin - rows.length) }, () => blank);
  const names = new Map(accounts.map(({ number, name }) => [String(number), name]));
  const isForeign = purchase.currency !== homeCurrency;
  const debit = sum(purchase.rows.map((row) => BigInt(row.debit)));
  return {
    rows: [...rows, ...spare].map((row, index) => rowView(row, index, input)),
    kept: kept.map((row) => ({ ...row, name: names.get(row.account) ?? '' })),
    total: amountText(debit),
    accounts: accounts.map(({ number, name }) => ({ number, label: `${number} ${name}` })),
    usual: usual ? `${usual.number} ${usual.name}` : null,
    foreign: isForeign ? `${amountText(purchase.payable_ore)} ${purchase.currency}` : null,
    differs: isForeign ? null : differenceOf(purchase),
    date: field(input, 'date', say`Bokföringsdatum`, {
      type: 'date',
      isRequired: true,
      value: suggestedDate(purchase),
      help: say`Fakturadatumet, om inget annat.`,
    }),
  };
}

/** What was typed, each row in its place; the empty ones at the end are made anew. */
function typedRows({ fields }: FormInput): TypedRow[] {
  const rows = rowsOf(fields, 'rows').map((row) => ({
    account: textOf(row, 'account'),
    debit: textOf(row, 'debit'),
    credit: textOf(row, 'credit'),
    note: textOf(row, 'note'),
  }));
  const last = rows.findLastIndex((row) => Object.values(row).some((typed) => typed !== ''));
  return rows.slice(0, last + 1);
}

function rowView(row: TypedRow, index: number, { problems }: FormInput) {
  const cell = (name: keyof TypedRow, label: string) => {
    const path = `rows[${index}].${name}`;
    const error = problems.find((problem) => problem.path === path)?.message ?? null;
    const id = `row-${index}-${name}`;
    return { id, path, error, label: say`${label}, rad ${index + 1}`, value: row[name] };
  };
  return {
    account: cell('account', say`Konto`),
    debit: cell('debit', say`Debet`),
    credit: cell('credit', say`Kredit`),
    note: cell('note', say`Text`),
  };
}

/** Where the ledger refused the day, the first day it would take. */
function suggestedDate({ booking_date, booking_refusal, issue_date }: PurchasePage): string {
  return booking_date ?? booking_refusal?.earliest_allowed_date ?? issue_date;
}

/** What the rows owe the supplier, when that is not what the invoice asks for. */
function differenceOf({ rows, payable_ore }: PurchasePage): string | null {
  const owed = sum(
    rows
      .filter(({ account }) => account === known.payables)
      .map(({ debit, credit }) => BigInt(credit) - BigInt(debit)),
  );
  return rows.length === 0 || owed === payable_ore ? null : amountText(owed);
}
