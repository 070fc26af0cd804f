/** What an order's fields are called by people: problems name them as programs do, `rows[2].vatRate`. */

const fieldWords: Readonly<Record<string, string>> = {
  externalId: 'ordernumret',
  orderDate: 'orderdatumet',
  currency: 'valutan',
  pricesIncludeVat: 'uppgiften om priserna är med moms',
  total: 'beloppet som kunden betalade',
  customer: 'köparen',
  'customer.name': 'köparens namn',
  'customer.email': 'köparens e-postadress',
  'customer.orgNumber': 'köparens organisationsnummer',
  'customer.vatNumber': 'köparens momsnummer',
  'customer.countryCode': 'köparens land',
  rows: 'raderna',
};

interface RowMember {
  readonly word: string;
  /** Of its column, where an order is shown. */
  readonly head: string;
  readonly isNumber?: true;
  /** Its column stands only where some row has one. */
  readonly isRare?: true;
}

/** The members of a row that are read, in the order in which they are shown. */
const rowMembers = {
  description: { word: 'benämningen', head: 'Benämning' },
  articleNumber: { word: 'artikelnumret', head: 'Artikel' },
  quantity: { word: 'antalet', head: 'Antal', isNumber: true },
  unit: { word: 'enheten', head: 'Enhet', isRare: true },
  unitPrice: { word: 'à-priset', head: 'À-pris', isNumber: true },
  discountPct: { word: 'rabatten', head: 'Rabatt %', isNumber: true, isRare: true },
  vatRate: { word: 'momssatsen', head: 'Moms %', isNumber: true },
} as const satisfies Readonly<Record<string, RowMember>>;

export type RowMemberName = keyof typeof rowMembers;
export const rowMemberList: readonly (RowMember & { readonly name: RowMemberName })[] =
  Object.entries(rowMembers).map(([name, member]) => ({
    name: name as RowMemberName,
    ...member,
  }));

const rowWords: Readonly<Record<string, string>> = Object.fromEntries(
  rowMemberList.map(({ name, word }) => [name, word]),
);

const field = /(?<![\w.])(?:rows\[(\d+)\](?:\.(\w+))?|customer\.\w+|\w+)(?![\w[])/g;

/** `Momssatsen på rad 3` of `rows[2].vatRate`; a name that is not ours as it stands. */
export const fieldName = (path: string): string =>
  path === '' ? 'Hela ordern' : capitalized(inWords(path));

/** A sentence about an order, with its fields by the names that people use. */
export const orderSentence = (message: string): string => capitalized(inWords(message));

function inWords(text: string): string {
  return text.replace(
    field,
    (name: string, row: string | undefined, member: string, at: number) => {
      const word = row === undefined ? fieldWords[name] : rowName(Number(row) + 1, member);
      if (word === undefined) return name;
      return at === 0 || /[.!?] $/.test(text.slice(at - 2, at)) ? capitalized(word) : word;
    },
  );
}

function rowName(rowNo: number, member: string | undefined): string {
  const word = member === undefined ? undefined : (rowWords[member] ?? member);
  return word === undefined ? `rad ${rowNo}` : `${word} på rad ${rowNo}`;
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export interface ShownProblem {
  /** The field, in words; nothing when the sentence begins with it. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** Problems and warnings as the intake worker stored them, in words. */
export function shownProblems(stored: unknown): ShownProblem[] {
  if (!Array.isArray(stored)) return [];
  return (stored as { path?: string; reason?: string; message?: string }[]).map(
    ({ path = '', reason = '', message = '' }) => {
      const [name, sentence] = [fieldName(path), orderSentence(message)];
      return { field: sentence.startsWith(name) ? '' : name, reason, message: sentence };
    },
  );
}
