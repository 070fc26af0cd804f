/**
 * Why an order was not made an invoice: stable words, each with one plain sentence about it, strongest
 * first. Of several faults the first in this list is the reason. It is the contract's order, but an
 * unknown VAT rate goes before a total that does not add up, since it is then most often the cause.
 */
export const orderRejectionMeanings = {
  invalid_order: 'Något i ordern saknas eller är felskrivet, så den går inte att läsa.',
  currency_not_supported: 'Ordern är i en annan valuta än kronor.',
  exchange_rate_missing:
    'Ordern är i utländsk valuta och säger inte vilken kurs den bokförs till, eller så går kursen inte att läsa.',
  vat_rate_not_supported: 'Ordern har en momssats som inte finns i Sverige.',
  total_mismatch: 'Raderna blir inte det belopp som kunden har betalat.',
  vat_treatment_unclear: 'Det går inte att avgöra vilken moms som gäller för köparen.',
  customer_unknown: 'Köparen finns inte i kundregistret, och ingen samlingskund är vald.',
  date_outside_fiscal_year: 'Orderns datum ligger utanför alla räkenskapsår.',
  account_missing: 'Kontot som ordern ska bokföras på saknas, är inaktivt eller har fel momskod.',
  payments_mismatch:
    'Betalningarna blir inte det belopp som ordern är på, eller har kommit på ett sätt som inte är inställt.',
  negative_total: 'Ordern är på ett negativt belopp, och en faktura kan inte vara på minus.',
} as const;

export type OrderRejection = keyof typeof orderRejectionMeanings;

export const orderRejections = Object.keys(orderRejectionMeanings) as readonly OrderRejection[];
