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
};
