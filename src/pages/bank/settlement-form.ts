/** Writing what a provider of payments says of a payout, out of its report: what was sold and taken off it, and what of the clearing account that is. */
import { z } from 'zod';
import { addSettlement, type BookedSettlement } from '../../bank/provider-settlements/service.ts';
import {
  findSettlement,
  type ListedSettlement,
  listClearingAccounts,
  listProviders,
  listSettlementVouchers,
} from '../../bank/provider-settlements/store.ts';
import { type BankTransactionFacts, getBankTransaction } from '../../bank/store.ts';
import { divideRounded, type Ore, sum } from '../../domain/basics/money.ts';
import type { OpenItem } from '../../domain/ledger/open-items.ts';
import {
  type ProviderSettlement,
  type SettlementLine,
  type SettlementLineKind,
  settlementRows,
  usualClearingAccount,
  usualFeeAccount,
} from '../../domain/purchases/provider-settlement.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { type ChosenItem, findOpenItems, pairItems } from '../../ledger/open-items/service.ts';
import type { AccountItem } from '../../ledger/open-items/store.ts';
import { movingFaults, refuse } from '../../lib/errors.ts';
import { cellsOf, type FieldView, field, formOf, problemsAbove } from '../fields.ts';
import { type Fields, rowsOf, textOf } from '../form-fields.ts';
import { amountText, count, kronor } from '../format.ts';
import {
  account,
  amount,
  day,
  optional,
  optionalText,
  partReader,
  text,
  ticked,
  uuid,
} from '../inputs.ts';
import { itemChoices, itemsShown, tickedItems } from '../open-item-choices.ts';
import type { Pages } from '../page.ts';
import { country } from '../registers/customer-form.ts';
import { attachAll, requireFiles, uploadValues } from '../sent-documents.ts';
import type { FormInput, Goto, View, Visit } from '../visit.ts';

const home = '/bank/avrakningar';
const url = '/bank/avrakningar/ny';
const rowsShown = 3;

/** What is taken off is typed as it is said, without a sign. */
const taken = optional(amount.refine((ore) => ore >= 0n, 'Skriv beloppet utan minus.'));

const head = z.object({
  provider: text(100),
  number: text(100),
  date: day,
  account,
  payout: amount,
  sold: taken,
  refunded: taken,
  fee: optional(amount),
  feeVat: optional(amount),
  reserve: optional(amount),
  feeAccount: account,
  country,
  isReverse: ticked,
  reference: optionalText(100),
  item: tickedItems(0, 'Markera poster i listan.').default([]),
  row: optional(uuid),
});
const otherLine = z.object({ what: account, amount, note: optionalText(500) });

export function registerSettlementForm(pages: Pages): void {
  pages.form({
    url,
    right: 'keep_books',
    // Its parts are read together, so that everything that is wrong is said at once.
    fields: z.custom<Fields>((value) => typeof value === 'object' && value !== null),
    show: showForm,
    perform: write,
  });
}

/** A line with the field that it was typed in. */
type TypedLine = SettlementLine & { readonly field: string };

async function write({ tx, person, today, files }: Visit, fields: Fields): Promise<Goto> {
  const { settlement, lines, item, row } = read(fields);
  requireFiles(files);
  const booked = await addSettlement(
    tx,
    { settlement, document: null },
    { today, actor: person.actor },
  ).catch((error) => {
    throw movingFaults(error, ({ path }) => fieldOf(path, lines));
  });
  if (booked.isKnown) {
    const notice = `Avräkningen fanns redan, som ${booked.voucher}. Inget nytt är bokfört.`;
    return { to: `${home}/${booked.id}`, notice };
  }
  await attachAll(tx, booked.voucherId, files, person.actor);
  const rest = item.length === 0 ? '' : await pair(tx, booked, settlement, item, person.actor);
  const notice = `Avräkningen är bokförd som ${booked.voucher}.${rest}`;
  return row === null
    ? { to: `${home}/${booked.id}`, notice }
    : { to: `/bank/${row}`, notice: `${notice} Godkänn förslaget, så är bankraden bokförd.` };
}

/** Throws 400 with everything that cannot be read, and 422 where nothing is in it. */
function read(fields: Fields) {
  const { problems, read: readPart } = partReader();
  const typed = readPart(head, fields);
  const others = rowsOf(fields, 'rows').flatMap((row, place) => {
    const isBlank = ['what', 'amount', 'note'].every((name) => textOf(row, name).trim() === '');
    const line = isBlank ? undefined : readPart(otherLine, row, `rows[${place}].`);
    return line ? [{ ...line, field: `rows[${place}]` }] : [];
  });
  if (!typed || problems.length > 0) throw refuse('invalid_request', problems);
  const { item, row, date, reference, ...said } = typed;
  // What is ticked is what was sold, where nobody has typed another sum.
  const isTicked = said.sold === null && said.refunded === null;
  const [soldOre, refundedOre] = isTicked ? sidesOf(item) : [said.sold ?? 0n, said.refunded ?? 0n];
  const lineOf = (
    field: string,
    kind: SettlementLineKind,
    amountOre: Ore,
    more: Partial<SettlementLine> = {},
  ): TypedLine[] => {
    const nothing = { account: null, reverseChargeVatOre: null, text: null, reference: null };
    return amountOre === 0n ? [] : [{ field, kind, amountOre, ...nothing, ...more }];
  };
  const feeOre = said.fee ?? 0n;
  const lines = [
    ...lineOf('sold', 'sale', soldOre),
    ...lineOf('refunded', 'refund', -refundedOre),
    ...lineOf('fee', 'fee', -feeOre, {
      account: said.feeAccount,
      reverseChargeVatOre: said.isReverse ? divideRounded(feeOre * 25n, 100n) : null,
    }),
    ...lineOf('feeVat', 'fee_vat', -(said.feeVat ?? 0n)),
    ...lineOf('reserve', 'reserve', -(said.reserve ?? 0n)),
    ...others.flatMap((one) =>
      lineOf(one.field, 'adjustment', one.amount, { account: one.what, text: one.note }),
    ),
  ];
  if (lines.length === 0) {
    const message = 'Skriv vad som såldes, eller markera det i listan.';
    throw refuse('unprocessable', [{ path: 'sold', reason: 'required', message }]);
  }
  const settlement: ProviderSettlement = {
    ...{ provider: said.provider, number: said.number, day: date, account: said.account },
    ...{ payoutOre: said.payout, payoutReference: reference, country: said.country },
    lines: lines.map(({ field: _, ...line }) => line),
  };
  return { settlement, lines, item, row };
}

/** What came in of the items, and what went back, both above zero. */
const sidesOf = (items: readonly Pick<ChosenItem, 'openOre'>[]): [Ore, Ore] => [
  sum(items.map(({ openOre }) => (openOre > 0n ? openOre : 0n))),
  sum(items.map(({ openOre }) => (openOre < 0n ? -openOre : 0n))),
];

/** The field of what is wrong with the settlement, or with a line of it. */
function fieldOf(path: string, lines: readonly TypedLine[]): string {
  if (path === 'settlementId') return 'number';
  const [, at, part] = /^lines\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  if (at === undefined) return path === 'lines' ? '' : path;
  const field = lines[Number(at)]?.field ?? '';
  if (field.startsWith('rows[')) return `${field}.${part === 'account' ? 'what' : part}`;
  if (part === 'reverseChargeVat') return 'isReverse';
  return part === 'account' ? 'feeAccount' : field;
}

/** Pairs the ticked items with the sales and refunds of the settlement's voucher; answers what to say of it. */
async function pair(
  tx: Visit['tx'],
  { voucherId }: BookedSettlement,
  settlement: ProviderSettlement,
  items: readonly ChosenItem[],
  actor: string,
): Promise<string> {
  const { account: clearing, lines } = settlement;
  const own = lines.filter(({ kind }) => kind === 'sale' || kind === 'refund').length;
  // Sales and refunds stand first, each a row on the clearing account.
  const chosen = settlementRows(settlement)
    .slice(0, own)
    .map(({ debitOre, creditOre }, place) => {
      return { voucherId, rowNo: place + 1, openOre: debitOre - creditOre };
    });
  const { ore, isWhole } = await pairItems(
    tx,
    { account: clearing, chosen: [...items, ...chosen] },
    actor,
  );
  const rest = isWhole ? '' : ` Resten står kvar som öppen på ${clearing}.`;
  return ` ${kronor(ore)} på ${clearing} är avprickat.${rest}`;
}

/** What the form begins with: the provider's last settlement, and the row of the bank that is the payout. */
interface Beginning {
  readonly last: ListedSettlement | undefined;
  readonly row: BankTransactionFacts | null;
}

async function beginningOf(
  { tx, query }: Visit,
  { isSent, fields }: FormInput,
): Promise<Beginning> {
  const like = uuid.safeParse(textOf(query, 'som'));
  const row = uuid.safeParse(isSent ? textOf(fields, 'row') : textOf(query, 'rad'));
  return {
    last: like.success ? await findSettlement(tx, like.data) : undefined,
    row: row.success ? await getBankTransaction(tx, row.data) : null,
  };
}

async function showForm(visit: Visit, input: FormInput): Promise<View> {
  const { tx, today, query } = visit;
  const { last, row } = await beginningOf(visit, input);
  const accounts = await listClearingAccounts(tx);
  const asked = Number(input.isSent ? textOf(input.fields, 'account') : textOf(query, 'konto'));
  const isThere = accounts.some(({ number }) => number === asked);
  const clearing = isThere ? asked : (last?.account ?? usualClearingAccount);
  const open = await openItemsOf(tx, clearing, today);
  const fields = fieldsOf(input, { last, row, clearing, today });
  const typed = input.isSent ? rowsOf(input.fields, 'rows') : [];
  const others = Array.from({ length: Math.max(rowsShown, typed.length) }, (_, place) => {
    const cell = cellsOf(input, typed[place] ?? {}, place);
    return {
      no: place + 1,
      cells: [
        cell('what', 'Konto', { maxLength: 100, list: 'accounts' }),
        cell('amount', 'Belopp', { type: 'amount', maxLength: 30 }),
        cell('note', 'Text', { maxLength: 500 }),
      ],
    };
  });
  const otherCells = others.flatMap(({ cells }) => cells);
  const shown = [
    ...Object.values<FieldView>(fields).filter(({ isHidden }) => !isHidden),
    ...otherCells,
  ];
  const { reserve, reference, isReverse, country: where, feeAccount } = fields;
  return {
    template: 'settlement-new',
    title: 'Ny avräkning',
    scripts: ['inbox', 'sum', 'settlement', 'upload'],
    values: {
      fields,
      others,
      clearing,
      // Another account has other items: chosen before anything is typed.
      clearingAccounts: accounts.map(({ number, name, ore }) => ({
        number,
        label: `${number} ${name}, ${kronor(ore)}`,
        isChosen: number === clearing,
      })),
      hasSeveral: accounts.length > 1,
      like: last?.id ?? null,
      row: row && {
        id: row.id,
        words: `${row.booked_on} ${row.description}, ${kronor(row.amount_ore)}`,
      },
      providers: await listProviders(tx),
      items: itemChoices(open, input.fields),
      more: open.length > itemsShown ? count(open.length - itemsShown) : null,
      isMoreOpen:
        [reserve, reference, ...otherCells].some(({ value }) => value !== '') ||
        where.value !== 'SE' ||
        isReverse.isChecked ||
        feeAccount.error !== null,
      accounts: await listUsableAccounts(tx),
      ...uploadValues(input),
      form: {
        above: problemsAbove(input, [...shown.map(({ name }) => name), 'files']),
        faults: input.problems.length,
      },
    },
  };
}

/** What waits on the clearing account to be paid out; what settlements have left there themselves does not. */
async function openItemsOf(
  tx: Visit['tx'],
  clearing: number,
  today: string,
): Promise<OpenItem<AccountItem>[]> {
  const found = await findOpenItems(tx, { account: clearing, day: today });
  const own = await listSettlementVouchers(tx, clearing);
  return (found?.items ?? []).filter(({ voucherId }) => !own.has(voucherId));
}

function fieldsOf(
  input: FormInput,
  { last, row, clearing, today }: Beginning & { readonly clearing: number; readonly today: string },
) {
  const fee = last?.lines.find(({ kind }) => kind === 'fee');
  return formOf(input, {
    provider: field(input, 'provider', 'Betaltjänst', {
      isRequired: true,
      maxLength: 100,
      list: 'providers',
      value: last?.provider ?? '',
      help: 'Den som betalar ut, t.ex. Zettle, Klarna eller Stripe.',
      isFirst: !input.isSent && last === undefined,
    }),
    number: field(input, 'number', 'Avräkningens nummer', {
      isRequired: true,
      maxLength: 100,
      help: 'Som betaltjänsten kallar den; utan nummer, utbetalningens dag. Samma nummer bokförs en gång.',
      isFirst: !input.isSent && last !== undefined,
    }),
    date: field(input, 'date', 'Datum', {
      type: 'date',
      isRequired: true,
      value: row?.booked_on ?? today,
      help: 'Dagen på avräkningen.',
    }),
    account: field(input, 'account', 'Avräkningskonto', {
      type: 'hidden',
      value: String(clearing),
    }),
    row: field(input, 'row', 'Bankrad', { type: 'hidden', value: row?.id ?? '' }),
    sold: field(input, 'sold', 'Försäljning, brutto', {
      type: 'amount',
      maxLength: 30,
      help: 'Med moms, före avgifter. Tomt: det som är markerat nedan.',
    }),
    refunded: field(input, 'refunded', 'Återbetalt till köpare', { type: 'amount', maxLength: 30 }),
    fee: field(input, 'fee', 'Avgift', { type: 'amount', maxLength: 30, help: 'Utan moms.' }),
    feeVat: field(input, 'feeVat', 'Moms på avgiften', {
      type: 'amount',
      maxLength: 30,
      help: 'Svensk moms, om avräkningen har någon. De flesta avgifter för betalningar är momsfria.',
    }),
    payout: field(input, 'payout', 'Utbetalning', {
      type: 'amount',
      isRequired: true,
      maxLength: 30,
      value: row ? amountText(row.amount_ore) : '',
      help: 'Det som kommer till banken; minus när det dras därifrån.',
    }),
    reference: field(input, 'reference', 'På bankraden', {
      maxLength: 100,
      help: 'Vad bankens rad säger, om det är något annat än numret.',
    }),
    reserve: field(input, 'reserve', 'Innehållet', {
      type: 'amount',
      maxLength: 30,
      help: 'Det som betaltjänsten behåller så länge; minus när det släpps.',
    }),
    feeAccount: field(input, 'feeAccount', 'Avgiftens konto', {
      isRequired: true,
      list: 'accounts',
      size: 12,
      value: String(fee?.account ?? usualFeeAccount),
    }),
    country: field(input, 'country', 'Betaltjänstens land', {
      isRequired: true,
      maxLength: 2,
      size: 4,
      value: last?.country ?? 'SE',
      help: 'Landskod: SE, eller t.ex. IE för Stripe.',
    }),
    isReverse: field(
      input,
      'isReverse',
      'Vi redovisar momsen på avgiften (omvänd betalningsskyldighet)',
      {
        type: 'checkbox',
        value: fee?.reverse_charge_vat_ore ? 'on' : '',
        help: '25 % av en avgift från utlandet, som inte är momsfri. Ingen del av utbetalningen.',
      },
    ),
  }).fields;
}
