export const postabilityInSwedish: Readonly<Record<string, string>> = {
  'The whole span without gaps, by date': 'Hela spannet utan luckor, i datumordning',
  'What can be booked when': 'Vad som går att bokföra när',
  'Series that exist in that fiscal year': 'Serier som finns det räkenskapsåret',
  Open: 'Öppet',
  'Stops only vouchers with a row that has a VAT code or is on a VAT account':
    'Stoppar bara verifikat med en rad som har en momskod eller är på ett momskonto',
  'Locked for all vouchers': 'Låst för alla verifikat',
  'No fiscal year': 'Inget räkenskapsår',
  'The next open day; in locked spans for vouchers without VAT':
    'Nästa öppna dag; i locked-spann för verifikat utan moms',
  'Which dates and series can be booked on, and which lock stops the others':
    'Vilka datum och serier som går att bokföra på, och vilket lås som stoppar övriga',
  'First day of the first fiscal year when nothing is said':
    'Första räkenskapsårets första dag när det inte anges',
  'Last day of the last fiscal year when nothing is said':
    'Sista räkenskapsårets sista dag när det inte anges',
};
