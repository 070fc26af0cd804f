export const documentsInSwedish: Readonly<Record<string, string>> = {
  'With dryRun: the document can be handed in': 'Med dryRun: underlaget går att lämna',
  'SHA-256 of the content, hexadecimal': 'Innehållets SHA-256, hexadecimalt',
  Bytes: 'Byte',
  'By the content, whatever the file is called': 'Efter innehållet, vad filen än heter',
  'Waits in the inbox for its voucher': 'Väntar i inkorgen på sitt verifikat',
  'Lies on a voucher or a supplier invoice': 'Ligger på ett verifikat eller en leverantörsfaktura',
  'Put aside by somebody; kept': 'Undanlagt av någon; sparas',
  'The same content was here already; this is that document, as it was described then':
    'Samma innehåll fanns redan; det är det underlaget, som det beskrevs då',
  'List the documents of vouchers': 'Lista underlagen till verifikat',
  'What people have laid on the vouchers, and what the vouchers were made of: the bytes of orders and refunds, e-invoices as they came, and invoices as they were sent. Documents of staff (vouchers with a row on accounts 161, 221, 223, 27, 282, 291–295 and 70–76 of BAS) and of vouchers that people hold back are not there, and neither is what waits in the inbox. Those of an invoice or a purchase are found by its voucher_id. The event documents.changed tells when to ask again.':
    'Det som människor har lagt på verifikaten, och det som verifikaten gjordes av: ordrars och återbetalningars byte, e-fakturor som de kom och fakturor som de skickades. Personalens underlag (verifikat med en rad på BAS konton 161, 221, 223, 27, 282, 291–295 och 70–76) och de för verifikat som människor håller utanför är inte med, och inte heller det som väntar i inkorgen. En fakturas eller ett inköps underlag hittas med dess voucher_id. Händelsen documents.changed berättar när det är dags att fråga igen.',
  'The voucher; several as ?voucher=…&voucher=…, at most 100':
    'Verifikatet; flera som ?voucher=…&voucher=…, högst 100',
  'Documents a page, 100 when nothing is said': 'Underlag per sida, 100 när inget anges',
  'Laid on the voucher or the purchase by somebody, or sent within the e-invoice':
    'Lagt på verifikatet eller inköpet av någon, eller skickat i e-fakturan',
  'The order that the invoice was made of, as the shop sent it':
    'Ordern som fakturan gjordes av, som butiken skickade den',
  'The refund that the credit note was made of, as the shop sent it':
    'Återbetalningen som kreditfakturan gjordes av, som butiken skickade den',
  'The e-invoice as it came': 'E-fakturan som den kom',
  'The invoice as it was sent to the customer': 'Fakturan som den skickades till kunden',
  'The customer invoice that it belongs to': 'Kundfakturan som det hör till',
  'The purchase that it belongs to': 'Inköpet som det hör till',
  'Where the file is fetched': 'Där filen hämtas',
  'A page of documents, by voucher': 'En sida underlag, efter verifikat',
  'As in the list': 'Som i listan',
  'One range of bytes; without it the whole file': 'Ett intervall av byte; utan det hela filen',
  'The whole file': 'Hela filen',
  'The bytes that Range asks for': 'De byte som Range frågar efter',
  'Fetch the file of a document': 'Hämta ett underlags fil',
  'The file as it came, by an id of the list. Its bytes never change, so ETag is their SHA-256 and If-None-Match answers 304. One range of bytes (Range: bytes=0-1023) is answered by 206; any other range by the whole file.':
    'Filen som den kom, efter ett id ur listan. Dess byte ändras aldrig, så ETag är deras SHA-256 och If-None-Match svarar 304. Ett intervall av byte (Range: bytes=0-1023) besvaras med 206; andra intervall med hela filen.',
  'A document of a voucher that keys may read':
    'Ett underlag till ett verifikat som nycklar får läsa',
  'The document is stored': 'Underlaget är sparat',
  'Hand in a document to the inbox': 'Lämna ett underlag till inkorgen',
  'The body is the file as it is: PDF, PNG, JPEG, HEIC, XML, CSV or text in UTF-8, at most 10 MiB; its kind is decided by its content. Needs the header Idempotency-Key. The same content never becomes two documents. A person, or an unambiguous suggestion that a person accepts, puts the document on its voucher. With ?dryRun=true everything is checked and nothing is kept; whether the content had come before is then not told.':
    'Kroppen är filen som den är: PDF, PNG, JPEG, HEIC, XML, CSV eller text i UTF-8, högst 10 MiB; slaget avgörs av innehållet. Kräver rubriken Idempotency-Key. Samma innehåll blir aldrig två underlag. En människa, eller ett entydigt förslag som en människa godtar, lägger underlaget på sitt verifikat. Med ?dryRun=true prövas allt och inget sparas; om innehållet hade kommit förut sägs då inte.',
  'The file as it is, at most 10 MiB': 'Filen som den är, högst 10 MiB',
  'The name of the file. A day and an amount that stand in it need not be said':
    'Filens namn. Dag och belopp som står i det behöver inte sägas',
  'The day on the receipt or invoice': 'Dag på kvittot eller fakturan',
  'Amount with VAT, in kronor': 'Belopp med moms, i kronor',
  'Whom it comes from': 'Vem det kommer från',
};
