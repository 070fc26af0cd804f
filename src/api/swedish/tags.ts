export const tagsInSwedish: Readonly<Record<string, string>> = {
  Vouchers: 'Verifikat',
  Registers: 'Register',
  'Customer invoices': 'Kundfakturor',
  Purchases: 'Inköp',
  'Till reports': 'Dagskassor',
  Inbound: 'Inkorg',
  Documents: 'Underlag',
  Figures: 'Statistik',
  Events: 'Händelser',
  Agency: 'Byrå',
  Collection: 'Inkasso',
  'What this installation is, and what the key may do in it':
    'Vad installationen är, och vad nyckeln får göra i den',
  'Read and post vouchers, and ask what can be booked when':
    'Läs och bokför verifikat, och fråga vad som går att bokföra när',
  'What calls that write refer to: accounts, customers, suppliers, articles and more':
    'Det som anrop som skriver hänvisar till: konton, kunder, leverantörer, artiklar med mera',
  'Read invoices to customers, and make drafts or booked invoices':
    'Läs kundfakturor, och skapa utkast eller bokförda fakturor',
  'Read invoices from suppliers and outlays': 'Läs leverantörsfakturor och utlägg',
  "Read tills' Z reports and what they became": 'Läs kassors Z-rapporter och vad de blev',
  'Hand in orders and e-invoices, by keys that see nothing of what is there':
    'Lämna order och e-fakturor, med nycklar som inte ser något av det som finns',
  'Hand in receipts and other documents, and read those of vouchers':
    'Lämna kvitton och andra underlag, och läs dem som hör till verifikat',
  'Hand in and read rows of the bank and settlements of payment providers':
    'Lämna och läs bankens rader och betaltjänsters avräkningar',
  'The economic situation, by month and by day': 'Det ekonomiska läget, per månad och per dag',
  'What has happened, for those who ask': 'Det som har hänt, för den som frågar',
  'What has happened, for those who are told': 'Det som har hänt, för den som får besked',
  'The one row that an accounting agency reads, by a key and a token of its own':
    'Den enda rad som en byrå läser, med en egen nyckel och token',
  'Everything about an overdue invoice, for whoever is logged in':
    'Allt om en förfallen faktura, för den som är inloggad',
};
