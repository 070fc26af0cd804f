export const invoicesInSwedish: Readonly<Record<string, string>> = {
  'A draft': 'Ett utkast',
  'A booked invoice': 'En bokförd faktura',
  'A booked invoice of zero kronor': 'En bokförd faktura på noll kronor',
  'What the invoice would have become': 'Vad fakturan hade blivit',
  'A draft without number': 'Ett utkast utan nummer',
  'Has number, OCR reference and voucher': 'Har nummer, OCR och verifikat',
  'Nothing remains to be paid; so also a booked invoice of zero kronor':
    'Inget återstår att betala; så också en bokförd faktura på noll kronor',
  'The invoice as it is stored': 'Fakturan som den är sparad',
  'The draft that is left when only its booking was hindered':
    'Utkastet som finns kvar när bara bokföringen hindrades',
  'The reference of the customer': 'Kundens referens',
  'Free text on the invoice': 'Fri text på fakturan',
  'true books at once, otherwise it becomes a draft':
    'true bokför direkt, annars blir det ett utkast',
  'At most four decimals, not 0; minus for a deduction':
    'Högst fyra decimaler, inte 0; minus för rabatt',
  'Kronor without VAT, at most four decimals': 'Kronor utan moms, högst fyra decimaler',
  'Per cent; must be the VAT rate of the income account':
    'Procent; ska vara intäktskontots momssats',
  'An active income account': 'Aktivt intäktskonto',
  'What the quantity is counted in, for example tim': 'Vad antalet räknas i, till exempel tim',
  'Discount in per cent of quantity × unit price, 0–100 with at most two decimals':
    'Rabatt i procent på antal × à-pris, 0–100 med högst två decimaler',
  'Create an invoice draft, and book it if book is true':
    'Skapa ett fakturautkast, och bokför det om book är true',
  'Needs the header Idempotency-Key (8–255 characters). A lock stops the booking, not the draft: the answer is then 422 with detail.lock and detail.invoice_id, and the same key gets the same answer. With ?dryRun=true everything is checked and nothing is written.':
    'Kräver rubriken Idempotency-Key (8–255 tecken). Ett lås stoppar bokföringen, inte utkastet: svaret är då 422 med detail.lock och detail.invoice_id, och samma nyckel ger samma svar. Med ?dryRun=true prövas allt och inget skrivs.',
  'Fetch a booked invoice or credit note as an e-invoice':
    'Hämta en bokförd faktura eller kreditfaktura som e-faktura',
  'Peppol BIS Billing 3, held against every rule before it is handed out: 422 says which one the invoice would break, or what the receiver must be told and nobody has said. The event invoice.booked tells when there is one to send; Huvudbok does not send it.':
    'Peppol BIS Billing 3, prövad mot alla regler innan den lämnas ut: 422 säger vilken fakturan skulle bryta mot, eller vad mottagaren måste få veta som ingen har sagt. Händelsen invoice.booked säger när det finns en att sända; Huvudbok sänder den inte.',
  'The address of the receiver in Peppol, for example 0088:7300010000001, when it is another than 0007 and the organisation number of the buyer':
    'Mottagarens adress i Peppol, till exempel 0088:7300010000001, när den är en annan än 0007 och köparens organisationsnummer',
  'The reference that the receiver wants, when it is another than your_reference':
    'Den referens som mottagaren vill ha, när den är en annan än your_reference',
  'UBL 2.1 in UTF-8, without an envelope': 'UBL 2.1 i UTF-8, utan kuvert',
  'An Invoice or a CreditNote': 'En Invoice eller en CreditNote',
};
