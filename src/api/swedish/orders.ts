export const ordersInSwedish: Readonly<Record<string, string>> = {
  'true of a gift card of several uses, with vatRate 0: a debt until it is redeemed, when it is a payment by gift_card. One whose goods and rate are known is sold as they are':
    'true för ett presentkort till flera slags köp, med vatRate 0: en skuld tills det löses in, då det är en betalning med gift_card. Ett vars vara och momssats är kända säljs som den',
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
  'With duplicate: the fields, at the top, in which this is another than what the same key sent first. The invoice is as the first; nothing of this is kept':
    'Med duplicate: de fält på översta nivån som skiljer sig från det som samma nyckel skickade först. Fakturan är som den första; av det här sparas ingenting',
  'One entry for each question, in the order of the questions':
    'En post för varje fråga, i frågornas ordning',
  'The order is stored, so that a person sees it in the order inbox: not with dryRun':
    'Ordern är sparad, så att en människa ser den i orderinkorgen: inte med dryRun',
  'Left out with dryRun': 'Saknas med dryRun',
  'With dryRun: it would become an invoice draft, nothing is kept':
    'Med dryRun: den skulle bli ett fakturautkast, inget är sparat',
  'What is booked as rounding, so that the sum is what was paid':
    'Vad som bokförs som öresutjämning, så att summan är det som betalades',
  'Nothing that stops it, but worth a look before it is booked':
    'Inget som hindrar, men värt en blick innan den bokförs',
  'With dryRun: it can be read, nothing is kept': 'Med dryRun: den går att läsa, inget är sparat',
  'Receive an order': 'Ta emot en order',
  'Answers when the order has become an invoice draft or has been stored with its reason. The same externalId never becomes two invoices; it is compared without white space around it and in Unicode form NFC. Sent again with other content once it has its invoice, it changes nothing: the answer is duplicate: true, and differingFields names what is another than in the order that the invoice was made of. Prefer: respond-async answers 202 at once; ask /api/inbound/avstamning afterwards. Unknown fields are read past. A refund is sent to /api/inbound/aterbetalning. Sent as an order of a negative amount, with an externalId of its own, the answer is 422 negative_total: it lies in the order inbox until a person has credited the invoice. Under the externalId of the order itself the answer is duplicate: true, and nothing is credited. A return is deducted from another order by a negative quantity, as long as total does not go below zero. With ?dryRun=true the order is judged as if it were the first of its number, and nothing is kept.':
    'Svarar när ordern har blivit ett fakturautkast eller lagrats med sin orsak. Samma externalId blir aldrig två fakturor; det jämförs utan blanktecken runt om och i Unicodeformen NFC. Skickas ordern igen med annat innehåll när den har sin faktura ändras ingenting: svaret är duplicate: true, och differingFields räknar upp vad som skiljer sig från den order som fakturan gjordes av. Prefer: respond-async svarar 202 direkt; fråga sedan /api/inbound/avstamning. Okända fält läses förbi. En återbetalning skickas till /api/inbound/aterbetalning. Skickas den som en order på minusbelopp, med ett externalId för sig, blir svaret 422 negative_total: den ligger i orderinkorgen tills en människa har krediterat fakturan. Under orderns eget externalId blir svaret duplicate: true, och ingenting krediteras. En retur dras av på en annan order med negativ quantity, så länge total inte blir under noll. Med ?dryRun=true bedöms ordern som om den vore den första med sitt nummer, och inget sparas.',
  'respond-async: answer 202 without waiting for the outcome':
    'respond-async: svara 202 utan att vänta på utfallet',
  'What became of the orders? Answers for those that the same key has sent':
    'Vad blev det av orderna? Svarar för dem som samma nyckel har skickat',
  'Per cent: 25, 12, 6, 0; where the company has switched OSS on also that of another EU country, as 25.5':
    'Procent: 25, 12, 6 eller 0; när företaget har slagit på OSS också ett annat EU-lands, som 25.5',
  "Whose VAT vatRate is, where the company has switched OSS on: SE or another EU country. Left out: by the buyer's country and the rate":
    'Vems moms vatRate är, när företaget har slagit på OSS: SE eller ett annat EU-land. Utelämnat: efter köparens land och satsen',
  'SEK, or another (EUR, NOK, USD …) where the company has switched OSS on':
    'SEK, eller en annan (EUR, NOK, USD …) när företaget har slagit på OSS',
  'Kronor for one of the currency, at most six decimals: what the order is booked at. Required in other currencies than SEK':
    'Kronor för en av valutan, högst sex decimaler: det som ordern bokförs till. Krävs i andra valutor än SEK',
  "The order's currency, which amounts are in also when it is left out":
    'Orderns valuta, som beloppen är i också när den utelämnas',
  'Discount in per cent of quantity × unit price, 0–100 with at most two decimals; total is after it':
    'Rabatt i procent på antal × à-pris, 0–100 med högst två decimaler; total är efter den',
  'Refunds, by the numbers they were sent with': 'Återbetalningar, med numren de skickades med',
  "The order's": 'Orderns',
  'Kept; also while its order was not sent by the same key':
    'Sparad; också när en annan nyckel har skickat ordern',
  'A credit note, draft or booked': 'En kreditfaktura, utkast eller bokförd',
  'Waits with its reason, for a person or for its order':
    'Väntar med sin orsak, på en människa eller på sin order',
  'Never sent by this key': 'Aldrig skickad med den här nyckeln',
  'The credit note': 'Kreditfakturan',
  'When refundIds were asked for; a number sent for several orders has one each':
    'När refundIds efterfrågades; ett nummer som skickats för flera order har en post för varje',
  'What the shop calls the customer. A customer of the register that is called so is found by it before any number':
    'Vad butiken kallar kunden. En kund i registret som kallas så hittas på det före alla nummer',
  "The order's externalId, as it was sent": 'Orderns externalId, som det skickades',
  "The shop's own number of the refund; credits once, so it may not repeat between orders":
    'Butikens eget nummer på återbetalningen; det krediterar en gång, så det får inte återkomma mellan order',
  "The day of the credit note; not before the order's": 'Kreditfakturans dag; inte före orderns',
  'With VAT, in the currency of the order. Leave out both amount and rows to refund everything that remains':
    'Med moms, i orderns valuta. Utelämna både amount och rows för att betala tillbaka allt som är kvar',
  "Taken of the order's rows with that article, in their order":
    'Tas av orderns rader med den artikeln, i deras ordning',
  'A row of the order, 1 for the first; wins over articleNumber':
    'En rad i ordern, 1 för den första; går före articleNumber',
  'How many come back; above zero': 'Hur många som kommer tillbaka; mer än noll',
  'Not together with amount': 'Inte tillsammans med amount',
  'That refund of that order was received before':
    'Den återbetalningen av den ordern är redan mottagen',
  'The refund is kept': 'Återbetalningen är sparad',
  'Something is missing or mistyped': 'Något saknas eller är felskrivet',
  'The refund is kept, so that a person sees it in the order inbox: not with dryRun':
    'Återbetalningen är sparad, så att en människa ser den i orderinkorgen: inte med dryRun',
  'Receive a refund of an order': 'Ta emot en återbetalning av en order',
  "Becomes a credit note of the order's invoice: everything that remains of it, unless `amount` (with VAT, shared by VAT rate in proportion to what remains) or `rows` says how much. A draft, booked when the company books orders automatically. `refundId` credits once: sent again for the same order the answer is `duplicate: true`, whatever the body (`differingFields` names what is another than in the one that was credited, where the same key sent it and its order), and several partial refunds each have a number of their own. The answer tells nothing of what exists: a refund of an order that is unknown here, is not booked yet, or has less left, is kept with its reason for a person, and one that came before its order's invoice was booked is tried again by itself when it is. `/api/inbound/avstamning` with `refundIds` tells what became of refunds whose order the same key sent. With ?dryRun=true its form is judged and nothing is kept.":
    'Blir en kreditfaktura av orderns faktura: allt som är kvar av den, om inte `amount` (med moms, fördelat på momssatserna i proportion till vad som är kvar) eller `rows` säger hur mycket. Ett utkast, som bokförs när företaget bokför order automatiskt. `refundId` krediterar en gång: skickat igen för samma order blir svaret `duplicate: true`, vad kroppen än är (`differingFields` räknar upp vad som skiljer sig från den som krediterades, när samma nyckel har skickat både den och dess order), och flera delåterbetalningar har var sitt nummer. Svaret säger ingenting om vad som finns: en återbetalning av en order som är okänd här, inte är bokförd än eller har mindre kvar sparas med sin orsak för en människa, och en som kom innan orderns faktura bokfördes prövas igen av sig själv när den gör det. `/api/inbound/avstamning` med `refundIds` säger vad det blev av återbetalningar vars order samma nyckel har skickat. Med ?dryRun=true bedöms formen, och inget sparas.',
  'What has been paid, by several means; must come to the total and the tip. Settles the invoice as it is booked':
    'Vad som har betalats, på flera sätt; ska bli totalen och dricksen. Reglerar fakturan när den bokförs',
  'Paid beyond the total for those who work there: no sale, no VAT, and no row. A part of payments, without which it is read past':
    'Betalt utöver totalen till dem som arbetar där: ingen försäljning, ingen moms och ingen rad. En del av payments, utan vilket det läses förbi',
  'As the company has named it with its account: card, klarna, paypal, swish, bank, cash or gift_card unless changed':
    'Som företaget har kallat det, med dess konto: card, klarna, paypal, swish, bank, cash eller gift_card om inget är ändrat',
  'In the currency of the order; above zero': 'I orderns valuta; mer än noll',
  'Left out: the day of the order or refund': 'Utelämnat: orderns eller återbetalningens dag',
  "The provider's number of it, say": 'Till exempel betalföretagets nummer på den',
  'What was paid back, by several means; must come to what is credited and the tip. Booked with the credit note':
    'Vad som betalades tillbaka, på flera sätt; ska bli det som krediteras och dricksen. Bokförs med kreditfakturan',
  "What of payments gave back the order's tip: no part of amount, no VAT, and no row of the credit note. Without payments it is read past":
    'Vad av payments som gav tillbaka orderns dricks: ingen del av amount, ingen moms och ingen rad i kreditfakturan. Utan payments läses det förbi',
  'Kept, and waits to be judged': 'Sparad, och väntar på att prövas',
  'One for each order, in the order they came': 'Ett för varje order, i samma ordning',
  'What became of each order': 'Vad det blev av varje order',
  'Receive up to 1 000 orders in one call': 'Ta emot upp till 1 000 order i ett anrop',
  'A JSON array, or one order a line (application/x-ndjson), at most 4 MB and each order 1 MB. Every order is kept, judged and answered in its place as POST /api/inbound/order would have answered it; the answer as a whole is 200. An order that is kept with a reason has status 422 and detail.stored, and is not sent again unchanged; 503 processing_delayed is kept too, and its result is given when it is sent again. With Prefer: respond-async each is answered 202 as soon as it is kept. Counts as one call, and one more for each 100 orders. With ?dryRun=true each is judged as if it were the first of its number, and nothing is kept.':
    'En JSON-lista, eller en order per rad (application/x-ndjson), högst 4 MB och varje order 1 MB. Varje order sparas, prövas och besvaras på sin plats som POST /api/inbound/order hade svarat; svaret som helhet är 200. En order som sparats med en orsak har status 422 och detail.stored, och skickas inte igen oförändrad; 503 processing_delayed är också sparad, och utfallet ges när den skickas igen. Med Prefer: respond-async besvaras var och en med 202 så snart den är sparad. Räknas som ett anrop, och ett till för varje 100 order. Med ?dryRun=true bedöms var och en som om den vore den första med sitt nummer, och inget sparas.',
  'A payment of an order, or what a refund paid back':
    'En betalning av en order, eller det som en återbetalning betalade tillbaka',
};
