import type { OrderRejection } from '../../domain/sales/order-rejections.ts';

/** Why an order was not made an invoice, for whoever writes a client; strongest first. */
export const orderReasons: Readonly<Record<OrderRejection, string>> = {
  invalid_order: 'Something in the order is missing or miswritten, so that it cannot be read.',
  currency_not_supported: 'The order is in another currency than kronor.',
  vat_rate_not_supported: 'The order has a VAT rate that Sweden does not have.',
  total_mismatch: 'The rows do not come to the amount that the customer paid.',
  vat_treatment_unclear: 'Which VAT applies to the buyer cannot be decided.',
  customer_unknown:
    'The buyer is not in the customer register, and no collective customer is chosen.',
  date_outside_fiscal_year: 'The date of the order lies outside all fiscal years.',
  account_missing:
    'The account that the order is to be booked on is missing, inactive or has the wrong VAT code.',
  negative_total: 'The order is of a negative amount, and an invoice cannot be below zero.',
};
