/** What made a voucher, as people call it. */
export const sources: Readonly<Record<string, string>> = {
  app: 'Manuellt',
  api: 'API',
  invoice: 'Kundfaktura',
  payment: 'Inbetalning',
  reminder: 'Påminnelse',
  order: 'Order',
  supplier_invoice: 'Leverantörsfaktura',
  supplier_payment: 'Leverantörsbetalning',
  purchase_by_hand: 'Inköp för hand',
  bank: 'Bank',
  provider_settlement: 'Avräkning',
  till_report: 'Dagskassa',
  accrual_posting: 'Periodisering',
  vat: 'Moms',
  reversal: 'Rättelse',
  opening: 'Ingående balans',
  closing: 'Bokslut',
  import: 'Import',
};

/** Integrators name their own sources; those are shown as they call them. */
export const sourceName = (source: string): string => sources[source] ?? `API: ${source}`;
