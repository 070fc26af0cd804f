/** What the API's operations are grouped under, each with what it is for. */
export const tags = {
  Installation: 'What this installation is, and what the key may do in it',
  Vouchers: 'Read and post vouchers, and ask what can be booked when',
  Registers: 'What calls that write refer to: accounts, customers, suppliers, articles and more',
  Proposals: 'Propose what people approve, and read what became of it',
  'Customer invoices': 'Read invoices to customers, and make drafts or booked invoices',
  Purchases: 'Read invoices from suppliers and outlays',
  'Till reports': "Read tills' Z reports and what they became",
  Inbound: 'Hand in orders and e-invoices, by keys that see nothing of what is there',
  Documents: 'Hand in receipts and other documents, and read those of vouchers',
  Bank: 'Hand in and read rows of the bank and settlements of payment providers',
  Figures: 'The economic situation, by month and by day',
  Events: 'What has happened, for those who ask',
  Webhooks: 'What has happened, for those who are told',
  Agency: 'The one row that an accounting agency reads, by a key and a token of its own',
  Collection: 'Everything about an overdue invoice, for whoever is logged in',
} as const;
export type Tag = keyof typeof tags;
