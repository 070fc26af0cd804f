export const proposalsInSwedish: Readonly<Record<string, string>> = {
  'Documents of the inbox that it is written from; they follow to what it becomes':
    'Underlag i inkorgen som det är skrivet efter; de följer med till det som det blir',
  'A voucher, as POST /api/v1/verifikat takes it':
    'Ett verifikat, som POST /api/v1/verifikat tar emot det',
  'The voucher to take back': 'Verifikatet som tas tillbaka',
  'Of the voucher that takes it back, and of the one in its place':
    'Gäller både det som tar tillbaka och det som ersätter',
  'Why: of the voucher that takes it back': 'Varför; beskrivning på det som tar tillbaka',
  'What should have been there; none when nothing should':
    'Det som skulle ha stått där; utelämnas när inget skulle det',
  'A voucher taken back, and perhaps one in its place':
    'Ett verifikat som tas tillbaka, och kanske ett i dess ställe',
  'The row of the bank, as GET /api/v1/banktransaktioner has it':
    'Bankraden, som i GET /api/v1/banktransaktioner',
  'The voucher that books it already': 'Verifikatet som redan bokför den',
  'The customer invoice that it pays': 'Kundfakturan som den betalar',
  'The supplier invoice that it pays': 'Leverantörsfakturan som den betalar',
  'The account to book it on': 'Kontot som den bokförs mot',
  'Of the voucher, with account': 'På verifikatet, med account',
  'Of the voucher, with account; A unless said': 'På verifikatet, med account; A när inget sägs',
  'What a row of the bank is to be booked as: one of the four':
    'Vad en bankrad ska bokföras som: ett av de fyra',
  'A customer invoice as a draft, as POST /api/v1/kundfakturor takes it':
    'Ett fakturautkast, som POST /api/v1/kundfakturor tar emot det',
  'invoice unless said': 'invoice när inget sägs',
  'As the supplier wrote it': 'Som leverantören skrev det',
  "The supplier's terms unless said": 'Leverantörens villkor när inget sägs',
  'OCR number or message': 'OCR-nummer eller meddelande',
  "Where it is to be paid; the supplier's known accounts unless said":
    'Vart den ska betalas; leverantörens kända konton när inget sägs',
  'Of all amounts; SEK unless said': 'För alla belopp; SEK när inget sägs',
  'Kronor for one of the currency on the day of the invoice, at most six decimals: what it is booked at. Required in other currencies than SEK, and no part of it in kronor':
    'Kronor för en av valutan på fakturadagen, högst sex decimaler: det som fakturan bokförs till. Krävs i andra valutor än SEK, och utelämnas i kronor',
  'To be paid, with VAT': 'Att betala, med moms',
  'As printed': 'Som det står på fakturan',
  "Whether the rows' amounts have VAT in them": 'Om radernas belopp är med moms',
  'Left out on one row at most: what the others leave':
    'Utelämnas på högst en rad: det som de andra lämnar',
  'I25 unless said': 'I25 när inget sägs',
  'Of the VAT; 100 unless said': 'Av momsen; 100 när inget sägs',
  "A supplier's invoice, as a draft in the inbox": 'En leverantörsfaktura, som utkast i inkorgen',
  'What you want to say of it. Shown last and marked as text from outside; posted nowhere':
    'Det ni vill säga om det. Visas sist, märkt som text utifrån; bokförs inte',
  'Waits for a person': 'Väntar på en människa',
  'A person approved it, and it became what `result` says':
    'En människa godkände det, och det blev det som `result` säger',
  'A person rejected it; `reject_reason` says why':
    'En människa avvisade det; `reject_reason` säger varför',
  'Taken back by the key that made it': 'Återtaget av nyckeln som lade det',
  'Nobody decided within 30 days': 'Ingen tog ställning inom 30 dagar',
  'A voucher': 'Ett verifikat',
  'What a row of the bank is booked as': 'Vad en bankrad bokförs som',
  'A customer invoice as a draft': 'Ett fakturautkast',
  "A supplier's invoice as a draft": 'En leverantörsfaktura som utkast',
  'Exactly as it was sent': 'Exakt som det skickades',
  'What it relies on and that has changed since, as account:1930: it cannot be approved as it is':
    'Det som det bygger på och som har ändrats sedan dess, som account:1930: det kan inte godkännas som det är',
  'To be read at GET /api/v1/verifikat?id=': 'Läses med GET /api/v1/verifikat?id=',
  'To be read at GET /api/v1/kundfakturor/{id}': 'Läses med GET /api/v1/kundfakturor/{id}',
  'To be read at GET /api/v1/inkop/{id}': 'Läses med GET /api/v1/inkop/{id}',
  'What it became': 'Det som det blev',
  'Where people look at it': 'Där människor ser det',
  'What a key has proposed, and what became of it':
    'Vad en nyckel har föreslagit, och vad det blev av det',
  'A page of proposals, the latest first': 'En sida förslag, de senaste först',
  'Proposals per page, 50 unless said': 'Förslag per sida, 50 när inget sägs',
  'List what the key has proposed, the latest first':
    'Läs vad nyckeln har föreslagit, det senaste först',
  'Read a proposal of the key and what became of it':
    'Läs ett av nyckelns förslag och vad det blev',
  'Propose something for a person to approve': 'Föreslå något som en människa godkänner',
  'Needs the header Idempotency-Key. Nothing is posted: a person looks at it on the page `Förslag`, and approving it posts exactly the payload. A key that also has ledger:write gets 403 scope_conflict; a match needs bank:read too. The same key and body answer the same proposal, with Idempotent-Replayed: true. With ?dryRun=true everything is checked and nothing is written.':
    'Kräver rubriken Idempotency-Key. Inget bokförs: en människa ser det på sidan `Förslag`, och godkänns det bokförs exakt payload. En nyckel som också har ledger:write får 403 scope_conflict; en matchning kräver bank:read också. Samma nyckel och kropp ger samma förslag, med Idempotent-Replayed: true. Med ?dryRun=true prövas allt och inget skrivs.',
  'Take back a proposal that nobody has decided on':
    'Ta tillbaka ett förslag som ingen har tagit ställning till',
  'Takes no body. Taken back again, it stays taken back.':
    'Tar ingen kropp. Återtas det igen förblir det återtaget.',
  'Propose what people approve, and read what became of it':
    'Föreslå det som människor godkänner, och läs vad det blev av det',
  'The key may book by itself (ledger:write), and such a key proposes nothing; use one without it.':
    'Nyckeln får bokföra själv (ledger:write), och en sådan nyckel föreslår inget; använd en utan den.',
  Proposals: 'Förslag',
};
