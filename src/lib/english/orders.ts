/** The pages of orders and refunds, and why they stop. */
export const orders: Readonly<Record<string, string>> = {
  'Vilka order': 'Which orders',
  Markera: 'Select',
  Summa: 'Total',
  Varför: 'Why',
  Mottagen: 'Received',
  'Med de markerade': 'With the selected',
  'Försök igen prövar ordern på nytt precis som den kom, t.ex. när kunden eller kontot har lagts upp.':
    'Try again judges the order anew just as it came, e.g. when the customer or the account has been added.',
  Avvisa: 'Reject',
  'Ingen order passar filtret': 'No order fits the filter',
  'Ordernumret ska stå helt, med stora och små bokstäver som butiken skrev det.':
    'The order number must be whole, with capitals and small letters as the shop wrote it.',
  'Sök bland alla order': 'Search among all orders',
  'Återbetalningen har blivit en kreditfaktura:': 'The refund has become a credit note:',
  'Ordern har blivit en faktura:': 'The order has become an invoice:',
  ', till': ', to',
  ordern: 'the order',
  och: 'and',
  'dess faktura': 'its invoice',
  'Avvisad:': 'Rejected:',
  'Ändrade efteråt': 'Changed afterwards',
  'Ingen order är ändrad efteråt': 'No order has been changed afterwards',
  'Hit kommer order som butiken skickar igen med annat innehåll när de redan är fakturor, tills någon har sett till dem.':
    'Here come orders that the shop sends again with other content when they are invoices already, until somebody has seen to them.',
  'Någon annan är redan klar med ändringen, eller så har en ny kommit.':
    'Somebody else is done with the change already, or a new one has come.',
  'Ändringen väntar inte längre på någon.': 'The change waits for nobody any more.',
  '{0} skickades igen {1} med nyckeln {2} och annat innehåll, när den redan var en {3}. Den är kvar som den var.':
    '{0} was sent again {1} with the key {2} and other content, when it was a {3} already. That is left as it was.',
  'Öppna utkastet och ändra det': 'Open the draft and change it',
  'Kreditera fakturan, och skriv en ny': 'Credit the invoice, and write a new one',
  'Öppna den': 'Open it',
  'Ändrad efter faktureringen': 'Changed after it was invoiced',
  'Det som skiljer': 'What differs',
  Uppgift: 'Field',
  'När den fakturerades': 'When it was invoiced',
  'Som den är nu': 'As it is now',
  'Mer skiljer; allt som kom står i rådata.': 'More differs; all that came stands in the raw data.',
  'Klar med ändringen': 'Done with the change',
  'Är fakturan rätt som den är räcker det att säga att du är klar.':
    'If the invoice is right as it is, it is enough to say that you are done.',
  'Varför den stoppades': 'Why it was stopped',
  'Vad du kan göra': 'What you can do',
  'Kronor för 1 {{next.currency}}': 'Kronor for 1 {{next.currency}}',
  'Fakturera till kursen': 'Invoice at the rate',
  'Att titta på': 'To look at',
  'Återbetalningen ska inte krediteras här.': 'The refund shall not be credited here.',
  'Ordern ska inte faktureras.': 'The order shall not be invoiced.',
  'Den stängs och väntar inte längre på någon.': 'It is closed and waits for nobody any more.',
  'Avvisa med orsak': 'Reject with a reason',
  'Det här kom': 'What came',
  'Hämta originalet ({{body.size}})': 'Download the original ({{body.size}})',
  'Det här är ett tidigare innehåll.': 'This is an earlier content.',
  'Visa det senaste': 'Show the latest',
  'Orderns rader': "The order's rows",
  Rad: 'Row',
  'Ytterligare {{body.moreRows}} rader står i originalet.':
    '{{body.moreRows}} more rows are in the original.',
  'Ordern har inga rader som går att läsa.': 'The order has no rows that can be read.',
  Rådata: 'Raw data',
  'Ordern är för lång att visa här; hämta originalet.':
    'The order is too long to be shown here; download the original.',
  Örestabellen: 'The table of öre',
  'Kunden betalade {{oren.total}}. Skillnaden mot raderna är {{oren.difference}}. {{oren.prices}}':
    'The customer paid {{oren.total}}. The difference from the rows is {{oren.difference}}. {{oren.prices}}',
  'Netto, moms och brutto per rad, med momsen avrundad på två sätt':
    'Net, VAT and gross of each row, with the VAT rounded in two ways',
  Momssats: 'VAT rate',
  Netto: 'Net',
  Brutto: 'Gross',
  'Skillnad mot betalt': 'Difference from what was paid',
  'Rad {{rowNo}}': 'Row {{rowNo}}',
  'Momsen avrundad per momssats (så bokförs den)':
    'The VAT rounded for each VAT rate (so it is booked)',
  'Momsen avrundad per rad': 'The VAT rounded for each row',
  Historik: 'History',
  'Försök och beslut, det senaste först': 'Attempts and decisions, the latest first',
  Utfall: 'Outcome',
  'Innehållets SHA-256': 'SHA-256 of the content',
  'Skapa kund': 'Create the customer',
  'Skapa kund och försök igen': 'Create the customer and try again',
  'Uppgifterna är orderns egna. Behåll namnet, e-postadressen eller något av numren, så känns köparen igen när ordern prövas.':
    "The details are the order's own. Keep the name, the e-mail address or one of the numbers, so that the buyer is recognised when the order is judged.",
  'Skapa kund och fakturera': 'Create the customer and invoice',
  'Kräver åtgärd': 'Needs action',
  Utkast: 'Draft',
  Dubbletter: 'Duplicates',
  Avvisade: 'Rejected',
  'Markera minst en order i listan.': 'Select at least one order in the list.',
  'Inga av orderna väntade på att prövas igen.':
    'None of the orders was waiting to be tried again.',
  'Ingen av orderna är stoppad; de prövas just nu eller har blivit fakturor.':
    'None of the orders is stopped; they are being judged or have become invoices.',
  ' {0} lämnades: de prövas eller har blivit fakturor.':
    ' {0} were left: they are being judged or have become invoices.',
  '{0} order avvisade.{1}': '{0} orders dismissed.{1}',
  'Orsak till att avvisa': 'Reason to reject',
  'Ingen order väntar på dig': 'No order is waiting for you',
  'Hit kommer order som inte kunde bli fakturautkast av sig själva, med orsaken.':
    'Here come orders that could not become invoice drafts by themselves, with the reason.',
  'Inga utkast från order': 'No drafts of orders',
  'Order som har blivit fakturautkast står här tills utkastet är bokfört.':
    'Orders that have become invoice drafts stand here until the draft is booked.',
  'Inga dubbletter': 'No duplicates',
  'Hit kommer order vars nummer skickades flera gånger med olika innehåll på samma gång. Den som redan är faktura besvaras med fakturan, och står under Ändrade efteråt när innehållet är ett annat.':
    'Here come orders whose number was sent several times with different content at the same time. One that is an invoice already is answered with that, and stands under Changed afterwards when its content is another.',
  'Inga avvisade order': 'No dismissed orders',
  'Order som någon har bestämt inte ska faktureras står här, med skälet.':
    'Orders that somebody has decided shall not be invoiced stand here, with the reason.',
  'Inga order har kommit än': 'No orders have come yet',
  'Butiken skickar sina order till POST /api/inbound/order med en API-nyckel som får lämna in.':
    'The shop sends its orders to POST /api/inbound/order with an API key that hands in.',
  Ordernummer: 'Order number',
  'Alla orsaker': 'All reasons',
  'av order {0}': 'of order {0}',
  'Utan nummer': 'Without number',
  'Skriv en landskod med två bokstäver, t.ex. SE.': 'Write a country code of two letters, e.g. SE.',
  'Ordern har redan blivit en faktura.': 'The order has already become an invoice.',
  '{0} är upplagd.': '{0} is added.',
  'Ordern finns inte.': 'The order does not exist.',
  'Skapa kund av ordern': 'Create a customer of the order',
  'utan nummer': 'without number',
  Organisationsnummer: 'Organisation number',
  'Tio siffror; för enskild firma personnumret.':
    'Ten digits; for a sole trader the personal identity number.',
  Momsnummer: 'VAT number',
  Landskod: 'Country code',
  'Två bokstäver, t.ex. SE.': 'Two letters, e.g. SE.',
  'Betalningsvillkor i dagar': 'Payment terms in days',
  'Tomt följer inställningen för order.': 'Empty follows the setting for orders.',
  'Varför avvisas {0}?': 'Why is {0} dismissed?',
  'Sparas i behandlingshistoriken. Den som skickade {0} får samma svar som förut.':
    'Kept in the audit trail. Whoever sent {0} gets the same answer as before.',
  'Priserna är med moms.': 'The prices include VAT.',
  'Priserna är utan moms.': 'The prices are without VAT.',
  'Återbetalningens nummer': 'Number of the refund',
  Datum: 'Date',
  Belopp: 'Amount',
  'Allt som är kvar': 'All that is left',
  'Enligt raderna': 'By the rows',
  'Med moms': 'With VAT',
  'Utan moms': 'Without VAT',
  Orderdatum: 'Order date',
  Leveransdatum: 'Delivery date',
  Valuta: 'Currency',
  Priser: 'Prices',
  'Kunden betalade': 'The customer paid',
  Köpare: 'Buyer',
  'Org.nummer': 'Org. number',
  Land: 'Country',
  Prövas: 'Being judged',
  'Blev {0}': 'Became {0}',
  Dubblett: 'Duplicate',
  Stoppad: 'Stopped',
  'Avvisad av {0}': 'Dismissed by {0}',
  'Fakturerad för hand av {0}': 'Invoiced by hand by {0}',
  'Skickad med nyckeln {0}': 'Sent with the key {0}',
  'Försökt igen av {0}': 'Tried again by {0}',
  'Har inte prövats': 'Has not been judged',
  'Be den som skickade ordern att rätta den och skicka den igen; då prövas den av sig själv.':
    'Ask whoever sent the order to put it right and send it again; then it is judged by itself.',
  'Går inte att läsa': 'Cannot be read',
  'Annan valuta': 'Other currency',
  'Fakturera den för hand till en kurs, eller be den som skickade ordern att skicka den i kronor. Andra valutor tas emot när One Stop Shop är påslaget under Inställningar › Företaget.':
    'Invoice it by hand at a rate, or ask whoever sent the order to send it in kronor. Other currencies are taken when the one stop shop is switched on under Settings › Company.',
  'Kurs saknas': 'No exchange rate',
  'Fakturera den för hand till en kurs. {0}': 'Invoice it by hand at a rate. {0}',
  'Okänd momssats': 'Unknown VAT rate',
  '{0} Andra EU-länders moms tas emot när One Stop Shop är påslaget under Inställningar › Företaget.':
    '{0} VAT of other EU countries is taken when the one stop shop is switched on under Settings › Company.',
  'Summan stämmer inte': 'The total does not add up',
  'Örestabellen visar var skillnaden uppstår. {0}':
    'The table of öre shows where the difference arises. {0}',
  'Oklar moms': 'Unclear VAT',
  'Är varan momsfri, ge artikeln ett momsfritt konto. Är köparen ett företag i ett annat EU-land, lägg in momsnumret på kunden. Annars ska avsändaren rätta ordern.':
    'If the goods are VAT-exempt, give the article a VAT-exempt account. If the buyer is a business in another EU country, add the VAT number to the customer. Otherwise the sender should put the order right.',
  'Okänd kund': 'Unknown customer',
  'Skapa kunden, eller välj en samlingskund i inställningarna.':
    'Create the customer, or choose a collective customer in the settings.',
  'Utanför räkenskapsåren': 'Outside the fiscal years',
  'Lägg upp räkenskapsåret, eller be avsändaren rätta datumet.':
    'Add the fiscal year, or ask the sender to put the date right.',
  'Konto saknas': 'Account missing',
  'Lägg upp, aktivera eller rätta kontot i kontoplanen.':
    'Add, activate or put right the account in the chart of accounts.',
  'Betalningarna stämmer inte': 'The payments do not add up',
  'Lägg till betalsättet under Inställningar › Företaget om det saknas, och försök igen. {0}':
    'Add the means of payment under Settings › Company if it is missing, and try again. {0}',
  'Negativ summa': 'Negative total',
  'Kreditera den ursprungliga fakturan i stället, och avvisa den här ordern.':
    'Credit the original invoice instead, and dismiss this order.',
  'Be avsändaren rätta den och skicka den igen, eller kreditera fakturan för hand och avvisa den här.':
    'Ask the sender to put it right and send it again, or credit the invoice by hand and dismiss this one.',
  'Numret är använt': 'The number is used',
  'Kreditera fakturan för hand om det är en återbetalning till, och avvisa den här.':
    'Credit the invoice by hand if it is one more refund, and dismiss this one.',
  'Ordern saknas': 'The order is missing',
  'Vänta på ordern, eller se efter varför den är stoppad. Återbetalningen prövas igen av sig själv.':
    'Wait for the order, or see why it is stopped. The refund is judged again by itself.',
  'Väntar på fakturan': 'Waits for the invoice',
  'Bokför orderns faktura. Återbetalningen prövas igen av sig själv.':
    "Book the order's invoice. The refund is judged again by itself.",
  'Lägg upp räkenskapsåret och försök igen, eller be avsändaren rätta datumet.':
    'Add the fiscal year and try again, or ask the sender to put the date right.',
  'Före fakturan': 'Before the invoice',
  'Raderna stämmer inte': 'The rows do not match',
  'För mycket': 'Too much',
  'Utkastet borttaget': 'Draft removed',
  'Avvisa återbetalningen, eller försök igen för att få ett nytt utkast.':
    'Dismiss the refund, or try again to get a new draft.',
  'Orderns återbetalningar, i den ordning de kom': "The order's refunds, in the order they came",
  Krediterat: 'Credited',
  'Vad den blev': 'What it became',
  Återbetalningar: 'Refunds',
  'Fler finns.': 'There are more.',
  'Utkastet som återbetalningen hade blivit är borttaget. Den blir ett nytt utkast om den prövas igen, eller om butiken skickar den med annat innehåll.':
    'The draft that the refund had become has been removed. It becomes a new one when it is tried again, or sent by the shop with other content.',
  'Visa alla': 'Show all',
  'Avskriven faktura': 'Invoice written off',
  'Ta tillbaka avskrivningen på fakturans sida, och försök igen.':
    "Take back the write-off on the invoice's page, and try again.",
  'Återbetalning: {0}{1}': 'Refund: {0}{1}',
  fakturautkast: 'an invoice draft',
  Fakturautkastet: 'The invoice draft',
  faktura: 'invoice',
  Återbetalning: 'Refund',
  återbetalningen: 'the refund',
  'utkast till kreditfaktura': 'a draft of a credit note',
  'Utkastet till kreditfaktura': 'The draft of the credit note',
  kreditfaktura: 'credit note',
  Bokförd: 'Booked',
  Betald: 'Paid',
  Krediterad: 'Credited',
  Avvisad: 'Rejected',
  'Har fastnat': 'Is stuck',
  'Kom igen med annat innehåll medan den första prövades; den första gäller.':
    'Came again with another content while the first was being judged; the first one holds.',
  'Blev ett {0}.': 'Became {0}.',
  'Blev {0} {1}.': 'Became {0} {1}.',
  'Mottagen men inte prövad inom fem minuter; försök igen.':
    'Received but not judged within five minutes; try again.',
  'Mottagen, och prövas just nu.': 'Received, and being judged.',
  'Fakturera för hand': 'Invoice by hand',
  'Det som stoppade ordern är ordnat. Försök igen, så blir den ett fakturautkast.':
    'What stopped the order has been settled. Try again, and it becomes an invoice draft.',
  'När det är gjort går ordern att pröva igen.': 'When that is done the order can be tried again.',
  'Välj samlingskund': 'Choose a collective customer',
  'Rätta konto {0}': 'Put account {0} right',
  'Lägg upp konto {0}': 'Add account {0}',
  'Sök fakturan att kreditera': 'Search the invoice to credit',
  'Lägg upp räkenskapsåret': 'Add the fiscal year',
  'Komplettera {0}': 'Complete {0}',
  'Skapa kund med momsnummer': 'Create the customer with a VAT number',
  'Ändra kontot på artikel {0}': 'Change the account of article {0}',
  '{0} prövades igen.': '{0}: tried again.',
  '{0} stoppades på nytt.': 'Stopped anew: {0}.',
  '{0} prövas fortfarande; ladda om sidan strax.':
    'Still being judged: {0}; reload the page in a moment.',
  ordernumret: 'the order number',
  orderdatumet: 'the order date',
  valutan: 'the currency',
  'uppgiften om priserna är med moms': 'what is said of whether prices include VAT',
  'beloppet som kunden betalade': 'the amount that the customer paid',
  köparen: 'the buyer',
  'köparens namn': "the buyer's name",
  'köparens e-postadress': "the buyer's e-mail address",
  'köparens organisationsnummer': "the buyer's organisation number",
  'köparens momsnummer': "the buyer's VAT number",
  'köparens land': "the buyer's country",
  raderna: 'the rows',
  'återbetalningens nummer': "the refund's number",
  'återbetalningens datum': "the refund's date",
  beloppet: 'the amount',
  betalningarna: 'the payments',
  dricksen: 'the tip',
  benämningen: 'the description',
  Benämning: 'Description',
  artikelnumret: 'the article number',
  Artikel: 'Article',
  antalet: 'the quantity',
  Antal: 'Quantity',
  enheten: 'the unit',
  Enhet: 'Unit',
  'à-priset': 'the unit price',
  'À-pris': 'Unit price',
  rabatten: 'the discount',
  'Rabatt %': 'Discount %',
  momssatsen: 'the VAT rate',
  momslandet: 'the VAT country',
  Momsland: 'VAT country',
  'uppgiften om presentkort': 'what is said of a gift card',
  Presentkort: 'Gift card',
  Ja: 'Yes',
  kursen: 'the exchange rate',
  Kurs: 'Exchange rate',
  'Moms %': 'VAT %',
  'hela ordern': 'the whole order',
  'rad {0}': 'row {0}',
  'en text': 'a text',
  'true eller false': 'true or false',
  'ett datum som 2026-01-31': 'a date such as 2026-01-31',
  'ett tal': 'a number',
  'ett objekt': 'an object',
  'en lista': 'a list',
  'saknas i kontoplanen. Lägg upp det': 'is missing in the chart of accounts. Add it',
  'är inaktivt. Aktivera det': 'is inactive. Activate it',
  'tar inte {0} % moms. Rätta momskoden': 'does not take {0} % VAT. Put the VAT code right',
  '{0} är {1} % men artikelns konto {2} är för vinstmarginalbeskattning, där fakturan inte visar moms. Skicka raden med 0 %, eller byt konto på artikeln.':
    "{0} is {1} % but the article's account {2} is for margin taxation, where the invoice shows no VAT. Send the row with 0 %, or change the article's account.",
  '{0} är 0 % med omvänd betalningsskyldighet (konto {1}) men köparen har inget svenskt VAT-nummer. Ange {2}, eller debitera moms.':
    '{0} is 0 % by reverse charge (account {1}) but the buyer has no Swedish VAT number. Give {2}, or charge VAT.',
  '{0} är 0 % men köparen räknas som svensk. Ange momssatsen, eller koppla artikeln till ett momsfritt konto (till exempel 3004). Säljs ett presentkort ska raden säga det ({1}). Dricks är ingen rad: den är {2}, bredvid {3}.':
    '{0} is 0 % but the buyer counts as Swedish. Give the VAT rate, or tie the article to a VAT-exempt account (3004, for example). If a gift card is sold, the row must say so ({1}). A tip is no row: it is {2}, beside {3}.',
  '{0} är 0 % men köparen räknas som svensk. Finns köparen utomlands ska {1} anges.':
    '{0} is 0 % but the buyer counts as Swedish. If the buyer is abroad, {1} must be given.',
  '{0} är 0 % men köparen i {1} har inget VAT-nummer. Debitera svensk moms, eller ange {2}.':
    '{0} is 0 % but the buyer in {1} has no VAT number. Charge Swedish VAT, or give {2}.',
  '{0} är 0 % men {1} är inget VAT-nummer i {2}. Rätta {3} eller {4}.':
    '{0} is 0 % but {1} is no VAT number of {2}. Put {3} or {4} right.',
  Kroppen: 'The body',
  '{0} är tom; skicka ett JSON-objekt.': '{0} is empty; send a JSON object.',
  '{0} är inte giltig UTF-8; skicka JSON kodad som UTF-8.':
    '{0} is not valid UTF-8; send JSON encoded as UTF-8.',
  ' (läsningen stannade vid tecken {0})': ' (reading stopped at character {0})',
  '{0} är inte giltig JSON{1}; rätta den och skicka igen.':
    '{0} is not valid JSON{1}; put it right and send it again.',
  'Kroppen är nästlad djupare än {0} nivåer.': 'The body is nested deeper than {0} levels.',
  '{0} innehåller ett NUL-tecken (\\u0000); ta bort det.':
    '{0} holds a NUL character (\\u0000); remove it.',
  '{0} innehåller ett halvt tecken (ensam surrogat); skicka giltig Unicode.':
    '{0} holds half a character (a lone surrogate); send valid Unicode.',
  '{0} står mer än en gång i samma objekt; ta bort det ena.':
    '{0} stands more than once in the same object; remove one of them.',
  'JSON-kuvertet ska ha ett av fälten document (text) och documentBase64.':
    'The JSON envelope must have one of the fields document (text) and documentBase64.',
  'document ska vara UBL-dokumentet som text.': 'document must be the UBL document as a text.',
  'Ordern ska vara ett JSON-objekt med externalId, orderDate, customer och rows.':
    'The order must be a JSON object with externalId, orderDate, customer and rows.',
  'Återbetalningen ska vara ett JSON-objekt med externalId, refundId och refundDate.':
    'The refund must be a JSON object with externalId, refundId and refundDate.',
  ', utan citattecken': ', without quotes',
  '{0} ska vara {1}{2}.': '{0} must be {1}{2}.',
  '{0} får vara högst {1} tecken. Korta texten.':
    '{0} may be at most {1} characters. Shorten the text.',
  '{0} är inget riktigt datum. Skriv år, månad och dag som 2026-01-31, utan klockslag.':
    '{0} is no real date. Write year, month and day as 2026-01-31, without a time.',
  '{0} får vara högst 9 999 999 999,99 åt vardera hållet.':
    '{0} may be at most 9,999,999,999.99 either way.',
  '{0} har fler än {1} decimaler. Avrunda talet innan det skickas.':
    '{0} has more than {1} decimals. Round the number before it is sent.',
  '{0} har {1} rader; högst {2} går. Dela upp dem.':
    '{0} has {1} rows; at most {2} can be taken. Divide them.',
  '{0} är ingen landskod. Skriv till exempel SE.': '{0} is no country code. Write SE, for example.',
  '{0} är noll. Ta bort raden eller ange ett antal.':
    '{0} is zero. Remove the row or give a quantity.',
  '{0} ska vara en kort text på en rad, till exempel tim.':
    '{0} must be a short text on one line, tim for example.',
  '{0} är ingen rabatt; ange procent, 0–100.': '{0} is no discount; give a percentage, 0–100.',
  '{0} ska vara mer än noll.': '{0} must be more than zero.',
  '{0} saknas; ange articleNumber, eller rowNo för raden i ordern.':
    '{0} is missing; give articleNumber, or rowNo of the row in the order.',
  '{0} {1} är inget annat EU-land, vars moms redovisas i One Stop Shop. Skriv ett sådant, SE för svensk moms, eller inget.':
    '{0} {1} is no other EU country, whose VAT is filed in the one stop shop. Give such a one, SE for Swedish VAT, or none.',
  '{0} är moms i {1} men köparen har ett VAT-nummer: One Stop Shop är för försäljning till konsumenter. Sälj utan moms, eller skicka ordern utan {2}.':
    '{0} is VAT of {1} but the buyer has a VAT number: the one stop shop is for sales to consumers. Sell without VAT, or send the order without {2}.',
  '{0} är en som både Sverige och {1} har, och raden är en tjänst: ange {2}, SE eller {3}.':
    '{0} is one that both Sweden and {1} have, and the row is a service: give {2}, SE or {3}.',
  '{0} är inte orderns {1}. Skicka återbetalningen i den.':
    "{0} is not the order's {1}. Send the refund in that.",
  '{0} saknas eller går inte att läsa; skicka hur många kronor en {1} är, mer än noll och med högst sex decimaler.':
    '{0} is missing or cannot be read; send how many kronor one {1} is, more than zero and with six decimals at most.',
  '{0} är {1} kr för en {2}, som är ovanligt. Kontrollera den innan fakturan bokförs; skickades den kanske åt andra hållet?':
    '{0} is SEK {1} for one {2}, which is unusual. Check it before the invoice is booked; was it sent the other way round?',
  '{0} är {1} %, som {2} inte brukar ha. Kontrollera den innan fakturan bokförs: momsen redovisas i One Stop Shop.':
    '{0} is {1} %, which {2} does not usually have. Check it before the invoice is booked: the VAT is filed in the one stop shop.',
  '{0} är {1} %, svensk moms, till en konsument i {2}. Skickas varan dit ska det vara det landets moms när företaget redovisar i One Stop Shop.':
    "{0} is {1} %, Swedish VAT, to a consumer in {2}. If the goods are sent there it is to be that country's VAT when the company files in the one stop shop.",
  '{0} är inte SEK. Skicka återbetalningen i kronor.': '{0} is not SEK. Send the refund in kronor.',
  'Återbetalning {0} har redan blivit en kreditfaktura av en annan order. Är det en återbetalning till ska den ha ett eget nummer; kreditera annars fakturan för hand och avvisa den här.':
    'Refund {0} has already become a credit note of another order. If it is one more refund it must have a number of its own; otherwise credit the invoice by hand and dismiss this one.',
  'Order {0} har inte blivit någon faktura här. Återbetalningen prövas igen av sig själv när orderns faktura bokförs.':
    "Order {0} has not become an invoice here. The refund is judged again by itself when the order's invoice is booked.",
  'Fakturan av order {0} är ett utkast. Bokför den, så prövas återbetalningen igen av sig själv.':
    'The invoice of order {0} is a draft. Book it, and the refund is judged again by itself.',
  'Återbetalningen är daterad {0}, och dagen ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret, eller be avsändaren rätta datumet.':
    'The refund is dated {0}, and that day is outside all fiscal years. Add the fiscal year, or ask the sender to put the date right.',
  'Orderns faktura {0} är daterad {1}; en återbetalning dateras tidigast samma dag. Be avsändaren rätta datumet.':
    "The order's invoice {0} is dated {1}; a refund is dated the same day at the earliest. Ask the sender to put the date right.",
  'Orderns faktura har ingen {0}. Be avsändaren rätta raden, eller kreditera för hand.':
    "The order's invoice has no {0}. Ask the sender to put the row right, or credit by hand.",
  'Av {0} är inte så mycket kvar på orderns faktura. Be avsändaren rätta antalet, eller kreditera för hand.':
    "There is not so much left of {0} on the order's invoice. Ask the sender to put the quantity right, or credit by hand.",
  'Bara dricks betalades tillbaka, och den står inte på fakturan. Bokför det för hand, debet på dricksens konto och kredit på det som pengarna gick ut från, och avvisa återbetalningen.':
    'Only a tip was paid back, and the invoice has none. Book it by hand, debit on the account of tips and credit on the one the money went out of, and dismiss the refund.',
  '{0} i dricks betalades tillbaka, men av orderns dricks är {1} kvar. Be avsändaren rätta beloppet, eller kreditera för hand.':
    "{0} in tips was paid back, but {1} is left of the order's tip. Ask the sender to put the amount right, or credit by hand.",
  'Betalsättet {0} har inget konto. Lägg till det under Inställningar › Företaget › Betalsätt, eller be avsändaren rätta det.':
    'The means of payment {0} has no account. Add it under Settings › Company › Means of payment, or ask the sender to put it right.',
  'Konto {0}, som betalsättet {1} går över, saknas eller är inaktivt i kontoplanen. Lägg upp eller aktivera det.':
    'Account {0}, which the means of payment {1} goes by, is missing or inactive in the chart of accounts. Add or activate it.',
  '{0} är före {1}, då fakturan dateras. Det som kom innan är ett förskott (2420) och bokförs för hand.':
    '{0} is before {1}, when the invoice is dated. What came before is an advance (2420) and is booked by hand.',
  'Betalningarna är {0}, men ska vara {1}{2}.': 'The payments are {0}, but should be {1}{2}.',
  ' ({0} och {1} i dricks)': ' ({0} and {1} in tips)',
  '{0} omsätter mer än de {1} ett verifikat rymmer. Dela upp ordern.':
    '{0} turns over more than the {1} that a voucher has room for. Divide the order.',
  '{0} är ”{1}”; skriv {2}.': '{0} is “{1}”; write {2}.',
  '{0} är {1}, men ordern är i {2}. Alla rader ska vara i orderns valuta.':
    '{0} is {1}, but the order is in {2}. All rows should be in the currency of the order.',
  '{0} är {1}, en valuta som order inte tas emot i. Räkna om ordern till kronor.':
    '{0} is {1}, a currency that orders are not taken in. Convert the order to kronor.',
  '{0} är {1}; bara SEK går. Räkna om ordern till kronor.':
    '{0} is {1}; only SEK will do. Convert the order to kronor.',
  '{0} {1} finns inte i kundregistret. Lägg upp kunden, eller välj en samlingskund för order.':
    '{0} {1} is not in the customer register. Add the customer, or choose a collective customer for orders.',
  '{0} {1} ligger utanför alla räkenskapsår. Lägg upp räkenskapsåret eller rätta datumet.':
    '{0} {1} is outside all fiscal years. Add the fiscal year or put the date right.',
  'Fakturan blir {0}; en faktura kan inte vara negativ. Kreditera i stället fakturan det gäller.':
    'The invoice comes to {0}; an invoice cannot be negative. Credit the invoice it is about instead.',
  '{0} är {1}. En faktura kan inte vara på minus; kreditera den ursprungliga i stället.':
    '{0} is {1}. An invoice cannot be below zero; credit the original one instead.',
  '{0} är {1} men raderna blir {2} med moms (skillnad {3}).':
    '{0} is {1} but the rows come to {2} with VAT (difference {3}).',
  '{0} ser ut att vara utan moms; skicka det kunden betalade.':
    '{0} seems to be without VAT; send what the customer paid.',
  'Kontrollera att alla rader, frakt och rabatter är med och att {0} stämmer.':
    'See that all rows, freight and discounts are there and that {0} is right.',
  '{0} är {1} %, som inte är en svensk momssats.': '{0} is {1} %, which is no Swedish VAT rate.',
  'Skriv 25, 12, 6 eller 0; utländsk moms (OSS) bokförs för hand.':
    'Write 25, 12, 6 or 0; foreign VAT (OSS) is booked by hand.',
  'Skriv 25, 12, 6 eller 0; för ett annat EU-lands moms anges {0} eller {1}.':
    "Write 25, 12, 6 or 0; for another EU country's VAT {0} or {1} is given.",
  '{0} är {1}: momssatsen anges i procent, skriv {2}.':
    '{0} is {1}: the VAT rate is given in percent, write {2}.',
  '{0} kräver öresutjämning men konto {1} saknas eller är inaktivt. Lägg upp eller aktivera kontot.':
    '{0} needs rounding to öre but account {1} is missing or inactive. Add or activate the account.',
  'Konto {0} för {1} {2} och pröva ordern igen.':
    'Account {0} for {1} {2} and try the order again.',
  'Artikelns konto {0} tar inte {1} % moms; {2} läggs på {3}.':
    "The article's account {0} does not take {1} % VAT; {2} is put on {3}.",
  'Försäljningen till {0} är utan moms. Kontrollera numret i VIES.':
    'The sale to {0} is without VAT. Check the number in VIES.',
  '{0} är inte riktigt kunden {1} i kundregistret: nummer, land eller e-post skiljer sig. Fakturan får bara orderns egna uppgifter.':
    "{0} is not quite the customer {1} in the register: number, country or e-mail differs. The invoice gets the order's own details only.",
  '{0} saknar adress, som ska stå på en faktura över {1} (ML 17 kap. 24 §). Lägg in den på fakturautkastet eller på kunden innan fakturan bokförs.':
    '{0} has no address, which must be on an invoice above {1} (ML chapter 17, section 24). Add it to the invoice draft or to the customer before the invoice is booked.',
  '{0} finns redan bland kunderna med samma uppgifter. Gå tillbaka och försök igen utan att lägga upp en kund.':
    '{0} is already among the customers with the same details. Go back and try again without adding a customer.',
  'Ange antingen amount eller rows; utan båda tas allt som är kvar av ordern tillbaka.':
    'Give either amount or rows; without both, all that is left of the order is taken back.',
  'Köparen har debiterats svensk moms men skulle kanske ha köpt utan. Momsen bokförs som den debiterats, eftersom den ändå ska betalas in (ML 7:49). Kontrollera ordern.':
    'The buyer has been charged Swedish VAT but might have bought without. The VAT is booked as charged, since it must be paid in all the same (ML 7:49). Check the order.',
  'Ordern prövas redan på nytt.': 'The order is already being judged anew.',
  'Kunden har varken namn, e-post, organisationsnummer eller momsnummer gemensamt med ordern, så ordern skulle stoppas igen. Behåll något av dem.':
    'The customer has neither name, e-mail, organisation number nor VAT number in common with the order, so the order would be stopped again. Keep one of them.',
  'Något i ordern saknas eller är felskrivet, så den går inte att läsa.':
    'Something in the order is missing or misspelt, so it cannot be read.',
  'Ordern är i utländsk valuta och säger inte vilken kurs den bokförs till, eller så går kursen inte att läsa.':
    'The order is in a foreign currency and does not say at which rate it is booked, or the rate cannot be read.',
  'Ordern är i en annan valuta än kronor.': 'The order is in another currency than kronor.',
  'Ordern har en momssats som inte finns i Sverige.':
    'The order has a VAT rate that does not exist in Sweden.',
  'Raderna blir inte det belopp som kunden har betalat.':
    'The rows do not come to what the customer has paid.',
  'Det går inte att avgöra vilken moms som gäller för köparen.':
    'It cannot be decided which VAT holds for the buyer.',
  'Köparen finns inte i kundregistret, och ingen samlingskund är vald.':
    'The buyer is not in the customer register, and no collective customer is chosen.',
  'Orderns datum ligger utanför alla räkenskapsår.':
    "The order's date is outside all fiscal years.",
  'Kontot som ordern ska bokföras på saknas, är inaktivt eller har fel momskod.':
    'The account that the order is to be booked on is missing, inactive or has the wrong VAT code.',
  'Betalningarna blir inte det belopp som ordern är på, eller har kommit på ett sätt som inte är inställt.':
    'The payments do not come to the amount of the order, or came by a means that is not set up.',
  'Ordern är på ett negativt belopp, och en faktura kan inte vara på minus.':
    'The order is of a negative amount, and an invoice cannot be below zero.',
  'Något i återbetalningen saknas eller är felskrivet, så den går inte att läsa.':
    'Something in the refund is missing or misspelt, so it cannot be read.',
  'Återbetalningens nummer har redan blivit en kreditfaktura av en annan order; ett nummer krediterar en gång.':
    "The refund's number has already become a credit note of another order; a number credits once.",
  'Ordern som återbetalningen gäller har inte kommit eller är stoppad. Den prövas igen av sig själv när orderns faktura bokförs.':
    "The order that the refund is of has not come or is stopped. The refund is judged again by itself when the order's invoice is booked.",
  'Orderns faktura är ett utkast. Återbetalningen prövas igen av sig själv när fakturan bokförs.':
    "The order's invoice is a draft. The refund is judged again by itself when the invoice is booked.",
  'Återbetalningens datum ligger utanför alla räkenskapsår.':
    "The refund's date is outside all fiscal years.",
  'Återbetalningen är daterad före orderns faktura.':
    "The refund is dated before the order's invoice.",
  'Raderna finns inte på orderns faktura, eller har inte så mycket kvar.':
    "The rows are not on the order's invoice, or have not so much left.",
  'Återbetalningen är på mer än vad som är kvar av orderns faktura.':
    "The refund is of more than is left of the order's invoice.",
  'Det som betalades tillbaka blir inte det belopp som krediteras, eller gick ut på ett sätt som inte är inställt.':
    'What was paid back does not come to the amount that is credited, or went out by a means that is not set up.',
  'Fakturan är avskriven som kundförlust, och momsen på det är redan återtagen.':
    'The invoice is written off as a bad debt, and the VAT of that has already been taken back.',
  'Ordern stoppades.': 'The order was stopped.',
  'order|Avvisad': 'Dismissed',
  'order|Avvisade': 'Dismissed',
  'order|Orsak till att avvisa': 'Reason to dismiss',
  'orders|Avvisa': 'Dismiss',
  'order|Avvisa': 'Dismiss',
  'order|Avvisa med orsak': 'Dismiss with a reason',
  'order|Avvisad:': 'Dismissed:',
  'orders|Order': 'Orders',
  'order|Order': 'Orders',
  'order-customer|Order': 'Orders',
  'artikel {0}': 'article {0}',
  '{0} saknas; ange {1}.': '{0} is missing; give {1}.',
  utkast: 'a draft',
  '{0} blev {1}.': 'Became {1}: {0}.',
  '{0} order och återbetalningar': '{0} orders and refunds',
  'several|order': 'orders',
  återbetalningar: 'refunds',
  '{0} har redan blivit en {1}.': '{0} has already become: {1}.',
  'Någon annan har just låtit pröva {0} igen.': 'Somebody else has just had {0} tried again.',
  '{0} är inte stoppad: den prövas just nu eller har blivit en {1}.':
    '{0} is not stopped: it is being judged or has become: {1}.',
  '{0} är avvisad och väntar inte längre på någon.':
    '{0} is dismissed and waits for nobody any more.',
  'kassans beteckning': "the till's name",
  'Z-numret': 'the Z number',
  datumet: 'the date',
  'antalet kvitton': 'the number of receipts',
  försäljningen: 'the sales',
  returerna: 'the returns',
  'sålda presentkort': 'gift cards sold',
  öresavrundningen: 'the rounding to öre',
  kassarörelserna: "the till's movements",
  rad: 'row',
  försäljningsrad: 'row of sales',
  returrad: 'row of returns',
  kassarörelse: 'movement',
  betalsättet: 'the means of payment',
  momsen: 'the VAT',
  slaget: 'the kind',
  '{0} på {1}': '{0} of {1}',
  'Z-rapporten ska vara ett JSON-objekt med tillId, zNumber, date, sales och payments.':
    'The Z report must be a JSON object with tillId, zNumber, date, sales and payments.',
  '{0} ska vara noll eller mer.': '{0} should be zero or more.',
  'Betalt tillbaka': 'Paid back',
  'Betalt med': 'Paid by',
  Dagskassor: 'Till reports',
  'Markera {{name}}': 'Select {{name}}',
  'E-postadress': 'E-mail address',
  'Andra system': 'Other systems',
  'Kallas i andra system': 'Called in other systems',
  'Det som en butik, ett kassasystem eller en annan koppling kallar den (externalId i API:et). Tomt när ingen gör det.':
    'What a shop, a till system or another connection calls it (externalId in the API). Empty when none does.',
};
