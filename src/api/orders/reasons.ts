import type { OrderRejection } from '../../domain/sales/order-rejections.ts';
import type { RefundRejection } from '../../domain/sales/refund-rejections.ts';

/** Why an order was not made an invoice, for whoever writes a client; strongest first. */
export const orderReasons: Readonly<Record<OrderRejection, string>> = {
  invalid_order: 'Something in the order is missing or miswritten, so that it cannot be read.',
  currency_not_supported: 'The order is in another currency than kronor.',
  exchange_rate_missing:
    'The order is in a foreign currency and says no exchangeRate that can be read.',
  vat_rate_not_supported: 'The order has a VAT rate that Sweden does not have.',
  total_mismatch: 'The rows do not come to the amount that the customer paid.',
  vat_treatment_unclear: 'Which VAT applies to the buyer cannot be decided.',
  customer_unknown:
    'The buyer is not in the customer register, and no collective customer is chosen.',
  date_outside_fiscal_year: 'The date of the order lies outside all fiscal years.',
  account_missing:
    'The account that the order is to be booked on is missing, inactive or has the wrong VAT code.',
  payments_mismatch:
    'The payments do not come to what the order is of, or came by means that have no account here.',
  negative_total: 'The order is of a negative amount, and an invoice cannot be below zero.',
};

/** Why a refund waits, as the API's description says it; people read the Swedish of `refundRejectionMeanings`. */
export const refundReasons: Readonly<Record<RefundRejection, string>> = {
  invalid_refund: 'Something in the refund is missing or mistyped, so that it cannot be read.',
  refund_id_taken:
    'The number of the refund has become a credit note of another order; a number credits once.',
  order_unknown:
    "The order has not come, or is stopped. Tried again by itself when the order's invoice is booked.",
  order_not_booked:
    "The order's invoice is a draft. Tried again by itself when the invoice is booked.",
  refund_outside_fiscal_year: 'The date of the refund is outside every fiscal year.',
  refund_before_invoice: "The refund is dated before the order's invoice.",
  refund_rows_unknown: "The rows are not on the order's invoice, or have not so much left.",
  refund_exceeds_invoice: "The refund is of more than is left of the order's invoice.",
  refund_payments_mismatch:
    'What was paid back does not come to what is credited, or went by means that have no account here.',
  refund_draft_removed:
    'A person removed the draft that the refund had become. Sent again as it was it stays so; with other content it is judged anew.',
  refund_of_written_off:
    'The invoice is a confirmed loss, and its VAT has been taken back already.',
};
