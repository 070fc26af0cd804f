/** What was open when the books began, invoice by invoice: customers' claims and debts to suppliers. */
import { z } from 'zod';
import type { OpeningLine, OpeningSide } from '../../../domain/sales/opening-items.ts';
import { readOpeningLines, writeOpeningTemplate } from '../../../sales/opening-items/csv.ts';
import { getOpeningStanding, giveUp, takeOver } from '../../../sales/opening-items/service.ts';
import { listOpeningItems, type StoredItem } from '../../../sales/opening-items/store.ts';
import { field, formOf } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, dayInWords, kronor } from '../../format.ts';
import { uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';

const sides = { kunder: 'customers', leverantorer: 'suppliers' } as const;
type SideName = keyof typeof sides;
type OfSide = Visit<{ side: SideName }>;
const sideParam = z.enum(['kunder', 'leverantorer']);
const words = {
  kunder: {
    title: 'Kundfakturor vid övergången',
    party: 'Kund',
    account: '1510 Kundfordringar',
    item: (id: string) => `/kundfakturor/${id}`,
    register: (id: string) => `/kunder/${id}`,
  },
  leverantorer: {
    title: 'Leverantörsfakturor vid övergången',
    party: 'Leverantör',
    account: '2440 Leverantörsskulder',
    item: (id: string) => `/leverantorsinkorg/${id}`,
    register: (id: string) => `/leverantorer/${id}`,
  },
} as const;
const urlOf = (side: SideName): string => `/ingaende-poster/${side}`;

const one = z.object({
  number: z.string().default(''),
  name: z.string().default(''),
  organizationNumber: z.string().default(''),
  invoiceDate: z.string().default(''),
  dueDate: z.string().default(''),
  total: z.string().default(''),
  open: z.string().default(''),
  ocr: z.string().default(''),
  account: z.string().default(''),
});

export function registerOpeningItems(pages: Pages): void {
  const params = z.object({ side: sideParam });
  pages.show({
    url: '/ingaende-poster/:side',
    right: 'read',
    params,
    show: (visit) => showItems(visit, {}),
  });
  pages.show({
    url: '/ingaende-poster/:side/mall.csv',
    right: 'read',
    params,
    show: async ({ params: { side } }) => ({
      type: 'text/csv; charset=utf-8',
      content: await writeOpeningTemplate(sides[side]),
      headers: { 'content-disposition': `attachment; filename="${side}.csv"` },
    }),
  });
  pages.act({
    url: '/ingaende-poster/:side/en',
    right: 'keep_books',
    params,
    fields: one,
    show: (visit, input) => showItems(visit, { one: asOne(input) }),
    perform: ({ tx, person, params: { side } }, line) => taken(tx, side, [line], person.actor),
  });
  pages.act({
    url: '/ingaende-poster/:side/flera',
    right: 'keep_books',
    params,
    fields: z.object({ lines: z.string().default('') }),
    show: (visit, input) => showItems(visit, { many: input }),
    perform: async ({ tx, person, params: { side } }, { lines }) =>
      taken(tx, side, await readOpeningLines(lines), person.actor),
  });
  pages.act({
    url: '/ingaende-poster/:side/:id/ta-bort',
    right: 'keep_books',
    params: z.object({ side: sideParam, id: uuid }),
    show: (visit) => showItems(visit, {}),
    perform: async ({ tx, person, params: { side, id } }) => {
      await giveUp(tx, sides[side], id, person.actor);
      return { to: urlOf(side), notice: 'Posten är borttagen.' };
    },
  });
}

async function taken(
  tx: Visit['tx'],
  side: SideName,
  lines: readonly OpeningLine[],
  actor: string,
) {
  const { differenceOre } = await takeOver(tx, sides[side], lines, actor);
  const count =
    lines.length === 1 ? 'Fakturan är övertagen.' : `${lines.length} fakturor är övertagna.`;
  const left =
    differenceOre === 0n
      ? 'Nu stämmer de med kontot.'
      : `${kronor(differenceOre)} av vad som står på kontot återstår.`;
  return { to: urlOf(side), notice: `${count} ${left}` };
}

/** The problems of a form of one line stand at its fields, without the line's number. */
function asOne(input: FormInput): FormInput {
  return {
    ...input,
    problems: input.problems.map((problem) => ({
      ...problem,
      path: problem.path.replace(/^lines\[0\]\./, ''),
      message: problem.message.replace(/^Rad 1: (.)/, (_, letter: string) => letter.toUpperCase()),
    })),
  };
}

interface Inputs {
  readonly one?: FormInput;
  readonly many?: FormInput;
}

async function showItems(visit: OfSide, inputs: Inputs): Promise<View> {
  const { tx, params, query } = visit;
  const { side } = params;
  const word = words[side];
  const standing = await getOpeningStanding(tx, sides[side]);
  const items = await listOpeningItems(tx, sides[side]);
  return {
    template: 'opening-items',
    title: word.title,
    ...(inputs.one && { refused: inputs.one.problems.map(({ message }) => message) }),
    values: {
      side,
      isCustomers: side === 'kunder',
      ...word,
      year: standing.year,
      first: standing.first,
      movedOn: standing.movedOn && dayInWords(standing.movedOn),
      balance: kronor(standing.balanceOre),
      sum: kronor(standing.itemsOre),
      difference: kronor(standing.differenceOre),
      agrees: standing.differenceOre === 0n,
      hasBalance: standing.balanceOre !== 0n,
      items: items.map((item) => shownItem(item, side)),
      isMany: inputs.many !== undefined || textOf(query, 'flera') !== '',
      one: oneForm(inputs.one ?? nothingTyped, sides[side]),
      many: manyForm(inputs.many ?? nothingTyped, sides[side]),
    },
  };
}

const shownItem = (item: StoredItem, side: SideName) => ({
  id: item.id,
  number: item.number,
  href: words[side].item(item.id),
  party: item.party,
  partyHref: words[side].register(item.party_id),
  invoiceDate: item.invoice_date,
  dueDate: item.due_date ?? '',
  total: amountText(item.total_ore),
  taken: amountText(item.taken_ore),
  open: amountText(item.open_ore),
  canBeRemoved: item.open_ore === item.taken_ore,
});

function oneForm(input: FormInput, side: OpeningSide) {
  const isCustomers = side === 'customers';
  const typed = (name: keyof OpeningLine, label: string, options: Parameters<typeof field>[3]) =>
    field(input, name, label, options);
  return formOf(input, {
    number: typed('number', 'Fakturanummer', {
      isRequired: true,
      maxLength: isCustomers ? 9 : 100,
    }),
    name: typed('name', isCustomers ? 'Kund' : 'Leverantör', {
      isRequired: true,
      maxLength: 200,
      help: 'Finns namnet inte i registret läggs det upp.',
    }),
    organizationNumber: typed('organizationNumber', 'Organisationsnummer', { maxLength: 20 }),
    invoiceDate: typed('invoiceDate', 'Fakturadatum', { type: 'date', isRequired: true }),
    dueDate: typed('dueDate', 'Förfallodatum', { type: 'date', isRequired: true }),
    total: typed('total', 'Fakturans belopp, kr', { type: 'amount', isRequired: true }),
    open: typed('open', 'Återstod att betala, kr', {
      type: 'amount',
      help: 'Tomt: hela beloppet.',
    }),
    ocr: typed('ocr', isCustomers ? 'OCR-nummer' : 'OCR eller referens', {
      maxLength: 40,
      ...(isCustomers ? { help: 'Det som står på fakturan. Tomt: av fakturanumret.' } : {}),
    }),
    account: typed('account', 'Försäljningskonto', {
      type: isCustomers ? 'text' : 'hidden',
      maxLength: 4,
      help: 'Kontots momssats används om fakturan krediteras. Tomt: 3001, 25 %.',
    }),
  });
}

const manyForm = (input: FormInput, side: OpeningSide) =>
  formOf(input, {
    lines: field(input, 'lines', 'En rad per faktura', {
      type: 'textarea',
      isRequired: true,
      placeholder:
        side === 'customers'
          ? '5123;Kunden AB;556036-0793;2025-12-05;2026-01-04;12 500,00;10 000,00;;3001'
          : 'F-77;Leverantören AB;556036-0793;2025-12-05;2026-01-04;12 500,00',
      help: `Ur ett kalkylark (mallen går att hämta ovan), eller med semikolon: fakturanummer; namn; organisationsnummer; fakturadatum; förfallodatum; belopp; kvar; ocr${side === 'customers' ? '; konto' : ''}. Med rubrikrad får kolumnerna stå i vilken ordning som helst.`,
    }),
  });
