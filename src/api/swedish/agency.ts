export const agencyInSwedish: Readonly<Record<string, string>> = {
  'The form of the answer, 1; never lowered': 'Svarets form, 1; sänks aldrig',
  'The number of the latest migration; never lowered, 0 means unknown':
    'Numret på den senaste migreringen; sänks aldrig, 0 betyder okänt',
  'The present month, YYYYMM': 'Månaden som pågår, ÅÅÅÅMM',
  'Invoice drafts, supplier invoices to decide on, and stopped orders':
    'Fakturautkast, leverantörsfakturor att ta ställning till och stoppade order',
  'Vouchers that lack a document': 'Verifikat som saknar underlag',
  'Bank transactions without a voucher': 'Banktransaktioner utan verifikat',
  'Date of the latest voucher; null when there is none':
    'Senaste verifikationsdatum; null utan verifikat',
  'The next day that VAT is to be filed and paid': 'Nästa dag då moms ska deklareras och betalas',
  'First day of the month': 'Månadens första dag',
  'First day of the month whose turn it is': 'Första dagen i den månad som står på tur',
  'Some condition remains': 'Något villkor återstår',
  'Nothing hinders signing the month off': 'Inget hindrar att månaden kvitteras',
  'The conditions that remain': 'Villkoren som återstår',
  'Months that have ended and are not signed off': 'Avslutade månader som inte är kvitterade',
  'The state of the books now': 'Läget i bokföringen nu',
  Seconds: 'Sekunder',
  'Unix time in seconds': 'Unixtid i sekunder',
  'Reads the aggregate': 'Läser aggregatet',
  'The name of the agency': 'Byråns namn',
  'Valid until it expires or the client withdraws the access':
    'Gäller tills den går ut eller klienten drar in åtkomsten',
  'Exchange the agency key for a token that is valid for an hour':
    'Byt byrånyckeln mot en token som gäller en timme',
  'The state of the books, without amounts, counterparties and vouchers':
    'Läget i bokföringen, utan belopp, motparter och verifikat',
};
