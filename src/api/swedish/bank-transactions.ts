export const bankTransactionsInSwedish: Readonly<Record<string, string>> = {
  'When it came, got its voucher, lost it or was detailed':
    'När den kom, fick sitt verifikat, förlorade det eller fick sina betalningar utskrivna',
  'With dryRun: what would be taken in, nothing is written':
    'Med dryRun: vad som skulle tas in, inget är skrivet',
  'The first of references': 'Den första av references',
  'OCR and other references to the recipient': 'OCR och andra referenser till mottagaren',
  'Why a payment came back': 'Varför en betalning kom tillbaka',
  'Whether a voucher books the row': 'Om ett verifikat bokför raden',
  'When the row came here': 'När raden kom hit',
  'A page of bank rows, by date': 'En sida bankrader i datumordning',
  'When equalRows must be said: the days, and how many rows may exist already':
    'När equalRows måste sägas: dagarna, och hur många rader som kan finnas redan',
  'With the sign of the row; left out when the bank does not say':
    'Med radens tecken; utelämnas när banken inte säger det',
  'OCR or other reference to the recipient': 'OCR eller annan referens till mottagaren',
  'The name that the payer gave the payment': 'Betalarens eget namn på betalningen',
  'The booking day of the bank': 'Bankens bokföringsdag',
  'Kronor; minus when money goes out': 'Kronor; minus när pengar går ut',
  'Reference of the bank; several rows may have the same':
    'Bankens referens; flera rader kan ha samma',
  'The id that the bank itself has for the row, the same each time it is fetched and never on another row. When all rows have it, there is never doubt about which exist':
    'Bankens eget id på raden, samma varje gång den hämtas och aldrig på en annan rad. När alla rader har det råder aldrig tvekan om vilka som finns',
  'The balance of the account after the row': 'Kontots saldo efter raden',
  'The payments of the row': 'Betalningarna i raden',
  'The account of the chart of accounts that the bank account has; either this or iban':
    'Kontot i kontoplanen som bankkontot har; antingen det eller iban',
  'First day; all rows of the bank from that day on are included':
    'Första dagen; alla bankens rader från och med den är med',
  'Last day; all rows of the bank through that day are included':
    'Sista dagen; alla bankens rader till och med den är med',
  'The balance before the oldest row': 'Saldot före den äldsta raden',
  'The balance after the newest row': 'Saldot efter den yngsta raden',
  'What equal rows are when nothing shows whether they exist already: known is the same rows, new is more of them. Not said until the answer asks for it':
    'Vad lika rader är när inget visar om de finns redan: known är samma rader, new är fler. Sägs först när svaret frågar efter det',
  'Oldest or newest first, as the bank has them; in order within each day':
    'Äldst eller nyast först, som banken har dem; i ordning inom varje dag',
  'As in the event bank.imported; null when no row was new':
    'Som i händelsen bank.imported; null när ingen rad var ny',
  'Rows that are new': 'Rader som är nya',
  'Rows that existed already': 'Rader som fanns redan',
  'As it was said, or follows from the rows': 'Som det sades eller följer av raderna',
  'All rows are there, each of them once': 'Alla rader är med, var och en gång',
  'Read rows of the bank with payments and vouchers, by date':
    'Läs bankens rader med betalningar och verifikat, i datumordning',
  'The account of the chart of accounts that the bank account has':
    'Bankkontots konto i kontoplanen',
  'Earliest booking day': 'Tidigaste bokföringsdag',
  'Latest booking day': 'Senaste bokföringsdag',
  'Only rows that a voucher books, or only others':
    'Bara rader som ett verifikat bokför, eller bara andra',
  'Rows a page': 'Rader per sida',
  'Hand in rows of the bank to a bank account': 'Lämna rader från banken till ett bankkonto',
  'Needs the header Idempotency-Key. All rows are taken in or none, and a row that exists already, from a file or an earlier call, does not come in again: equal rows are counted day by day. What overlaps and what is new is shown by transactionId, by balances and by from and to; if nothing shows it, the call answers 422 and asks for equalRows. With ?dryRun=true everything is checked and nothing is written.':
    'Kräver rubriken Idempotency-Key. Alla rader eller ingen tas in, och en rad som finns redan, ur en fil eller ett tidigare anrop, kommer inte in igen: lika rader räknas dag för dag. Vad som är överlappning och vad som är nytt visas av transactionId, av saldon och av from och to; visar inget det svarar anropet 422 och frågar efter equalRows. Med ?dryRun=true prövas allt och inget skrivs.',
  'At most 200 of them': 'Högst 200 av dem',
};
