export const ordersInSwedish: Readonly<Record<string, string>> = {
  'The order had been received already': 'Ordern var redan mottagen',
  'The order is an invoice draft': 'Ordern är ett fakturautkast',
  'The number that the shop has for the order; can never become two invoices':
    'Butikens eget ordernummer; kan aldrig bli två fakturor',
  'What the customer paid including VAT; required when pricesIncludeVat is true':
    'Vad kunden betalade inklusive moms; krävs när pricesIncludeVat är true',
  'Street address; the customer register fills gaps': 'Gatuadress; kundregistret fyller luckor',
  'As the order is calculated': 'Som ordern räknas',
  'As some shops calculate': 'Så som en del butiker räknar',
  'total minus the rows with VAT rounded per VAT rate':
    'total minus raderna med momsen avrundad per momssats',
  'Where the amounts differ when the rows do not come to total':
    'Var ören skiljer när raderna inte blir total',
  'The order is safely stored and waits to be judged': 'Ordern är säkrad och väntar på att prövas',
  'Received; ask /api/inbound/avstamning afterwards':
    'Mottagen; fråga sedan /api/inbound/avstamning',
  'Received, not judged yet': 'Mottagen, inte prövad än',
  'Became an invoice draft, which may be booked by now':
    'Blev ett fakturautkast, som nu kan vara bokfört',
  'Stored with its reason; a person sees it': 'Lagrad med sin orsak; en människa ser den',
  'The key has sent no such order': 'Nyckeln har inte skickat någon sådan order',
  'One entry for each question, in the order of the questions':
    'En post för varje fråga, i frågornas ordning',
  'The order is stored; a person sees it in the order inbox':
    'Ordern är sparad; en människa ser den i orderinkorgen',
  'Receive an order': 'Ta emot en order',
  'Answers when the order has become an invoice draft or has been stored with its reason. The same externalId never becomes two invoices; it is compared without white space around it and in Unicode form NFC. Prefer: respond-async answers 202 at once; ask /api/inbound/avstamning afterwards. Unknown fields are read past. A refund has no call of its own. Sent as an order of a negative amount, with an externalId of its own, the answer is 422 negative_total: it lies in the order inbox until a person has credited the invoice, and the credit note is told of as invoice.booked with kind credit_note. Under the externalId of the order itself the answer is duplicate: true, and nothing is credited. A return is deducted from another order by a negative quantity, as long as total does not go below zero.':
    'Svarar när ordern har blivit ett fakturautkast eller lagrats med sin orsak. Samma externalId blir aldrig två fakturor; det jämförs utan blanktecken runt om och i Unicodeformen NFC. Prefer: respond-async svarar 202 direkt; fråga sedan /api/inbound/avstamning. Okända fält läses förbi. En återbetalning har inget eget anrop. Skickas den som en order på minusbelopp, med ett externalId för sig, blir svaret 422 negative_total: den ligger i orderinkorgen tills en människa har krediterat fakturan, och kreditfakturan meddelas som invoice.booked med kind credit_note. Under orderns eget externalId blir svaret duplicate: true, och ingenting krediteras. En retur dras av på en annan order med negativ quantity, så länge total inte blir under noll.',
  'respond-async: answer 202 without waiting for the outcome':
    'respond-async: svara 202 utan att vänta på utfallet',
  'What became of the orders? Answers for those that the same key has sent':
    'Vad blev det av orderna? Svarar för dem som samma nyckel har skickat',
  'Per cent: 25, 12, 6, 0': 'Procent: 25, 12, 6 eller 0',
  'Discount in per cent of quantity × unit price, 0–100 with at most two decimals; total is after it':
    'Rabatt i procent på antal × à-pris, 0–100 med högst två decimaler; total är efter den',
};
