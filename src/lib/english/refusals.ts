/** What the books refuse of what those pages ask of them. */
export const refusals: Readonly<Record<string, string>> = {
  organisationsnumret: 'the organisation number',
  momsnumret: 'the VAT number',
  'den elektroniska adressen': 'the electronic address',
  '{0} är inaktiv och får inte nya fakturor. Välj en annan leverantör, eller gör den aktiv igen i leverantörsregistret.':
    '{0} is inactive and gets no new invoices. Choose another supplier, or make it active again in the supplier register.',
  'En leverantör har redan {0}; välj den i stället.':
    'A supplier already has {0}; choose it instead.',
  '{0} har redan {1}.': '{0} already has {1}.',
  'Kontot {0} finns inte i kontoplanen, eller är inaktivt.':
    'Account {0} is not in the chart of accounts, or is inactive.',
  'Inköp bokförs inte på konto {0}: välj ett konto för kostnader, tillgångar eller skulder, t.ex. 4000.':
    'Purchases are not booked on account {0}: choose an account for costs, assets or debts, e.g. 4000.',
  'Omvänd betalningsskyldighet går inte ihop: {0} % moms på underlaget {1} är {2}, men raderna har {3} utgående moms i ruta {4}. Rätta raderna, eller kontots momsruta i kontoplanen.':
    "The reverse charge does not add up: {0} % VAT of the base {1} is {2}, but the rows have {3} of output VAT in box {4}. Put the rows right, or the account's VAT box in the chart of accounts.",
  'Leverantören har {0} kvar att betala tillbaka på kreditfaktura {1}. Skriv högst det, med minus.':
    'The supplier has {0} left to pay back of credit note {1}. Write at most that, with a minus.',
  'Det återstår {0} att betala på leverantörsfaktura {1}. Registrera högst det; det som betalades för mycket bokförs som förskott på 1480.':
    'There is {0} left to pay of supplier invoice {1}. Register at most that; what was overpaid is booked as an advance on 1480.',
  '{0} är inget bokfört utlägg som har något kvar att betala tillbaka. Bokför det först, eller ta bort det ur betalningen.':
    '{0} is no booked outlay of which something is left to pay back. Book it first, or take it out of the payment.',
  'Bara {0} är registrerat som betalt på leverantörsfaktura {1}; mer än så kan inte tas tillbaka.':
    'Only {0} is registered as paid of supplier invoice {1}; more than that cannot be taken back.',
  'På faktura {0} återstår {1} och på kreditfaktura {2} {3}; kvitta högst det mindre beloppet.':
    'Of invoice {0}, {1} remains and of credit note {2}, {3}; set off at most the smaller amount.',
  'Både faktura {0} och kreditfaktura {1} ska finnas när de kvittas: tidigast {2}.':
    'Both invoice {0} and credit note {1} must exist when they are set off: at the earliest {2}.',
  'Faktura {0} är daterad {1}. Det som betalades innan är ett förskott: bokför det på 1480, och registrera betalningen från fakturans datum.':
    "Invoice {0} is dated {1}. What was paid before is an advance: book it on 1480, and register the payment from the invoice's date.",
  'Raderna blir {0} med moms, men beloppet är {1}. Rätta en rad, eller lämna ett av beloppen tomt, så tar raden resten. Under 1,00 blir öresutjämning.':
    'The rows come to {0} with VAT, but the amount is {1}. Put a row right, or leave one of the amounts empty, and the row takes the rest. Less than 1.00 becomes rounding.',
  'Valutan {0} finns inte här; välj en i listan.':
    'There is no currency {0} here; choose one in the list.',
  'Skriv kursen: hur många kronor en {0} kostade på fakturadagen.':
    'Write the rate: how many kronor one {0} cost on the day of the invoice.',
  'Momsen på raderna blir {0}, men fakturan säger {1}. Rätta radernas momskoder eller belopp; under 1,00 får det skilja.':
    "The VAT of the rows comes to {0}, but the invoice says {1}. Put the rows' VAT codes or amounts right; it may differ by less than 1.00.",
  'Konto {0} är ett momskonto. Momsen bokförs av radens momskod; skriv kontot för det som är köpt.':
    "Account {0} is a VAT account. The VAT is booked by the row's VAT code; write the account of what was bought.",
  'Konto {0} är underlag för en annan momskod än radens. Välj den momskoden, eller ett kostnadskonto.':
    "Account {0} is the base of another VAT code than the row's. Choose that VAT code, or a cost account.",
  'På konto {0} räknas allt som underlag för moms. Skriv ett kostnadskonto, så läggs momsen som inte får dras av där.':
    'On account {0} everything counts as a base of VAT. Write a cost account, and the VAT that may not be deducted is put there.',
  '{0} har redan en faktura med nummer {1} här.':
    '{0} already has an invoice with number {1} here.',
  'Ett utlägg är en skuld på 2820 (anställd), 2893 (ägare av bolag) eller 2018 (enskild firma), inte på {0}.':
    'An outlay is a debt on 2820 (employee), 2893 (owner of a company) or 2018 (sole trader), not on {0}.',
  '{0} är inget bankgiro, plusgiro eller IBAN vars kontrollsiffra går ihop.':
    '{0} is no bankgiro, plusgiro or IBAN whose check digit is right.',
  'Skulden står på {0}; betala den från ett annat konto.':
    'The debt is on {0}; pay it from another account.',
  'Dokumentet går fortfarande inte att läsa som e-faktura. {0} Be leverantören skicka om det, eller bokför det som ett verifikat med originalet som underlag.':
    'The document still cannot be read as an e-invoice. {0} Ask the supplier to send it again, or book it as a voucher with the original as its document.',
  'Verifikatet bokför inte beloppet på konto {0}; välj ett annat.':
    'The voucher does not book the amount on account {0}; choose another.',
  'Konto {0} är bankkontot självt; välj vad pengarna gäller.':
    'Account {0} is the bank account itself; choose what the money is for.',
  'Konto {0} följer fakturorna; registrera raden som betalning av en faktura.':
    'Account {0} follows the invoices; register the row as payment of an invoice.',
  '{0} är kvittat mellan fakturorna; mer än så kan inte tas tillbaka.':
    '{0} is set off between the invoices; more than that cannot be taken back.',
  'På kundfaktura {0} återstår {1} och på leverantörsfaktura {2} {3}; kvitta högst det mindre beloppet.':
    'Of customer invoice {0}, {1} remains and of supplier invoice {2}, {3}; set off at most the smaller amount.',
  'Kundfaktura {0} är daterad {1} och leverantörsfaktura {2} {3}; kvitta tidigast {4}.':
    'Customer invoice {0} is dated {1} and supplier invoice {2} {3}; set off at the earliest {4}.',
  'Det står i betalfil {0}, som banken kan betala. Bokför filen som betald på dess sida, eller avbryt den först; annars betalas det två gånger.':
    'It is in payment file {0}, which the bank may pay. Book the file as paid on its page, or cancel it first; otherwise it is paid twice.',
  'Tidigaste tillåtna datum är {0}.': 'The earliest date allowed is {0}.',
  'Räkenskapsåret som slutar {0} är stängt. {1}': 'The fiscal year that ends {0} is closed. {1}',
  'Momsen är låst till och med {0}, och verifikatet rör moms. {1}':
    'VAT is locked up to and including {0}, and the voucher concerns VAT. {1}',
  'Perioden är låst till och med {0}. {1}': 'The period is locked up to and including {0}. {1}',
  fakturor: 'invoices',
  verifikat: 'vouchers',
  'Verifikatet bokför kundfaktura {0}; kreditera fakturan i stället.':
    'The voucher books customer invoice {0}; credit the invoice instead.',
  'Verifikatet bokför kreditfaktura {0}; gör en ny faktura i stället.':
    'The voucher books credit note {0}; make a new invoice instead.',
  'Verifikatet bokför en betalning av kundfaktura {0}; registrera samma belopp tillbaka på fakturan i stället.':
    'The voucher books a payment of customer invoice {0}; register the same amount back on the invoice instead.',
  'Verifikatet bokför en påminnelseavgift som ingår i kundfaktura {0}; den rättas på fakturan.':
    'The voucher books a reminder fee that is part of customer invoice {0}; it is put right on the invoice.',
  'Verifikatet bokför leverantörsfaktura {0}; bokför leverantörens kreditfaktura i stället. Fel kostnadskonto flyttas med ett nytt verifikat.':
    "The voucher books supplier invoice {0}; book the supplier's credit note instead. A wrong cost account is moved by a new voucher.",
  'Verifikatet bokför en betalning av leverantörsfaktura {0}; registrera samma belopp tillbaka på fakturan i stället.':
    'The voucher books a payment of supplier invoice {0}; register the same amount back on the invoice instead.',
  'debet är {0} och kredit {1}': 'debit is {0} and credit {1}',
  'balanserar inte: {0}. {1} saknar {2}.': 'does not balance: {0}. {1} lacks {2}.',
  'Välj kassa eller bank (19xx), skattekontot 1630, avräkning 168x, presentkort 2421 eller ägarens pengar (2013, 2018, 2893). Öresutjämning, bankavgift och kundförlust skrivs för sig.':
    "Choose cash or bank (19xx), the tax account 1630, clearing 168x, gift cards 2421 or the owner's money (2013, 2018, 2893). Rounding, bank fee and bad debt are written by themselves.",
  'Pengar kommer inte genom konto {0}. {1}': 'Money does not come through account {0}. {1}',
  'Verifikatet har {0} och behöver minst två.': 'The voucher has {0} and needs at least two.',
  'ingen rad': 'no row',
  'bara en rad': 'only one row',
  'Raderna är tomma; minst en behövs.': 'The rows are empty; at least one is needed.',
  'Raderna blir mer än {0}. Dela upp dem på fler {1}.':
    'The rows come to more than {0}. Divide them into more {1}.',
  'Verifikatet {0}': 'The voucher {0}',
  'Raden blir mer än {0}. Dela upp den.': 'The row comes to more than {0}. Divide it.',
  'Beloppet får vara högst {0}.': 'The amount may be at most {0}.',
  'Raden saknar belopp. Ange debet eller kredit, eller ta bort raden.':
    'The row has no amount. Give debit or credit, or remove the row.',
  'Beloppet får inte vara 0.': 'The amount may not be 0.',
  'Datumet {0} ligger utanför alla räkenskapsår; lägg upp året eller välj ett annat datum.':
    'The date {0} is outside all fiscal years; add the year or choose another date.',
  'Serien {0} finns inte för räkenskapsåret {1}; välj en som finns.':
    'The series {0} does not exist in the fiscal year {1}; choose one that does.',
  'Kontot {0} finns inte i kontoplanen; välj ett annat eller lägg upp det.':
    'Account {0} is not in the chart of accounts; choose another or add it.',
  'Kontot {0} är inaktivt; välj ett annat eller aktivera det.':
    'Account {0} is inactive; choose another or activate it.',
  'Konto {0} är skatt på ett företags resultat; en enskild näringsidkares skatt är ägarens egen. Bokför den på 2012.':
    "Account {0} is tax on a company's profit; a sole trader's tax is the owner's own. Book it on 2012.",
  'Inget konto har momskoden {0}; ange en som står i kontoplanen, till exempel MP1, eller lämna den tom, så gäller kontots egen.':
    "No account has the VAT code {0}; give one that is in the chart of accounts, MP1 for example, or leave it empty, so that the account's own holds.",
  'Det finns inget verifikat {0}.': 'There is no voucher {0}.',
  'Verifikatet är redan rättat{0}; det tas inte tillbaka två gånger.':
    'The voucher is already corrected{0}; it is not taken back twice.',
  'En kundfordran kvittas mot en leverantörsskuld från fakturans sida.':
    "A receivable is set off against a payable from the invoice's page.",
  '{0} Stämmer det ändå, kryssa i att det finns underlag för det.':
    '{0} If it is right all the same, tick that there are grounds for it.',
  'Skriv vad raden gäller.': 'Write what the row is about.',
  'Välj ett intäktskonto.': 'Choose a revenue account.',
  'Kontot {0} är inget intäktskonto; välj ett konto för försäljning.':
    'Account {0} is no revenue account; choose an account for sales.',
  'Kontot {0} {1}, raden {2} %; byt konto eller sats.':
    'Account {0} {1}, the row {2} %; change the account or the rate.',
  'är utan moms': 'is without VAT',
  'har momssatsen {0} %': 'has the VAT rate {0} %',
  'Kontot {0} är för vinstmarginalbeskattning, där fakturan inte får visa någon moms. Skriv 0 % på raden.':
    'Account {0} is for margin taxation, where the invoice may show no VAT. Write 0 % on the row.',
  'Kontot {0} är för försäljning utan moms till företag i andra EU-länder, men köparen har inget giltigt momsnummer därifrån. Lägg in det på kunden, eller välj ett konto med svensk moms.':
    'Account {0} is for sales without VAT to businesses in other EU countries, but the buyer has no valid VAT number from there. Add it to the customer, or choose an account with Swedish VAT.',
  'Kontot {0} är för tjänster utan moms till företag i andra EU-länder, men köparens land är {1}. Rätta landet på kunden, eller välj ett annat konto.':
    "Account {0} is for services without VAT to businesses in other EU countries, but the buyer's country is {1}. Put the customer's country right, or choose another account.",
  'Kontot {0} är för omvänd betalningsskyldighet i Sverige, men köparen har inget svenskt momsnummer, som ska stå på fakturan. Lägg in det på kunden, eller välj ett konto med moms.':
    'Account {0} is for reverse charge in Sweden, but the buyer has no Swedish VAT number, which must be on the invoice. Add it to the customer, or choose an account with VAT.',
  'Köparens momsnummer {0} är inte från köparens land, {1}. Rätta det som är fel på kunden.':
    "The buyer's VAT number {0} is not from the buyer's country, {1}. Put right what is wrong with the customer.",
  'Köparens momsnummer {0} är från ett annat EU-land, och raderna har svensk moms. Företag där köper oftast utan: välj då 0 % på 3308 för tjänster (ML 6 kap. 34 §) eller 3108 för varor som lämnar Sverige (ML 10 kap. 42 §). Ska säljaren ta ut svensk moms, t.ex. på hotell, restaurang eller det som hämtas här, stämmer utkastet som det är.':
    "The buyer's VAT number {0} is from another EU country, and the rows have Swedish VAT. Businesses there mostly buy without: then choose 0 % on 3308 for services (ML chapter 6, section 34) or 3108 for goods that leave Sweden (ML chapter 10, section 42). If the seller shall charge Swedish VAT, e.g. for hotels, restaurants or what is fetched here, the draft is right as it is.",
  'Kontot {0} är för försäljning utanför EU, men köparens land är {1}. Rätta landet på kunden, eller välj ett annat konto.':
    "Account {0} is for sales outside the EU, but the buyer's country is {1}. Put the customer's country right, or choose another account.",
  'Välj ett intäktskonto: utan moms beror det på vad som säljs och till vem, t.ex. 3004 momsfritt, 3305 eller 3308 tjänster utomlands.':
    'Choose a revenue account: without VAT it depends on what is sold and to whom, e.g. 3004 exempt, 3305 or 3308 services abroad.',
  'Fakturan kan inte bokföras. {0}': 'The invoice cannot be booked. {0}',
  'Beloppet är negativt. Skriv det utan minus på andra sidan.':
    'The amount is negative. Write it without a minus on the other side.',
  'Raden har belopp i både debet och kredit. Dela upp den i två.':
    'The row has amounts in both debit and credit. Divide it in two.',
  'Dimensionen finns inte; välj någon av dem som finns.':
    'The dimension does not exist; choose one of those there are.',
  'Dimensionen är inaktiv; välj en annan, eller aktivera den under Dimensioner.':
    'The dimension is inactive; choose another, or activate it under Dimensions.',
  'Filen är tom.': 'The file is empty.',
  'Underlaget finns inte.': 'The document does not exist.',
  'Underlaget ligger redan på ett verifikat och kan inte läggas undan.':
    'The document is already on a voucher and cannot be set aside.',
  'Beloppet går åt andra hållet än resten av betalningen; byt tecken.':
    'The amount goes the other way than the rest of the payment; change its sign.',
  'Fakturan finns inte; utkastet kan ha tagits bort.':
    'The invoice does not exist; the draft may have been removed.',
  'Kunden finns inte i kundregistret; lägg upp den under Kunder.':
    'The customer is not in the customer register; add it under Customers.',
  'Kunden är inaktiv; aktivera den under Kunder, eller välj en annan.':
    'The customer is inactive; activate it under Customers, or choose another.',
  'Förfallodagen hamnar efter år 9999; välj ett tidigare datum.':
    'The due date falls after the year 9999; choose an earlier date.',
  'Skriv ett antal, minus för rabatt, eller töm raden.':
    'Write a quantity, minus for a discount, or empty the row.',
  'Fakturan är bokförd och ändras inte mer; kreditera den i stället.':
    'The invoice is booked and does not change any more; credit it instead.',
  'Utkastet kommer från en order, så kund och rader ändras inte och det tas inte bort. Bokför det och kreditera det som är fel.':
    'The draft comes from an order, so its customer and rows do not change and it is not removed. Book it and credit what is wrong.',
  'Någon annan har ändrat utkastet medan du skrev. Öppna det på nytt, så ser du vad som gäller, och gör om din ändring.':
    'Somebody else has changed the draft while you were writing. Open it anew to see what holds, and make your change again.',
  'Fakturan är ett utkast; bokför den först.': 'The invoice is a draft; book it first.',
  'En annan i samma register kallas redan så i andra system. Sök på det där, och ta bort det därifrån först.':
    'Another of the same register is called so in other systems already. Search for it there, and take it away from that one first.',
};
