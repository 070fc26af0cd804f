/** What is said of tills' reports: to those who send them and to people by the same sentences. */
import { say } from '../language.ts';
import { fieldName } from './order-fields.ts';
import { type Amount, type Given, kronor, type Sentences, type Told } from './words.ts';

/** The API names fields as its JSON does, a page as people do. */
const named = <P>(words: (the: string, params: P) => string) => ({
  api: (params: P, { at }: Told) => words(at, params),
  page: (params: P, { at }: Told) => words(fieldName(at), params),
});

const where = (): string => say`Inställningar › Företaget › Kassans konton`;

/** Why the account cannot take the sale. */
const accountFaults = {
  missing: () => say`saknas i kontoplanen. Lägg upp det`,
  inactive: () => say`är inaktivt. Aktivera det`,
  other_rate: (rate: number) => say`tar inte ${rate} % moms. Rätta momskoden`,
};

export const tillSentences = {
  // The form of a report.
  not_a_count: named((the) => say`${the} ska vara ett heltal, noll eller mer.`),
  till_in_other_currency: named((the) => say`${the} är inte SEK. Skicka rapporten i kronor.`),

  // Its own sums.
  till_sums_differ: ({
    soldOre,
    paidOre,
    differenceOre,
  }: {
    readonly soldOre: Amount;
    readonly paidOre: Amount;
    readonly differenceOre: Amount;
  }) =>
    say`Betalsätten blir ${kronor(paidOre)}, men försäljning, presentkort, dricks och öresavrundning minus returer blir ${kronor(soldOre)} (skillnad ${kronor(differenceOre)}). De ska vara lika på öret.`,
  till_rounding_too_large: named(
    (the, { roundingOre, mostOre }: Given<'roundingOre' | 'mostOre'>) =>
      say`${the} är ${kronor(roundingOre)}, men kan vara högst ${kronor(mostOre)}: 50 öre per kvitto (lag 1970:1029).`,
  ),
  till_vat_differs: ({ rate, toldOre, vatOre }: Given<'rate' | 'toldOre' | 'vatOre'>) =>
    say`Momsen till ${rate} % är ${kronor(toldOre)} enligt kassan, men ${kronor(vatOre)} räknad ur beloppet med moms; de får skilja högst ett halvt öre per kvitto (receiptCount). Kontrollera att beloppen är med moms. En kassa som avrundar momsen per rad utelämnar vat.`,

  // What it met in the books.
  till_report_differs: ({ till, number }: Given<'till' | 'number'>) =>
    say`Z ${number} från ${till} är redan bokförd med ett annat innehåll. Ta reda på vilken som gäller: rätta verifikatet om det är den här, och avvisa den annars.`,
  till_outside_fiscal_year: named(
    (the, { date }: Given<'date'>) =>
      say`${the} är ${date}, som ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret, eller be avsändaren rätta datumet.`,
  ),
  till_means_unknown: ({ name }: Given<'name'>) =>
    say`”${name}” har inget konto. Lägg till det under ${where()}, eller be avsändaren rätta det.`,
  till_sale_without_vat: () =>
    say`Försäljning utan moms har inget konto, eftersom kassan inte säger varför den är momsfri. Skriv det som sales_0 under ${where()}, till exempel sales_0 3004.`,
  till_account_missing: ({ name, account }: Given<'name' | 'account'>) =>
    say`Konto ${account}, som ”${name}” går över, saknas eller är inaktivt i kontoplanen. Lägg upp eller aktivera det, eller välj ett annat under ${where()}.`,
  till_sales_account: ({
    account,
    state,
    rate,
  }: {
    readonly account: number;
    readonly state: keyof typeof accountFaults;
    readonly rate: number;
  }) =>
    say`Konto ${account} för försäljningen ${accountFaults[state](rate)}, eller välj ett annat konto som sales_${rate} under ${where()}.`,
  till_taken_back: ({ voucher }: Given<'voucher'>) =>
    say`Verifikat ${voucher} har tagits tillbaka utan att något har satts i dess ställe. Bokför rapporten igen, eller avvisa den.`,

  // What a person decides of one that stopped.
  no_till_report: 'Dagskassan finns inte.',
  till_report_not_stopped: 'Dagskassan är inte stoppad: den prövas just nu eller är bokförd.',
} satisfies Sentences;
