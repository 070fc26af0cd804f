/** What is said of orders, and of the JSON that any call sends: to senders and to people by the same sentences. */
import { formatKronor } from '../swedish.ts';
import { capitalized, orderField } from './order-fields.ts';
import type { Sentences } from './words.ts';

/** How the reader names a field, within a sentence and as its first word. */
interface Names {
  readonly at: string;
  readonly the: (path: string) => string;
  readonly The: (path: string) => string;
}

// biome-ignore lint/suspicious/noExplicitAny: as `Words`.
type OrderWords = (names: Names, params: any) => string;

const asSent = (path: string): string => path;

/** The API names an order's fields as its JSON does, a page as people do. */
const named = (words: OrderWords) => ({
  api: (params: unknown, { at }: { readonly at: string }) =>
    words({ at, the: asSent, The: asSent }, params),
  page: (params: unknown, { at }: { readonly at: string }) =>
    words({ at, the: orderField, The: (path) => capitalized(orderField(path)) }, params),
});

/** Stored, an amount is its digits. */
const kronor = (ore: bigint | string): string => formatKronor(BigInt(ore));

const percent = (rate: number): string => String(rate).replace('.', ',');

const kinds: Readonly<Record<string, string>> = {
  text: 'en text',
  boolean: 'true eller false',
  date: 'ett datum som 2026-01-31',
  number: 'ett tal',
  object: 'ett objekt',
  list: 'en lista',
};

/** Why a row's account cannot be used, and what to do. */
const accountFaults: Readonly<Record<string, (rate: number) => string>> = {
  missing: () => 'saknas i kontoplanen. Lägg upp det',
  inactive: () => 'är inaktivt. Aktivera det',
  other_rate: (rate) => `tar inte ${rate} % moms. Rätta momskoden`,
};

/** Why a row may not be as it is sent, by what is in doubt. */
const vatDoubts: Readonly<Record<string, OrderWords>> = {
  margin_vat_shown: ({ at, The }, { rate, own }) =>
    `${The(at)} är ${rate} % men artikelns konto ${own} är för vinstmarginalbeskattning, där fakturan inte visar moms. Skicka raden med 0 %, eller byt konto på artikeln.`,
  swedish_vat_number_missing: ({ at, the, The }, { own }) =>
    `${The(at)} är 0 % med omvänd betalningsskyldighet (konto ${own}) men köparen har inget svenskt VAT-nummer. Ange ${the('customer.vatNumber')}, eller debitera moms.`,
  swedish_buyer: ({ at, The }) =>
    `${The(at)} är 0 % men köparen räknas som svensk. Ange momssatsen, eller koppla artikeln till ett momsfritt konto (till exempel 3004).`,
  country_missing: ({ at, the, The }) =>
    `${The(at)} är 0 % men köparen räknas som svensk. Finns köparen utomlands ska ${the('customer.countryCode')} anges.`,
  vat_number_missing: ({ at, the, The }, { country }) =>
    `${The(at)} är 0 % men köparen i ${country} har inget VAT-nummer. Debitera svensk moms, eller ange ${the('customer.vatNumber')}.`,
  vat_number_of_no_such_country: ({ at, the, The }, { country, given }) =>
    `${The(at)} är 0 % men ${given} är inget VAT-nummer i ${country}. Rätta ${the('customer.vatNumber')} eller ${the('customer.countryCode')}.`,
};

export const orderSentences: Sentences = {
  // The JSON of any call.
  not_json: ({ fault, stoppedAt }) => {
    if (fault === 'empty') return 'Kroppen är tom; skicka ett JSON-objekt.';
    if (fault === 'not_utf8') return 'Kroppen är inte giltig UTF-8; skicka JSON kodad som UTF-8.';
    const place = stoppedAt === null ? '' : ` (läsningen stannade vid tecken ${stoppedAt})`;
    return `Kroppen är inte giltig JSON${place}; rätta den och skicka igen.`;
  },
  too_deep: ({ maxDepth }) => `Kroppen är nästlad djupare än ${maxDepth} nivåer.`,
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
  required: named(({ at, The }, { expected }) =>
    expected === 'document'
      ? 'JSON-kuvertet ska ha ett av fälten document (text) och documentBase64.'
      : `${The(at)} saknas; ange ${kinds[expected]}.`,
  ),
  wrong_type: named(({ at, The }, { expected, isQuoted }) => {
    if (expected === 'document') return 'document ska vara UBL-dokumentet som text.';
    if (expected === 'order') {
      return 'Ordern ska vara ett JSON-objekt med externalId, orderDate, customer och rows.';
    }
    const how = isQuoted && expected !== 'text' ? ', utan citattecken' : '';
    return `${The(at)} ska vara ${kinds[expected]}${how}.`;
  }),
  too_long: named(
    ({ at, The }, { lengthMax }) => `${The(at)} får vara högst ${lengthMax} tecken. Korta texten.`,
  ),
  invalid_date: named(
    ({ at, The }) =>
      `${The(at)} är inget riktigt datum. Skriv år, månad och dag som 2026-01-31, utan klockslag.`,
  ),
  too_large: named(
    ({ at, The }) => `${The(at)} får vara högst 9 999 999 999,99 åt vardera hållet.`,
  ),
  too_many_decimals: named(
    ({ at, The }, { scale }) =>
      `${The(at)} har fler än ${scale} decimaler. Avrunda talet innan det skickas.`,
  ),
  too_many_rows: named(
    ({ at, The }, { count, rowsMax }) =>
      `${The(at)} har ${count} rader; högst ${rowsMax} går. Dela upp dem.`,
  ),
  unknown_country: named(({ at, The }) => `${The(at)} är ingen landskod. Skriv till exempel SE.`),
  zero: named(({ at, The }) => `${The(at)} är noll. Ta bort raden eller ange ett antal.`),
  control_character: named(
    ({ at, The }) => `${The(at)} ska vara en kort text på en rad, till exempel tim.`,
  ),
  out_of_range: named(({ at, The }) => `${The(at)} är ingen rabatt; ange procent, 0–100.`),

  // What an order is rejected for.
  invalid_order: named(
    ({ at, The }, { mostOre }) =>
      `${The(at)} omsätter mer än de ${kronor(mostOre)} ett verifikat rymmer. Dela upp ordern.`,
  ),
  currency_not_supported: named(
    ({ at, The }, { currency }) =>
      `${The(at)} är ${currency}; bara SEK går. Räkna om ordern till kronor.`,
  ),
  customer_unknown: named(
    ({ at, The }, { name }) =>
      `${The(at)} ${name} finns inte i kundregistret. Lägg upp kunden, eller välj en samlingskund för order.`,
  ),
  date_outside_fiscal_year: named(
    ({ at, The }, { orderDate }) =>
      `${The(at)} ${orderDate} ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret eller rätta datumet.`,
  ),
  negative_total: {
    api: ({ of, totalOre }, { at }) =>
      of === 'invoice'
        ? `Fakturan blir ${kronor(totalOre)}; en faktura kan inte vara negativ. Kreditera i stället fakturan det gäller.`
        : `${at} är ${kronor(totalOre)}. En faktura kan inte vara på minus; kreditera den ursprungliga i stället.`,
    page: ({ of, totalOre }, { at }) =>
      of === 'invoice'
        ? `Fakturan blir ${kronor(totalOre)}; en faktura kan inte vara negativ. Kreditera i stället fakturan det gäller.`
        : `${capitalized(orderField(at))} är ${kronor(totalOre)}. En faktura kan inte vara på minus; kreditera den ursprungliga i stället.`,
  },
  total_mismatch: named(({ at, the, The }, { totalOre, rowsOre, differenceOre, isWithoutVat }) => {
    const fault = `${The(at)} är ${kronor(totalOre)} men raderna blir ${kronor(rowsOre)} med moms (skillnad ${kronor(differenceOre)}).`;
    const wayOut = isWithoutVat
      ? `${The(at)} ser ut att vara utan moms; skicka det kunden betalade.`
      : `Kontrollera att alla rader, frakt och rabatter är med och att ${the('pricesIncludeVat')} stämmer.`;
    return `${fault} ${wayOut}`;
  }),
  vat_rate_not_supported: named(({ at, The }, { rate, meant, allowed }) =>
    meant === null
      ? `${The(at)} är ${percent(rate)} %, som inte är en svensk momssats. Skriv ${allowed}; utländsk moms (OSS) bokförs för hand.`
      : `${The(at)} är ${percent(rate)}: momssatsen anges i procent, skriv ${meant}.`,
  ),
  vat_treatment_unclear: named((names, params) => vatDoubts[params.doubt]?.(names, params) ?? ''),
  account_missing: named(({ at, the, The }, { account, state, rate }) =>
    state === 'rounding'
      ? `${The(at)} kräver öresutjämning men konto ${account} saknas eller är inaktivt. Lägg upp eller aktivera kontot.`
      : `Konto ${account} för ${the(at)} ${accountFaults[state]?.(rate)} och pröva ordern igen.`,
  ),

  // What a person should look at before the draft is booked.
  article_account_not_used: named(
    ({ at, the }, { own, rate, used }) =>
      `Artikelns konto ${own} tar inte ${rate} % moms; ${the(at)} läggs på ${used}.`,
  ),
  swedish_vat_charged:
    'Köparen har debiterats svensk moms men skulle kanske ha köpt utan. Momsen bokförs som den debiterats, eftersom den ändå ska betalas in (ML 7:49). Kontrollera ordern.',
  vat_number_not_verified: ({ vatNumber }) =>
    `Försäljningen till ${vatNumber} är utan moms. Kontrollera numret i VIES.`,
  customer_differs: named(
    ({ at, The }, { name }) =>
      `${The(at)} är inte riktigt kunden ${name} i kundregistret: nummer, land eller e-post skiljer sig. Fakturan får bara orderns egna uppgifter.`,
  ),
  buyer_address_missing: named(
    ({ at, The }, { mostOre }) =>
      `${The(at)} saknar adress, som ska stå på en faktura över ${kronor(mostOre)} (ML 17 kap. 24 §). Lägg in den på fakturautkastet eller på kunden innan fakturan bokförs.`,
  ),

  // What a person decides of an order that stopped.
  no_order: 'Ordern finns inte.',
  order_invoiced: 'Ordern har redan blivit en faktura.',
  order_retried: 'Ordern prövas redan på nytt.',
  customer_exists: ({ name }) =>
    `${name} finns redan bland kunderna med samma uppgifter. Gå tillbaka och försök igen utan att lägga upp en kund.`,
  customer_not_of_order:
    'Kunden har varken namn, e-post, organisationsnummer eller momsnummer gemensamt med ordern, så ordern skulle stoppas igen. Behåll något av dem.',
};
