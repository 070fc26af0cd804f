export const operationsInSwedish: Readonly<Record<string, string>> = {
  'Ask this first: any key may. It tells what the key may do, which fiscal years there are and to which day the books are locked.':
    'Fråga det här först: varje nyckel får. Svaret säger vad nyckeln får göra, vilka räkenskapsår som finns och till vilken dag böckerna är låsta.',
  'Vouchers never change. Read them all once, page by page, and GET /api/v1/handelser then tells of each new one.':
    'Verifikat ändras aldrig. Läs alla en gång, sida för sida, så berättar GET /api/v1/handelser sedan om varje nytt.',
  'Ask before posting on another day than today, or show people which days there are to choose from.':
    'Fråga innan ni bokför på en annan dag än i dag, eller visa vilka dagar det finns att välja på.',
  'Ask by the numbers or by SHA-256 of the bytes that were sent, after a timeout or as a check at night. Answers say nothing about what others have sent.':
    'Fråga med numren eller med SHA-256 av de byte som skickades, efter en timeout eller som en kontroll om natten. Svaren säger inget om vad andra har skickat.',
  'Rows come by file or by API and are each there once. What is asked for can change with time: a row gets its voucher, and may lose it. A copy is kept up to date by updatedSince, as of the other lists.':
    'Rader kommer ur filer eller genom API:et och finns var och en en gång. Det som svaret säger kan ändras: en rad får sitt verifikat, och kan mista det. En kopia hålls aktuell med updatedSince, som av de andra listorna.',
  'Each payout once, with the voucher that books it and whether the payout has come to the bank.':
    'Varje utbetalning en gång, med verifikatet som bokför den och om utbetalningen har kommit till banken.',
  'What a dashboard shows: result, margin, liquidity, receivables and payables, in whole kronor without VAT. Read as of now, in one snapshot.':
    'Det som en instrumentpanel visar: resultat, marginal, likviditet, fordringar och skulder, i hela kronor utan moms. Läst nu, ur en och samma ögonblicksbild.',
  'Every month from that of the first voucher through this one, those without vouchers too.':
    'Varje månad från det första verifikatets till och med den här, också de som inte har verifikat.',
  'Income of the days asked for, and the invoices that were booked on each.':
    'De efterfrågade dagarnas intäkter, och fakturorna som bokfördes på var och en.',
  'Every event comes once, in an order that holds, whether or not there are webhooks. Keep next_cursor and send it next time: then nothing is lost and nothing repeated.':
    'Varje händelse kommer en gång, i en ordning som håller, med eller utan webhookar. Spara next_cursor och skicka med den nästa gång: då går inget förlorat och inget upprepas.',
  'The agency key is good for nothing else. A new token can be had at any time, and the old one is valid until it expires.':
    'Byrånyckeln duger inte till något annat. En ny token går att få när som helst, och den gamla gäller tills den går ut.',
  'One row a client, to tell at a glance where there is work to do.':
    'En rad per klient, för att se med en blick var det finns arbete.',
  'What calls that write refer to. A copy is kept up to date by asking for what has changed since. What has been used stays when it is no longer used; of what was never used and is removed, the event record.removed tells.':
    'Det som anrop som skriver hänvisar till. En kopia hålls aktuell genom att fråga efter det som ändrats. Det som har använts finns kvar när det inte längre används; om det som aldrig använts och tas bort berättar händelsen record.removed.',
  'Drafts and booked ones, with what remains to be paid. A draft can change and be removed, which the event record.removed tells; what is booked can only be paid or credited.':
    'Utkast och bokförda, med det som återstår att betala. Ett utkast kan ändras och tas bort, vilket händelsen record.removed berättar; det som är bokfört kan bara betalas eller krediteras.',
  'In the same form as in the list.': 'I samma form som i listan.',
  'The id, as a list or an event gives it': 'Id:t, som en lista eller en händelse anger det',
  'Only of this bank account': 'Bara av det bankkontot',
  'Only of this payment provider': 'Bara av den betaltjänsten',
  'Only the settlement of this name': 'Bara avräkningen med det namnet',
  'Its own alone: what other keys and people have proposed is not told. Ask by status for those that wait.':
    'Bara de egna: det som andra nycklar och människor har föreslagit sägs inte. Fråga efter status för att få dem som väntar.',
  'What waits can be decided at any time by a person, so ask again; nothing here can approve it.':
    'Det som väntar kan en människa besluta om när som helst, så fråga igen; ingenting här kan godkänna det.',
  'Only proposals in that state': 'Bara förslag i det läget',
  'The id of the proposal': 'Förslagets id',
};
