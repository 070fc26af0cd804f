export const statsInSwedish: Readonly<Record<string, string>> = {
  'An entry for every day, those without anything too':
    'En post för varje dag, också dem utan händelser',
  'The receivables just now, the same in every entry; never to be summed':
    'Kundfordringarna just nu, samma i varje post; ska aldrig summeras',
  'The months without gaps, from that of the first voucher':
    'Månaderna utan lucka, från första verifikatets',
  'Income per article, and per account where there is no article; the 50 largest and a last entry of all others. Counted through this month, so that the sum is totals.revenue.':
    'Intäkter per artikel, och per konto där ingen artikel finns; de 50 största och en sista rad Övrigt. Räknat till och med denna månad, så att summan är totals.revenue.',
  'Invoiced per customer less what was credited; the 50 largest and a last entry of all others. Counted through this month, so that the sum is totals.revenue.':
    'Fakturerat per kund minus krediterat; de 50 största och en sista rad Övrigt. Räknat till och med denna månad, så att summan är totals.revenue.',
  'Costs per counterparty; the 50 largest and a last entry of all others. Counted through this month, so that the sum is totals.costs.':
    'Kostnader per motpart; de 50 största och en sista rad Övrigt. Räknat till och med denna månad, så att summan är totals.costs.',
  'Accounts 4000–4999': 'Kontona 4000–4999',
  'One decimal; null without income': 'En decimal; null utan intäkter',
  'Accounts 1900–1999, with decimals': 'Kontona 1900–1999, med ören',
  'What customers owe now': 'Vad kunderna är skyldiga nu',
  'The balance of 2440': 'Saldot på 2440',
  'The state of things now, in whole kronor without VAT': 'Läget nu, i hela kronor utan moms',
  'The whole economic situation': 'Hela det ekonomiska läget',
  'Income, costs and result month by month': 'Intäkter, kostnader och resultat månad för månad',
  'Income and invoices day by day, at most 90 days on from from':
    'Intäkter och fakturor dag för dag, högst 90 dagar framåt från from',
  'The first day': 'Första dagen',
  'The last day, at most 90 days after from': 'Sista dagen, högst 90 dagar efter from',
};
