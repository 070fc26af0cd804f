/** What an order's fields are called by people; programs say `rows[2].vatRate`. */
import { say, worded } from '../language.ts';
import { capitalized } from './words.ts';

const fieldWords = worded(
  (): Readonly<Record<string, string>> => ({
    externalId: say`ordernumret`,
    orderDate: say`orderdatumet`,
    currency: say`valutan`,
    exchangeRate: say`kursen`,
    pricesIncludeVat: say`uppgiften om priserna är med moms`,
    total: say`beloppet som kunden betalade`,
    customer: say`köparen`,
    'customer.name': say`köparens namn`,
    'customer.email': say`köparens e-postadress`,
    'customer.orgNumber': say`köparens organisationsnummer`,
    'customer.vatNumber': say`köparens momsnummer`,
    'customer.countryCode': say`köparens land`,
    rows: say`raderna`,
    refundId: say`återbetalningens nummer`,
    refundDate: say`återbetalningens datum`,
    amount: say`beloppet`,
    payments: say`betalningarna`,
    tip: say`dricksen`,
    tillId: say`kassans beteckning`,
    zNumber: say`Z-numret`,
    date: say`datumet`,
    receiptCount: say`antalet kvitton`,
    sales: say`försäljningen`,
    returns: say`returerna`,
    giftCardsSold: say`sålda presentkort`,
    tips: say`dricksen`,
    rounding: say`öresavrundningen`,
    movements: say`kassarörelserna`,
  }),
);

/** What one of each list is called. */
const listWords = worded(
  (): Readonly<Record<string, string>> => ({
    rows: say`rad`,
    sales: say`försäljningsrad`,
    returns: say`returrad`,
    payments: say`betalning`,
    movements: say`kassarörelse`,
  }),
);

interface RowMember {
  readonly word: string;
  /** Of its column, where an order is shown. */
  readonly head: string;
  readonly isNumber?: true;
  /** Its column stands only where some row has one. */
  readonly isRare?: true;
}

/** The members of a row that are read, in the order in which they are shown. */
const rowMembers = worded(
  () =>
    ({
      description: { word: say`benämningen`, head: say`Benämning` },
      articleNumber: { word: say`artikelnumret`, head: say`Artikel` },
      quantity: { word: say`antalet`, head: say`Antal`, isNumber: true },
      unit: { word: say`enheten`, head: say`Enhet`, isRare: true },
      unitPrice: { word: say`à-priset`, head: say`À-pris`, isNumber: true },
      discountPct: { word: say`rabatten`, head: say`Rabatt %`, isNumber: true, isRare: true },
      vatRate: { word: say`momssatsen`, head: say`Moms %`, isNumber: true },
      vatCountry: { word: say`momslandet`, head: say`Momsland`, isRare: true },
      giftCard: { word: say`uppgiften om presentkort`, head: say`Presentkort`, isRare: true },
    }) as const satisfies Readonly<Record<string, RowMember>>,
);

export type RowMemberName = keyof ReturnType<typeof rowMembers>;
export const rowMemberList = worded((): readonly (RowMember & { readonly name: RowMemberName })[] =>
  Object.entries(rowMembers()).map(([name, member]) => ({
    name: name as RowMemberName,
    ...member,
  })),
);

const rowWords = worded(
  (): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(rowMemberList().map(({ name, word }) => [name, word])),
    amount: say`beloppet`,
    method: say`betalsättet`,
    date: say`datumet`,
    vat: say`momsen`,
    kind: say`slaget`,
  }),
);

/** `momssatsen på rad 3` of `rows[2].vatRate`, `köparens land` of `customer.countryCode`; another name as it stands. */
export function orderField(path: string): string {
  const [, list = '', row, member] = /^(\w+)\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? [];
  const one = Object.hasOwn(listWords(), list) ? listWords()[list] : undefined;
  if (one === undefined) return path === '' ? say`hela ordern` : (fieldWords()[path] ?? path);
  const place = `${one} ${Number(row) + 1}`;
  return member === undefined ? place : say`${rowWords()[member] ?? member} på ${place}`;
}

/** `Momssatsen på rad 3` of `rows[2].vatRate`. */
export const fieldName = (path: string): string => capitalized(orderField(path));
