/**
 * The posts of a SIE file: which fields each has, said once for whoever reads and whoever writes
 * (SIE 4B, chapters 11 and 12).
 */
import type { Ore } from '../../basics/money.ts';

/** An object of a dimension: cost centre 100 is `{ dimension: '1', code: '100' }`. */
export interface SieObject {
  readonly dimension: string;
  readonly code: string;
}

/** What a field holds. Texts, and those with a question mark, may be left out: then they are empty or null. */
interface FieldValues {
  /** A word for programs: account, dimension, currency. */
  readonly code: string;
  readonly 'code?': string;
  readonly text: string;
  /** `YYYY-MM-DD`. Empty where the file has none that can be read; then the file is refused. */
  readonly date: string;
  readonly 'date?': string | null;
  /** `YYYY-MM`. */
  readonly period: string;
  /** 0 is the year of the file, -1 the one before. */
  readonly year: number;
  /** Debit above zero. */
  readonly amount: Ore;
  /** A decimal number as it stands. */
  readonly 'quantity?': string | null;
  readonly objects: readonly SieObject[];
}
export type FieldKind = keyof FieldValues;

const balance = { year: 'year', account: 'code', amount: 'amount', quantity: 'quantity?' } as const;
const objectBalance = {
  year: 'year',
  account: 'code',
  objects: 'objects',
  amount: 'amount',
  quantity: 'quantity?',
} as const;
const period = {
  year: 'year',
  period: 'period',
  account: 'code',
  objects: 'objects',
  amount: 'amount',
  quantity: 'quantity?',
} as const;
const row = {
  account: 'code',
  objects: 'objects',
  amount: 'amount',
  date: 'date?',
  text: 'text',
  quantity: 'quantity?',
  signature: 'text',
} as const;

const rowShapes = { TRANS: row, RTRANS: row, BTRANS: row } as const;
/** Each post's fields in their order. The posts stand in the order they are written in. */
export const postShapes = {
  FLAGGA: { flag: 'code?' },
  PROGRAM: { name: 'text', version: 'text' },
  FORMAT: { format: 'code?' },
  GEN: { date: 'date?', signature: 'text' },
  SIETYP: { type: 'code?' },
  PROSA: { text: 'text' },
  FTYP: { form: 'code?' },
  FNR: { id: 'text' },
  ORGNR: { number: 'text', acquisition: 'text', activity: 'text' },
  BKOD: { industry: 'text' },
  ADRESS: { contact: 'text', street: 'text', postal: 'text', phone: 'text' },
  FNAMN: { name: 'text' },
  RAR: { year: 'year', start: 'date?', end: 'date?' },
  TAXAR: { year: 'text' },
  OMFATTN: { date: 'date?' },
  KPTYP: { plan: 'code?' },
  VALUTA: { currency: 'code?' },
  KONTO: { account: 'code', name: 'text' },
  KTYP: { account: 'code', kind: 'code' },
  ENHET: { account: 'code', unit: 'text' },
  SRU: { account: 'code', sru: 'code' },
  DIM: { dimension: 'code', name: 'text' },
  UNDERDIM: { dimension: 'code', name: 'text', parent: 'code' },
  OBJEKT: { dimension: 'code', object: 'code', name: 'text' },
  IB: balance,
  UB: balance,
  OIB: objectBalance,
  OUB: objectBalance,
  RES: balance,
  PSALDO: period,
  PBUDGET: period,
  VER: {
    series: 'code?',
    number: 'code?',
    date: 'date',
    text: 'text',
    registered: 'date?',
    signature: 'text',
  },
  ...rowShapes,
} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldKind>>>>;

type Shapes = typeof postShapes;
export type SieLabel = keyof Shapes;
export type SieRowLabel = keyof typeof rowShapes;

type FieldsOf<Label extends SieLabel> = {
  readonly [Name in keyof Shapes[Label]]: Shapes[Label][Name] extends FieldKind
    ? FieldValues[Shapes[Label][Name]]
    : never;
};
type PostOf<Label extends SieLabel> = Label extends SieLabel
  ? { readonly label: Label } & FieldsOf<Label>
  : never;

/** A row of a voucher: TRANS counts; RTRANS and BTRANS tell what was added and taken away later. */
export type SieRow = PostOf<SieRowLabel>;
/** A voucher with its rows in order. */
export type SieVoucher = PostOf<'VER'> & { readonly rows: readonly SieRow[] };
/** One post of a file; a voucher's rows belong to it. */
export type SiePost = PostOf<Exclude<SieLabel, SieRowLabel | 'VER'>> | SieVoucher;

export const isLabel = (word: string): word is SieLabel => Object.hasOwn(postShapes, word);
export const isRowLabel = (label: string): label is SieRowLabel => Object.hasOwn(rowShapes, label);

const fields: ReadonlyMap<string, [name: string, kind: FieldKind][]> = new Map(
  Object.entries(postShapes).map(([label, shape]) => [label, Object.entries(shape)]),
);
/** Fields of a post in order, by name. */
export const fieldsOf = (label: SieLabel): readonly [name: string, kind: FieldKind][] =>
  fields.get(label) ?? [];

const objectsPlaces = new Map(
  [...fields].map(([label, shape]) => [label, shape.findIndex(([, kind]) => kind === 'objects')]),
);
/** At which place a post has its list of objects in braces; -1 when it has none. */
export const objectsPlace = (label: string): number => objectsPlaces.get(label) ?? -1;
