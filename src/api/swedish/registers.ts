export const registersInSwedish: Readonly<Record<string, string>> = {
  'What another system calls it; no other of the register has the same':
    'Vad ett annat system kallar det; inget annat i registret har samma',
  'The one that another system calls so; several as ?externalId=…&externalId=…. Compared without white space around it and in Unicode form NFC':
    'Den som ett annat system kallar så; flera som ?externalId=…&externalId=…. Jämförs utan blanktecken runt om och i Unicodeformen NFC',
  'The credit note of the refund with that refundId; compared as when refunds are received':
    'Kreditfakturan av återbetalningen med det refundId; jämförs som när återbetalningar tas emot',
  Asset: 'Tillgång',
  Equity: 'Eget kapital',
  Liability: 'Skuld',
  Income: 'Intäkt',
  Expense: 'Kostnad',
  'The VAT code that rows on the account get when nothing else is said':
    'Momskoden som rader på kontot får när inget annat sägs',
  'VAT rate in per cent; null without VAT': 'Momssatsen i procent; null utan moms',
  'The field of the income tax return': 'Fältet i inkomstdeklarationen',
  'false when it is no longer used; what has been used is never removed':
    'false när det inte längre används; det som har använts tas aldrig bort',
  'When it was last changed': 'När det senast ändrades',
  'A page of accounts, by number': 'En sida konton, i nummerordning',
  'What an order row has in articleNumber': 'Det som en orderrad har i articleNumber',
  Goods: 'Vara',
  Service: 'Tjänst',
  'The income account, when the article has one of its own':
    'Intäktskontot, när artikeln har ett eget',
  'A page of articles, by number': 'En sida artiklar, i nummerordning',
  'What a customer invoice has in customerId': 'Det som en kundfaktura har i customerId',
  'Days until the due date, when they are agreed':
    'Dagar till förfallodagen, när de är överenskomna',
  'A page in order of id; shorter when they have thousands of rows':
    'En sida i id-ordning; kortare när de har tusentals rader',
  'Lessens what remains; below zero when money has gone back':
    'Minskar det som återstår; under noll när pengar gått tillbaka',
  Money: 'Pengar',
  'Rounding to whole kronor': 'Öresavrundning',
  'Bank fee': 'Bankavgift',
  'Exchange difference since the invoice': 'Valutakursdifferens sedan fakturan',
  'Confirmed loss on the customer': 'Konstaterad kundförlust',
  'Set off against another invoice': 'Kvittning mot en annan faktura',
  'The account that it came in on or went out from': 'Kontot som det kom in eller ut på',
  'In the currency of the invoice. Without VAT; with VAT on invoices of orders that had it':
    'I fakturans valuta. Utan moms; med moms på fakturor av order som hade det',
  'What the buyer pays in; amounts are in kronor where they do not say otherwise':
    'Det köparen betalar i; belopp är i kronor där de inte säger annat',
  'Kronor for one of the currency, as the invoice is booked; null in kronor':
    'Kronor för en av valutan, som fakturan är bokförd; null i kronor',
  'total_amount in the currency of the invoice; null in kronor':
    'total_amount i fakturans valuta; null i kronor',
  'The EU country whose VAT it is, filed in the one stop shop; null for Sweden':
    'EU-landet vars moms det är, som redovisas i One Stop Shop; null för Sverige',
  'Net in the currency; null in kronor': 'Netto i valutan; null i kronor',
  'VAT in the currency; null in kronor': 'Moms i valutan; null i kronor',
  'A page of customers': 'En sida kunder',
  'The buyer as the invoice has it': 'Köparen som den står på fakturan',
  'What a voucher row has in cost_center or project':
    'Det som en verifikatrad har i cost_center eller project',
  'Cost centre': 'Kostnadsställe',
  Project: 'Projekt',
  'A page of cost centres and projects': 'En sida kostnadsställen och projekt',
  'A page of fiscal years': 'En sida räkenskapsår',
  'A draft without number, which can be changed and removed':
    'Ett utkast utan nummer, som kan ändras och tas bort',
  'Booked, and something remains to be paid': 'Bokförd, och något återstår att betala',
  'Nothing remains to be paid': 'Inget återstår att betala',
  'Out of an order': 'Ur en order',
  'By a key': 'Med en nyckel',
  'Written by a person': 'Skriven av en person',
  'Taken over when the books began here': 'Tagen över när böckerna började här',
  'externalId of the order, as it came': 'Orderns externalId, som den kom',
  'The invoice that a credit note takes back': 'Fakturan som en kreditfaktura tar tillbaka',
  'Rounding to whole kronor, which is part of total_amount':
    'Öresavrundning, som ingår i total_amount',
  'Reminder fees that still stand': 'Påminnelseavgifter som står kvar',
  'Sum of payments': 'Summan av payments',
  'Sum of booked credit notes': 'Summan av bokförda kreditfakturor',
  'total_amount + fees_amount − paid_amount − credited_amount; 0 for drafts and credit notes':
    'total_amount + fees_amount − paid_amount − credited_amount; 0 för utkast och kreditfakturor',
  'When any of this was last changed': 'När något av det här senast ändrades',
  'The customer invoice with rows and payments': 'Kundfakturan med rader och betalningar',
  'In the inbox, ready to be booked': 'I inkorgen, redo att bokföras',
  'In the inbox, waiting for a person': 'I inkorgen, väntar på en person',
  Booked: 'Bokförd',
  Rejected: 'Avvisad',
  'An e-invoice': 'En e-faktura',
  'An outlay': 'Ett utlägg',
  'The currency of the amounts; payments and remaining_amount are in kronor':
    'Beloppens valuta; payments och remaining_amount är i kronor',
  'To pay, as the invoice says; that of a credit note is above zero':
    'Att betala, som fakturan säger; en kreditfakturas är över noll',
  'What was booked as a debt − paid_amount; below zero when the supplier owes':
    'Det som bokfördes som skuld − paid_amount; under noll när leverantören är skyldig',
  'Why it was rejected': 'Varför den avvisades',
  'As it was booked; empty until then': 'Som den bokfördes; tom till dess',
  'The purchase with rows and payments': 'Inköpet med rader och betalningar',
  'The seller as the invoice has it': 'Säljaren som den står på fakturan',
  'What a voucher has in seriesCode': 'Det som ett verifikat har i seriesCode',
  'The fiscal year, as in rakenskapsar': 'Räkenskapsåret, som i rakenskapsar',
  'The latest number of the series; 0 when it is empty': 'Seriens senaste nummer; 0 när den är tom',
  'A page of series': 'En sida serier',
  'The address in Peppol, as 0007:5560360793': 'Adressen i Peppol, som 0007:5560360793',
  'The cost account that is suggested': 'Kostnadskontot som föreslås',
  'A page of suppliers': 'En sida leverantörer',
  'Read the chart of accounts': 'Läs kontoplanen',
  'Entries a page': 'Poster per sida',
  'Only those that changed then or later. A copy that is to lose nothing sends updated_since of handelser':
    'Bara de som ändrades då eller senare. En kopia som inte ska förlora något skickar updated_since från handelser',
  'Only those that are used, or only those that no longer are':
    'Bara de som används, eller bara de som inte gör det längre',
  'ETag of the answer that you have: when it is the same, the answer is 304 without a body':
    'ETag av svaret som finns: är det samma blir svaret 304 utan kropp',
  'The answer is the one that If-None-Match has': 'Svaret är det som If-None-Match har',
  'Read cost centres and projects': 'Läs kostnadsställen och projekt',
  'Read the articles': 'Läs artiklarna',
  'Read the customers': 'Läs kunderna',
  'Read the suppliers': 'Läs leverantörerna',
  'Read the voucher series of the fiscal years': 'Läs räkenskapsårens verifikatserier',
  'Read the fiscal years': 'Läs räkenskapsåren',
  'Read customer invoices with rows and payments': 'Läs kundfakturor med rader och betalningar',
  'Several as ?status=…&status=…': 'Flera som ?status=…&status=…',
  'The id of the customer': 'Kundens id',
  'The invoice of the order with that externalId; compared as when orders are received':
    'Fakturan av ordern med det externalId; jämförs som när order tas emot',
  'Read one customer invoice with rows and payments':
    'Läs en kundfaktura med rader och betalningar',
  'Read supplier invoices and outlays with rows and payments':
    'Läs leverantörsfakturor och utlägg med rader och betalningar',
  'The id of the supplier': 'Leverantörens id',
  'The number that the supplier has for the invoice, exactly as it stands':
    'Leverantörens fakturanummer, precis som det står',
  'Read one supplier invoice or outlay with rows and payments':
    'Läs en leverantörsfaktura eller ett utlägg med rader och betalningar',
  'Only this one; several as ?id=…&id=…, at most 100':
    'Bara den här; flera som ?id=…&id=…, högst 100',
  'refundId of the refund that the credit note was made of, as it came':
    'refundId för återbetalningen som kreditfakturan blev till av, som det kom',
  'A credit note of the invoice': 'En kreditfaktura på fakturan',
  'Booked credit notes of the invoice, by number':
    'Fakturans bokförda kreditfakturor, efter nummer',
};
