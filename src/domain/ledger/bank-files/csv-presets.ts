/**
 * The forms in which Swedish banks give rows as CSV, by the exact headings of files that people have got from them.
 * Only forms that a real file or two sources show are here; anything else is unknown, and never guessed.
 */
import type { DecimalMark } from './amounts.ts';

/** A heading, or several of which the first that the file has is read. */
type Column = string | readonly string[];

export interface CsvPreset {
  readonly name: string;
  readonly separators: readonly string[];
  /** Headings that all stand in the file, whole. Others may stand beside them. */
  readonly headings: readonly string[];
  /** `file` where a bank has used both, never thousands: the first amount with a mark says. */
  readonly decimal: DecimalMark | 'file';
  /** How days are written, when not year first; `compact` is `20261105`. */
  readonly day?: 'dmy' | 'compact';
  readonly date: Column;
  readonly valueDate?: Column;
  readonly text: readonly string[];
  readonly amount?: Column;
  /** Above zero is money out. */
  readonly isReversed?: boolean;
  /** Two columns instead of one; a withdrawal may have its own minus. */
  readonly deposit?: string;
  readonly withdrawal?: string;
  /** A cost that the bank drew beside `Amount`; `Total amount` has it within. */
  readonly fee?: string;
  readonly balance?: Column;
  /** A column, or the one that the bank's accounts of this form have. */
  readonly currency: { readonly column: string; readonly otherwise?: string } | string;
  /** Columns that together are the account; without, lines before the heading may say it. */
  readonly account?: readonly string[];
  /** Says the account where it has one: camt has the same. */
  readonly iban?: string;
  readonly reference?: Column;
  /** An id of the row that is its own. */
  readonly id?: string;
  readonly otherName?: Column;
  readonly otherAccount?: Column;
  /** Accounts of who paid and who was paid, where the file has both. */
  readonly sender?: string;
  readonly recipient?: string;
  readonly message?: Column;
  /** Rows with another word here are not booked. */
  readonly booked?: { readonly column: string; readonly word: string };
  /** Rows whose date or text begins so are not booked. */
  readonly pending?: string;
  /** Rows without a date are no entries but a summary. */
  readonly hasSummary?: boolean;
  /** Rows without a date are the balances before and after, named so. */
  readonly ends?: readonly [opening: string, closing: string];
  /** Has so few headings that nothing may stand beside them. */
  readonly isExact?: boolean;
}

const swedishSpaces = { separators: [';'], decimal: ',', currency: 'SEK' } as const;
const nordea = {
  ...swedishSpaces,
  currency: { column: 'Valuta', otherwise: 'SEK' },
  date: ['Bokföringsdag', 'Datum'],
  amount: 'Belopp',
  balance: 'Saldo',
  otherName: 'Namn',
  sender: 'Avsändare',
  recipient: 'Mottagare',
  message: 'Meddelande',
  pending: 'reserverat',
} as const;

/** In the order they are tried: those with more headings before those that are a part of them. */
export const csvPresets: readonly CsvPreset[] = [
  {
    name: 'swedbank-foretag',
    separators: [','],
    headings: [
      'Radnr',
      'Clnr',
      'Kontonr',
      'Valuta',
      'Bokfdag',
      'Referens',
      'Text',
      'Belopp',
      'Saldo',
    ],
    decimal: '.',
    currency: { column: 'Valuta' },
    account: ['Clnr', 'Kontonr'],
    date: 'Bokfdag',
    valueDate: 'Valutadag',
    text: ['Text'],
    reference: 'Referens',
    amount: 'Belopp',
    balance: 'Saldo',
  },
  {
    name: 'swedbank',
    separators: [',', '\t'],
    headings: [
      'Radnummer',
      'Clearingnummer',
      'Kontonummer',
      'Bokföringsdag',
      'Belopp',
      'Bokfört saldo',
    ],
    decimal: '.',
    currency: { column: 'Valuta' },
    account: ['Clearingnummer', 'Kontonummer'],
    date: 'Bokföringsdag',
    valueDate: 'Valutadag',
    text: ['Beskrivning'],
    reference: 'Referens',
    amount: 'Belopp',
    balance: 'Bokfört saldo',
  },
  {
    name: 'swedbank-aldre',
    separators: [','],
    headings: ['Clearingnummer', 'Kontonummer', 'Datum', 'Text', 'Belopp', 'Saldo'],
    decimal: '.',
    currency: 'SEK',
    account: ['Clearingnummer', 'Kontonummer'],
    date: 'Datum',
    text: ['Text'],
    amount: 'Belopp',
    balance: 'Saldo',
  },
  {
    name: 'seb',
    separators: [';'],
    headings: ['Bokföringsdatum', 'Valutadatum', 'Verifikationsnummer', 'Text', 'Belopp', 'Saldo'],
    decimal: 'file',
    currency: 'SEK',
    date: 'Bokföringsdatum',
    valueDate: 'Valutadatum',
    text: ['Text'],
    reference: 'Verifikationsnummer',
    amount: 'Belopp',
    balance: 'Saldo',
  },
  {
    name: 'seb-transaktioner',
    separators: [';'],
    headings: ['Bokförd', 'Valutadatum', 'Text', 'Typ', 'Insättningar', 'Uttag', 'Bokfört saldo'],
    decimal: '.',
    currency: 'SEK',
    date: 'Bokförd',
    valueDate: 'Valutadatum',
    text: ['Text', 'Typ'],
    deposit: 'Insättningar',
    withdrawal: 'Uttag',
    balance: 'Bokfört saldo',
  },
  {
    name: 'seb-transaktioner-2024',
    separators: [','],
    headings: ['Bokförd', 'Valutadatum', 'Text', 'Typ', 'Insättningar/uttag', 'Bokfört saldo'],
    decimal: '.',
    currency: 'SEK',
    date: 'Bokförd',
    valueDate: 'Valutadatum',
    text: ['Text', 'Typ'],
    amount: 'Insättningar/uttag',
    balance: 'Bokfört saldo',
  },
  {
    name: 'handelsbanken-foretag',
    separators: [';', '\t'],
    headings: [
      'Kontohavare',
      'Kontonr',
      'Kontoform',
      'Valuta',
      'Bokföringsdag',
      'Insättning/Uttag',
      'Bokfört saldo',
    ],
    decimal: ',',
    currency: { column: 'Valuta' },
    account: ['Kontonr'],
    iban: 'IBAN',
    date: 'Bokföringsdag',
    valueDate: 'Valutadag',
    text: ['Referens'],
    amount: 'Insättning/Uttag',
    balance: 'Bokfört saldo',
    message: 'Referens Swish',
    otherAccount: 'Avsändar-id Swish',
    hasSummary: true,
  },
  {
    ...swedishSpaces,
    name: 'handelsbanken',
    headings: ['Reskontradatum', 'Transaktionsdatum', 'Text', 'Belopp', 'Saldo'],
    date: 'Reskontradatum',
    text: ['Text'],
    amount: 'Belopp',
    balance: 'Saldo',
    pending: 'prel',
  },
  {
    ...nordea,
    name: 'nordea',
    headings: [
      'Bokföringsdag',
      'Belopp',
      'Avsändare',
      'Mottagare',
      'Namn',
      'Ytterligare detaljer',
      'Saldo',
    ],
    text: ['Ytterligare detaljer', 'Meddelande'],
  },
  {
    ...nordea,
    name: 'nordea-2026',
    headings: [
      'Datum',
      'Belopp',
      'Avsändare',
      'Mottagare',
      'Namn',
      'Ytterligare detaljer',
      'Saldo',
    ],
    text: ['Ytterligare detaljer', 'Meddelande'],
  },
  {
    ...nordea,
    name: 'nordea-rubrik',
    headings: [
      'Bokföringsdag',
      'Belopp',
      'Avsändare',
      'Mottagare',
      'Namn',
      'Rubrik',
      'Saldo',
      'Valuta',
    ],
    text: ['Rubrik', 'Meddelande'],
  },
  {
    ...nordea,
    name: 'nordea-engelska',
    headings: [
      'Booking date',
      'Amount',
      'Sender',
      'Recipient',
      'Name',
      'Title',
      'Balance',
      'Currency',
    ],
    currency: { column: 'Currency', otherwise: 'SEK' },
    date: 'Booking date',
    amount: 'Amount',
    balance: 'Balance',
    text: ['Title'],
    otherName: 'Name',
    sender: 'Sender',
    recipient: 'Recipient',
  },
  {
    name: 'nordea-aldst',
    separators: [','],
    headings: ['Datum', 'Transaktion', 'Kategori', 'Belopp', 'Saldo'],
    decimal: ',',
    currency: 'SEK',
    date: 'Datum',
    text: ['Transaktion'],
    amount: 'Belopp',
    balance: 'Saldo',
    pending: 'reserv',
  },
  {
    ...swedishSpaces,
    name: 'lansforsakringar',
    headings: ['Bokföringsdatum', 'Transaktionsdatum', 'Transaktionstyp', 'Meddelande', 'Belopp'],
    date: 'Bokföringsdatum',
    text: ['Transaktionstyp', 'Meddelande'],
    message: 'Meddelande',
    amount: 'Belopp',
  },
  {
    ...swedishSpaces,
    name: 'danske',
    headings: ['Datum', 'Kategori', 'Underkategori', 'Text', 'Belopp', 'Saldo', 'Status'],
    date: 'Datum',
    text: ['Text'],
    amount: 'Belopp',
    balance: 'Saldo',
    booked: { column: 'Status', word: 'Utförd' },
  },
  {
    ...swedishSpaces,
    name: 'ica',
    headings: ['Datum', 'Text', 'Typ', 'Budgetgrupp', 'Belopp', 'Saldo'],
    date: 'Datum',
    text: ['Text', 'Typ'],
    amount: 'Belopp',
    balance: 'Saldo',
  },
  {
    name: 'lunar',
    separators: [','],
    headings: ['Datum', 'Tid', 'Titel', 'Belopp', 'Balans', 'Transaktions-ID'],
    decimal: ',',
    currency: 'SEK',
    date: 'Datum',
    text: ['Titel'],
    amount: 'Belopp',
    balance: 'Balans',
    id: 'Transaktions-ID',
  },
  {
    name: 'lunar-engelska',
    separators: [','],
    headings: ['Date', 'Time', 'Title', 'Amount', 'Balance', 'Transaction ID'],
    decimal: ',',
    currency: 'SEK',
    date: 'Date',
    text: ['Title'],
    amount: 'Amount',
    balance: 'Balance',
    id: 'Transaction ID',
  },
  {
    name: 'northmill',
    separators: [','],
    headings: ['Bokföringsdag', 'Beskrivning', 'Belopp', 'Saldo', 'Valuta'],
    decimal: ',',
    currency: { column: 'Valuta' },
    date: 'Bokföringsdag',
    text: ['Beskrivning'],
    amount: 'Belopp',
    balance: 'Saldo',
  },
  {
    name: 'revolut-business',
    separators: [','],
    headings: [
      'Date completed (UTC)',
      'ID',
      'State',
      'Description',
      'Payment currency',
      'Amount',
      'Fee',
      'Balance',
      'Account',
    ],
    decimal: '.',
    currency: { column: 'Payment currency' },
    account: ['Account'],
    date: 'Date completed (UTC)',
    text: ['Description'],
    reference: 'Reference',
    amount: ['Total amount', 'Amount'],
    fee: 'Fee',
    balance: 'Balance',
    id: 'ID',
    otherName: ['Beneficiary name', 'Payer'],
    otherAccount: ['Beneficiary IBAN', 'Beneficiary account number'],
    booked: { column: 'State', word: 'COMPLETED' },
  },
  {
    name: 'revolut',
    separators: [','],
    headings: [
      'Type',
      'Product',
      'Started Date',
      'Completed Date',
      'Description',
      'Amount',
      'Fee',
      'Currency',
      'State',
      'Balance',
    ],
    decimal: '.',
    currency: { column: 'Currency' },
    date: 'Completed Date',
    text: ['Description'],
    amount: 'Amount',
    fee: 'Fee',
    balance: 'Balance',
    booked: { column: 'State', word: 'COMPLETED' },
  },
  {
    name: 'wise',
    separators: [','],
    headings: ['TransferWise ID', 'Date', 'Amount', 'Currency', 'Description', 'Running Balance'],
    decimal: '.',
    day: 'dmy',
    currency: { column: 'Currency' },
    date: 'Date',
    text: ['Description'],
    reference: 'Payment Reference',
    amount: 'Amount',
    balance: 'Running Balance',
    id: 'TransferWise ID',
    otherName: ['Payer Name', 'Payee Name'],
    otherAccount: 'Payee Account Number',
    booked: { column: 'Status', word: 'COMPLETED' },
  },
  // Only as sheets of Excel.
  {
    name: 'seb-excel',
    separators: [],
    headings: [
      'Bokföringsdatum',
      'Valutadatum',
      'Verifikationsnummer',
      'Text/mottagare',
      'Belopp',
      'Saldo',
    ],
    decimal: ',',
    currency: 'SEK',
    date: 'Bokföringsdatum',
    valueDate: 'Valutadatum',
    text: ['Text/mottagare'],
    reference: 'Verifikationsnummer',
    amount: 'Belopp',
    balance: 'Saldo',
  },
  {
    name: 'skandia',
    separators: [],
    headings: ['Bokf. datum', 'Beskrivning', 'Belopp', 'Saldo'],
    decimal: ',',
    currency: 'SEK',
    date: 'Bokf. datum',
    text: ['Beskrivning'],
    amount: 'Belopp',
    balance: 'Saldo',
  },
  // Parts of longer forms, so last.
  {
    ...swedishSpaces,
    name: 'ica-kort',
    isExact: true,
    headings: ['Datum', 'Text', 'Belopp', 'Saldo'],
    date: 'Datum',
    text: ['Text'],
    amount: 'Belopp',
    balance: 'Saldo',
  },
  {
    name: 'lunar-aldre',
    separators: [','],
    isExact: true,
    headings: ['Date', 'Text', 'Amount', 'Balance'],
    decimal: ',',
    currency: 'SEK',
    date: 'Date',
    text: ['Text'],
    amount: 'Amount',
    balance: 'Balance',
  },
];

/**
 * The tax account as Skatteverket gives it: no headings, but whose it is on the first line, and the balances before and
 * after in rows of their own. Money in is above zero, seen from the company.
 */
export const taxAccountPreset: CsvPreset = {
  ...swedishSpaces,
  name: 'skattekonto',
  headings: ['Datum', 'Text', 'Belopp', 'Saldo'],
  date: 'Datum',
  text: ['Text'],
  amount: 'Belopp',
  balance: 'Saldo',
  ends: ['ingaende saldo', 'utgaende saldo'],
};

/** A heading as banks write it now and then: case, accents of å, ä and ö and quotation marks do not tell. */
export const foldHeading = (heading: string): string =>
  heading
    .normalize('NFD')
    .replace(/[\u0300-\u036f"\ufeff]/g, '')
    .toLowerCase()
    .trim();

export const columnsOf = (column: Column | undefined): readonly string[] =>
  column === undefined ? [] : typeof column === 'string' ? [column] : column;

/**
 * The form whose headings all stand in the row, one of `own` before those that are known; null when none has. A sheet has
 * no separator, and may be of any.
 */
export function presetOf(
  cells: readonly string[],
  separator: string | null,
  own: readonly CsvPreset[] = [],
): CsvPreset | null {
  const found = new Set(cells.map(foldHeading).filter((heading) => heading !== ''));
  const fits = ({ headings, separators, isExact }: CsvPreset): boolean =>
    (separator === null || separators.includes(separator)) &&
    headings.every((heading) => found.has(foldHeading(heading))) &&
    (isExact !== true || found.size === new Set(headings.map(foldHeading)).size);
  return own.find(fits) ?? csvPresets.find(fits) ?? null;
}
