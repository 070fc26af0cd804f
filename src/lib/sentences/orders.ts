/** What is said of orders, and of the JSON that any call sends: to senders and to people by the same sentences. */
import { capitalized, orderField } from './order-fields.ts';
import { type Given, kronor, type Sentences, type Told } from './words.ts';

/** How the reader names a field, within a sentence and as its first word. */
interface Names {
  readonly at: string;
  readonly the: (path: string) => string;
  readonly The: (path: string) => string;
}

type OrderWords<P> = (names: Names, params: P) => string;

const asSent = (path: string): string => path;

/** The API names an order's fields as its JSON does, a page as people do. */
const named = <P>(words: OrderWords<P>) => ({
  api: (params: P, { at }: Told) => words({ at, the: asSent, The: asSent }, params),
  page: (params: P, { at }: Told) =>
    words({ at, the: orderField, The: (path) => capitalized(orderField(path)) }, params),
});

const percent = (rate: number): string => String(rate).replace('.', ',');

const kinds = {
  text: 'en text',
  boolean: 'true eller false',
  date: 'ett datum som 2026-01-31',
  number: 'ett tal',
  object: 'ett objekt',
  list: 'en lista',
};

/** Why a row's account cannot be used, and what to do. */
const accountFaults = {
  missing: () => 'saknas i kontoplanen. Lägg upp det',
  inactive: () => 'är inaktivt. Aktivera det',
  other_rate: (rate: number) => `tar inte ${rate} % moms. Rätta momskoden`,
};

/** What a member should have been; `order` and `document` are the whole. */
type Expected = keyof typeof kinds;

type Mistaken = {
  readonly expected: Expected | 'order' | 'refund' | 'till_report' | 'document';
  /** Sent as a text. */
  readonly isQuoted?: boolean;
};

type NotJson = {
  readonly fault: 'empty' | 'not_utf8' | 'syntax';
  readonly stoppedAt?: string | null;
  /** What is read, as a sentence begins: the body unless said. */
  readonly of?: string;
};

type AccountFault =
  | { readonly account: number; readonly state: 'rounding' }
  | {
      readonly account: number;
      readonly state: keyof typeof accountFaults;
      readonly rate: number;
    };

type WrongRate = {
  readonly rate: number;
  /** The percentage, where a fraction was sent. */
  readonly meant: number | null;
  readonly allowed: string;
};

/** Why a row may not be as it is sent, by what is in doubt. */
export type VatDoubt =
  | ({ readonly doubt: 'margin_vat_shown' } & Given<'rate' | 'own'>)
  | ({ readonly doubt: 'swedish_vat_number_missing' } & Given<'own'>)
  | { readonly doubt: 'swedish_buyer' | 'country_missing' }
  | ({ readonly doubt: 'vat_number_missing' } & Given<'country'>)
  | ({ readonly doubt: 'vat_number_of_no_such_country' } & Given<'country' | 'given'>);

function vatDoubtWords({ at, the, The }: Names, params: VatDoubt): string {
  switch (params.doubt) {
    case 'margin_vat_shown':
      return `${The(at)} är ${params.rate} % men artikelns konto ${params.own} är för vinstmarginalbeskattning, där fakturan inte visar moms. Skicka raden med 0 %, eller byt konto på artikeln.`;
    case 'swedish_vat_number_missing':
      return `${The(at)} är 0 % med omvänd betalningsskyldighet (konto ${params.own}) men köparen har inget svenskt VAT-nummer. Ange ${the('customer.vatNumber')}, eller debitera moms.`;
    case 'swedish_buyer':
      return `${The(at)} är 0 % men köparen räknas som svensk. Ange momssatsen, eller koppla artikeln till ett momsfritt konto (till exempel 3004).`;
    case 'country_missing':
      return `${The(at)} är 0 % men köparen räknas som svensk. Finns köparen utomlands ska ${the('customer.countryCode')} anges.`;
    case 'vat_number_missing':
      return `${The(at)} är 0 % men köparen i ${params.country} har inget VAT-nummer. Debitera svensk moms, eller ange ${the('customer.vatNumber')}.`;
    case 'vat_number_of_no_such_country':
      return `${The(at)} är 0 % men ${params.given} är inget VAT-nummer i ${params.country}. Rätta ${the('customer.vatNumber')} eller ${the('customer.countryCode')}.`;
  }
}

export const orderSentences = {
  // The JSON of any call.
  not_json: ({ fault, stoppedAt, of = 'Kroppen' }: NotJson) => {
    if (fault === 'empty') return `${of} är tom; skicka ett JSON-objekt.`;
    if (fault === 'not_utf8') return `${of} är inte giltig UTF-8; skicka JSON kodad som UTF-8.`;
    const place = stoppedAt === null ? '' : ` (läsningen stannade vid tecken ${stoppedAt})`;
    return `${of} är inte giltig JSON${place}; rätta den och skicka igen.`;
  },
  too_deep: ({ maxDepth }: Given<'maxDepth'>) =>
    `Kroppen är nästlad djupare än ${maxDepth} nivåer.`,
  nul_character: named(
    ({ at, The }) => `${The(at)} innehåller ett NUL-tecken (\\u0000); ta bort det.`,
  ),
  lone_surrogate: named(
    ({ at, The }) =>
      `${The(at)} innehåller ett halvt tecken (ensam surrogat); skicka giltig Unicode.`,
  ),
  duplicate_name: named(
    ({ at, The }) => `${The(at)} står mer än en gång i samma objekt; ta bort det ena.`,
  ),

  // The form of an order.
  required: named(({ at, The }, { expected }: { readonly expected: Expected | 'document' }) =>
    expected === 'document'
      ? 'JSON-kuvertet ska ha ett av fälten document (text) och documentBase64.'
      : `${The(at)} saknas; ange ${kinds[expected]}.`,
  ),
  wrong_type: named(({ at, The }, { expected, isQuoted }: Mistaken) => {
    if (expected === 'document') return 'document ska vara UBL-dokumentet som text.';
    if (expected === 'order') {
      return 'Ordern ska vara ett JSON-objekt med externalId, orderDate, customer och rows.';
    }
    if (expected === 'refund') {
      return 'Återbetalningen ska vara ett JSON-objekt med externalId, refundId och refundDate.';
    }
    if (expected === 'till_report') {
      return 'Z-rapporten ska vara ett JSON-objekt med tillId, zNumber, date, sales och payments.';
    }
    const how = isQuoted && expected !== 'text' ? ', utan citattecken' : '';
    return `${The(at)} ska vara ${kinds[expected]}${how}.`;
  }),
  too_long: named(
    ({ at, The }, { lengthMax }: Given<'lengthMax'>) =>
      `${The(at)} får vara högst ${lengthMax} tecken. Korta texten.`,
  ),
  invalid_date: named(
    ({ at, The }) =>
      `${The(at)} är inget riktigt datum. Skriv år, månad och dag som 2026-01-31, utan klockslag.`,
  ),
  too_large: named(
    ({ at, The }) => `${The(at)} får vara högst 9 999 999 999,99 åt vardera hållet.`,
  ),
  too_many_decimals: named(
    ({ at, The }, { scale }: Given<'scale'>) =>
      `${The(at)} har fler än ${scale} decimaler. Avrunda talet innan det skickas.`,
  ),
  too_many_rows: named(
    ({ at, The }, { count, rowsMax }: Given<'count' | 'rowsMax'>) =>
      `${The(at)} har ${count} rader; högst ${rowsMax} går. Dela upp dem.`,
  ),
  unknown_country: named(({ at, The }) => `${The(at)} är ingen landskod. Skriv till exempel SE.`),
  zero: named(({ at, The }) => `${The(at)} är noll. Ta bort raden eller ange ett antal.`),
  control_character: named(
    ({ at, The }) => `${The(at)} ska vara en kort text på en rad, till exempel tim.`,
  ),
  out_of_range: named(({ at, The }) => `${The(at)} är ingen rabatt; ange procent, 0–100.`),

  // The form of a refund, and what it is stopped for.
  not_above_zero: named(({ at, The }) => `${The(at)} ska vara mer än noll.`),
  below_zero: named(({ at, The }) => `${The(at)} får inte vara mindre än noll.`),
  amount_and_rows:
    'Ange antingen amount eller rows; utan båda tas allt som är kvar av ordern tillbaka.',
  row_or_article: named(
    ({ at, The }) => `${The(at)} saknas; ange articleNumber, eller rowNo för raden i ordern.`,
  ),
  refund_in_other_currency: named(
    ({ at, The }) => `${The(at)} är inte SEK. Skicka återbetalningen i kronor.`,
  ),
  refund_id_taken: ({ refundId }: { readonly refundId: string }) =>
    `Återbetalning ${refundId} har redan blivit en kreditfaktura av en annan order. Är det en återbetalning till ska den ha ett eget nummer; kreditera annars fakturan för hand och avvisa den här.`,
  order_unknown: ({ externalId }: { readonly externalId: string }) =>
    `Order ${externalId} har inte blivit någon faktura här. Återbetalningen prövas igen av sig själv när orderns faktura bokförs.`,
  order_not_booked: ({ externalId }: { readonly externalId: string }) =>
    `Fakturan av order ${externalId} är ett utkast. Bokför den, så prövas återbetalningen igen av sig själv.`,
  refund_outside_fiscal_year: ({ date }: { readonly date: string }) =>
    `Återbetalningen är daterad ${date}, och dagen ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret, eller be avsändaren rätta datumet.`,
  refund_before_invoice: ({ number, from }: Given<'number' | 'from'>) =>
    `Orderns faktura ${number} är daterad ${from}; en återbetalning dateras tidigast samma dag. Be avsändaren rätta datumet.`,
  refund_row_unknown: ({ what }: { readonly what: string }) =>
    `Orderns faktura har ingen ${what}. Be avsändaren rätta raden, eller kreditera för hand.`,
  refund_row_exceeds: ({ what }: { readonly what: string }) =>
    `Av ${what} är inte så mycket kvar på orderns faktura. Be avsändaren rätta antalet, eller kreditera för hand.`,

  // What is paid.
  payment_method_unknown: ({ method }: { readonly method: string }) =>
    `Betalsättet ${method} har inget konto. Lägg till det under Inställningar › Företaget › Betalsätt, eller be avsändaren rätta det.`,
  payment_account_missing: ({ method, account }: { readonly method: string } & Given<'account'>) =>
    `Konto ${account}, som betalsättet ${method} går över, saknas eller är inaktivt i kontoplanen. Lägg upp eller aktivera det.`,
  payment_before_order: named(
    ({ at, The }, { day }: { readonly day: string }) =>
      `${The(at)} är före ${day}, då fakturan dateras. Det som kom innan är ett förskott (2420) och bokförs för hand.`,
  ),
  payments_mismatch: ({
    paidOre,
    totalOre,
    tipOre,
  }: {
    readonly paidOre: bigint;
    readonly totalOre: bigint;
    readonly tipOre: bigint;
  }) =>
    `Betalningarna är ${kronor(paidOre)}, men ska vara ${kronor(totalOre + tipOre)}${tipOre > 0n ? ` (${kronor(totalOre)} och ${kronor(tipOre)} i dricks)` : ''}.`,

  // What an order is rejected for.
  invalid_order: named(
    ({ at, The }, { mostOre }: Given<'mostOre'>) =>
      `${The(at)} omsätter mer än de ${kronor(mostOre)} ett verifikat rymmer. Dela upp ordern.`,
  ),
  currency_not_supported: named(
    ({ at, The }, { currency }: Given<'currency'>) =>
      `${The(at)} är ${currency}; bara SEK går. Räkna om ordern till kronor.`,
  ),
  customer_unknown: named(
    ({ at, The }, { name }: Given<'name'>) =>
      `${The(at)} ${name} finns inte i kundregistret. Lägg upp kunden, eller välj en samlingskund för order.`,
  ),
  date_outside_fiscal_year: named(
    ({ at, The }, { orderDate }: Given<'orderDate'>) =>
      `${The(at)} ${orderDate} ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret eller rätta datumet.`,
  ),
  negative_total: {
    api: ({ of, totalOre }: Given<'totalOre'> & { readonly of?: 'invoice' }, { at }: Told) =>
      of === 'invoice'
        ? `Fakturan blir ${kronor(totalOre)}; en faktura kan inte vara negativ. Kreditera i stället fakturan det gäller.`
        : `${at} är ${kronor(totalOre)}. En faktura kan inte vara på minus; kreditera den ursprungliga i stället.`,
    page: ({ of, totalOre }: Given<'totalOre'> & { readonly of?: 'invoice' }, { at }: Told) =>
      of === 'invoice'
        ? `Fakturan blir ${kronor(totalOre)}; en faktura kan inte vara negativ. Kreditera i stället fakturan det gäller.`
        : `${capitalized(orderField(at))} är ${kronor(totalOre)}. En faktura kan inte vara på minus; kreditera den ursprungliga i stället.`,
  },
  total_mismatch: named(
    (
      { at, the, The },
      {
        totalOre,
        rowsOre,
        differenceOre,
        isWithoutVat,
      }: Given<'totalOre' | 'rowsOre' | 'differenceOre'> & { readonly isWithoutVat: boolean },
    ) => {
      const fault = `${The(at)} är ${kronor(totalOre)} men raderna blir ${kronor(rowsOre)} med moms (skillnad ${kronor(differenceOre)}).`;
      const wayOut = isWithoutVat
        ? `${The(at)} ser ut att vara utan moms; skicka det kunden betalade.`
        : `Kontrollera att alla rader, frakt och rabatter är med och att ${the('pricesIncludeVat')} stämmer.`;
      return `${fault} ${wayOut}`;
    },
  ),
  vat_rate_not_supported: named(({ at, The }, { rate, meant, allowed }: WrongRate) =>
    meant === null
      ? `${The(at)} är ${percent(rate)} %, som inte är en svensk momssats. Skriv ${allowed}; utländsk moms (OSS) bokförs för hand.`
      : `${The(at)} är ${percent(rate)}: momssatsen anges i procent, skriv ${meant}.`,
  ),
  vat_treatment_unclear: named(vatDoubtWords),
  account_missing: named(({ at, the, The }, fault: AccountFault) =>
    fault.state === 'rounding'
      ? `${The(at)} kräver öresutjämning men konto ${fault.account} saknas eller är inaktivt. Lägg upp eller aktivera kontot.`
      : `Konto ${fault.account} för ${the(at)} ${accountFaults[fault.state](fault.rate)} och pröva ordern igen.`,
  ),

  // What a person should look at before the draft is booked.
  article_account_not_used: named(
    ({ at, the }, { own, rate, used }: Given<'own' | 'rate' | 'used'>) =>
      `Artikelns konto ${own} tar inte ${rate} % moms; ${the(at)} läggs på ${used}.`,
  ),
  swedish_vat_charged:
    'Köparen har debiterats svensk moms men skulle kanske ha köpt utan. Momsen bokförs som den debiterats, eftersom den ändå ska betalas in (ML 7:49). Kontrollera ordern.',
  vat_number_not_verified: ({ vatNumber }: Given<'vatNumber'>) =>
    `Försäljningen till ${vatNumber} är utan moms. Kontrollera numret i VIES.`,
  customer_differs: named(
    ({ at, The }, { name }: Given<'name'>) =>
      `${The(at)} är inte riktigt kunden ${name} i kundregistret: nummer, land eller e-post skiljer sig. Fakturan får bara orderns egna uppgifter.`,
  ),
  buyer_address_missing: named(
    ({ at, The }, { mostOre }: Given<'mostOre'>) =>
      `${The(at)} saknar adress, som ska stå på en faktura över ${kronor(mostOre)} (ML 17 kap. 24 §). Lägg in den på fakturautkastet eller på kunden innan fakturan bokförs.`,
  ),

  // What a person decides of an order that stopped.
  no_order: 'Ordern finns inte.',
  order_invoiced: 'Ordern har redan blivit en faktura.',
  order_retried: 'Ordern prövas redan på nytt.',
  customer_exists: ({ name }: Given<'name'>) =>
    `${name} finns redan bland kunderna med samma uppgifter. Gå tillbaka och försök igen utan att lägga upp en kund.`,
  customer_not_of_order:
    'Kunden har varken namn, e-post, organisationsnummer eller momsnummer gemensamt med ordern, så ordern skulle stoppas igen. Behåll något av dem.',
} satisfies Sentences;
