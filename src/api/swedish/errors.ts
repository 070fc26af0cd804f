export const errorsInSwedish: Readonly<Record<string, string>> = {
  'All faults at once, at most a hundred': 'Alla fel på en gång, högst hundra',
  'Read and understood, but cannot be booked as it is.':
    'Läst och förstått, men kan inte bokföras som det är.',
  'The last place before yours that is still there: everything after it comes from here':
    'Det sista läget före ert som finns kvar: allt efter det kommer härifrån',
  'The fiscal year is closed': 'Räkenskapsåret är stängt',
  'The period is locked through locked_to': 'Perioden är låst till och med locked_to',
  'VAT is locked through locked_to, and a row has a VAT code or is on a VAT account':
    'Momsen är låst till och med locked_to, och en rad har en momskod eller är på ett momskonto',
  'The last locked day': 'Sista låsta dagen',
  'The first open day, when there is one': 'Första öppna dagen, när det finns någon',
  'The database does not answer just now; try again soon.':
    'Databasen svarar inte just nu; försök igen strax.',
  'The figures could not be read; try again.': 'Uppgifterna kunde inte läsas; försök igen.',
  'Received and safely stored but not finished; send the same again to get the answer.':
    'Mottaget och säkrat men inte färdigt; skicka samma igen för att få svaret.',
  'The document could not be stored; deliver it again.':
    'Dokumentet kunde inte sparas; leverera det igen.',
  'Machine code, stable for ever: the only thing to tell refusals apart by':
    'Maskinkod, stabil för alltid: det enda att skilja fel åt med',
  'Explanation in Swedish, for a person; may be reworded':
    'Förklaring på svenska för en människa; kan skrivas om',
  'More about the refusal, different for different codes': 'Mer om felet, olika för olika koder',
  'The same as in the header X-Request-Id': 'Samma som i rubriken X-Request-Id',
  'Every refusal has this form. An unknown code is a refusal of the general kind of its status.':
    'Varje fel har den här formen. En okänd kod är ett fel av allmänt slag.',
  'The role of whoever is logged in does not suffice.': 'Den inloggades roll räcker inte.',
  'The call came over http; use https.': 'Anropet kom över http; använd https.',
  'X-Request-Id of the first call': 'X-Request-Id på det första anropet',
  'The fields in which the bodies differ': 'Fälten som skiljer kropparna åt',
  'The same Idempotency-Key has been used with another body; take a new key.':
    'Samma Idempotency-Key har redan använts med en annan kropp; ta en ny nyckel.',
  'The same call is being processed just now; send it again soon, with the same key.':
    'Samma anrop behandlas just nu; skicka det igen strax, med samma nyckel.',
  'The header Idempotency-Key is missing.': 'Rubriken Idempotency-Key saknas.',
  'The scopes that the call requires': 'De behörigheter som anropet kräver',
  'Those of them that the key lacks': 'De av dem som nyckeln saknar',
  'The key lacks a scope; detail.missing says which.':
    'Nyckeln saknar en behörighet; detail.missing säger vilken.',
  'Something went wrong on our side; try again, with the same Idempotency-Key.':
    'Något gick fel hos oss; försök igen, med samma Idempotency-Key.',
  'Body, header or parameter cannot be read; mend what is named and send again.':
    'Kropp, rubrik eller parameter går inte att läsa; rätta det som nämns och skicka igen.',
  'The key is revoked by the owner of the installation.':
    'Nyckeln är återkallad av den som äger installationen.',
  'The token is valid but opens nothing; the access may have been withdrawn.':
    'Token gäller men öppnar inget; åtkomsten kan ha dragits in.',
  'It does not exist in this installation.': 'Det finns inte i den här installationen.',
  'How many calls are processed at once, or the part of them that is the sender’s':
    'Antalet anrop som behandlas samtidigt, eller avsändarens andel av det',
  'How many bytes are held in memory at once, or the part of them that is the sender’s':
    'Antalet byte som hålls i minnet samtidigt, eller avsändarens andel av dem',
  'How many readings wait for their turn, or the part of them that is the sender’s':
    'Antalet läsningar som väntar på sin tur, eller avsändarens andel av det',
  'How long a call may wait for its turn': 'Tiden som ett anrop får vänta på sin tur',
  'The server has more to do than it can manage, and nothing of the call is done; send the same again after the seconds of Retry-After.':
    'Servern har mer att göra än den hinner, och inget av anropet är gjort; skicka samma igen efter sekunderna i Retry-After.',
  'The body is larger than the address takes.': 'Kroppen är större än adressen tar emot.',
  'A lock stops the date: fiscal year, period or VAT; detail.lock says which.':
    'Ett lås stoppar datumet: räkenskapsår, period eller moms; detail.lock säger vilket.',
  'The field, header or parameter, as rows[2].vatRate; empty when it is about the whole':
    'Fältet, rubriken eller parametern, som rows[2].vatRate; tomt om helheten',
  'Stable word for machines, as required or unknown_account':
    'Stabilt ord för maskiner, som required eller unknown_account',
  'What is wrong with that very field, and the way out':
    'Vad som är fel med just det fältet, och vägen ut',
  'The account that it is about': 'Kontot som det gäller',
  'The VAT rate that was given, in per cent': 'Momssatsen som angavs, i procent',
  'VAT rate of the account; null without VAT': 'Kontots momssats; null utan moms',
  'One of the faults; more that belongs to reason may stand beside.':
    'Ett av felen; mer som hör till reason kan stå bredvid.',
  'The quota of the hour is used up; wait the seconds of Retry-After.':
    'Timmens kvot är slut; vänta sekunderna i Retry-After.',
  'The call did not arrive in time; send it again.':
    'Anropet kom inte fram i tid; skicka det igen.',
  'The installation has no company or fiscal year.':
    'Installationen har inget företag eller räkenskapsår.',
  'The agency key is valid, but no token could be made.':
    'Byrånyckeln gäller, men ingen token kunde skapas.',
  'Key, token or session is missing or unknown; sending again does not help.':
    'Nyckel, token eller session saknas eller är okänd; att skicka igen hjälper inte.',
  'The address does not have the method; Allow says which it has.':
    'Adressen har inte metoden; Allow säger vilka den har.',
  'The database has gone back to an earlier moment, and the cursor points at events that are no more. Compare what you have with the books, and read on from detail.resume_cursor.':
    'Databasen har gått tillbaka till en tidigare tidpunkt, och cursor pekar på händelser som inte längre finns. Jämför det ni har fått med bokföringen, och läs vidare från detail.resume_cursor.',
  'Something in the request cannot be done, and as atomic=true was asked for nothing was; detail.refused says what.':
    'Något i anropet hindras, och eftersom atomic=true angavs är inget gjort; detail.refused säger vad.',
  'The books are no longer those that the snapshot was taken of: they were restored from a backup, or begun anew. Begin the export again, without snapshot.':
    'Bokföringen är inte längre den som snapshot togs av: den är återställd ur en säkerhetskopia eller börjad om. Börja om exporten, utan snapshot.',
};
