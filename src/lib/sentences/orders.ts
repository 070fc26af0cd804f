/** What is said of orders, and of the JSON that any call sends: to senders and to people by the same sentences. */
import { say, worded } from '../language.ts';
import { numberText } from '../numbers.ts';
import { fieldName, orderField } from './order-fields.ts';
import { type Given, type InWhich, kronor, money, type Sentences, type Told } from './words.ts';

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
  page: (params: P, { at }: Told) => words({ at, the: orderField, The: fieldName }, params),
});

const percent = (rate: number): string => numberText(String(rate).replace('.', ','));

const kinds = worded(() => ({
  text: say`en text`,
  boolean: say`true eller false`,
  date: say`ett datum som 2026-01-31`,
  number: say`ett tal`,
  object: say`ett objekt`,
  list: say`en lista`,
}));

/** Why a row's account cannot be used, and what to do. */
const accountFaults = {
  missing: () => say`saknas i kontoplanen. Lägg upp det`,
  inactive: () => say`är inaktivt. Aktivera det`,
  other_rate: (rate: number) => say`tar inte ${rate} % moms. Rätta momskoden`,
};

/** What a member should have been; `order` and `document` are the whole. */
type Expected = keyof ReturnType<typeof kinds>;

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

type WrongCurrency = Given<'currency'> & {
  /** The code, where it was sent in small letters or with white space around it. */
  readonly meant?: string;
  /** The order's own, where it is a row that has another. */
  readonly orderCurrency?: string;
  /** Other currencies are taken, only not this one. */
  readonly isOssOn?: boolean;
};

type WrongRate = {
  readonly rate: number;
  /** Other EU countries' VAT is taken, of buyers who are there. */
  readonly isOssOn?: boolean;
  /** The percentage, where a fraction was sent. */
  readonly meant: number | null;
};

type NegativeTotal = Given<'totalOre'> & InWhich & { readonly of?: 'invoice' };

/** Why a row may not be as it is sent, by what is in doubt. */
export type VatDoubt =
  | ({ readonly doubt: 'margin_vat_shown' } & Given<'rate' | 'own'>)
  | ({ readonly doubt: 'swedish_vat_number_missing' } & Given<'own'>)
  | { readonly doubt: 'swedish_buyer' | 'country_missing' }
  | ({ readonly doubt: 'vat_number_missing' } & Given<'country'>)
  | ({ readonly doubt: 'vat_number_of_no_such_country' } & Given<'country' | 'given'>)
  | ({ readonly doubt: 'no_country_of_oss' } & Given<'given'>)
  | ({ readonly doubt: 'oss_to_business' | 'rate_of_both' } & Given<'country'>);

function vatDoubtWords({ at, the, The }: Names, params: VatDoubt): string {
  switch (params.doubt) {
    case 'margin_vat_shown':
      return say`${The(at)} är ${params.rate} % men artikelns konto ${params.own} är för vinstmarginalbeskattning, där fakturan inte visar moms. Skicka raden med 0 %, eller byt konto på artikeln.`;
    case 'swedish_vat_number_missing':
      return say`${The(at)} är 0 % med omvänd betalningsskyldighet (konto ${params.own}) men köparen har inget svenskt VAT-nummer. Ange ${the('customer.vatNumber')}, eller debitera moms.`;
    case 'swedish_buyer':
      return say`${The(at)} är 0 % men köparen räknas som svensk. Ange momssatsen, eller koppla artikeln till ett momsfritt konto (till exempel 3004). Säljs ett presentkort ska raden säga det (${the(at.replace('vatRate', 'giftCard'))}). Dricks är ingen rad: den är ${the('tip')}, bredvid ${the('payments')}.`;
    case 'country_missing':
      return say`${The(at)} är 0 % men köparen räknas som svensk. Finns köparen utomlands ska ${the('customer.countryCode')} anges.`;
    case 'vat_number_missing':
      return say`${The(at)} är 0 % men köparen i ${params.country} har inget VAT-nummer. Debitera svensk moms, eller ange ${the('customer.vatNumber')}.`;
    case 'vat_number_of_no_such_country':
      return say`${The(at)} är 0 % men ${params.given} är inget VAT-nummer i ${params.country}. Rätta ${the('customer.vatNumber')} eller ${the('customer.countryCode')}.`;
    case 'no_country_of_oss':
      return say`${The(at)} ${params.given} är inget annat EU-land, vars moms redovisas i One Stop Shop. Skriv ett sådant, SE för svensk moms, eller inget.`;
    case 'oss_to_business':
      return say`${The(at)} är moms i ${params.country} men köparen har ett VAT-nummer: One Stop Shop är för försäljning till konsumenter. Sälj utan moms, eller skicka ordern utan ${the('customer.vatNumber')}.`;
    case 'rate_of_both':
      return say`${The(at)} är en som både Sverige och ${params.country} har, och raden är en tjänst: ange ${the(at.replace('vatRate', 'vatCountry'))}, SE eller ${params.country}.`;
  }
}

/** What of an order a refund takes back. */
type RefundedItem =
  | { readonly rowNo: number | null; readonly articleNumber: string | null }
  /** As it was kept before 0218: in words. */
  | { readonly what: string };

function itemWords(item: RefundedItem): string {
  if ('what' in item) return item.what;
  const { rowNo, articleNumber } = item;
  return rowNo === null ? say`artikel ${articleNumber ?? ''}` : say`rad ${rowNo}`;
}

export const orderSentences = {
  // The JSON of any call.
  not_json: ({ fault, stoppedAt, of = say`Kroppen` }: NotJson) => {
    if (fault === 'empty') return say`${of} är tom; skicka ett JSON-objekt.`;
    if (fault === 'not_utf8') return say`${of} är inte giltig UTF-8; skicka JSON kodad som UTF-8.`;
    const place = stoppedAt == null ? '' : say` (läsningen stannade vid tecken ${stoppedAt})`;
    return say`${of} är inte giltig JSON${place}; rätta den och skicka igen.`;
  },
  too_deep: ({ maxDepth }: Given<'maxDepth'>) =>
    say`Kroppen är nästlad djupare än ${maxDepth} nivåer.`,
  nul_character: named(
    ({ at, The }) => say`${The(at)} innehåller ett NUL-tecken (\\u0000); ta bort det.`,
  ),
  lone_surrogate: named(
    ({ at, The }) =>
      say`${The(at)} innehåller ett halvt tecken (ensam surrogat); skicka giltig Unicode.`,
  ),
  duplicate_name: named(
    ({ at, The }) => say`${The(at)} står mer än en gång i samma objekt; ta bort det ena.`,
  ),

  // The form of an order.
  required: named(({ at, The }, { expected }: { readonly expected: Expected | 'document' }) =>
    expected === 'document'
      ? say`JSON-kuvertet ska ha ett av fälten document (text) och documentBase64.`
      : say`${The(at)} saknas; ange ${kinds()[expected]}.`,
  ),
  wrong_type: named(({ at, The }, { expected, isQuoted }: Mistaken) => {
    if (expected === 'document') return say`document ska vara UBL-dokumentet som text.`;
    if (expected === 'order') {
      return say`Ordern ska vara ett JSON-objekt med externalId, orderDate, customer och rows.`;
    }
    if (expected === 'refund') {
      return say`Återbetalningen ska vara ett JSON-objekt med externalId, refundId och refundDate.`;
    }
    if (expected === 'till_report') {
      return say`Z-rapporten ska vara ett JSON-objekt med tillId, zNumber, date, sales och payments.`;
    }
    const how = isQuoted && expected !== 'text' ? say`, utan citattecken` : '';
    return say`${The(at)} ska vara ${kinds()[expected]}${how}.`;
  }),
  too_long: named(
    ({ at, The }, { lengthMax }: Given<'lengthMax'>) =>
      say`${The(at)} får vara högst ${lengthMax} tecken. Korta texten.`,
  ),
  invalid_date: named(
    ({ at, The }) =>
      say`${The(at)} är inget riktigt datum. Skriv år, månad och dag som 2026-01-31, utan klockslag.`,
  ),
  too_large: named(
    ({ at, The }) => say`${The(at)} får vara högst 9 999 999 999,99 åt vardera hållet.`,
  ),
  too_many_decimals: named(
    ({ at, The }, { scale }: Given<'scale'>) =>
      say`${The(at)} har fler än ${scale} decimaler. Avrunda talet innan det skickas.`,
  ),
  too_many_rows: named(
    ({ at, The }, { count, rowsMax }: Given<'count' | 'rowsMax'>) =>
      say`${The(at)} har ${count} rader; högst ${rowsMax} går. Dela upp dem.`,
  ),
  unknown_country: named(
    ({ at, The }) => say`${The(at)} är ingen landskod. Skriv till exempel SE.`,
  ),
  zero: named(({ at, The }) => say`${The(at)} är noll. Ta bort raden eller ange ett antal.`),
  control_character: named(
    ({ at, The }) => say`${The(at)} ska vara en kort text på en rad, till exempel tim.`,
  ),
  out_of_range: named(({ at, The }) => say`${The(at)} är ingen rabatt; ange procent, 0–100.`),

  // The form of a refund, and what it is stopped for.
  not_above_zero: named(({ at, The }) => say`${The(at)} ska vara mer än noll.`),
  below_zero: named(({ at, The }) => say`${The(at)} ska vara noll eller mer.`),
  amount_and_rows:
    'Ange antingen amount eller rows; utan båda tas allt som är kvar av ordern tillbaka.',
  row_or_article: named(
    ({ at, The }) => say`${The(at)} saknas; ange articleNumber, eller rowNo för raden i ordern.`,
  ),
  refund_in_other_currency: named(({ at, The }, { currency = 'SEK' }: InWhich) =>
    currency === 'SEK'
      ? say`${The(at)} är inte SEK. Skicka återbetalningen i kronor.`
      : say`${The(at)} är inte orderns ${currency}. Skicka återbetalningen i den.`,
  ),
  refund_id_taken: ({ refundId }: { readonly refundId: string }) =>
    say`Återbetalning ${refundId} har redan blivit en kreditfaktura av en annan order. Är det en återbetalning till ska den ha ett eget nummer; kreditera annars fakturan för hand och avvisa den här.`,
  order_unknown: ({ externalId }: { readonly externalId: string }) =>
    say`Order ${externalId} har inte blivit någon faktura här. Återbetalningen prövas igen av sig själv när orderns faktura bokförs.`,
  order_not_booked: ({ externalId }: { readonly externalId: string }) =>
    say`Fakturan av order ${externalId} är ett utkast. Bokför den, så prövas återbetalningen igen av sig själv.`,
  refund_outside_fiscal_year: ({ date }: { readonly date: string }) =>
    say`Återbetalningen är daterad ${date}, och dagen ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret, eller be avsändaren rätta datumet.`,
  refund_before_invoice: ({ number, from }: Given<'number' | 'from'>) =>
    say`Orderns faktura ${number} är daterad ${from}; en återbetalning dateras tidigast samma dag. Be avsändaren rätta datumet.`,
  refund_row_unknown: (item: RefundedItem) =>
    say`Orderns faktura har ingen ${itemWords(item)}. Be avsändaren rätta raden, eller kreditera för hand.`,
  refund_row_exceeds: (item: RefundedItem) =>
    say`Av ${itemWords(item)} är inte så mycket kvar på orderns faktura. Be avsändaren rätta antalet, eller kreditera för hand.`,

  refund_of_tip_alone: () =>
    say`Bara dricks betalades tillbaka, och den står inte på fakturan. Bokför det för hand, debet på dricksens konto och kredit på det som pengarna gick ut från, och avvisa återbetalningen.`,
  refund_tip_exceeds: ({ tipOre, openOre }: Given<'tipOre' | 'openOre'>) =>
    say`${kronor(tipOre)} i dricks betalades tillbaka, men av orderns dricks är ${kronor(openOre)} kvar. Be avsändaren rätta beloppet, eller kreditera för hand.`,

  // What is paid.
  payment_method_unknown: ({ method }: { readonly method: string }) =>
    say`Betalsättet ${method} har inget konto. Lägg till det under Inställningar › Företaget › Betalsätt, eller be avsändaren rätta det.`,
  payment_account_missing: ({ method, account }: { readonly method: string } & Given<'account'>) =>
    say`Konto ${account}, som betalsättet ${method} går över, saknas eller är inaktivt i kontoplanen. Lägg upp eller aktivera det.`,
  payment_before_order: named(
    ({ at, The }, { day }: { readonly day: string }) =>
      say`${The(at)} är före ${day}, då fakturan dateras. Det som kom innan är ett förskott (2420) och bokförs för hand.`,
  ),
  payments_mismatch: ({
    paidOre,
    totalOre,
    tipOre,
    ...inWhich
  }: Given<'paidOre' | 'totalOre' | 'tipOre'> & InWhich) => {
    // Kept with an order, they are digits.
    const [total, tip] = [BigInt(totalOre), BigInt(tipOre)];
    const tips =
      tip > 0n ? say` (${money(total, inWhich)} och ${money(tip, inWhich)} i dricks)` : '';
    return say`Betalningarna är ${money(paidOre, inWhich)}, men ska vara ${money(total + tip, inWhich)}${tips}.`;
  },

  // What an order is rejected for.
  invalid_order: named(
    ({ at, The }, { mostOre }: Given<'mostOre'>) =>
      say`${The(at)} omsätter mer än de ${kronor(mostOre)} ett verifikat rymmer. Dela upp ordern.`,
  ),
  currency_not_supported: named(
    ({ at, The }, { currency, meant, orderCurrency, isOssOn }: WrongCurrency) => {
      if (meant) return say`${The(at)} är ”${currency}”; skriv ${meant}.`;
      if (orderCurrency) {
        return say`${The(at)} är ${currency}, men ordern är i ${orderCurrency}. Alla rader ska vara i orderns valuta.`;
      }
      return isOssOn
        ? say`${The(at)} är ${currency}, en valuta som order inte tas emot i. Räkna om ordern till kronor.`
        : say`${The(at)} är ${currency}; bara SEK går. Räkna om ordern till kronor.`;
    },
  ),
  exchange_rate_missing: named(
    ({ at, The }, { currency }: Given<'currency'>) =>
      say`${The(at)} saknas eller går inte att läsa; skicka hur många kronor en ${currency} är, mer än noll och med högst sex decimaler.`,
  ),
  customer_unknown: named(
    ({ at, The }, { name }: Given<'name'>) =>
      say`${The(at)} ${name} finns inte i kundregistret. Lägg upp kunden, eller välj en samlingskund för order.`,
  ),
  date_outside_fiscal_year: named(
    ({ at, The }, { orderDate }: Given<'orderDate'>) =>
      say`${The(at)} ${orderDate} ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret eller rätta datumet.`,
  ),
  negative_total: {
    api: ({ of, totalOre, ...inWhich }: NegativeTotal, { at }: Told) =>
      of === 'invoice'
        ? `Fakturan blir ${kronor(totalOre)}; en faktura kan inte vara negativ. Kreditera i stället fakturan det gäller.`
        : `${at} är ${money(totalOre, inWhich)}. En faktura kan inte vara på minus; kreditera den ursprungliga i stället.`,
    page: ({ of, totalOre, ...inWhich }: NegativeTotal, { at }: Told) =>
      of === 'invoice'
        ? say`Fakturan blir ${kronor(totalOre)}; en faktura kan inte vara negativ. Kreditera i stället fakturan det gäller.`
        : say`${fieldName(at)} är ${money(totalOre, inWhich)}. En faktura kan inte vara på minus; kreditera den ursprungliga i stället.`,
  },
  total_mismatch: named(
    (
      { at, the, The },
      {
        totalOre,
        rowsOre,
        differenceOre,
        isWithoutVat,
        ...inWhich
      }: Given<'totalOre' | 'rowsOre' | 'differenceOre'> &
        InWhich & { readonly isWithoutVat: boolean },
    ) => {
      const fault = say`${The(at)} är ${money(totalOre, inWhich)} men raderna blir ${money(rowsOre, inWhich)} med moms (skillnad ${money(differenceOre, inWhich)}).`;
      const wayOut = isWithoutVat
        ? say`${The(at)} ser ut att vara utan moms; skicka det kunden betalade.`
        : say`Kontrollera att alla rader, frakt och rabatter är med och att ${the('pricesIncludeVat')} stämmer.`;
      return `${fault} ${wayOut}`;
    },
  ),
  vat_rate_not_supported: named(({ at, the, The }, { rate, meant, isOssOn }: WrongRate) => {
    if (meant !== null) {
      return say`${The(at)} är ${percent(rate)}: momssatsen anges i procent, skriv ${meant}.`;
    }
    const fault = say`${The(at)} är ${percent(rate)} %, som inte är en svensk momssats.`;
    const wayOut = isOssOn
      ? say`Skriv 25, 12, 6 eller 0; för ett annat EU-lands moms anges ${the('customer.countryCode')} eller ${the(at.replace('vatRate', 'vatCountry'))}.`
      : say`Skriv 25, 12, 6 eller 0; utländsk moms (OSS) bokförs för hand.`;
    return `${fault} ${wayOut}`;
  }),
  vat_treatment_unclear: named(vatDoubtWords),
  account_missing: named(({ at, the, The }, fault: AccountFault) =>
    fault.state === 'rounding'
      ? say`${The(at)} kräver öresutjämning men konto ${fault.account} saknas eller är inaktivt. Lägg upp eller aktivera kontot.`
      : say`Konto ${fault.account} för ${the(at)} ${accountFaults[fault.state](fault.rate)} och pröva ordern igen.`,
  ),

  // What a person should look at before the draft is booked.
  article_account_not_used: named(
    ({ at, the }, { own, rate, used }: Given<'own' | 'rate' | 'used'>) =>
      say`Artikelns konto ${own} tar inte ${rate} % moms; ${the(at)} läggs på ${used}.`,
  ),
  swedish_vat_charged:
    'Köparen har debiterats svensk moms men skulle kanske ha köpt utan. Momsen bokförs som den debiterats, eftersom den ändå ska betalas in (ML 7:49). Kontrollera ordern.',
  exchange_rate_unusual: named(
    ({ at, The }, { currency, sent }: Given<'currency' | 'sent'>) =>
      say`${The(at)} är ${percent(Number(sent))} kr för en ${currency}, som är ovanligt. Kontrollera den innan fakturan bokförs; skickades den kanske åt andra hållet?`,
  ),
  oss_rate_unknown: named(
    ({ at, The }, { rate, country }: Given<'rate' | 'country'>) =>
      say`${The(at)} är ${percent(Number(rate))} %, som ${country} inte brukar ha. Kontrollera den innan fakturan bokförs: momsen redovisas i One Stop Shop.`,
  ),
  swedish_vat_beside_oss: named(
    ({ at, The }, { rate, country }: Given<'rate' | 'country'>) =>
      say`${The(at)} är ${rate} %, svensk moms, till en konsument i ${country}. Skickas varan dit ska det vara det landets moms när företaget redovisar i One Stop Shop.`,
  ),
  vat_number_not_verified: ({ vatNumber }: Given<'vatNumber'>) =>
    say`Försäljningen till ${vatNumber} är utan moms. Kontrollera numret i VIES.`,
  customer_differs: named(
    ({ at, The }, { name }: Given<'name'>) =>
      say`${The(at)} är inte riktigt kunden ${name} i kundregistret: nummer, land eller e-post skiljer sig. Fakturan får bara orderns egna uppgifter.`,
  ),
  buyer_address_missing: named(
    ({ at, The }, { mostOre }: Given<'mostOre'>) =>
      say`${The(at)} saknar adress, som ska stå på en faktura över ${kronor(mostOre)} (ML 17 kap. 24 §). Lägg in den på fakturautkastet eller på kunden innan fakturan bokförs.`,
  ),

  // What a person decides of an order that stopped.
  no_order: 'Ordern finns inte.',
  order_invoiced: 'Ordern har redan blivit en faktura.',
  order_retried: 'Ordern prövas redan på nytt.',
  customer_exists: ({ name }: Given<'name'>) =>
    say`${name} finns redan bland kunderna med samma uppgifter. Gå tillbaka och försök igen utan att lägga upp en kund.`,
  customer_not_of_order:
    'Kunden har varken namn, e-post, organisationsnummer eller momsnummer gemensamt med ordern, så ordern skulle stoppas igen. Behåll något av dem.',
} satisfies Sentences;
