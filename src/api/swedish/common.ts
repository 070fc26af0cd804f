export const commonInSwedish: Readonly<Record<string, string>> = {
  'Self-hosted bookkeeping. Amounts are kronor with at most two decimals, dates are YYYY-MM-DD. Every answer bears X-Request-Id; refusals always have the form {error, message, detail, request_id}.':
    'Bokföring i egen drift. Belopp är kronor med högst två decimaler, datum är ÅÅÅÅ-MM-DD. Varje svar bär X-Request-Id; fel har alltid formen {error, message, detail, request_id}.',
  'API key: svc_live_ and 43 characters; svc_test_ for the example company':
    'API-nyckel: svc_live_ och 43 tecken; svc_test_ för exempelföretaget',
  'Agency key: svcb_ and 43 characters; good only for exchanging it for a token':
    'Byrånyckel: svcb_ och 43 tecken; duger bara till att byta till sig en token',
  'Token from POST /api/byra/token; valid for an hour':
    'Token från POST /api/byra/token; gäller en timme',
  'Whoever is logged in to the application; at a port of its own its number follows, as in __Host-huvudbok-3000':
    'Den som är inloggad i appen; på en egen port följer dess nummer, som i __Host-huvudbok-3000',
  'Others may come': 'Fler kan komma',
  'With dryRun: nothing hinders, nothing is written': 'Med dryRun: inget hindrar, inget är skrivet',
  'Nothing has been written': 'Inget är skrivet',
  'Judge it and keep nothing: it is answered as if nothing with its number or content had come':
    'Bedöm det och spara inget: svaret är som om inget med samma nummer eller innehåll hade kommit',
  'Credited in full, and nothing remains to be paid':
    'Helt krediterad, och inget återstår att betala',
  'null for a draft': 'null för ett utkast',
  'Can be booked in, unless a lock hinders': 'Går att bokföra i, om inget lås hindrar',
  Closed: 'Stängt',
  Invoice: 'Faktura',
  'Credit note': 'Kreditfaktura',
  'Days until the due date': 'Dagar till förfallodagen',
  'The form of the answers, 1; never lowered': 'Svarens form, 1; sänks aldrig',
  'Number of vouchers and the heads of their hash chains: change only when something is booked':
    'Antal verifikat och huvudet av deras hashkedjor: ändras bara när något bokförs',
  'The installation and the key': 'Installationen och nyckeln',
  'When the goods were delivered or the service was done, if that is another day':
    'När varan levererades eller tjänsten blev klar, om det är en annan dag',
  'The id of the answer, to refer to; stands in the log and in request_id of a refusal.':
    'Svarets id, att hänvisa till; står i loggen och i felkroppens request_id.',
  'What is left of the quota of the hour, as "hour";r=599;t=3540: calls, and seconds until the next. Missing when the call was refused before the quota was counted.':
    'Vad som är kvar av timmens kvot, som "hour";r=599;t=3540: anrop och sekunder till nästa. Saknas när anropet nekades innan kvoten räknades.',
  'The quota, as "hour";q=600;w=3600: calls in so many seconds.':
    'Kvoten, som "hour";q=600;w=3600: anrop på så många sekunder.',
  'Fingerprint of the answer, to send in If-None-Match.':
    'Svarets fingeravtryck, att skicka i If-None-Match.',
  'Whole seconds to wait before the call is made again; missing where waiting does not help.':
    'Hela sekunder att vänta innan anropet görs igen; saknas där väntan inte hjälper.',
  'Bearer: how the key is to be sent.': 'Bearer: så ska nyckeln skickas.',
  'true: the answer is that of the first call, and nothing was done now.':
    'true: svaret är det första anropets, och inget gjordes nu.',
  'respond-async: the answer was given without waiting for the outcome.':
    'respond-async: svaret gavs utan att vänta på utfallet.',
  'SHA-256 of the case, hexadecimal; the same in all formats.':
    'SHA-256 av ärendet, hexadecimalt; samma i alla format.',
  'The name of the file.': 'Filens namn.',
  'no-store: nothing on the way may keep the answer.': 'no-store: svaret får inte sparas på vägen.',
  'bytes: parts of the file can be asked for by Range.':
    'bytes: delar av filen kan begäras med Range.',
  'Which bytes of how many the answer has.': 'Vilka byte av hur många svaret har.',
  'nosniff: the body is what Content-Type says.': 'nosniff: kroppen är vad Content-Type säger.',
  'The installation and the key: 200 means that the key lives':
    'Installationen och nyckeln: 200 betyder att nyckeln lever',
  'next_cursor of the answer before': 'next_cursor från föregående svar',
  'Check everything without writing: no number is taken and no Idempotency-Key is needed':
    'Pröva allt utan att skriva: inget nummer tas och ingen Idempotency-Key behövs',
  'A key of its own for each new call, the same when it is sent again; required except with dryRun=true':
    'Egen nyckel för varje nytt anrop, samma vid omsändning; krävs utom vid dryRun=true',
  'The document as it is': 'Dokumentet som det är',
};
