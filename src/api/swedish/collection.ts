export const collectionInSwedish: Readonly<Record<string, string>> = {
  'As on the invoice; null when none is given': 'Som på fakturan; null när ingen är angiven',
  'Without VAT, before discount': 'Utan moms, före rabatt',
  'Without VAT, after discount': 'Utan moms, efter rabatt',
  'Payments, and credit notes from the day they are effective':
    'Betalningar, och kreditfakturor från den dag de gäller',
  'Agreed rate': 'Avtalad ränta',
  'The reference rate with eight percentage points added':
    'Referensräntan med tillägg av åtta procentenheter',
  'From the due date, which was agreed in advance': 'Från förfallodagen, som var avtalad i förväg',
  'From 30 days after the invoice was sent': 'Från 30 dagar efter att fakturan sändes',
  'null when there is no right to interest': 'null när det inte finns någon rätt till ränta',
  'The creditor has judged the claim to be disputed': 'Borgenären har bedömt kravet som tvistigt',
  'Fetch the collection case of an overdue invoice':
    'Hämta inkassounderlaget för en förfallen faktura',
  'For whoever is logged in to the application; no API key opens it. All formats are made of one and the same case, whose SHA-256 stands in the header X-Case-Digest. 422 unprocessable when the invoice cannot be collected.':
    'För den som är inloggad i appen; ingen API-nyckel öppnar den. Alla format görs av ett och samma ärende, vars SHA-256 står i rubriken X-Case-Digest. 422 unprocessable när fakturan inte kan drivas in.',
  'pdf to attach, json by the schema, csv for spreadsheets':
    'pdf att bifoga, json enligt schemat, csv för kalkylblad',
  'The id of the invoice': 'Fakturans id',
  'The document': 'Dokumentet',
  'UTF-8 with BOM, semicolons and decimal commas; null is an empty cell. The first cell says what the row is, the others are in order: `case`: name of the field (as `debtor.name`) and value; `line`: rowNo, description, quantity, unit, unitPrice, discountPct, vatRatePct, lineAmount; `payment`: date, amount; `reminder`: reminderNo, sentDate, fee; `segment`: from, to, days, ratePct, balance, amount, or from, to and `okänd ränta` (no rate is known); `claim`: name, amount, currency. A text that a spreadsheet would have calculated (it begins with `=`, `@`, `+` or `-` and is no number or telephone number) has an apostrophe first; without that it is the text of the JSON, character by character.':
    'UTF-8 med BOM, semikolon och decimalkomma; null är en tom cell. Första cellen säger vad raden är, de övriga är i ordning: `case`: fältets namn (som `debtor.name`) och värde; `line`: rowNo, description, quantity, unit, unitPrice, discountPct, vatRatePct, lineAmount; `payment`: date, amount; `reminder`: reminderNo, sentDate, fee; `segment`: from, to, days, ratePct, balance, amount, eller from, to och `okänd ränta`; `claim`: namn, amount, currency. En text som ett kalkylblad hade räknat ut (den börjar med `=`, `@`, `+` eller `-` och är inget tal eller telefonnummer) har en apostrof först; tas den bort är texten tecken för tecken JSON:s.',
};
