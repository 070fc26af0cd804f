export const tillReportsInSwedish: Readonly<Record<string, string>> = {
  '25, 12, 6 or 0': '25, 12, 6 eller 0',
  'In SEK with VAT; zero or more': 'I kronor med moms; noll eller mer',
  'The VAT of it as the till has it, checked and not booked: at most half an `öre` a receipt from what amount contains, which needs receiptCount':
    'Momsen i det enligt kassan, som kontrolleras och inte bokförs: högst ett halvt öre per kvitto från det som amount innehåller, vilket kräver receiptCount',
  'What was sold, or brought back, at one VAT rate':
    'Vad som såldes, eller lämnades tillbaka, till en momssats',
  "The till's designation (kassabeteckning); compared without white space around it and whatever the case":
    'Kassabeteckningen; jämförs utan mellanrum runt om och oavsett stora och små bokstäver',
  'The number of the Z report; once for each till': 'Z-rapportens nummer; en gång för varje kassa',
  'The day of sales, and of the voucher': 'Försäljningsdagen, och verifikatets datum',
  'How many receipts the sums are of; bounds rounding and vat':
    'Hur många kvitton summorna är av; begränsar rounding och vat',
  'By VAT rate, before returns': 'Per momssats, före returer',
  'What was brought back, by VAT rate, above zero; taken off sales':
    'Vad som lämnades tillbaka, per momssats, över noll; dras av från försäljningen',
  'Gift cards of several uses that were sold: no sale and no VAT until redeemed':
    'Sålda presentkort för flera användningar: ingen försäljning och ingen moms förrän de löses in',
  'Paid beyond the sales for those who work there: no sale, no VAT':
    'Betalt utöver försäljningen till dem som arbetar där: ingen försäljning, ingen moms',
  'What cash payments were rounded by; above zero when more was paid':
    'Vad kontanta betalningar avrundades med; över noll när mer betalades',
  'As the company has named it with its account: card, swish, cash, gift_card or bank unless changed':
    'Som företaget har kallat det, med dess konto: card, swish, cash, gift_card eller bank om inget är ändrat',
  'In SEK, less what was paid back by it; below zero when that was more':
    'I kronor, minus vad som betalades tillbaka på det sättet; under noll när det var mer',
  'By means of payment; come to sales less returns, gift cards, tips and rounding, to the `öre`. Redeemed gift cards are the means gift_card':
    'Per betalsätt; blir försäljning minus returer, presentkort, dricks och öresavrundning, på öret. Inlösta presentkort är betalsättet gift_card',
  'What it was against, as the company has named it with its account: bank':
    'Vad det var mot, som företaget har kallat det med dess konto: bank',
  'In SEK; above zero into the till, below zero out of it':
    'I kronor; över noll in i kassan, under noll ut ur den',
  'What it was, for the row of the voucher': 'Vad det var, till verifikatets rad',
  'Cash that came to the till or left it otherwise than by sales':
    'Kontanter som kom till kassan eller lämnade den på annat sätt än genom försäljning',
  'A report of that till and number was received before':
    'En rapport från den kassan med det numret har mottagits förut',
  "A till's Z report: what it has sold since the one before, by VAT rate and by means":
    'En kassas Z-rapport: vad den har sålt sedan den förra, per momssats och per betalsätt',
  'The report is kept': 'Rapporten är sparad',
  'The report is kept, so that a person sees it: not with dryRun':
    'Rapporten är sparad, så att en människa ser den: inte med dryRun',
  "Tills' Z reports, by till and number": 'Kassors Z-rapporter, per kassa och nummer',
  'When tillReports were asked for': 'När det frågades om tillReports',
  'Kept, not judged yet': 'Sparad, inte prövad än',
  'A voucher, or nothing to book': 'Ett verifikat, eller inget att bokföra',
  'Kept with its reason; a person sees it': 'Sparad med sin orsak; en människa ser den',
  'A person has said that it is not to be booked': 'En människa har sagt att den inte ska bokföras',
  'The key has sent no such report': 'Nyckeln har inte skickat någon sådan rapport',
  "Receive a till's Z report": 'Ta emot en kassas Z-rapport',
  'Becomes one voucher, whose document is the body as it came. VAT is calculated back by rate from sales less returns: net = gross − round(gross × rate ÷ (100 + rate)). `tillId` and `zNumber` together are booked once, whatever way they come: sent again the answer is `duplicate: true`, whatever the body. The answer tells nothing of what exists: a report that cannot be booked (a locked day, a means of payment without an account, another body of a number that is booked) is kept with its reason for a person. One whose own sums do not agree, or that cannot be read, is kept too and answered 422; send it mended under the same number. A number out of sequence is booked, and people are told which are missing. With ?dryRun=true its form and its sums are judged and nothing is kept.':
    'Blir ett verifikat, vars underlag är kroppen som den kom. Momsen räknas bakåt per sats ur försäljning minus returer: netto = brutto − avrundat(brutto × sats ÷ (100 + sats)). `tillId` och `zNumber` bokförs tillsammans en gång, vilken väg de än kommer: skickat igen blir svaret `duplicate: true`, vad kroppen än är. Svaret säger ingenting om vad som finns: en rapport som inte kan bokföras (en låst dag, ett betalsätt utan konto, ett annat innehåll i ett nummer som är bokfört) sparas med sin orsak för en människa. En vars egna summor inte går ihop, eller som inte går att läsa, sparas också och besvaras med 422; skicka den rättad under samma nummer. Ett nummer som inte följer på det förra bokförs, och människor får veta vilka som saknas. Med ?dryRun=true bedöms formen och summorna, och inget sparas.',
};
