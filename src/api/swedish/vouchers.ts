export const vouchersInSwedish: Readonly<Record<string, string>> = {
  'Decides fiscal year, period and which locks are tried':
    'Avgör räkenskapsår, period och vilka lås som prövas',
  'Where the voucher comes from: one word in lower case, api when none is given':
    'Verifikatets ursprung: ett ord med små bokstäver, api när inget anges',
  'Exists in the chart of accounts and is active': 'Finns i kontoplanen och är aktivt',
  'The id of the dimension, not its code': 'Dimensionens id, inte dess kod',
  'A VAT code that some account of the chart of accounts has. Left out or null: that of the account when the voucher is posted':
    'Momskod som något konto i kontoplanen har. Utelämnad eller null: kontots egen när verifikatet bokförs',
  'The voucher has got its number': 'Verifikatet har fått sitt nummer',
  'A page of vouchers, by date': 'En sida verifikat i datumordning',
  'As the row was posted; does not change when the VAT code of the account does':
    'Som raden bokfördes; ändras inte när kontots momskod ändras',
  'Read vouchers with rows, by date': 'Läs verifikat med rader, i datumordning',
  'Earliest date of a voucher': 'Tidigaste verifikationsdatum',
  'Latest date of a voucher': 'Senaste verifikationsdatum',
  'Code of a series': 'Seriekod',
  'Only vouchers with a row on the account': 'Bara verifikat med en rad på kontot',
  'That of the call, for support': 'Anropets, för support',
  'A voucher of a bulk, with the key that keeps it from being posted twice':
    'Ett verifikat i en bunt, med nyckeln som hindrar att det bokförs två gånger',
  'Those that their sender called so; several as ?externalId=…&externalId=…':
    'De som avsändaren kallade så; flera som ?externalId=…&externalId=…',
  'What it is called where it comes from; several vouchers may share one. Find them by ?externalId=':
    'Vad det heter där det kommer ifrån; flera verifikat kan dela ett. Finns igen med ?externalId=',
  'What the sender calls it': 'Vad avsändaren kallar det',
  'Vouchers a page, 50 when nothing is said; fewer when they have thousands of rows, so read on while has_more is true':
    'Verifikat per sida, 50 när inget anges; färre när de har tusentals rader, så läs vidare medan has_more är true',
  'Post a voucher': 'Bokför ett verifikat',
  'Needs the header Idempotency-Key (8–255 characters). The same key and the same body get the same answer for 72 hours, with Idempotent-Replayed: true. With ?dryRun=true everything is checked and nothing is written.':
    'Kräver rubriken Idempotency-Key (8–255 tecken). Samma nyckel och samma kropp ger samma svar i 72 timmar, med Idempotent-Replayed: true. Med ?dryRun=true prövas allt och inget skrivs.',
  'The HTTP status that a call of its own would have been answered with':
    'HTTP-statusen som ett eget anrop hade fått',
  'Its place in the request, counted from 0': 'Platsen i anropet, räknad från 0',
  'Its line, counted from 1, when one object stands on each line':
    'Raden, räknad från 1, när det står ett objekt per rad',
  'Machine code, as in any refusal': 'Maskinkod, som i varje fel',
  'Swedish sentence for a person': 'Svensk mening för en människa',
  'Seconds to wait before it is sent again': 'Sekunder att vänta innan den skickas igen',
  'One of many that was refused; nothing of it was written':
    'En av många som nekades; inget av den är skrivet',
  'One JSON object a line, each as an item of the array':
    'Ett JSON-objekt per rad, vart och ett som en post i listan',
  'Your own name for this very voucher, the same whenever it is sent again: what Idempotency-Key is for one by itself':
    'Egen nyckel för just det verifikatet, samma vid omsändning: vad Idempotency-Key är för ett ensamt',
  'Judge everything and write nothing: no number is taken, and no idempotencyKey is needed':
    'Pröva allt utan att skriva: inget nummer tas och ingen idempotencyKey behövs',
  'All or none: 422 bulk_refused when something is in the way of one':
    'Alla eller inget: 422 bulk_refused när något hindrar ett av dem',
  'It had been posted before': 'Det var redan bokfört',
  'Posted, now or before': 'Bokfört, nu eller tidigare',
  'With dryRun: nothing is in the way': 'Med dryRun: inget hindrar',
  'One for each voucher, in the order they came': 'Ett för varje verifikat, i samma ordning',
  'What became of each voucher': 'Vad det blev av varje verifikat',
  'How many have something in their way': 'Hur många som har hinder',
  'The first hundred of them': 'De första hundra av dem',
  'Post up to 1 000 vouchers in one call': 'Bokför upp till 1 000 verifikat i ett anrop',
  'A JSON array, or one object a line (application/x-ndjson), each a voucher with its idempotencyKey. Every voucher is judged by itself and answered in its place, as POST /api/v1/verifikat would have answered it; the answer as a whole is 200. With ?atomic=true all are posted or none. Counts as one call, and one more for each 100 vouchers. An idempotencyKey is the same whichever of the two routes it is sent to, so whatever is sent again gives the voucher that it became.':
    'En JSON-lista, eller ett objekt per rad (application/x-ndjson), vart och ett ett verifikat med sin idempotencyKey. Varje verifikat prövas för sig och besvaras på sin plats, som POST /api/v1/verifikat hade svarat; svaret som helhet är 200. Med ?atomic=true bokförs alla eller inget. Räknas som ett anrop, och ett till för varje 100 verifikat. En idempotencyKey är densamma på båda adresserna, så det som skickas igen ger verifikatet som det blev.',
};
