/** What an order's fields are called by people; programs say `rows[2].vatRate`. */

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
  refundId: 'återbetalningens nummer',
  refundDate: 'återbetalningens datum',
  amount: 'beloppet',
  payments: 'betalningarna',
  tip: 'dricksen',
  tillId: 'kassans beteckning',
  zNumber: 'Z-numret',
  date: 'datumet',
  receiptCount: 'antalet kvitton',
  sales: 'försäljningen',
  returns: 'returerna',
  giftCardsSold: 'sålda presentkort',
  tips: 'dricksen',
  rounding: 'öresavrundningen',
  movements: 'kassarörelserna',
};

/** What one of each list is called. */
const listWords: Readonly<Record<string, string>> = {
  rows: 'rad',
  sales: 'försäljningsrad',
  returns: 'returrad',
  payments: 'betalning',
  movements: 'kassarörelse',
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

const rowWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(rowMemberList.map(({ name, word }) => [name, word])),
  amount: 'beloppet',
  method: 'betalsättet',
  date: 'datumet',
  vat: 'momsen',
  kind: 'slaget',
};

/** `momssatsen på rad 3` of `rows[2].vatRate`, `köparens land` of `customer.countryCode`; another name as it stands. */
export function orderField(path: string): string {
  const [, list = '', row, member] = /^(\w+)\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? [];
  const one = Object.hasOwn(listWords, list) ? listWords[list] : undefined;
  if (one === undefined) return path === '' ? 'hela ordern' : (fieldWords[path] ?? path);
  const place = `${one} ${Number(row) + 1}`;
  return member === undefined ? place : `${rowWords[member] ?? member} på ${place}`;
}

export const capitalized = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `Momssatsen på rad 3` of `rows[2].vatRate`. */
export const fieldName = (path: string): string => capitalized(orderField(path));
