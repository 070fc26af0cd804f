/** What is said of customers, articles, invoices, payments, reminders, mail, interest and open items taken over. */

import { groupDigits } from '../digits.ts';
import { say, worded } from '../language.ts';
import {
  type Given,
  type InWhich,
  kronor,
  money,
  type Sentences,
  type Told,
  type Unsaid,
  type Words,
} from './words.ts';

/** The API names the field first, since the fault stands in a list; on a page the sentence is beside it. */
const atField = <P>(words: Words<P>) => ({
  api: (params: P, told: Told) =>
    `${told.at}: ${typeof words === 'string' ? words : words(params, told)}`,
  page: words,
});

/** What is unusual rather than unlawful, which a person may confirm. */
const question = <P>(words: (params: P) => string) => ({
  api: (params: P, { at }: Told) =>
    `${at}: ${words(params)} Stämmer det ändå, gör fakturan i appen, där en person kan intyga det.`,
  page: (params: P) =>
    say`${words(params)} Stämmer det ändå, kryssa i att det finns underlag för det.`,
});

/** What of a row that neither the form nor the article says. */
const neededOfRow = worded(
  (): Readonly<Record<string, string>> => ({
    description: say`Skriv vad raden gäller.`,
    account: say`Välj ett intäktskonto.`,
  }),
);

const ofRow =
  (words: string) =>
  ({ rowNo }: Given<'rowNo'>) =>
    `Rad ${rowNo} ${words}`;

const numbers = {
  organizationNumber: 'organisationsnumret',
  vatNumber: 'momsnumret',
};

const ofLine =
  <P>(words: Words<P>) =>
  (params: P & Given<'lineNo'>, told: Told) =>
    `Rad ${params.lineNo}: ${typeof words === 'string' ? words : words(params, told)}`;

/** By column of the list. */
const openingForms = {
  name: 'skriv ett namn, högst 200 tecken.',
  organizationNumber: 'organisationsnumret stämmer inte; kontrollera siffrorna.',
  ocr: 'OCR-numret stämmer inte: 2–25 siffror, den sista en kontrollsiffra.',
  invoiceDate: 'skriv fakturadatum i formen ÅÅÅÅ-MM-DD.',
  dueDate: 'skriv förfallodatum i formen ÅÅÅÅ-MM-DD.',
  account: 'kontot är försäljningens, fyra siffror som börjar på 3.',
};

type OpeningForm =
  | { readonly field: keyof typeof openingForms }
  | ({ readonly field: 'total' | 'open' } & Given<'text'>)
  | { readonly field: 'number'; readonly side: 'customers' | 'suppliers' };

function openingForm(form: OpeningForm): string {
  switch (form.field) {
    case 'total':
    case 'open':
      return `"${form.text}" är inget belopp; skriv t.ex. 1 234,50.`;
    case 'number':
      return form.side === 'suppliers'
        ? 'skriv leverantörens fakturanummer, högst 100 tecken.'
        : 'fakturanumret skrivs med siffror, högst nio; har det bokstäver, skriv bara siffrorna.';
    default:
      return openingForms[form.field];
  }
}

type Columns = {
  readonly words: readonly string[];
};

export const salesSentences = {
  // Invoices, before they are booked.
  no_invoice: {
    api: ({ id }: Given<'id'>) => `Det finns ingen faktura ${id}.`,
    page: 'Fakturan finns inte.',
    command: ({ id }: Given<'id'>) => `Det finns ingen faktura ${id}.`,
  },
  no_draft: 'Fakturan finns inte; utkastet kan ha tagits bort.',
  unknown_customer: {
    api: (_: unknown, { at }: Told) => `${at}: Kunden finns inte; lägg upp den i appen först.`,
    page: 'Kunden finns inte i kundregistret; lägg upp den under Kunder.',
  },
  inactive_customer: {
    api: (_: unknown, { at }: Told) =>
      `${at}: Kunden är inaktiv; aktivera den i appen, eller ange en annan.`,
    page: 'Kunden är inaktiv; aktivera den under Kunder, eller välj en annan.',
  },
  not_a_revenue_account: atField(
    ({ account }: Given<'account'>) =>
      say`Kontot ${account} är inget intäktskonto; välj ett konto för försäljning.`,
  ),
  vat_rate_conflict: atField(
    ({
      account,
      account_vat_rate: rate,
      vat_rate: given,
    }: Given<'account' | 'vat_rate'> & { readonly account_vat_rate: number | null }) =>
      say`Kontot ${account} ${rate === null ? say`är utan moms` : say`har momssatsen ${rate} %`}, raden ${given} %; byt konto eller sats.`,
  ),
  // Why the buyer may not be sold to without VAT on the row's account (`sales.vat_doubt`).
  margin_vat_shown: atField(
    ({ account }: Given<'account'>) =>
      say`Kontot ${account} är för vinstmarginalbeskattning, där fakturan inte får visa någon moms. Skriv 0 % på raden.`,
  ),
  eu_vat_number_missing: atField(
    ({ account }: Given<'account'>) =>
      say`Kontot ${account} är för försäljning utan moms till företag i andra EU-länder, men köparen har inget giltigt momsnummer därifrån. Lägg in det på kunden, eller välj ett konto med svensk moms.`,
  ),
  buyer_not_in_other_eu_country: atField(
    ({ account, buyer_country: country }: Given<'account' | 'buyer_country'>) =>
      say`Kontot ${account} är för tjänster utan moms till företag i andra EU-länder, men köparens land är ${country}. Rätta landet på kunden, eller välj ett annat konto.`,
  ),
  swedish_vat_number_missing: atField(
    ({ account }: Given<'account'>) =>
      say`Kontot ${account} är för omvänd betalningsskyldighet i Sverige, men köparen har inget svenskt momsnummer, som ska stå på fakturan. Lägg in det på kunden, eller välj ett konto med moms.`,
  ),
  vat_number_of_other_country: question(
    ({
      buyer_country: country,
      buyer_vat_number: number,
    }: Given<'buyer_country' | 'buyer_vat_number'>) =>
      say`Köparens momsnummer ${number} är inte från köparens land, ${country}. Rätta det som är fel på kunden.`,
  ),
  swedish_vat_abroad: ({ vatNumber }: Given<'vatNumber'>) =>
    say`Köparens momsnummer ${vatNumber} är från ett annat EU-land, och raderna har svensk moms. Företag där köper oftast utan: välj då 0 % på 3308 för tjänster (ML 6 kap. 34 §) eller 3108 för varor som lämnar Sverige (ML 10 kap. 42 §). Ska säljaren ta ut svensk moms, t.ex. på hotell, restaurang eller det som hämtas här, stämmer utkastet som det är.`,
  buyer_not_outside_eu: question(
    ({ account, buyer_country: country }: Given<'account' | 'buyer_country'>) =>
      say`Kontot ${account} är för försäljning utanför EU, men köparens land är ${country}. Rätta landet på kunden, eller välj ett annat konto.`,
  ),
  due_date_too_late: {
    api: ({ lastDay }: Given<'lastDay'>) =>
      `invoiceDate med paymentTerms förfaller efter ${lastDay}; välj ett tidigare datum.`,
    page: 'Förfallodagen hamnar efter år 9999; välj ett tidigare datum.',
  },
  zero_quantity: {
    api: (_: unknown, { at }: Told) =>
      `${at} är 0; ange ett antal, minus för rabatt, eller ta bort raden.`,
    page: 'Skriv ett antal, minus för rabatt, eller töm raden.',
  },
  row_needs: ({ name, isExempt }: { readonly name: string; readonly isExempt: boolean }) =>
    name === 'account' && isExempt
      ? say`Välj ett intäktskonto: utan moms beror det på vad som säljs och till vem, t.ex. 3004 momsfritt, 3305 eller 3308 tjänster utomlands.`
      : (neededOfRow()[name] ?? say`Fyll i fältet.`),
  no_recurring_invoice: 'Den återkommande fakturan finns inte.',
  recurs_from_the_past: ({ today }: Given<'today'>) =>
    `Nästa faktura kan göras tidigast i dag, ${today}.`,
  recurs_not_at_all: 'Sista dagen är före nästa faktura; töm den, eller välj en senare dag.',
  unknown_filling: ({ word }: Given<'word'>) =>
    `${word} betyder ingenting här. Det som kan fyllas i är {period}, {förra perioden}, {månad}, {förra månaden} och {år}.`,
  recurring_not_booked:
    'Den senaste blev ett utkast: något var i vägen när den skulle bokföras. Öppna den, så står det vad.',
  recurring_restored:
    'Böckerna är återställda ur en säkerhetskopia, och fakturor kan ha skickats sedan den togs. Ingen görs förrän någon har öppnat Ändra, sett efter vilken dag som är nästa, och sparat.',
  recurring_no_sender: ({ number }: Given<'number'>) =>
    `Faktura ${number} är bokförd men inte skickad: e-post är inte inställd, eller så saknar företaget en adress att skicka från.`,
  recurring_no_recipient: ({ number }: Given<'number'>) =>
    `Faktura ${number} är bokförd men inte skickad: kunden har ingen e-postadress. Fyll i den hos kunden och skicka fakturan från dess sida.`,
  draft_booked: 'Fakturan är bokförd och ändras inte mer; kreditera den i stället.',
  draft_of_order:
    'Utkastet kommer från en order, så kund och rader ändras inte och det tas inte bort. Bokför det och kreditera det som är fel.',
  draft_changed_meanwhile:
    'Någon annan har ändrat utkastet medan du skrev. Öppna det på nytt, så ser du vad som gäller, och gör om din ändring.',
  invoice_not_bookable: ({ cause }: { readonly cause: Unsaid }, { tell }: Told) =>
    say`Fakturan kan inte bokföras. ${tell(cause)}`,

  // What happens to an invoice that is booked.
  not_booked: 'Fakturan är ett utkast; bokför den först.',
  is_credit_note: ({ number }: Given<'number'>) =>
    `${number} är en kreditfaktura; ange fakturan den gäller.`,
  invoice_changed_meanwhile: ({ openOre }: Given<'openOre'>) =>
    `Något har hänt med fakturan sedan du öppnade sidan: nu återstår ${kronor(openOre)}. Inget är registrerat. Kontrollera uppgifterna och skicka igen om de fortfarande stämmer.`,
  exceeds_open: ({ number, openOre }: Given<'number' | 'openOre'>) =>
    `Det återstår ${kronor(openOre)} att betala på faktura ${number}. Registrera högst det; ett överskott bokförs som förskott på 2420.`,
  exceeds_open_and_lost: ({ number, openOre, lostOre }: Given<'number' | 'openOre' | 'lostOre'>) =>
    `Av faktura ${number} kan högst ${kronor(openOre)} komma in, varav ${kronor(lostOre)} är avskrivet som kundförlust och tas tillbaka när det betalas. Registrera högst det; ett överskott bokförs som förskott på 2420.`,
  exceeds_paid: ({ number, paidOre }: Given<'number' | 'paidOre'>) =>
    `Bara ${kronor(paidOre)} är betalt på faktura ${number}; mer än så kan inte betalas tillbaka.`,
  exceeds_lost: ({ lostOre }: Given<'lostOre'>) =>
    lostOre === 0n
      ? 'Inget av fakturan är avskrivet som kundförlust, så det finns ingen förlust att ta tillbaka.'
      : `Bara ${kronor(lostOre)} av fakturan är avskrivet som kundförlust; mer än så kan inte tas tillbaka.`,
  nothing_to_write_off: ({ number }: Given<'number'>) =>
    `Inget återstår att betala på faktura ${number}, så det finns inget att skriva av.`,
  nothing_written_off: ({ number }: Given<'number'>) =>
    `Inget av faktura ${number} är avskrivet som kundförlust.`,
  credit_of_written_off: ({ number, lostOre }: Given<'number' | 'lostOre'>) =>
    `${kronor(lostOre)} av faktura ${number} är avskrivet som kundförlust, och momsen på det är redan återtagen. Ta tillbaka avskrivningen på fakturans sida först, och kreditera sedan.`,
  fee_of_written_off: ({ number }: Given<'number'>) =>
    `Faktura ${number} är avskriven som kundförlust, avgiften med den. Ta tillbaka avskrivningen på fakturans sida först.`,
  paid_before_invoice: ({ number, from }: Given<'number' | 'from'>) =>
    `Faktura ${number} är daterad ${from}. Pengar som kom innan är ett förskott: bokför dem på 2420, och registrera betalningen från fakturans datum.`,
  credit_before_invoice: ({ number, from }: Given<'number' | 'from'>) =>
    `Faktura ${number} är daterad ${from}; en kreditfaktura dateras tidigast samma dag.`,
  unknown_row: ofRow('finns inte på fakturan.'),
  repeated_row: ofRow('är angiven två gånger.'),
  nothing_left: ({ rowNo }: Partial<Given<'rowNo'>>) =>
    rowNo === undefined
      ? 'Allt på fakturan är redan krediterat.'
      : `Rad ${rowNo} är redan krediterad i sin helhet.`,
  quantity_exceeds_row: ofRow('har inte så mycket kvar att kreditera.'),
  credit_exceeds_invoice: ({
    number,
    totalOre,
    leftOre,
    ...inWhich
  }: Given<'number' | 'totalOre' | 'leftOre'> & InWhich) =>
    `Krediteringen blir ${money(totalOre, inWhich)}; av faktura ${number} återstår ${money(leftOre, inWhich)} att kreditera. Ta med rabattraderna också.`,
  reminder_runs_off:
    'Påminnelser i körningar är avslagna. En administratör slår på dem under Inställningar › Företaget.',
  bank_not_read:
    'Inget bankkonto är upplagt, så en betalning kan ha kommit utan att den syns. Lägg upp kontot under Bank och läs in kontoutdrag, eller låt en administratör tömma ”Bankens uppgifter får vara högst” under Inställningar › Företaget.',
  bank_account_not_read: ({ bankName }: { readonly bankName: string }) =>
    `Inga kontoutdrag är inlästa för ${bankName}, så en betalning kan ha kommit utan att den syns. Läs in dem under Bank, eller inaktivera kontot om det inte används.`,
  bank_told_too_long_ago: ({
    bankName,
    lastDay,
    bankDays,
  }: {
    readonly bankName: string;
    readonly lastDay: string;
    readonly bankDays: number;
  }) =>
    `Bankens uppgifter om ${bankName} går till ${lastDay}, och påminnelser får bygga på uppgifter som är högst ${bankDays} dagar gamla. Läs in kontoutdrag under Bank först, så att ingen som har betalat påminns.`,
  none_chosen: 'Välj minst en faktura att påminna om.',
  too_many_reminders: ({ most }: { readonly most: number }) =>
    `Högst ${most} påminnelser görs åt gången. Gör körningen, och sedan en till.`,
  reminders_changed:
    'Inget är skickat: det har hänt något med de valda fakturorna sedan listan visades, eller så har någon annan redan påmint om dem. Se efter i listan.',
  no_run: 'Körningen finns inte.',
  pause_out_of_range: ({ today, latest }: { readonly today: string; readonly latest: string }) =>
    `Skriv en dag från och med ${today} till och med ${latest}.`,
  nothing_to_remind: ({ number }: Given<'number'>) =>
    `Faktura ${number} är betald; det finns inget att påminna om.`,
  not_overdue: ({ number, dueDate }: Given<'number' | 'dueDate'>) =>
    `Faktura ${number} förfaller ${dueDate}; påminn tidigast dagen efter.`,
  reminded_already: ({ last }: Given<'last'>) =>
    `En påminnelse skickades ${last}; nästa skickas tidigast dagen efter.`,
  fee_out_of_range: ({ mostOre }: Given<'mostOre'>) =>
    `Påminnelseavgiften får vara 0–${kronor(mostOre)} (lag 1981:739).`,
  fee_not_agreed: {
    page: 'En avgift kräver att den avtalades innan skulden uppkom (lag 1981:739, 2 §). Påminn utan avgift, eller intyga att den är avtalad; står den i era villkor, ange det under Inställningar › Företaget så gäller det fakturor som bokförs sedan.',
  },
  no_fee: 'Det finns ingen påminnelse med det numret som har en avgift.',
  withdrawn_already: ({ on }: Given<'on'>) => `Avgiften togs tillbaka ${on}.`,
  before_reminder: ({ sent }: Given<'sent'>) =>
    `Påminnelsen skickades ${sent}; avgiften tas tillbaka tidigast då.`,
  no_reminder: ({ number, reminderNo }: Given<'number' | 'reminderNo'>) =>
    `Faktura ${number} har ingen påminnelse ${reminderNo}.`,
  credit_note_not_collected: 'En kreditfaktura kan inte drivas in.',
  invoice_not_booked: 'Fakturan är inte bokförd.',
  invoice_paid: 'Fakturan är betald.',
  invoice_not_overdue: ({ dueDate }: Given<'dueDate'>) =>
    `Fakturan förfaller ${dueDate}; den är inte sen.`,

  // Mail.
  no_recipient: 'Fyll i fältet.',
  too_many_recipients: ({ recipientsMax }: Given<'recipientsMax'>) =>
    `Högst ${recipientsMax} adresser.`,
  no_mail_address: ({ typed }: Given<'typed'>) =>
    `”${typed}” är ingen e-postadress som det går att skicka till. Skriv den som namn@exempel.se, flera med komma emellan.`,
  draft_not_mailed: 'Ett utkast skickas inte; bokför det först.',
  mailed_meanwhile: ({
    who,
    to,
  }: {
    readonly who: string | null;
    readonly to: readonly string[];
  }) =>
    `${who ?? 'Någon'} har skickat till ${to.join(', ')} sedan du öppnade sidan. Inget mer är skickat; skicka igen om det ändå ska gå iväg.`,
  no_mail: 'Utskicket finns inte.',
  mail_not_failed: 'Utskicket är redan skickat, eller på väg.',

  // As an e-invoice.
  e_invoice_without_rows:
    'Fakturan togs över från det förra programmet utan rader, så den kan inte bli en e-faktura här.',
  e_invoice_foreign_vat:
    'Fakturan har ett annat lands moms (One Stop Shop). En svensk e-faktura kan bara ha svensk moms.',
  e_invoice_peppol_id_missing: {
    api: 'peppolId: Fakturan säger inget svenskt organisationsnummer på ett företag; ange mottagarens Peppol-id, till exempel 0007:5560360793.',
    page: 'Skriv mottagarens Peppol-id, till exempel 0007:5560360793. Mottagaren själv vet det.',
    command: '--to: ange mottagarens Peppol-id, till exempel 0007:5560360793.',
  },
  e_invoice_peppol_id_form: atField(
    'Skriv fyra siffror, kolon och numret, till exempel 0007:5560360793 eller 0088:7300010000001.',
  ),
  e_invoice_reference_missing: {
    api: 'buyerReference: Fakturan har ingen referens; ange den som mottagaren vill ha, till exempel en beställarreferens.',
    page: 'Skriv den referens som mottagaren vill ha, till exempel en beställarreferens. Utan den tar Peppol inte emot fakturan.',
    command:
      '--reference: ange den referens som mottagaren vill ha; utan den tar Peppol inte emot fakturan.',
  },
  e_invoice_breaks_rule: ({ rule, message }: Given<'rule' | 'message'>) => `${message} (${rule})`,

  // Registers.
  no_article: 'Artikeln finns inte.',
  article_taken: ({ number }: Given<'number'>) => `Artikeln ${number} finns redan.`,
  article_in_use: 'Artikeln står på fakturor och kan inte tas bort. Gör den inaktiv.',
  no_customer: 'Kunden finns inte.',
  customer_in_use: 'Kunden används av fakturor eller order och kan inte tas bort. Gör den inaktiv.',
  collective_customer: 'Samlingskunden tar emot order från okända köpare och måste vara aktiv.',
  customer_number_taken: ({
    name,
    number,
  }: Given<'name'> & { readonly number: keyof typeof numbers }) =>
    `${name} har redan ${numbers[number]}. Är det en annan kund, kryssa i att de delar nummer.`,
  no_reference_rate: 'Ingen referensränta börjar den dagen.',
  half_year_taken: 'Halvåret har redan en referensränta; rätta den i stället.',
  not_half_percent: 'Referensräntan är alltid hela eller halva procent, t.ex. 2 eller 2,5.',

  // Open items taken over with the opening balance.
  no_fiscal_year_yet: 'Lägg upp ett räkenskapsår först.',
  no_opening_item: 'Det finns ingen sådan ingående post.',
  no_opening_items: 'Skriv in minst en faktura.',
  too_many_opening_lines: ({ linesMax }: Given<'linesMax'>) =>
    `Högst ${groupDigits(String(linesMax))} rader åt gången.`,
  opening_lines_unreadable: ({ words }: Columns) =>
    `Raderna går inte att läsa. Kolumnerna är ${words.join('; ')}.`,
  opening_column_unknown: ({ unknown, words }: Given<'unknown'> & Columns) =>
    `Kolumnen "${unknown}" är okänd. Kolumnerna är ${words.join('; ')}.`,
  opening_wrong_format: ofLine(openingForm),
  opening_twice: ofLine(({ number }: Given<'number'>) => `fakturan ${number} står två gånger.`),
  opening_not_before_books: ofLine(
    ({ from, first }: Given<'from' | 'first'>) =>
      `fakturan är från ${from}, men det som hänt från och med ${first} bokförs här.`,
  ),
  opening_due_before_invoice: ofLine('förfallodagen ligger före fakturadagen.'),
  opening_exceeds_total: ofLine('det som återstår är mer än noll och högst fakturans belopp.'),
  opening_not_positive: ofLine(
    'beloppet är större än noll. Kundens tillgodohavande står på 2420 Förskott från kunder.',
  ),
  opening_no_amount: ofLine('beloppet är inte noll.'),
  opening_name_ambiguous: ofLine(
    ({ name }: Given<'name'>) => `flera heter ${name}. Skriv organisationsnumret också.`,
  ),
  opening_account: ofLine(
    ({ account }: Given<'account'>) =>
      `konto ${account} är inget aktivt intäktskonto i kontoplanen.`,
  ),
  opening_exceeds_balance: ({
    account,
    balanceOre,
    excessOre,
  }: Given<'account' | 'balanceOre' | 'excessOre'>) =>
    BigInt(balanceOre) === 0n
      ? `Konto ${account} har inget att ta över. Bokför den ingående balansen först, eller läs in SIE-filerna.`
      : `Fakturorna blir ${kronor(excessOre)} mer än vad som står på ${account}, ${kronor(balanceOre)}. Rätta beloppen, eller det som är bokfört på kontot.`,
  opening_number_taken: ({ number }: { readonly number: string | null }) =>
    `Fakturanumret ${number ?? ''} finns redan. Varje nummer tas över en gång.`,
  opening_purchase_taken: 'En av fakturorna är redan övertagen från samma leverantör.',
  opening_item_in_use:
    'Något har hänt med fakturan, så den kan inte tas bort. Ta tillbaka det först.',
} satisfies Sentences;
