/** A bank row: what it may be, matched with a voucher, registered as a payment, or booked directly. */
import { z } from 'zod';
import { listActorNames } from '../../audit/actors.ts';
import { bookDirectly, payDocument } from '../../bank/booking.ts';
import { bookSuggested, suggestMatches } from '../../bank/matching/service.ts';
import {
  countBookedTogether,
  undoBooking,
  whatUndoingTakesBack,
} from '../../bank/matching/undoing.ts';
import { listRowPayments } from '../../bank/matching/world-store.ts';
import {
  isTyped,
  matchTransaction,
  removeTransaction,
  unmatchTransaction,
} from '../../bank/service.ts';
import {
  type BankTransactionFacts,
  findInvoiceIds,
  getBankTransaction,
  listBankRows,
  listOpenNumbers,
  type MatchSuggestion,
  suggestInvoices,
  suggestPurchases,
  suggestVouchers,
} from '../../bank/store.ts';
import { type VatRate, vatRates } from '../../domain/ledger/vat.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { findLock } from '../../ledger/vouchers/detail-store.ts';
import { listVoucherSeries } from '../../ledger/vouchers/list-store.ts';
import { movingFaults, refuse } from '../../lib/errors.ts';
import { field, problemsAbove } from '../fields.ts';
import { amountText, count, dayInWords, kronor, moment } from '../format.ts';
import {
  account,
  amount,
  choice,
  day,
  optional,
  optionalText,
  text,
  ticked,
  uuid,
} from '../inputs.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { approvals } from './approvals.ts';
import { suggestionSpeaker } from './suggestion-words.ts';
import { toldWords } from './told-words.ts';
import { undoingWords } from './undoing-words.ts';
import { voucherOf } from './voucher-of.ts';

type OfRow = Visit<{ id: string }>;
const params = z.object({ id: uuid });
const addressOf = (id: string): string => `/bank/${id}`;
const kinds = ['invoice', 'purchase'] as const;
const vatRate = optional(choice(['25', '12', '6'])).transform((rate) => Number(rate) as VatRate);

export function registerBankRowPages(pages: Pages): void {
  pages.show({
    url: '/bank/:id',
    right: 'read',
    params,
    show: (visit) => showRow(visit, nothingTyped),
  });
  registerDecisions(pages);
  const act = { params, right: 'keep_books', show: showRow } as const;
  pages.act({
    ...act,
    url: '/bank/:id/verifikat',
    fields: z.object({ voucher: text(50) }),
    perform: async ({ tx, person, params }, { voucher }) => {
      const { booked_on } = await getBankTransaction(tx, params.id);
      const voucherId = await voucherOf(tx, voucher, booked_on);
      await atForm('voucher', () =>
        matchTransaction(tx, { transactionId: params.id, voucherId }, person.actor),
      );
      return { to: addressOf(params.id), notice: 'Bankraden är matchad.' };
    },
  });
  pages.act({
    ...act,
    url: '/bank/:id/faktura',
    fields: z.object({
      kind: choice(kinds),
      number: text(100),
      date: day,
      isWhole: ticked,
      currencyPart: optional(amount),
      bankFee: optional(amount),
    }),
    perform: async ({ tx, person, today, params }, { number, bankFee, ...typed }) => {
      const documentId = await invoiceOf(tx, typed.kind, number);
      const bankFeeOre = bankFee ?? 0n;
      const payment = { ...typed, transactionId: params.id, documentId, today, bankFeeOre };
      await atForm('number', () => payDocument(tx, payment, person.actor));
      return { to: addressOf(params.id), notice: 'Betalningen är bokförd och bankraden matchad.' };
    },
  });
  pages.act({
    ...act,
    url: '/bank/:id/bokfor',
    fields: z.object({
      account,
      vatRate,
      description: text(500),
      counterparty: optionalText(200),
      series: text(2),
      bookedOn: day,
    }),
    perform: async ({ tx, person, today, params }, { bookedOn: date, ...direct }) => {
      const row = { ...direct, date, today, transactionId: params.id };
      await atForm('account', () => bookDirectly(tx, row, person.actor), 'bookedOn');
      return { to: addressOf(params.id), notice: 'Bankraden är bokförd.' };
    },
  });
  pages.act({
    ...act,
    url: '/bank/:id/hav',
    perform: async ({ tx, person, params: { id } }) => {
      await unmatchTransaction(tx, id, person.actor);
      const notice = 'Matchningen är hävd. Verifikatet står kvar; är det fel rättas det för sig.';
      return { to: addressOf(id), notice };
    },
  });
  pages.act({
    ...act,
    url: '/bank/:id/ta-bort',
    perform: async ({ tx, person, params: { id } }) => {
      await removeTransaction(tx, id, person.actor);
      return { to: '/bank', notice: 'Bankraden är borttagen.' };
    },
  });
}

/** Saying yes to what a row is suggested to be, and taking back what it was booked as. */
function registerDecisions(pages: Pages): void {
  const act = { params, right: 'keep_books', show: showRow } as const;
  pages.act({
    ...act,
    url: '/bank/:id/godkann',
    fields: z.object({ approval: approvals }),
    perform: async ({ tx, person, today, params: { id } }, { approval }) => {
      const { booked, refused } = await bookSuggested(tx, approval, { today, actor: person.actor });
      const [why] = refused;
      if (why && booked.length === 0) throw refuse('unprocessable', [why.fault]);
      return { to: addressOf(id), notice: 'Bankraden är bokförd.' };
    },
  });
  pages.act({
    ...act,
    url: '/bank/:id/angra',
    perform: async ({ tx, person, params: { id } }) => {
      const { voucher } = await undoBooking(tx, id, person.actor);
      return {
        to: addressOf(id),
        notice: `${voucher} är tillbakataget, och bankraden väntar igen.`,
      };
    },
  });
}

/** By its id, its number or its OCR number. */
async function invoiceOf(
  tx: Visit['tx'],
  kind: (typeof kinds)[number],
  typed: string,
): Promise<string> {
  if (uuid.safeParse(typed).success) return typed;
  const found = await findInvoiceIds(tx, kind, typed.replace(/\s/g, ''));
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  const word = kind === 'invoice' ? 'kundfaktura' : 'leverantörsfaktura';
  const message =
    id === undefined
      ? `Ingen bokförd ${word} har numret ${typed}.`
      : `Flera leverantörer har en faktura ${typed}; betala den från dess egen sida och matcha verifikatet.`;
  throw refuse('unprocessable', [{ path: 'number', reason: 'unknown_invoice', message }]);
}

/** What the services refuse is said at the field that decides it; a lock at the date. */
async function atForm<T>(name: string, work: () => Promise<T>, date = 'date'): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const places: Readonly<Record<string, string>> = {
      date,
      bankFee: 'bankFee',
      isWhole: 'isWhole',
      currencyPart: 'currencyPart',
      seriesCode: 'series',
      vatRate: 'vatRate',
    };
    throw movingFaults(error, ({ path }) => places[path] ?? name);
  }
}

async function showRow(visit: OfRow, input: FormInput): Promise<View> {
  const { tx, deps, params } = visit;
  const row = await getBankTransaction(tx, params.id);
  const nameOf = await listActorNames(tx, row.matched_by === null ? [] : [row.matched_by]);
  const isMatched = row.voucher_id !== null;
  const suggested = isMatched ? null : await suggestMatches(tx, { ids: [row.id] });
  const undoing = isMatched ? await whatUndoingTakesBack(tx, row.id) : null;
  const words = suggested && (await suggestionSpeaker(tx, suggested))(row.id);
  const payments = (await listRowPayments(tx, [row.id])).get(row.id) ?? [];
  const hasYes = words?.approval != null;
  const forms = isMatched ? null : await formsOf(visit, row, input, hasYes);
  return {
    template: 'bank-row',
    scripts: ['bank'],
    title: `${row.amount_ore > 0n ? 'In' : 'Ut'} ${kronor(row.amount_ore < 0n ? -row.amount_ore : row.amount_ore)}`,
    values: {
      id: row.id,
      date: row.booked_on,
      text: row.description || 'Utan text',
      amount: kronor(row.amount_ore),
      party: row.amount_ore > 0n ? 'Från' : 'Till',
      told: toldWords(payments, row),
      account: `${row.account} (${row.ledger_account})`,
      reference: isTyped(row.reference) ? null : row.banks_reference,
      mayRemove: !isMatched && isTyped(row.reference),
      matched:
        row.voucher_id === null
          ? null
          : {
              href: `/verifikat/${row.voucher_id}`,
              label: row.voucher ?? '',
              at: row.matched_at ? moment(row.matched_at, deps.config.timeZone) : '',
              who: row.matched_by === null ? '' : nameOf(row.matched_by),
            },
      suggestion: words,
      undoing: undoing && { ...undoingWords(undoing), together: await togetherCount(tx, row.id) },
      next: isMatched ? await nextWords(tx, row) : null,
      forms,
      form: { above: problemsAbove(input, forms?.names ?? []), faults: input.problems.length },
    },
  };
}

/** How many rows were booked in one act with it, when there are others. */
async function togetherCount(tx: Visit['tx'], rowId: string): Promise<string | null> {
  const rows = await countBookedTogether(tx, rowId);
  return rows > 1 ? count(rows) : null;
}

/** Whoever has decided a row goes on to the next that waits, in the order of the list; from the last to the first. */
async function nextWords(tx: Visit['tx'], { booked_on: bookedOn, id }: BankTransactionFacts) {
  const waiting = { tab: 'unmatched', accountId: null, limit: 1 } as const;
  const [after] = await listBankRows(tx, { ...waiting, after: { bookedOn, id } });
  const next = after ?? (await listBankRows(tx, { ...waiting, after: null }))[0];
  return next
    ? {
        id: next.id,
        text: `${next.booked_on} ${next.description || 'Utan text'}`,
        amount: kronor(next.amount_ore),
      }
    : null;
}

const listed = (kind: string, page: string, found: readonly MatchSuggestion[]) =>
  found.map(({ id, label, who, date, ore }) => ({
    id,
    kind,
    href: `${page}/${id}`,
    label,
    who,
    date,
    amount: amountText(ore < 0n ? -ore : ore),
  }));

/** `hasYes`: something is suggested that can be said yes to. */
async function formsOf(
  { tx }: OfRow,
  row: BankTransactionFacts,
  input: FormInput,
  hasYes: boolean,
) {
  const vouchers = listed('voucher', '/verifikat', await suggestVouchers(tx, row));
  const invoices = [
    ...listed('invoice', '/kundfakturor', await suggestInvoices(tx, row)),
    ...listed('purchase', '/leverantorsinkorg', await suggestPurchases(tx, row)),
  ];
  // Whoever opens the row stands where it is decided: at its yes, at what it may be, or where its account is typed.
  const isChoice = !hasYes && vouchers.length + invoices.length > 0;
  const isFresh = !input.isSent;
  const lock = await findLock(tx, row.booked_on, false);
  const date = lock?.earliest_allowed_date ?? row.booked_on;
  const series = await listVoucherSeries(tx);
  const isFirst = isFresh && !hasYes && !isChoice;
  const fields = fieldsOf(input, { row, lock, date, series, isFirst });
  return {
    fields,
    names: Object.keys(fields),
    date,
    accounts: await listUsableAccounts(tx),
    open: (await listOpenNumbers(tx, row.amount_ore > 0n ? 'invoice' : 'purchase')).map(
      ({ number: value, who, ore }) => ({ value, label: `${value} ${who}, ${kronor(ore)} öppet` }),
    ),
    ruleHref: `/bank/regler?${new URLSearchParams({ text: row.description.slice(0, 100), riktning: row.amount_ore > 0n ? 'in' : 'out' })}`,
    vouchers,
    invoices,
    begins: { yes: isFresh && hasYes, choice: isFresh && isChoice },
  };
}

/** The fields of the three forms. */
function fieldsOf(
  input: FormInput,
  {
    row,
    lock,
    date,
    series,
    isFirst,
  }: {
    readonly row: BankTransactionFacts;
    readonly lock: Awaited<ReturnType<typeof findLock>>;
    readonly date: string;
    readonly series: Awaited<ReturnType<typeof listVoucherSeries>>;
    /** Whether the account is typed first. */
    readonly isFirst: boolean;
  },
) {
  // Each form shows what was typed in it, and not in the others.
  const of = (name: string): FormInput => (name in input.fields ? input : nothingTyped);
  const [matching, paying, booking] = [of('voucher'), of('number'), of('account')];
  const dateHelp = lock
    ? `Bankens dag är låst till och med ${lock.locked_to}; ${dayInWords(date)} är den första öppna.`
    : 'Bankens dag, om den inte är låst.';
  return {
    voucher: field(matching, 'voucher', 'Verifikat', {
      isRequired: true,
      maxLength: 50,
      size: 12,
      help: 'Serie och nummer, t.ex. A12.',
    }),
    kind: field(paying, 'kind', 'Slag', {
      type: 'select',
      isRequired: true,
      value: row.amount_ore > 0n ? 'invoice' : 'purchase',
      options: [
        { value: 'invoice', label: 'Kundfaktura' },
        { value: 'purchase', label: 'Leverantörsfaktura' },
      ],
    }),
    number: field(paying, 'number', 'Fakturans nummer eller OCR', {
      isRequired: true,
      maxLength: 100,
      list: 'open-documents',
      help: 'Skriv en del av namnet för att hitta bland de öppna.',
    }),
    date: field(paying, 'date', 'Datum', {
      type: 'date',
      isRequired: true,
      value: date,
      help: dateHelp,
    }),
    bankFee: field(paying, 'bankFee', 'Varav bankavgift', {
      type: 'amount',
      help: 'Det banken tog för betalningen inom radens belopp, på 6570.',
    }),
    isWhole: field(
      paying,
      'isWhole',
      'Hela fakturan i en annan valuta: skillnaden är kursdifferens',
      {
        type: 'checkbox',
        help: 'På 7960 när det blev en förlust, på 3960 när det blev en vinst. Utan kryss är det en delbetalning.',
      },
    ),
    currencyPart: field(paying, 'currencyPart', 'Del av fakturan, i dess valuta', {
      type: 'amount',
      help: 'Vid en delbetalning i en annan valuta: så mycket av fakturan som raden betalar. Skillnaden mot det bokförda är delens kursdifferens.',
    }),
    account: field(booking, 'account', 'Konto', {
      isRequired: true,
      isFirst,
      list: 'accounts',
      size: 12,
      help: row.amount_ore > 0n ? 'Vad pengarna kom från.' : 'Vad pengarna gick till.',
    }),
    vatRate: field(booking, 'vatRate', 'Moms', {
      type: 'select',
      saysOptional: false,
      options: vatRates.toReversed().map((rate) => ({
        value: rate === 0 ? '' : String(rate),
        label: rate === 0 ? 'Ingen' : `${rate} %`,
      })),
      help: 'Räknas ur beloppet.',
    }),
    description: field(booking, 'description', 'Beskrivning', {
      isRequired: true,
      maxLength: 500,
      value: row.description,
    }),
    counterparty: field(booking, 'counterparty', 'Motpart', { maxLength: 200 }),
    series: field(booking, 'series', 'Serie', {
      type: 'select',
      isRequired: true,
      value: series.some(({ code }) => code === 'A') ? 'A' : (series[0]?.code ?? ''),
      options: series.map(({ code, name }) => ({ value: code, label: `${code} ${name}` })),
    }),
    bookedOn: field(booking, 'bookedOn', 'Datum', {
      type: 'date',
      isRequired: true,
      value: date,
      help: dateHelp,
    }),
  };
}
