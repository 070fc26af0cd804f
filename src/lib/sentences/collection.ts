/** What a page says of whether an invoice is ready to be collected (`collectionReadiness`). */
import { type Given, kronor, type Sentences } from './words.ts';

const days = (count: number): string => (count === 1 ? '1 dag' : `${count} dagar`);

const words: Readonly<Record<string, string>> = {
  address: 'adress',
  street: 'gatuadress',
  seat: 'säte',
  postalCode: 'postnummer',
  city: 'ort',
  contact: 'e-post eller telefon',
  account: 'bankgiro, plusgiro eller IBAN',
};

const list = new Intl.ListFormat('sv');
/** What is missing, by its names, as people say it. */
export const lacking = (missing: readonly string[]): string =>
  list.format(missing.map((name) => words[name] ?? name));

type Days = {
  readonly days: number;
};

type Lacking = {
  readonly missing: readonly string[];
};

type Reminded = Given<'count' | 'last' | 'feesOre'>;

const reminded = ({ count, last, feesOre }: Reminded): string =>
  `${count === 1 ? 'En påminnelse' : `${count} påminnelser`}, senast ${last}; avgifter ${kronor(feesOre)}.`;

export const collectionSentences = {
  claim_overdue: ({ dueDate, days: late }: Given<'dueDate'> & Days) =>
    `Förföll ${dueDate}, ${days(late)} sen.`,
  debtor_name_missing: 'Namn saknas på fakturan.',
  debtor_known: ({ name, address, city }: Given<'name' | 'address' | 'city'>) =>
    `${name}, ${address}, ${city}.`,
  debtor_address_missing: ({ missing }: Lacking) =>
    `På fakturan saknas ${lacking(missing)}. Lämna den till ombudet vid sidan av ärendet.`,
  debtor_abroad: ({ country, number }: Given<'country'> & { readonly number: string | null }) =>
    `Gäldenären finns utomlands (${country}${number ? `, ${number}` : ''}); fråga ombudet om kravet kan drivas där.`,
  debtor_number_missing:
    'Organisations- eller personnummer saknas; Kronofogden kräver det i nästa steg.',
  debtor_number_wrong: ({ orgNumber }: Given<'orgNumber'>) =>
    `${orgNumber} har fel form eller kontrollsiffra.`,
  debtor_number: ({ orgNumber }: Given<'orgNumber'>) => `${orgNumber}`,
  creditor_known: 'Adress, kontaktväg och konto finns.',
  creditor_lacks: ({ missing }: Lacking) =>
    `I företagets inställningar saknas ${lacking(missing)}.`,
  never_reminded: 'Ingen påminnelse är registrerad. Påminn innan kravet lämnas vidare.',
  reminded_lately: (params: Reminded) =>
    `${reminded(params)} Vänta tills gäldenären har haft skälig tid att betala.`,
  reminded,
  nothing_paid: ({ leftOre }: Given<'leftOre'>) =>
    `Inget är betalt; ${kronor(leftOre)} återstår av fakturan.`,
  paid_in_part: ({ count, paidOre, leftOre }: Given<'count' | 'paidOre' | 'leftOre'>) =>
    `${count === 1 ? 'En betalning' : `${count} betalningar`} eller kreditering på ${kronor(paidOre)}; ${kronor(leftOre)} återstår av fakturan.`,
  no_interest_owed:
    'Ingen ränta begärs: förfallodagen var inte avtalad, kunden är konsument och fakturan sade inte att ränta tas ut (räntelagen 4 §).',
  no_interest_yet: 'Ingen ränta har löpt.',
  interest: ({
    amountOre,
    days: count,
    stretches,
    isAgreed,
    isFromDueDate,
  }: Given<'amountOre' | 'stretches'> &
    Days & { readonly isAgreed: boolean; readonly isFromDueDate: boolean }) => {
    const source = isAgreed ? 'avtalad ränta' : 'räntelagen';
    const from = isFromDueDate ? 'förfallodagen' : '30 dagar efter att fakturan sändes';
    const parts = stretches === 1 ? 'en period' : `${stretches} perioder`;
    return `${kronor(amountOre)} för ${days(count)} i ${parts}, ${source}, från ${from}.`;
  },
  rates_known: 'Räntesatsen är känd för hela tiden.',
  rates_missing: ({ periods }: { readonly periods: readonly Given<'from' | 'to'>[] }) => {
    const spans = periods.map(({ from, to }) => `${from} – ${to}`);
    return `Referensräntan är inte inlagd för ${spans.join(', ')}; för den tiden begärs ingen ränta. Lägg in den under Referensräntor.`;
  },
  disputed: 'Kravet är antecknat som tvistigt. Red ut tvisten, eller låt en domstol pröva den.',
  not_disputed: 'Ingen tvist är antecknad.',
} satisfies Sentences;
