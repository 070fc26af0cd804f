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
  'A single voucher': 'Ett enda verifikat',
  'Vouchers a page, 50 when nothing is said; fewer when they have thousands of rows, so read on while has_more is true':
    'Verifikat per sida, 50 när inget anges; färre när de har tusentals rader, så läs vidare medan has_more är true',
  'Post a voucher': 'Bokför ett verifikat',
  'Needs the header Idempotency-Key (8–255 characters). The same key and the same body get the same answer for 72 hours, with Idempotent-Replayed: true. With ?dryRun=true everything is checked and nothing is written.':
    'Kräver rubriken Idempotency-Key (8–255 tecken). Samma nyckel och samma kropp ger samma svar i 72 timmar, med Idempotent-Replayed: true. Med ?dryRun=true prövas allt och inget skrivs.',
};
