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
  'With VAT': 'Med moms',
  'How many receipts the sums are of': 'Hur många kvitton summorna är av',
  'What was brought back, by VAT rate, above zero':
    'Vad som lämnades tillbaka, per momssats, över noll',
  'Sales less returns, with VAT': 'Försäljning minus returer, med moms',
  'The VAT in it, as it is booked': 'Momsen i det, som den bokförs',
  'By VAT rate, the highest first': 'Per momssats, den högsta först',
  'Of cash; above zero when more was paid': 'Av kontanter; över noll när mer betalades',
  'The means, as the company has named it': 'Betalsättet, som företaget har kallat det',
  'Less what was paid back by it': 'Minus vad som betalades tillbaka på det sättet',
  'What it was against, as the company has named it':
    'Vad det var mot, som företaget har kallat det',
  'Above zero into the till, below zero out of it': 'Över noll in i kassan, under noll ut ur den',
  'The day of sales, when it could be read': 'Försäljningsdagen, när den gick att läsa',
  'Another body of the same till and number was booked in its place':
    'Ett annat innehåll av samma kassa och nummer bokfördes i dess ställe',
  'Why it is not booked': 'Varför den inte är bokförd',
  'What the report says; null when it cannot be read, or its own sums differ':
    'Vad rapporten säger; null när den inte går att läsa, eller dess egna summor inte går ihop',
  "A till's Z report, and what it became": 'En kassas Z-rapport, och vad den blev',
  'A page of reports, in the order they came': 'En sida rapporter, i den ordning de kom',
  'The till, however it is spelt: as when reports are received':
    'Kassan, hur den än stavas: som när rapporter tas emot',
  'The number of the Z report': 'Z-rapportens nummer',
  'The first day of sales, included': 'Första försäljningsdagen, inräknad',
  'The last day of sales, included': 'Sista försäljningsdagen, inräknad',
  "Read tills' Z reports and what they became": 'Läs kassors Z-rapporter och vad de blev',
  "Read one of tills' Z reports and what it became":
    'Läs en av kassors Z-rapporter och vad den blev',
  'Every body that has come, also those that wait for a person or were put aside: of a till and number at most one is booked. What a report says never changes, but what becomes of it does.':
    'Varje innehåll som har kommit, också de som väntar på en människa eller har lagts åt sidan: av en kassa och ett nummer är högst ett bokfört. Vad en rapport säger ändras aldrig, men vad som blir av den gör det.',
  'All that was sold at one VAT rate': 'Allt som såldes till en momssats',
  'What was paid by one means': 'Vad som betalades på ett sätt',
  'Cash into the till, or out of it': 'Kontanter in i kassan, eller ut ur den',
  'The sums of the report, as the till has them': 'Rapportens summor, som kassan har dem',
};
