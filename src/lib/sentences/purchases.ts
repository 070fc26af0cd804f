/** What is said of suppliers, their invoices and e-invoices, and of the bank. */
import { say, worded } from '../language.ts';
import { type Given, type InWhich, kronor, money, type Sentences } from './words.ts';

/** By field: what tells one supplier from another. */
const signs = worded(() => ({
  organizationNumber: say`organisationsnumret`,
  vatNumber: say`momsnumret`,
  endpoint: say`den elektroniska adressen`,
}));

const contradicts =
  'Ett av dem är fel eller hör till ett annat konto: rätta, eller skicka igen med equalRows (known om rader av samma belopp är samma, new om de är fler).';

/** For whoever sends JSON, to the API or by a command. */
const forSenders = <Words>(words: Words) => ({ api: words, command: words });

export const purchaseSentences = {
  // Suppliers.
  no_supplier: {
    page: 'Leverantören finns inte.',
    command: ({ id }: Given<'id'>) => `Det finns ingen leverantör med id ${id}.`,
  },
  unknown_supplier: 'Leverantören finns inte. Välj en annan ur leverantörsregistret.',
  inactive_supplier: ({ name }: Given<'name'>) =>
    say`${name} är inaktiv och får inte nya fakturor. Välj en annan leverantör, eller gör den aktiv igen i leverantörsregistret.`,
  supplier_sign_taken: ({
    name,
    sign,
  }: Partial<Given<'name'>> & { readonly sign: keyof ReturnType<typeof signs> }) =>
    name === undefined
      ? say`En leverantör har redan ${signs()[sign]}; välj den i stället.`
      : say`${name} har redan ${signs()[sign]}.`,
  supplier_account_taken: 'Leverantören har redan det kontot.',
  supplier_in_use: 'Leverantören har fakturor och kan inte tas bort. Gör den inaktiv.',
  account_not_usable: ({ account }: Given<'account'>) =>
    say`Kontot ${account} finns inte i kontoplanen, eller är inaktivt.`,
  not_a_purchase_account: ({ account }: Given<'account'>) =>
    say`Inköp bokförs inte på konto ${account}: välj ett konto för kostnader, tillgångar eller skulder, t.ex. 4000.`,

  // Their invoices.
  no_purchase: {
    page: 'Leverantörsfakturan finns inte.',
    command: ({ id }: Given<'id'>) => `Det finns ingen leverantörsfaktura ${id}.`,
  },
  purchase_booked: 'Fakturan är redan bokförd.',
  purchase_rejected: 'Fakturan är avvisad.',
  purchase_without_supplier: 'Fakturan saknar leverantör; koppla den till en först.',
  purchase_without_rows: 'Fakturan saknar konteringsrader; ange dem först.',
  purchase_rows_unbalanced: 'Raderna ska vara minst två, och debet ska vara lika med kredit.',
  prepayment_deducted_twice:
    'Förskottet som raderna tar tillbaka är redan avdraget på en annan faktura; föreslå rader på nytt.',
  reverse_charge_gap: ({
    outputBox,
    rate,
    baseOre,
    dueOre,
    bookedOre,
  }: Given<'outputBox' | 'rate' | 'baseOre' | 'dueOre' | 'bookedOre'>) =>
    say`Omvänd betalningsskyldighet går inte ihop: ${rate} % moms på underlaget ${kronor(baseOre)} är ${kronor(dueOre)}, men raderna har ${kronor(bookedOre)} utgående moms i ruta ${outputBox}. Rätta raderna, eller kontots momsruta i kontoplanen.`,
  no_rows_to_suggest:
    'Inga rader kan föreslås: fakturan är på noll kronor, är en självfaktura eller går inte ihop. Ange dem själv.',
  purchase_without_document:
    'Fakturan togs över med den ingående balansen och har inget dokument här.',
  exceeds_open_purchase: ({ number, openOre }: Given<'number' | 'openOre'>) =>
    BigInt(openOre) < 0n
      ? say`Leverantören har ${kronor(-BigInt(openOre))} kvar att betala tillbaka på kreditfaktura ${number}. Skriv högst det, med minus.`
      : say`Det återstår ${kronor(openOre)} att betala på leverantörsfaktura ${number}. Registrera högst det; det som betalades för mycket bokförs som förskott på 1480.`,
  outlay_not_owed: ({ number }: Given<'number'>) =>
    say`${number} är inget bokfört utlägg som har något kvar att betala tillbaka. Bokför det först, eller ta bort det ur betalningen.`,
  outlays_of_several:
    'Utläggen är gjorda av olika personer. Betala en person i taget, så att verifikatet säger vem som fick pengarna.',
  nothing_owed:
    'Utläggen tar ut varandra, så det finns inget att betala. Ta bort det som ska tillbaka till företaget.',
  exceeds_paid_purchase: ({ number, paidOre }: Given<'number' | 'paidOre'>) =>
    say`Bara ${kronor(paidOre)} är registrerat som betalt på leverantörsfaktura ${number}; mer än så kan inte tas tillbaka.`,
  not_credit_note_and_invoice:
    'En kreditfaktura kvittas mot en faktura från samma leverantör: välj en sådan, som är bokförd.',
  credit_set_off_exceeds_open: ({
    invoiceNumber,
    creditNumber,
    weOweOre,
    owedToUsOre,
  }: Given<'invoiceNumber' | 'creditNumber' | 'weOweOre' | 'owedToUsOre'>) =>
    say`På faktura ${invoiceNumber} återstår ${kronor(weOweOre)} och på kreditfaktura ${creditNumber} ${kronor(owedToUsOre)}; kvitta högst det mindre beloppet.`,
  credit_set_off_before_invoice: ({
    invoiceNumber,
    creditNumber,
    from,
  }: Given<'invoiceNumber' | 'creditNumber' | 'from'>) =>
    say`Både faktura ${invoiceNumber} och kreditfaktura ${creditNumber} ska finnas när de kvittas: tidigast ${from}.`,
  paid_before_purchase: ({ number, from }: Given<'number' | 'from'>) =>
    say`Faktura ${number} är daterad ${from}. Det som betalades innan är ett förskott: bokför det på 1480, och registrera betalningen från fakturans datum.`,

  // Those that a person writes.
  purchase_without_lines: 'Skriv minst en rad med konto.',
  written_total_not_positive:
    'Skriv vad som ska betalas, över noll. På en kreditfaktura skrivs det också utan minus.',
  written_total_differs: ({ sumOre, totalOre, ...which }: Given<'sumOre' | 'totalOre'> & InWhich) =>
    say`Raderna blir ${money(sumOre, which)} med moms, men beloppet är ${money(totalOre, which)}. Rätta en rad, eller lämna ett av beloppen tomt, så tar raden resten. Under 1,00 blir öresutjämning.`,
  written_vat_differs: ({
    vatOre,
    computedOre,
    ...which
  }: Given<'vatOre' | 'computedOre'> & InWhich) =>
    say`Momsen på raderna blir ${money(computedOre, which)}, men fakturan säger ${money(vatOre, which)}. Rätta radernas momskoder eller belopp; under 1,00 får det skilja.`,
  unknown_currency: ({ currency }: Given<'currency'>) =>
    say`Valutan ${currency} finns inte här; välj en i listan.`,
  rate_missing: ({ currency }: Given<'currency'>) =>
    say`Skriv kursen: hur många kronor en ${currency} kostade på fakturadagen.`,
  rate_of_kronor: 'Belopp i kronor har ingen kurs. Välj fakturans valuta, eller töm kursen.',
  written_amounts_out_of_range:
    'Beloppet går inte att bokföra: i kronor är det under ett öre eller över 9 999 999 999,99. Läs av det och kursen igen.',
  exchange_too_large:
    'Beloppet skiljer mer från det bokförda än en valutakurs brukar göra. Läs av det igen; är det en delbetalning, säg inte att det är hela fakturan.',
  purchase_changed_meanwhile: ({ openOre }: Given<'openOre'>) =>
    say`Något har hänt med fakturan sedan du öppnade sidan: nu återstår ${kronor(openOre)}. Inget är registrerat. Kontrollera uppgifterna och skicka igen om de fortfarande stämmer.`,
  exchange_of_part_too_large:
    'Beloppet i kronor skiljer mer från vad så mycket av valutan är bokfört till än en valutakurs brukar göra. Läs av båda igen.',
  no_purchase_vat_code: 'Momskoden finns inte för inköp; välj en i listan.',
  two_rests: 'Bara en rad kan ta resten; skriv ett belopp här.',
  nothing_left: 'De andra raderna tar hela beloppet; skriv ett belopp här eller töm raden.',
  vat_account_in_row: ({ account }: Given<'account'>) =>
    say`Konto ${account} är ett momskonto. Momsen bokförs av radens momskod; skriv kontot för det som är köpt.`,
  account_of_another_box: ({ account }: Given<'account'>) =>
    say`Konto ${account} är underlag för en annan momskod än radens. Välj den momskoden, eller ett kostnadskonto.`,
  deduction_needs_cost_account: ({ account }: Given<'account'>) =>
    say`På konto ${account} räknas allt som underlag för moms. Skriv ett kostnadskonto, så läggs momsen som inte får dras av där.`,
  people_out_of_range: 'Skriv hur många som deltog, 1–10 000.',
  percent_out_of_range: 'Skriv hur många procent av momsen som får dras av, 0–100.',
  purchase_number_taken: ({ number, name }: Given<'number' | 'name'>) =>
    say`${name} har redan en faktura med nummer ${number} här.`,
  due_before_invoice: 'Förfallodagen är före fakturadatumet.',
  no_outlay_account: ({ account }: Given<'account'>) =>
    say`Ett utlägg är en skuld på 2820 (anställd), 2893 (ägare av bolag) eller 2018 (enskild firma), inte på ${account}.`,
  wrong_payee_account: ({ number }: Given<'number'>) =>
    say`${number} är inget bankgiro, plusgiro eller IBAN vars kontrollsiffra går ihop.`,
  not_written_by_hand: 'Fakturan kom som e-faktura; ändra konteringen på dess sida.',
  written_by_hand: 'Fakturan är skriven för hand; ändra den där den skrevs.',
  paid_through_debt_account: ({ account }: Given<'account'>) =>
    say`Skulden står på ${account}; betala den från ett annat konto.`,

  // E-invoices, as they come.
  no_document: 'Dokumentet finns inte.',
  document_never_kept: 'Innehållet sparades aldrig; be avsändaren skicka dokumentet igen.',
  document_still_unreadable: ({ message }: Given<'message'>) =>
    say`Dokumentet går fortfarande inte att läsa som e-faktura. ${message} Be leverantören skicka om det, eller bokför det som ett verifikat med originalet som underlag.`,
  not_supported:
    'Content-Type ska vara application/xml (UBL direkt) eller application/json (document eller documentBase64).',
  not_base64: 'documentBase64 ska vara dokumentets byte som base64.',

  // The bank, and debts set off against each other.
  no_bank_account: 'Bankkontot finns inte.',
  no_bank_transaction: {
    page: 'Bankraden finns inte.',
    command: ({ id }: Given<'id'>) => `Det finns ingen bankrad ${id}.`,
  },
  bank_account_taken: ({ account }: Given<'account'>) =>
    `Konto ${account} hör redan till ett bankkonto.`,
  no_bank_import: 'Filerna finns inte här längre; skicka dem igen.',
  kept_file_differs:
    'Filen som ligger här är inte den som skickades, och inget läses ur den. Hämta filen på nytt där den kommer ifrån, och skicka den.',
  bank_import_taken: 'Filerna är redan inlästa, eller håller på att läsas in.',
  bank_import_broke: 'Något gick fel hos oss, och inget är inläst.',
  no_bank_balance:
    'Banken har inte sagt något saldo till och med den dagen; läs in ett kontoutdrag först.',
  bridge_unexplained: ({ openOre }: Given<'openOre'>) =>
    `${kronor(openOre)} är oförklarat; skriv vad det beror på.`,
  bank_identity_taken: ({ number }: Given<'number'>) =>
    `${number} hör redan till ett annat bankkonto.`,
  bank_account_of_other_kind: ({ account }: Given<'account'>) =>
    `Konto ${account} passar inte slaget: bank och kassa har 1900–1999, skattekontot 1630–1639 och avräkning 1500–1699.`,
  bank_balance_of_statement: ({ expectedOre }: Given<'expectedOre'>) =>
    `Ett inläst kontoutdrag säger ${kronor(expectedOre)} den dagen, och det gäller. Är det fel, jämför dagen på bankkontots sida med banken.`,
  bank_account_unknown: ({ said }: Given<'said'>) =>
    `Inget bankkonto i bruk har ${said}. Lägg upp det under Bank › Bankkonton, eller med huvudbok bank account add.`,
  bank_rows_in_doubt: ({ days }: Given<'days'>) =>
    `Lika rader finns redan, och inget visar om de är samma: ${days}. Skicka igen med equalRows: known om det är samma rader, new om banken har fler. Med saldon, transactionId eller from och to behöver det inte sägas.`,
  bank_opening_contradicts: ({
    day,
    foundOre,
    expectedOre,
  }: Given<'day' | 'foundOre' | 'expectedOre'>) =>
    `Kontot börjar ${day} på ${kronor(foundOre)}, men på ${kronor(expectedOre)} enligt vad som finns redan. ${contradicts}`,
  bank_closing_contradicts: ({
    day,
    foundOre,
    expectedOre,
  }: Given<'day' | 'foundOre' | 'expectedOre'>) =>
    `Kontot slutar ${day} på ${kronor(foundOre)}, men på ${kronor(expectedOre)} enligt vad som finns redan. ${contradicts}`,
  bank_rows_contradict: ({ days }: Given<'days'>) =>
    `Det finns redan rader som saknas här av dagar som är här hela, och här finns rader som saknas där: ${days}. ${contradicts}`,
  bank_balance_broken: ({ foundOre, expectedOre }: Given<'foundOre' | 'expectedOre'>) =>
    `Saldot är ${kronor(foundOre)} men blir ${kronor(expectedOre)} av raderna intill. En rad saknas, eller står inte i bankens ordning.`,
  bank_opening_differs: ({ foundOre, expectedOre }: Given<'foundOre' | 'expectedOre'>) =>
    `Ingående saldo sägs vara ${kronor(foundOre)} men är ${kronor(expectedOre)} enligt radernas saldon.`,
  bank_closing_differs: ({ foundOre, expectedOre }: Given<'foundOre' | 'expectedOre'>) =>
    `Utgående saldo sägs vara ${kronor(foundOre)} men ingående saldo och raderna blir ${kronor(expectedOre)}. En rad saknas eller är fel.`,
  bank_payments_differ: ({ foundOre, expectedOre }: Given<'foundOre' | 'expectedOre'>) =>
    `Betalningarna blir tillsammans ${kronor(foundOre)}, men raden är ${kronor(expectedOre)}. Rätta dem, eller utelämna deras belopp.`,
  bank_day_outside: ({ from, to }: Given<'from' | 'to'>) =>
    `Dagen ligger utanför from och to (${from}–${to}). Ändra dem, eller utelämna dem.`,
  bank_day_ahead: ({ latest }: Given<'latest'>) =>
    `Dagen ligger för långt fram; ingen bank bokför efter ${latest}.`,
  bank_days_too_many: ({ first, years }: Given<'first' | 'years'>) =>
    `Ett anrop kan ha rader från högst ${years} år; det börjar ${first}. Dela upp det.`,
  not_a_clearing_account: ({ account }: Given<'account'>) =>
    `Konto ${account} är inget avräkningskonto. Använd 1580–1589 eller 1680–1689, t.ex. 1686.`,
  settlement_sum_differs: ({
    foundOre,
    payoutOre,
    differenceOre,
  }: Given<'foundOre' | 'payoutOre' | 'differenceOre'>) =>
    `Raderna blir tillsammans ${kronor(foundOre)}, men utbetalningen är ${kronor(payoutOre)}: ${kronor(differenceOre)} skiljer. En rad saknas, är fel eller har fel tecken.`,
  settlement_sign: ({ kind }: { readonly kind: 'sale' | 'refund' }) =>
    kind === 'sale'
      ? 'En försäljning är större än noll; det som går tillbaka till köparen är refund.'
      : 'En återbetalning är mindre än noll, eftersom den minskar utbetalningen.',
  settlement_needs_account: 'Säg vilket konto justeringen gäller.',
  settlement_takes_no_account:
    'Bara fee och adjustment har ett eget konto; övriga rader hör till avräkningskontot eller momsen.',
  settlement_clearing_itself: {
    page: ({ account }: Given<'account'>) =>
      `Konto ${account} är avräkningskontot självt. Det som betaltjänsten håller inne eller släpper skrivs som innehållet.`,
    ...forSenders(
      ({ account }: Given<'account'>) =>
        `Konto ${account} är avräkningskontot självt. Det som leverantören håller inne eller släpper är reserve.`,
    ),
  },
  settlement_foreign_vat: {
    page: ({ country }: Given<'country'>) =>
      `En betaltjänst i ${country} tar ingen svensk moms. Utländsk moms hör till avgiften, och moms som ni själva ska redovisa kryssas för i stället.`,
    ...forSenders(
      ({ country }: Given<'country'>) =>
        `En leverantör i ${country} tar ingen svensk moms. Utländsk moms hör till avgiften (fee), och moms som ni själva ska redovisa är reverseChargeVat på avgiften.`,
    ),
  },
  settlement_no_reverse_charge: {
    page: 'Omvänd betalningsskyldighet gäller bara en avgift från utlandet. Skriv betaltjänstens land.',
    ...forSenders(
      'Omvänd betalningsskyldighet gäller bara avgifter (fee) från en leverantör utomlands; country säger var den finns.',
    ),
  },
  settlement_vat_differs: ({ foundOre, expectedOre }: Given<'foundOre' | 'expectedOre'>) =>
    `Momsen är ${kronor(foundOre)} men 25 % av avgiften är ${kronor(expectedOre)}. Rätta den, eller utelämna den när avgiften är momsfri.`,
  no_settlement: 'Avräkningen finns inte.',
  not_the_payout:
    'Verifikatet tar inte utbetalningen, hela och inget annat, från avräkningskontot, eller så är utbetalningen bokförd redan.',
  settlement_differs: ({ provider, number }: Given<'provider' | 'number'>) =>
    `Avräkningen ${number} från ${provider} är redan bokförd med annat innehåll. Stämmer den nya, rätta verifikatet till den gamla först, och skicka sedan igen.`,
  split_sum_differs: ({
    foundOre,
    expectedOre,
    differenceOre,
  }: Given<'foundOre' | 'expectedOre' | 'differenceOre'>) =>
    `Delarna blir tillsammans ${kronor(foundOre)}, men bankraden är ${kronor(expectedOre)}: ${kronor(differenceOre)} skiljer.`,
  split_too_few: 'Dela upp på minst två; en ensam bokförs på bankradens sida.',
  split_of_both:
    'Kundfakturor och leverantörsfakturor bokförs med varsitt verifikat. Kvitta dem mot varandra först, eller bokför den ena delen på ett konto.',
  split_exceeds_open: ({ number, openOre }: Given<'number' | 'openOre'>) =>
    `På faktura ${number} är ${kronor(openOre)} öppet; resten hör till något annat, t.ex. 2420 när en kund har betalt för mycket.`,
  already_matched:
    'Bankraden har redan ett verifikat. Är det fel, ångra bokföringen eller häv matchningen först.',
  no_bank_mapping: 'Kolumnerna är redan glömda; någon annan kan ha tagit bort dem.',
  mapping_needs_date: 'Säg i vilken kolumn dagen står.',
  mapping_needs_text: 'Säg i vilken kolumn texten står.',
  mapping_needs_amount:
    'Säg i vilken kolumn beloppet står, eller i vilka insättningar och uttag står.',
  mapping_amount_twice:
    'Beloppet står antingen i en kolumn, eller som insättningar och uttag i två.',
  mapping_role_twice: 'Bara texten kan stå i flera kolumner; välj en kolumn av varje annat slag.',
  mapping_heading_twice:
    'En kolumn som läses måste ha en rubrik, och ingen annan kolumn samma. Rätta rubrikerna i filen och skicka den igen.',
  mapping_reads_nothing: ({ line }: { readonly line: number | null }) =>
    `Ingen rad i filen går att läsa så${line === null ? '' : `; se rad ${line}`}. Se efter decimaltecknet, hur dagar skrivs och vad kolumnerna är.`,
  no_bank_rule: 'Regeln finns inte; någon annan kan ha tagit bort den.',
  bank_rule_exists: 'Det finns redan en regel för den texten åt det hållet.',
  suggestion_changed:
    'Något har ändrats sedan förslaget visades. Se vad raden nu föreslås vara och godkänn igen.',
  nothing_to_undo:
    'Det finns inget att ångra: raden är inte bokförd härifrån, eller redan ångrad. Häv matchningen i stället.',
  paid_back_since: ({ number }: Given<'number'>) =>
    `Betalningen av ${number} är redan tillbakatagen eller återbetald. Ångra det först, eller häv matchningen.`,
  return_unclear:
    'Det går inte att se vad den återlämnade betalningen bokfördes som; bokför raden själv.',
  row_of_the_bank: 'Raden kommer från banken och tas inte bort.',
  amount_mismatch: ({ account }: Given<'account'>) =>
    say`Verifikatet bokför inte beloppet på konto ${account}; välj ett annat.`,
  own_account: ({ account }: Given<'account'>) =>
    say`Konto ${account} är bankkontot självt; välj vad pengarna gäller.`,
  account_of_invoices: ({ account }: Given<'account'>) =>
    say`Konto ${account} följer fakturorna; registrera raden som betalning av en faktura.`,
  no_vat_of_account: ({ account }: Given<'account'>) =>
    `Konto ${account} är varken försäljning eller inköp, så dess belopp har ingen moms; välj ingen moms eller ett annat konto.`,
  other_party:
    'Kunden och leverantören är inte samma part: numren, eller namnen där nummer saknas, är olika. Bara ömsesidiga fordringar kvittas; rätta registren om de är samma.',
  exceeds_set_off: ({ setOffOre }: Given<'setOffOre'>) =>
    say`${kronor(setOffOre)} är kvittat mellan fakturorna; mer än så kan inte tas tillbaka.`,
  set_off_exceeds_open: ({
    number,
    invoiceNumber,
    owedToUsOre,
    weOweOre,
  }: Given<'number' | 'invoiceNumber' | 'owedToUsOre' | 'weOweOre'>) =>
    say`På kundfaktura ${number} återstår ${kronor(owedToUsOre)} och på leverantörsfaktura ${invoiceNumber} ${kronor(weOweOre)}; kvitta högst det mindre beloppet.`,
  set_off_before_invoice: ({
    number,
    ours,
    invoiceNumber,
    theirs,
    from,
  }: Given<'number' | 'ours' | 'invoiceNumber' | 'theirs' | 'from'>) =>
    say`Kundfaktura ${number} är daterad ${ours} och leverantörsfaktura ${invoiceNumber} ${theirs}; kvitta tidigast ${from}.`,
} satisfies Sentences;
