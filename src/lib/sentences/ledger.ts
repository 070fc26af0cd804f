/** What is said of vouchers, accounts, fiscal years, locks, months and VAT. */

import { groupDigits } from '../digits.ts';
import { say, worded } from '../language.ts';
import {
  type Amount,
  type Given,
  kronor,
  type Sentences,
  type Stretch,
  type Told,
  type Unsaid,
} from './words.ts';

const month = (date: string): string => date.slice(0, 7);

/** Which lock, until when, and the first day that is open again. */
const lockedWords = ({
  earliest_allowed_date: earliest,
  ...lock
}: Given<'lock' | 'locked_to' | 'earliest_allowed_date'>) =>
  lockWords(lock, say`Tidigaste tillåtna datum är ${earliest}.`);

const lockWords = ({ lock, locked_to: to }: Given<'lock' | 'locked_to'>, way: string) => {
  switch (lock) {
    case 'fiscal_year':
      return say`Räkenskapsåret som slutar ${to} är stängt. ${way}`;
    case 'vat':
      return say`Momsen är låst till och med ${to}, och verifikatet rör moms. ${way}`;
    default:
      return say`Perioden är låst till och med ${to}. ${way}`;
  }
};

type FixedDay = Given<'lock' | 'locked_to' | 'day'>;

const wayAtPage = ({ lock }: Given<'lock'>): string =>
  lock === 'fiscal_year'
    ? 'en ägare öppnar året igen under Räkenskapsår och lås.'
    : 'flytta låset under Räkenskapsår och lås, bokför, och lås igen.';
const wayByCommand = ({ lock }: Given<'lock'>): string =>
  lock === 'fiscal_year'
    ? 'öppna året igen med year reopen.'
    : `flytta låset med lock ${lock === 'vat' ? 'vat' : 'period'} --reason, bokför, och lås igen.`;

/** What the rows are of, where more than one kind has them. */
type Kind = 'invoice' | 'order' | 'voucher';

/** What a dimension is that was sent as the other kind. */
const dimensionKinds = {
  cost_center: 'är ett kostnadsställe; skicka det som cost_center',
  project: 'är ett projekt; skicka det som project',
};

type UnknownDimension = Given<'dimension'> & { readonly kind?: keyof typeof dimensionKinds };

type OfKind = {
  readonly of?: Kind;
};

const several = (of: Kind): string => (of === 'invoice' ? say`fakturor` : say`verifikat`);

/** By what the voucher books: where that is corrected instead. */
const correctedElsewhere = {
  invoice: (number: string) =>
    say`Verifikatet bokför kundfaktura ${number}; kreditera fakturan i stället.`,
  credit_note: (number: string) =>
    say`Verifikatet bokför kreditfaktura ${number}; gör en ny faktura i stället.`,
  payment: (number: string) =>
    say`Verifikatet bokför en betalning av kundfaktura ${number}; registrera samma belopp tillbaka på fakturan i stället.`,
  reminder: (number: string) =>
    say`Verifikatet bokför en påminnelseavgift som ingår i kundfaktura ${number}; den rättas på fakturan.`,
  purchase: (number: string) =>
    say`Verifikatet bokför leverantörsfaktura ${number}; bokför leverantörens kreditfaktura i stället. Fel kostnadskonto flyttas med ett nytt verifikat.`,
  purchase_payment: (number: string) =>
    say`Verifikatet bokför en betalning av leverantörsfaktura ${number}; registrera samma belopp tillbaka på fakturan i stället.`,
};

type Document = {
  readonly kind: keyof typeof correctedElsewhere;
  readonly number: string;
};

const unbalanced = (debit: Amount, credit: Amount): string => {
  const [debitOre, creditOre] = [BigInt(debit), BigInt(credit)];
  const short = debitOre > creditOre ? say`Kredit` : say`Debet`;
  const ore = debitOre > creditOre ? debitOre - creditOre : creditOre - debitOre;
  const sides = say`debet är ${kronor(debitOre)} och kredit ${kronor(creditOre)}`;
  return say`balanserar inte: ${sides}. ${short} saknar ${kronor(ore)}.`;
};

type MoneyPlace = {
  readonly account: number;
  /** Whether invoices are kept on it. */
  readonly isLedger: boolean;
};

const otherAccounts = worded(
  () =>
    say`Välj kassa eller bank (19xx), skattekontot 1630, avräkning 168x, presentkort 2421 eller ägarens pengar (2013, 2018, 2893). Öresutjämning, bankavgift och kundförlust skrivs för sig.`,
);
const notThrough = ({ account, isLedger }: MoneyPlace, way: string) =>
  say`Pengar kommer inte genom konto ${account}. ${isLedger ? way : otherAccounts()}`;

type Unready = {
  readonly month: string;
  readonly failing: readonly string[];
};

export const ledgerSentences = {
  // Vouchers.
  too_few_rows: {
    api: ({ of, count }: { readonly of: Kind; readonly count: number }, { at }: Told) =>
      of === 'voucher'
        ? `${at} har ${count === 0 ? 'ingen rad' : 'bara en rad'}; ett verifikat behöver minst två.`
        : `${at} är tom; minst en rad behövs.`,
    page: ({ of, count }: { readonly of: Kind; readonly count: number }) =>
      of === 'voucher'
        ? say`Verifikatet har ${count === 0 ? say`ingen rad` : say`bara en rad`} och behöver minst två.`
        : say`Raderna är tomma; minst en behövs.`,
  },
  total_too_large: {
    api: ({ of, mostOre }: Given<'mostOre'> & { readonly of: Kind }, { at }: Told) =>
      `${at} summerar till mer än ${kronor(mostOre)}. Dela upp det på flera ${several(of)}.`,
    page: ({ of, mostOre }: Given<'mostOre'> & { readonly of: Kind }) =>
      say`Raderna blir mer än ${kronor(mostOre)}. Dela upp dem på fler ${several(of)}.`,
  },
  unbalanced: {
    api: ({ debitOre, creditOre }: Given<'debitOre' | 'creditOre'>, { at }: Told) =>
      `${at} ${unbalanced(debitOre, creditOre)}`,
    page: ({ debitOre, creditOre }: Given<'debitOre' | 'creditOre'>) =>
      say`Verifikatet ${unbalanced(debitOre, creditOre)}`,
  },
  negative_amount: {
    api: (_: unknown, { at }: Told) =>
      `${at} är negativt. Skriv beloppet utan minus på andra sidan.`,
    page: 'Beloppet är negativt. Skriv det utan minus på andra sidan.',
  },
  amount_too_large: {
    api: ({ of, mostOre }: Given<'mostOre'> & { readonly of: Kind }, { at }: Told) =>
      of === 'invoice'
        ? `${at} blir mer än ${kronor(mostOre)}. Dela upp raden.`
        : `${at} får vara högst ${kronor(mostOre)}.`,
    page: ({ of, mostOre }: Given<'mostOre'> & { readonly of: Kind }) =>
      of === 'invoice'
        ? say`Raden blir mer än ${kronor(mostOre)}. Dela upp den.`
        : say`Beloppet får vara högst ${kronor(mostOre)}.`,
  },
  both_sides: {
    api: (_: unknown, { at }: Told) =>
      `${at} har belopp i både debet och kredit. Dela upp raden i två.`,
    page: 'Raden har belopp i både debet och kredit. Dela upp den i två.',
  },
  no_amount: {
    api: (_: unknown, { at }: Told) =>
      `${at} saknar belopp. Ange debet eller kredit, eller ta bort raden.`,
    page: ({ of }: OfKind) =>
      of === 'voucher'
        ? say`Raden saknar belopp. Ange debet eller kredit, eller ta bort raden.`
        : say`Beloppet får inte vara 0.`,
  },
  date_outside_fiscal_years: ({ date }: Given<'date'>) =>
    say`Datumet ${date} ligger utanför alla räkenskapsår; lägg upp året eller välj ett annat datum.`,
  unknown_series: ({ series, year }: Given<'series' | 'year'>) =>
    say`Serien ${series} finns inte för räkenskapsåret ${year}; välj en som finns.`,
  unknown_account: {
    api: ({ account, of }: Given<'account'> & OfKind, { at }: Told) =>
      `${of === 'invoice' ? `${at}: ` : ''}Kontot ${account} finns inte i kontoplanen; välj ett annat eller lägg upp det.`,
    page: ({ account }: Given<'account'>) =>
      say`Kontot ${account} finns inte i kontoplanen; välj ett annat eller lägg upp det.`,
  },
  inactive_account: {
    api: ({ account, of }: Given<'account'> & OfKind, { at }: Told) =>
      `${of === 'invoice' ? `${at}: ` : ''}Kontot ${account} är inaktivt; välj ett annat eller aktivera det.`,
    page: ({ account }: Given<'account'>) =>
      say`Kontot ${account} är inaktivt; välj ett annat eller aktivera det.`,
  },
  personal_tax: ({ account }: Given<'account'>) =>
    say`Konto ${account} är skatt på ett företags resultat; en enskild näringsidkares skatt är ägarens egen. Bokför den på 2012.`,
  unknown_dimension: {
    api: ({ dimension, kind }: UnknownDimension) =>
      `Dimensionen ${dimension} ${kind ? dimensionKinds[kind] : 'finns inte; ange dess id (uuid), inte dess kod'}.`,
    page: 'Dimensionen finns inte; välj någon av dem som finns.',
  },
  inactive_dimension: {
    api: ({ dimension }: Given<'dimension'>) =>
      `Dimensionen ${dimension} är inaktiv; ange en annan, eller aktivera den i appen.`,
    page: 'Dimensionen är inaktiv; välj en annan, eller aktivera den under Dimensioner.',
  },
  unknown_vat_code: ({ vat_code: code }: Given<'vat_code'>) =>
    say`Inget konto har momskoden ${code}; ange en som står i kontoplanen, till exempel MP1, eller lämna den tom, så gäller kontots egen.`,
  period_locked: lockedWords,
  no_voucher: 'Verifikatet finns inte.',
  unknown_voucher: ({ voucherId }: Given<'voucherId'>) =>
    say`Det finns inget verifikat ${voucherId}.`,
  already_corrected: ({ by }: { readonly by: string | null }) =>
    say`Verifikatet är redan rättat${by ? say` med ${by}` : ''}; det tas inte tillbaka två gånger.`,
  not_correctable: ({ kind, number }: Document) => correctedElsewhere[kind](number),
  no_voucher_template: 'Mallen finns inte; den kan ha tagits bort.',
  template_name_taken: ({ name }: Given<'name'>) =>
    `Det finns redan en mall som heter ${name}; välj ett annat namn eller ta bort den.`,

  // Open items.
  account_without_items: ({ account }: Given<'account'>) =>
    `Konto ${account} är inget balanskonto; öppna poster har kontona 1000–2999.`,
  account_too_large: ({ account, most }: Given<'account' | 'most'>) =>
    `Konto ${account} har fler än ${most} rader till och med dagen som inget dokument tar ut, och de kan inte ställas mot varandra. Välj en tidigare dag, eller se kontots månader på /kontoplan/${account}/poster.`,
  item_changed:
    'En markerad post har prickats av eller betalats sedan sidan visades. Ingenting är ändrat; se efter och markera igen.',
  items_of_one_side:
    'De markerade posterna går åt samma håll; markera både debet och kredit som tar ut vartannat.',
  no_pairing: 'Avprickningen är redan hävd.',

  // Attachments.
  file_empty: 'Filen är tom.',
  file_too_large: ({ mibMax }: Given<'mibMax'>) =>
    `Filen är större än ${mibMax} MiB; dela upp eller komprimera den.`,
  file_is_sequence:
    'Filen är flera bilder i följd (HEIF), som en film, och ingen bild av dem visas först; spara den som JPEG eller PDF.',
  file_is_locked:
    'PDF-filen går bara att öppna med ett lösenord, som ingen kan om sju år; öppna den och spara den som en ny PDF utan lösenord.',
  file_type_not_kept:
    'Filen är inte PDF, PNG, JPEG, HEIC, XML, CSV eller text i UTF-8; spara den som PDF.',
  no_document: 'Underlaget finns inte.',
  document_filed: 'Underlaget ligger redan på ett verifikat och kan inte läggas undan.',
  no_attachment: 'Bilagan finns inte på det här verifikatet.',

  // Accounts, dimensions, series.
  account_taken: ({ account }: Given<'account'>) => `Kontot ${account} finns redan.`,
  account_in_use: ({ account }: Given<'account'>) =>
    `Kontot ${account} används och kan inte tas bort. Gör det inaktivt.`,
  account_type_in_use: 'Kontot har verifikat, så dess slag ändras inte. Lägg upp ett nytt konto.',
  wrong_account_type: ({ accountClass }: Given<'accountClass'>) =>
    `Ett konto i klass ${accountClass} är inte av det slaget.`,
  in_base_chart: ({ account }: Given<'account'>) =>
    `Kontot ${account} hör till grundkontoplanen och tas inte bort. Gör det inaktivt.`,
  posted_on_by_program: ({ account, use }: Given<'account' | 'use'>) =>
    `Huvudbok bokför själv på ${account} (${use}), så kontot kan inte göras inaktivt.`,
  no_dimension: 'Dimensionen finns inte.',
  dimension_code_taken: ({ code }: Given<'code'>) =>
    `Koden ${code} finns redan bland dimensionerna.`,
  dimension_in_use: 'Dimensionen står på verifikat och kan inte tas bort. Gör den inaktiv.',
  no_series: 'Serien finns inte.',
  series_taken: ({ code, of }: Given<'code' | 'of'>) => `Serien ${code} finns redan ${of}.`,
  series_in_use: ({ code }: Given<'code'>) => `Serien ${code} har verifikat och tas aldrig bort.`,
  program_series: ({ code }: Given<'code'>) =>
    `Programmet bokför själv i serien ${code}, så den tas inte bort.`,

  // Fiscal years. `of` is the year.
  no_fiscal_year: ({ of }: Given<'of'>) => `Räkenskapsåret ${of} finns inte.`,
  import_running:
    'Någon läser in bokföring just nu, eller tar bort den. Försök igen när det är klart.',
  no_sie_file: 'SIE-filen finns inte här; skicka den igen.',
  no_import: 'Importen finns inte.',
  import_undone: 'Importen är redan ångrad.',
  sie_imported_before: 'Samma fil är redan inläst.',
  sie_not_taken:
    'Böckerna har ändrats sedan förhandsgranskningen. Se filen igen: där står vad som nu är i vägen.',
  sie_import_broke: 'Något gick fel hos oss, och inget är inläst.',
  no_begun_import: 'Importen finns inte, eller är redan inläst.',

  // Beginning the books anew. What stands in the way, and the way out.
  anew_not_confirmed: ({ company }: Given<'company'>) =>
    `Skriv företagets namn precis som det står: ${company}.`,
  books_have_own_vouchers: ({ voucher, date }: Given<'voucher' | 'date'>) =>
    `Böckerna har verifikat som inte kommer ur någon SIE-fil, det första ${voucher} den ${date}. Sådant tas aldrig bort; rätta med nya verifikat.`,
  books_have_invoices:
    'Kundfakturor är bokförda eller övertagna. De vilar på verifikaten, som då blir kvar.',
  books_have_purchases:
    'Leverantörsfakturor är bokförda eller övertagna. De vilar på verifikaten, som då blir kvar.',
  books_have_bank_matches: 'Bankrader är matchade mot verifikaten. Ta bort matchningarna först.',
  books_have_documents: 'Underlag är fästa vid verifikaten, som då blir kvar.',
  books_have_vat_filings: 'Moms är redovisad ur verifikaten, som då blir kvar.',
  books_have_month_ends: 'Månader är kvitterade. Öppna dem igen under Månadsavslut först.',
  books_have_closed_year: ({ of }: Given<'of'>) =>
    `Räkenskapsåret ${of} är stängt. Öppna det igen under Räkenskapsår och lås först.`,
  fixed_day_locked: {
    page: ({ day, ...lock }: FixedDay) =>
      lockWords(lock, `Verifikatet bokförs ${day} och ingen annan dag: ${wayAtPage(lock)}`),
    command: ({ day, ...lock }: FixedDay) =>
      lockWords(lock, `Verifikatet bokförs ${day} och ingen annan dag: ${wayByCommand(lock)}`),
  },
  books_are_locked: ({ lockedTo }: Given<'lockedTo'>) =>
    `Böckerna är låsta till och med ${lockedTo}. Flytta låset under Räkenskapsår och lås först.`,
  sie_voucher_refused: (
    { voucher, line, because }: Given<'voucher' | 'line'> & { readonly because: Unsaid },
    { tell }: Told,
  ) =>
    `Verifikat ${voucher || 'utan nummer'} på rad ${line} kan inte bokföras: ${tell(because)} Inget är inläst.`,
  day_outside_year: ({ of, start, end }: Given<'of' | 'start' | 'end'>) =>
    `Dagen ligger utanför räkenskapsåret ${of}, som är ${start}–${end}.`,
  days_of_transfer_only: {
    page: 'Välj överföring av verifikat för några dagar; en export är alltid av hela året.',
    command: 'En export (4E) är av hela året. Välj --type 4I för några dagar.',
  },
  year_closed: ({ of }: Given<'of'>) => `Räkenskapsåret ${of} är stängt.`,
  year_not_closed: ({ of }: Given<'of'>) => `Räkenskapsåret ${of} är inte stängt.`,
  year_not_ended: ({ of, end, earliest }: Given<'of' | 'end' | 'earliest'>) =>
    `Räkenskapsåret ${of} slutar ${end} och avslutas tidigast ${earliest}. Ska ingen bokföra i det som är klart, lås perioden.`,
  earlier_year_open: ({ earlier, of }: Given<'earlier' | 'of'>) =>
    `Räkenskapsåret ${earlier} är öppet; stäng det först, eftersom dess balanser går över till ${of}.`,
  later_year_closed: ({ of }: Given<'of'>) =>
    `Ett senare räkenskapsår än ${of} är stängt; öppna det först.`,
  year_before_closed: ({ start, end }: Given<'start' | 'end'>) =>
    `Räkenskapsåret efter ${start}–${end} är stängt, och började med det som stod kvar då. Öppna det först.`,
  year_taken: ({ of }: Given<'of'>) => `Räkenskapsåret ${of} finns redan med andra datum.`,
  year_span_overlaps: ({ start, end }: Given<'start' | 'end'>) =>
    `${start}–${end} överlappar ett annat räkenskapsår.`,
  year_not_whole_months: ({ start, end }: Given<'start' | 'end'>) =>
    `Ett räkenskapsår är hela månader och högst 18 av dem; ${start}–${end} är inte det.`,
  year_starts_within_month: 'Ett räkenskapsår börjar den första i en månad.',
  year_ends_within_month: 'Ett räkenskapsår slutar den sista i en månad.',
  year_too_long:
    'Ett räkenskapsår är tolv månader; det första, och ett som läggs om, får vara upp till arton (BFL 3 kap. 3 §).',
  not_calendar_year:
    'En enskild näringsidkare har kalenderår: året slutar den 31 december (BFL 3 kap. 1 §).',
  year_overlaps: 'Dagarna hör redan till ett annat räkenskapsår.',
  gap_between_years: 'Räkenskapsår följer på varandra utan glapp; börja dagen efter det förra.',
  has_previous_year: ({ previousYear }: Given<'previousYear'>) =>
    `Balanserna följer med från ${previousYear}; de skrivs inte in.`,
  no_balance_account: ({ account }: Given<'account'>) =>
    `Konto ${account} är inget balanskonto; bara 1000–2999 har ingående balans.`,
  account_twice: ({ account }: Given<'account'>) =>
    `Konto ${account} står två gånger; lägg ihop raderna.`,
  balances_not_zero: ({ differenceOre }: Given<'differenceOre'>) =>
    `Balanserna tar inte ut varandra: debet minus kredit är ${kronor(differenceOre)}, men ska bli noll. Tillgångar är plus, skulder och eget kapital minus.`,
  taxed_as_a_person:
    'En enskild näringsidkare och delägarna i ett handelsbolag beskattas som personer: ingen sådan skatt eller avsättning bokförs i företaget.',
  lock_changed_meanwhile: ({ lockedTo }: Given<'lockedTo'>) =>
    `Låset har flyttats sedan sidan visades: ${lockedTo === '' ? 'nu är inget låst' : `det gäller nu till och med ${lockedTo}`}. Inget är ändrat; se efter att det du valt fortfarande stämmer, och spara igen.`,
  closing_changed_meanwhile:
    'Det som återstår av året har ändrats sedan sidan visades. Året är inte stängt: se efter vad som står här nu, och stäng sedan.',
  year_end_changed_meanwhile:
    'Någon annan har bokfört på samma konto sedan sidan visades. Läs om sidan och se vad som återstår.',
  revaluation_without_next_year: ({ of: year }: Given<'of'>) =>
    `Omräkningen tas tillbaka på nästa års första dag. Lägg upp räkenskapsåret efter ${year} först.`,
  closing_rate_missing: ({ currency }: Given<'currency'>) =>
    `Skriv balansdagens kurs: hur många kronor en ${currency} kostade.`,
  closing_rate_far: ({ currency }: Given<'currency'>) =>
    `Kursen för ${currency} är långt från den som fakturorna bokfördes på. Den ska vara kronor för en ${currency}; somliga kurser anges för hundra. Stämmer den, lägg till --any-rate.`,
  nothing_to_revalue: 'Inget är kvar att räkna om.',
  nothing_proposed: ({ bookedOre }: Given<'bookedOre'>) =>
    `Inget återstår att bokföra; ${kronor(bookedOre)} är bokfört. Ange ett belopp med --amount om det ska bli mer.`,
  no_allocation_account: ({ account }: Given<'account'>) =>
    `Konto ${account} är inte ett av dem som beloppet kan stå på.`,
  amount_not_above_zero: 'Beloppet ska vara mer än noll.',
  year_end_rate_known: ({ percent }: Given<'percent'>) =>
    `Satsen för räkenskapsåret är känd, ${percent} %. Ska det bli ett annat belopp, ange beloppet.`,
  year_end_rate_outside: 'En sats är mer än 0 och högst 100 procent.',
  year_end_rate_unknown: {
    page: ({ yearStart }: Given<'yearStart'>) =>
      `Ingen sats är känd här för räkenskapsår som börjar ${yearStart}. Skriv den som gäller och räkna fram beloppet.`,
    command: ({ yearStart }: Given<'yearStart'>) =>
      `Ingen sats är känd här för räkenskapsår som börjar ${yearStart}. Ange den som gäller med --rate.`,
  },
  allocation_too_large: ({ mostOre }: Given<'mostOre'>) =>
    `Högst ${kronor(mostOre)} kan avsättas av årets överskott.`,

  // Accruals and depreciation.
  no_accrual: 'Periodiseringen finns inte.',
  accrual_needs_account: 'Ange med --account vilket konto kostnaden eller intäkten står på.',
  accrual_cancelled: 'Periodiseringen är redan avbruten.',
  accrual_done: 'Allt av periodiseringen är redan bokfört; det finns inget att avbryta.',
  less_than_an_ore_a_month: ({ months }: Given<'months'>) =>
    `Beloppet räcker inte till ett öre i var och en av ${months} månader.`,
  accrual_months: ({ most }: Given<'most'>) => `Skriv ett antal månader, 1–${most}.`,
  prepaid_since: {
    page: 'Skriv dagen då det förutbetalda flyttas från sitt konto: oftast fakturans verifikationsdatum.',
    command:
      'Ange med --moved-on dagen då det förutbetalda flyttas från sitt konto: oftast fakturans verifikationsdatum.',
  },
  moved_after_shares: ({ last }: Given<'last'>) =>
    `Den sista månaden slutar ${last}: det förutbetalda flyttas senast då, annars har månaderna tagit upp det innan det är flyttat.`,
  not_prepaid: {
    page: 'Lämna fältet tomt: bara det som är förutbetalt flyttas en viss dag.',
    command: 'Utelämna --moved-on: bara det som är förutbetalt flyttas en viss dag.',
  },
  shares_as_months_end: {
    page: 'Bara det som är förutbetalt kan bokföras månadens första dag.',
    command: 'Utelämna --first-day: bara det som är förutbetalt kan bokföras månadens första dag.',
  },
  accrual_account: ({ account, accounts }: Given<'account' | 'accounts'>) =>
    `Konto ${account} passar inte här; välj ett av ${accounts}, som inte följer fakturor eller moms.`,
  more_than_origin: ({ account, leftOre, voucher }: Given<'account' | 'leftOre' | 'voucher'>) =>
    `Av ${voucher} återstår ${kronor(leftOre)} på konto ${account} att fördela.`,
  accrual_locked: {
    page: (params: Given<'lock' | 'locked_to' | 'earliest_allowed_date'>) =>
      `${lockedWords(params)} Vill du bokföra det som ligger tidigare på en öppen dag, skriv den här.`,
    command: (params: Given<'lock' | 'locked_to' | 'earliest_allowed_date'>) =>
      `${lockedWords(params)} Vill du bokföra det som ligger tidigare på en öppen dag, ange den med --late-on.`,
  },
  nothing_to_move: 'Inget som väntar är daterat före den dagen.',
  no_rest: 'Det finns ingen rest att bokföra: lämna dagen tom.',
  rest_day_needed: ({ leftOre }: Given<'leftOre'>) =>
    `På balanskontot står ${kronor(leftOre)} kvar av periodiseringen. Skriv dagen då det bokförs, eller välj att det ska stå kvar.`,

  // Locks, months, VAT.
  after_last_year: ({ lastDay }: Given<'lastDay'>) =>
    `Det sista räkenskapsåret slutar ${lastDay}; lås inte längre än så.`,
  opening_days_needs_reason: {
    page: 'Skriv varför låsta dagar öppnas; det sparas i behandlingshistoriken.',
    command:
      'Skriv varför låsta dagar öppnas; det sparas i behandlingshistoriken. Ange det med --reason.',
  },
  month_not_ready: {
    page: ({ month: of, failing }: Unready) =>
      `${month(of)} är inte klar: ${failing.join(', ')}. Åtgärda, eller skriv varför månaden kvitteras ändå.`,
    command: ({ month: of, failing }: Unready) =>
      `${month(of)} är inte klar: ${failing.join(', ')}. Åtgärda, eller skriv varför månaden kvitteras ändå med --despite.`,
  },
  no_month_end: ({ start }: { readonly start: string | null }) => {
    const from = start === null ? 'Inget är bokfört än.' : `Månadsavsluten börjar med ${start}.`;
    return `Det finns inget att avsluta i den månaden. ${from}`;
  },
  month_not_in_line: ({
    month: of,
    openMonth,
    lastClosed,
  }: {
    readonly month: string;
    readonly openMonth: string | null;
    readonly lastClosed: string | null;
  }) => {
    if (lastClosed !== null && of <= lastClosed) return `${month(of)} är redan kvitterad.`;
    const way = openMonth
      ? `${month(openMonth)} står på tur.`
      : 'Alla månader som har tagit slut är kvitterade.';
    return `${month(of)} kan inte kvitteras nu. ${way}`;
  },
  not_last_closed_month: ({
    month: of,
    lastClosed,
  }: {
    readonly month: string;
    readonly lastClosed: string | null;
  }) => {
    if (lastClosed === null || of > lastClosed) return `${month(of)} är inte kvitterad.`;
    return `${month(of)} kan inte öppnas. Den senast kvitterade är ${month(lastClosed)}; öppna den först.`;
  },
  vat_filed_overlapping: ({
    other,
    period,
  }: {
    readonly other: Stretch;
    readonly period: Stretch;
  }) =>
    `Momsen ${other.start}–${other.end} är redan lämnad; ${period.start}–${period.end} överlappar den. Har perioderna ändrats: ändra tillbaka under Inställningar, lämna det som är kvar, och ändra igen.`,
  vat_not_filed: ({ end }: Given<'end'>) =>
    `Ingen momsdeklaration till och med ${end} är antecknad som lämnad.`,
  vat_return_holds: ({ end, number }: Given<'end' | 'number'>) =>
    `Inget är tillbakataget: av momsen till och med ${end} gäller nu deklaration ${number}.`,
  vat_filed_on_outside: ({ end, today }: Given<'end' | 'today'>) =>
    `Dagen då deklarationen lämnades ligger efter periodens sista dag ${end}, och senast i dag ${today}.`,
  vat_filed_before_earlier: ({ number, filedOn }: Given<'number' | 'filedOn'>) =>
    `Deklaration ${number} lämnades ${filedOn}. Den som rättar den lämnades den dagen eller senare.`,
  vat_note_length: ({ length, max }: Given<'length' | 'max'>) =>
    `Upplysningen till Skatteverket har ${length} tecken; den får ha 1–${max}. Korta den: den kortas aldrig av sig själv.`,
  vat_note_characters: ({ characters }: Given<'characters'>) =>
    `Upplysningen till Skatteverket har tecken som filen inte kan ha: ${characters}. Byt ut dem, och skriv på en rad.`,
  unknown_vat_return: ({ end, number }: Given<'end' | 'number'>) =>
    `Momsperioden till och med ${end} har ingen lämnad deklaration ${number}.`,
  unknown_vat_voucher: ({ voucher }: Given<'voucher'>) => `Det finns inget verifikat ${voucher}.`,
  vat_not_assigned: 'Verifikatet rättar ingen lämnad momsdeklaration.',
  settlement_judged_already:
    'Om det verifikatet är redan sagt vad det är; ta tillbaka det först om det blev fel.',
  settlement_not_judged: 'Om det verifikatet har ingen sagt något.',
  settlement_mends:
    'Verifikatet, eller det som tar tillbaka det, räknas till en lämnad period och kan inte också redovisa moms. Säg först att det inte räknas dit.',
  settlement_moves_more:
    'Verifikatet kan inte redovisa moms: det har inget på momskontona, eller en försäljning eller ett inköp som då inte skulle räknas i någon ruta.',
  not_vat_alone:
    'Det som står i stället för en momsredovisning har bara rader på 2610–2650 och 3740, eftersom ingen ruta räknar dem. Ta tillbaka verifikatet utan något i dess ställe, och bokför det andra för sig.',
  in_place_of_settlement:
    'Det som står i stället för en momsredovisning har ingen försäljning och inget inköp, eftersom ingen ruta räknar dem. Ta tillbaka verifikatet utan något i dess ställe, och bokför det andra för sig.',
  not_an_imported_settlement: ({ end }: Given<'end'>) =>
    `Bara om importerade verifikat sägs om de redovisar moms, och av en momsperiod som företaget har${end === '' ? '' : `: ${end} är ingen sådan periods sista dag, eller verifikatet är bokfört här`}.`,
  no_statement_period: ({ period }: Given<'period'>) =>
    `${period} är varken en månad (2026-05) eller ett kvartal (2026-Q2).`,
  no_oss_quarter: ({ period }: Given<'period'>) => `${period} är inget kvartal, som 2026-Q2.`,
  statement_name: {
    page: ({ max }: Given<'max'>) => `Skriv 1–${max} tecken, utan semikolon.`,
    command: ({ max }: Given<'max'>) => `--name har 1–${max} tecken, utan semikolon.`,
  },
  statement_phone: {
    page: 'Skriv numret med bindestreck efter riktnumret, som 08-1234567, eller som +4681234567.',
    command:
      'Filen vill ha ett telefonnummer, och företagets egna saknas eller har en annan form: --phone 08-1234567 eller +4681234567.',
  },
  statement_email: {
    page: 'Adressen har tecken som filen inte kan ha, eller är för lång.',
    command: '--email har tecken som filen inte kan ha, eller är för lång.',
  },
  voucher_label_form: 'Skriv verifikatet som det heter, t.ex. A12.',
  vat_assigned_already: 'Verifikatet rättar redan en lämnad momsdeklaration.',
  vat_not_mending: ({ end }: Given<'end'>) =>
    `Verifikatet kan inte rätta momsen till och med ${end}. Det ska röra moms, och vara daterat efter perioden i dagar vars deklaration inte är lämnad, eller bokfört i perioden efter att den lämnades.`,
  vat_assignment_told:
    'En lämnad deklaration räknar redan så; rätta med ett nytt verifikat i stället.',
  outside_fiscal_years: ({ end, first, last }: Given<'end' | 'first' | 'last'>) =>
    `${end} ligger utanför företagets räkenskapsår, som går från ${first} till ${last}.`,
  vat_span_reversed: ({ from, to }: Given<'from' | 'to'>) =>
    `--from ${from} ligger efter --to ${to}; byt plats på dem.`,
  no_vat_period: ({ end }: Given<'end'>) =>
    `Ingen momsperiod slutar ${end}; ange periodens sista dag.`,
  vat_period_not_ended: ({ start, end, earliest }: Given<'start' | 'end' | 'earliest'>) =>
    `Momsperioden ${start}–${end} har inte tagit slut; den lämnas tidigast ${earliest}.`,

  // Reports.
  report_span_reversed: ({ from, to }: Given<'from' | 'to'>) =>
    `Från och med ${from} ligger efter till och med ${to}; byt plats på dem.`,
  report_without_dimension: ({ report }: Given<'report'>) =>
    `${report} finns inte för en dimension; balansräkning, resultaträkning, saldobalans, huvudbok och verifikationslista gör det.`,
  report_without_months: ({ report }: Given<'report'>) =>
    `${report} visas inte månad för månad; resultaträkningen gör det.`,
  report_of_many_months: 'Högst 24 månader får plats bredvid varandra; välj färre dagar.',
  report_without_accounts: ({ report }: Given<'report'>) =>
    `${report} visas för alla konton; huvudboken kan visas för några.`,
  no_account_range: 'Skriv ett konto eller ett spann, t.ex. 1930 eller 3000-3999.',
  no_such_dimension: ({ code }: Given<'code'>) => `Det finns ingen dimension ${code}.`,
  dimension_of_two_kinds: ({ code }: Given<'code'>) =>
    `${code} är både kostnadsställe och projekt; skriv cost_center:${code} eller project:${code}.`,
  too_many_report_lines: ({ report, format, max }: Given<'report' | 'format' | 'max'>) =>
    `${report} är för lång för ${format}, som har plats för högst ${groupDigits(String(max))} rader. Hämta den som CSV, som inte har någon gräns, eller välj färre dagar.`,
  report_before_moving: ({ movedOn }: Given<'movedOn'>) =>
    `Öppna fakturor togs över ${movedOn}; vad som var öppet före den dagen står i det tidigare programmet. Välj en senare dag.`,
  no_such_report_page: 'Sidan i rapporten finns inte; börja om från rapportens början.',

  // What settles a debt.
  rounding_too_large:
    'Öresutjämning är mindre än en krona. En större skillnad är bankavgift eller, på en kundfaktura, kundförlust; annars lämnas den öppen.',
  exchange_in_kronor: 'Valutakursdifferens finns bara på fakturor i en annan valuta än kronor.',
  not_a_receivable: 'Kundförluster finns bara på kundfakturor.',
  mixed_signs: 'Beloppet går åt andra hållet än resten av betalningen; byt tecken.',
  not_a_money_account: {
    page: (params: MoneyPlace) =>
      notThrough(params, say`En kundfordran kvittas mot en leverantörsskuld från fakturans sida.`),
    command: (params: MoneyPlace) =>
      notThrough(
        params,
        'En kundfordran kvittas mot en leverantörsskuld med huvudbok invoice set-off.',
      ),
  },
} satisfies Sentences;
