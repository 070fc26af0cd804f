/** Bank: what the bank says happened, what of it is not booked, and whether the balances agree. */
import { z } from 'zod';
import type { RefusedRow } from '../../bank/matching/booking.ts';
import { bookSuggested, suggestMatches } from '../../bank/matching/service.ts';
import { addTransaction, stateBalance } from '../../bank/service.ts';
import type { BankAccountKind } from '../../bank/statements/statement-store.ts';
import {
  type BankAccount,
  type BankListing,
  type BankPlace,
  type BankRow,
  getBankAccount,
  listBankAccounts,
  listBankRows,
} from '../../bank/store.ts';
import { addDays, isDate } from '../../domain/basics/dates.ts';
import { type Refusal, refuse } from '../../lib/errors.ts';
import { pageProblem } from '../../lib/sentences/say.ts';
import { field, formOf, problemsAbove } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { amountText, count, dayInWords, kronor } from '../format.ts';
import { amount, day, text, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { approvals, rowsOnPage } from './approvals.ts';
import { suggestionSpeaker } from './suggestion-words.ts';
import { toldInShort } from './told-words.ts';

const home = '/bank';
const pageSize = rowsOnPage;

const tabs = [
  { tab: 'unmatched', name: 'utan-verifikat', label: 'Utan verifikat' },
  { tab: 'matched', name: 'matchade', label: 'Matchade' },
  { tab: 'all', name: 'alla', label: 'Alla' },
] as const;

export const ofAccount = z.object({ id: uuid });
export type OfAccount = Visit<{ id: string }>;

export function registerBankPages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: (visit) => showBank(visit, nothingTyped) });
  pages.act({
    url: '/bank/godkann',
    right: 'keep_books',
    fields: z.object({ row: approvals.optional(), only: approvals.optional() }),
    show: showBank,
    perform: async (visit, { row = [], only = row }) => {
      const { tx, person, today, query } = visit;
      const to = addressOf(filterOf(query), null);
      if (only.length === 0) {
        const message = 'Markera minst en bankrad.';
        throw refuse('invalid_request', [{ path: 'row', reason: 'required', message }]);
      }
      const { booked, refused } = await bookSuggested(tx, only, { today, actor: person.actor });
      if (booked.length === 0) throw refusedRows(refused);
      return { to, notice: outcomeOf(booked.length, refused) };
    },
  });
  pages.form({
    url: '/bank/konton/:id/rad',
    right: 'keep_books',
    params: ofAccount,
    fields: z.object({ bookedOn: day, amount, description: text(500) }),
    show: showNewRow,
    perform: async ({ tx, person, today, params }, { amount: amountOre, ...row }) => {
      requirePast(row.bookedOn, today, 'bookedOn');
      if (amountOre === 0n) {
        const message = 'Beloppet är noll; skriv vad som kom in eller gick ut.';
        throw refuse('invalid_request', [{ path: 'amount', reason: 'zero', message }]);
      }
      const { id: accountId } = await getBankAccount(tx, params.id);
      await addTransaction(tx, { ...row, amountOre, accountId }, person.actor);
      return { to: home, notice: 'Bankraden är tillagd.' };
    },
  });
  pages.form({
    url: '/bank/konton/:id/saldo',
    right: 'keep_books',
    params: ofAccount,
    fields: z.object({ closingDate: day, balance: amount }),
    show: showBalanceForm,
    perform: async ({ tx, person, today, params }, { closingDate, balance: balanceOre }) => {
      requirePast(closingDate, today, 'closingDate');
      const { id: accountId } = await getBankAccount(tx, params.id);
      await stateBalance(tx, { accountId, closingDate, balanceOre }, person.actor);
      return { to: home, notice: `Bankens saldo den ${closingDate} är antecknat.` };
    },
  });
}

/** Each refusal at its row. */
const refusedRows = (refused: readonly RefusedRow[]): Refusal =>
  refuse(
    'unprocessable',
    refused.map(({ rowId, fault }) => ({ ...fault, path: pathOf(rowId) })),
  );

const pathOf = (rowId: string): string => `row.${rowId}`;

function outcomeOf(booked: number, refused: readonly RefusedRow[]): string {
  const done = `${count(booked)} ${booked === 1 ? 'bankrad är bokförd' : 'bankrader är bokförda'}.`;
  const [first] = refused;
  if (!first) return done;
  return `${done} ${count(refused.length)} kunde inte bokföras. ${pageProblem(first.fault).message}`;
}

/** The bank tells of what has happened. */
export function requirePast(date: string, today: string, path: string): void {
  if (date <= today) return;
  const message = 'Dagen har inte varit än; skriv dagen som står hos banken.';
  throw refuse('invalid_request', [{ path, reason: 'in_the_future', message }]);
}

interface Filter {
  readonly tab: (typeof tabs)[number];
  readonly listing: BankListing;
}

function filterOf(fields: Fields): Filter {
  const tab = tabs.find(({ name }) => name === textOf(fields, 'flik')) ?? tabs[0];
  const account = textOf(fields, 'konto');
  return {
    tab,
    listing: {
      tab: tab.tab,
      accountId: uuid.safeParse(account).success ? account : null,
      after: placeOf(textOf(fields, 'efter')),
      limit: pageSize + 1,
    },
  };
}

/** `2026-03-31~<id>`; anything else is the beginning. */
function placeOf(typed: string): BankPlace | null {
  const [bookedOn = '', id = ''] = typed.split('~');
  return isDate(bookedOn) && uuid.safeParse(id).success ? { bookedOn, id } : null;
}

function addressOf({ tab, listing }: Filter, after: BankRow | null): string {
  const pairs = {
    ...(tab === tabs[0] ? {} : { flik: tab.name }),
    ...(listing.accountId === null ? {} : { konto: listing.accountId }),
    ...(after === null ? {} : { efter: `${after.booked_on}~${after.id}` }),
  };
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? home : `${home}?${query}`;
}

async function showBank({ tx, query }: Visit, input: FormInput): Promise<View> {
  const filter = filterOf(query);
  const { tab, listing } = filter;
  const accounts = (await listBankAccounts(tx)).filter(
    (account) => account.is_active || account.id === listing.accountId,
  );
  const found = await listBankRows(tx, listing);
  const rows = found.slice(0, pageSize);
  const isUnmatched = tab.tab === 'unmatched';
  const ids = rows.map(({ id }) => id);
  const suggested = isUnmatched && ids.length > 0 ? await suggestMatches(tx, { ids }) : null;
  const speak = suggested && (await suggestionSpeaker(tx, suggested));
  const shown = rows.map((row) => {
    const told = suggested?.suggestions.get(row.id)?.row.payments ?? [];
    return {
      id: row.id,
      date: row.booked_on,
      text: row.description || 'Utan text',
      told: toldInShort(told, row),
      account: row.account,
      amount: amountText(row.amount_ore),
      voucher: row.voucher,
      what: row.voucher_text,
      suggestion: speak?.(row.id) ?? null,
      fault: input.problems.find(({ path }) => path === pathOf(row.id))?.message ?? null,
    };
  });
  const search = addressOf(filter, null).slice(home.length);
  return {
    template: 'bank',
    title: 'Bank',
    scripts: ['inbox', 'bank'],
    values: {
      accounts: accounts.map((account) => shownAccount(account, listing.accountId)),
      hasSeveral: accounts.length > 1,
      isFiltered: listing.accountId !== null,
      tabs: tabs.map((one) => ({
        href: addressOf({ tab: one, listing: { ...listing, after: null } }, null),
        label: one.label,
        isCurrent: one === tab,
      })),
      tab: tab.label,
      isUnmatched,
      isOfSeveral: new Set(rows.map((row) => row.account)).size > 1,
      rows: shown,
      approval: {
        address: `/bank/godkann${search}`,
        isShown: shown.some(({ suggestion }) => suggestion?.approval != null),
        above: problemsAbove(
          input,
          shown.map(({ id }) => pathOf(id)),
        ),
        faults: input.problems.length,
      },
      pager: {
        next: found.length > pageSize ? addressOf(filter, rows.at(-1) ?? null) : null,
        first: listing.after === null ? null : addressOf(filter, null),
      },
    },
  };
}

export const kindNames: Readonly<Record<BankAccountKind, string>> = {
  bank: 'Bankkonto',
  tax: 'Skattekonto',
  cash: 'Kassa',
  clearing: 'Avräkning',
};

export function shownAccount(account: BankAccount, chosen: string | null) {
  const { statement_ore: stated, ledger_ore: booked } = account;
  const isKnown = stated !== null && booked !== null;
  return {
    id: account.id,
    name: account.name,
    account: account.ledger_account,
    iban: account.iban,
    number: account.number,
    bankgiro: account.bankgiro,
    kind: kindNames[account.kind],
    isBank: account.kind === 'bank',
    unmatched: account.unmatched === 0n ? null : count(account.unmatched),
    isChosen: account.id === chosen,
    statedOn: account.closing_date === null ? null : dayInWords(account.closing_date),
    stated: isKnown ? kronor(stated) : null,
    booked: isKnown ? kronor(booked) : null,
    difference: isKnown && stated !== booked ? kronor(stated - booked) : null,
  };
}

async function showNewRow({ tx, today, params }: OfAccount, input: FormInput): Promise<View> {
  const { name } = await getBankAccount(tx, params.id);
  return {
    template: 'bank-form',
    title: 'Ny bankrad',
    values: {
      lead: `En rad från bankens egen lista för ${name}. Den bokförs när du matchar den.`,
      accounts: [],
      button: 'Lägg till',
      fields: shownFields(input, {
        bookedOn: field(input, 'bookedOn', 'Bokföringsdag hos banken', {
          type: 'date',
          isRequired: true,
          value: today,
        }),
        amount: field(input, 'amount', 'Belopp i kronor', {
          type: 'amount',
          isRequired: true,
          help: 'Med minus när pengar gick ut.',
        }),
        description: field(input, 'description', 'Text', {
          isRequired: true,
          maxLength: 500,
          help: 'Som banken skriver, med OCR-nummer om det finns.',
        }),
      }),
    },
  };
}

async function showBalanceForm({ tx, today, params }: OfAccount, input: FormInput): Promise<View> {
  const { name } = await getBankAccount(tx, params.id);
  return {
    template: 'bank-form',
    title: 'Bankens saldo',
    values: {
      lead: `Vad ${name} hade vid dagens slut, enligt banken. Månadsavslutet jämför det med bokföringen.`,
      accounts: [],
      button: 'Spara',
      fields: shownFields(input, {
        closingDate: field(input, 'closingDate', 'Dag', {
          type: 'date',
          isRequired: true,
          value: addDays(`${today.slice(0, 7)}-01`, -1),
          help: 'Helst månadens sista dag. Skrivs samma dag igen ersätts saldot.',
        }),
        balance: field(input, 'balance', 'Saldo i kronor', { type: 'amount', isRequired: true }),
      }),
    },
  };
}

/** A form's fields in order, and what must be said above them. */
export function shownFields(input: FormInput, fields: Parameters<typeof formOf>[1]) {
  const form = formOf(input, fields);
  return { list: Object.values(form.fields), above: form.above, faults: form.faults };
}
