export const eventsInSwedish: Readonly<Record<string, string>> = {
  'Keys read other documents of a voucher than before':
    'Nycklar läser andra underlag till ett verifikat än förut',
  'Something is no longer in the list that had it': 'Något finns inte längre i listan som hade det',
  'A program has proposed something': 'Ett program har föreslagit något',
  'A person has approved or rejected a proposal':
    'En människa har godkänt eller avvisat ett förslag',
  'A program has taken back what it proposed':
    'Ett program har tagit tillbaka det som det föreslog',
  'Whose documents GET /api/v1/underlag?voucher= lists':
    'Vars underlag GET /api/v1/underlag?voucher= listar',
  'The list of /api/v1 that had it, as kunder, artiklar or kundfakturor':
    'Listan i /api/v1 som hade det, som kunder, artiklar eller kundfakturor',
  'What ?id= asks for there; null when all that the list had is gone':
    'Det som ?id= frågar efter där; null när allt som listan hade är borta',
  'Statements and notifications': 'Kontoutdrag och aviseringar',
  'Rows that were not known before': 'Rader som inte var kända förut',
  'Bank statements have been read in': 'Kontoutdrag från banken är inlästa',
  'null until the document is judged, and when it was refused':
    'null tills dokumentet är prövat, och när det avvisades',
  'The bytes of an e-invoice are stored': 'En e-fakturas byte är sparade',
  'The same however often it is sent; also in the header webhook-id':
    'Samma vid varje omsändning; också i rubriken webhook-id',
  'Others may come; read past those you do not know':
    'Fler kan komma; läs förbi dem du inte känner',
  'What happened, by the names that the API has for the same things; null when it is gone':
    'Det som hände, med de namn API:et har för samma saker; null när det är borta',
  'All events have this form.': 'Alla händelser har den här formen.',
  'Send it along next time; always there': 'Skicka med nästa gång; finns alltid',
  'Events in the order they became true': 'Händelser i den ordning de blev sanna',
  'POST /api/v1/kundfakturor': 'POST /api/v1/kundfakturor',
  'An order': 'En order',
  'A person': 'En människa',
  'Kronor with VAT': 'Kronor med moms',
  'An invoice got its number and its voucher': 'En faktura fick sitt nummer och sitt verifikat',
  'An invoice draft was made, by the API, an order or a person':
    'Ett fakturautkast gjordes, av API:et, en order eller en människa',
  'Nothing remains to be paid on an invoice': 'Inget återstår att betala på en faktura',
  'The bytes of an order are stored': 'En orders byte är sparade',
  'An order did not become an invoice draft': 'En order blev inget fakturautkast',
  'What people call it': 'Som människor kallar den',
  Kronor: 'Kronor',
  'The first day of payment': 'Första betalningsdagen',
  'Of the file, in lower case': 'Filens, gemener',
  'A second person is to approve it: it pays to an account that is new':
    'En andra person ska godkänna den: den betalar till ett konto som är nytt',
  'A file of payments to the bank is made': 'En betalfil till banken är gjord',
  'As in GET /api/v1/banktransaktioner': 'Som i GET /api/v1/banktransaktioner',
  'The account in the books': 'Kontot i bokföringen',
  'Kronor; below zero is money out': 'Kronor; under noll är pengar ut',
  'null when the match has been undone since': 'null när matchningen har hävts sedan dess',
  'A row of the bank got its voucher': 'En rad från banken fick sitt verifikat',
  'A voucher got its number': 'Ett verifikat fick sitt nummer',
  'Events in the order they became true, for those who would rather ask than get webhooks':
    'Händelser i den ordning de blev sanna, för den som hellre frågar än får webhookar',
  'For a copy of the lists: read them after this answer, and send this as updatedSince the next time they are read. A change that could not be seen yet is of that time or later, however long its transaction was open':
    'För en kopia av listorna: läs dem efter det här svaret, och skicka detta som updatedSince nästa gång de läses. En ändring som inte kunde synas än är från den tiden eller senare, hur länge dess transaktion än var öppen',
  'next_cursor of the last answer; without it the list begins with the oldest there is':
    'next_cursor från förra svaret; utan den börjar listan med det äldsta som finns',
  'Begin now: the answer is empty and bears a cursor. Not together with cursor':
    'Börja nu: svaret är tomt och bär en cursor. Inte tillsammans med cursor',
  'Events a page, 100 when nothing is said': 'Händelser per sida, 100 när inget anges',
  'The id of the event, the same however often it is sent':
    'Händelsens id, samma vid varje omsändning',
  'When the attempt was made, Unix time in seconds': 'När försöket gjordes, Unixtid i sekunder',
  'Signatures by Standard Webhooks, separated by spaces':
    'Signaturer enligt Standard Webhooks, åtskilda av blanksteg',
  'The recipient wants no more; the address is shut off':
    'Mottagaren vill inte ha fler; adressen stängs av',
  'Received; answer within 15 seconds and do the work afterwards':
    'Mottagen; svara inom 15 sekunder och gör arbetet efteråt',
  'The event is sent again, for three days': 'Händelsen skickas igen, i tre dygn',
  'Sent to each endpoint that has asked for events of this type. May come more than once and out of order: keep the ids you have seen.':
    'Skickas till varje adress som har bett om händelser av den typen. Kan komma mer än en gång och i annan ordning: spara de id:n ni har sett.',
};
