import type { TillRejection } from '../../domain/sales/till-rejections.ts';

/** Why a till's report is not booked, as the API's description says it; people read `tillRejectionMeanings`. */
export const tillReasons: Readonly<Record<TillRejection, string>> = {
  invalid_report: 'Something in the report is missing or mistyped, so that it cannot be read.',
  sums_differ:
    "The report's own sums do not agree: sales against means of payment, the VAT, or the rounding.",
  report_differs: "The till's Z report of that number is booked, and this one says otherwise.",
  date_in_future: 'The report is of a day that has not come.',
  date_outside_fiscal_year: 'The date of the report lies outside all fiscal years.',
  means_unknown: 'A means of payment or a movement of cash in the report has no account.',
  account_missing:
    'An account that the report is to be booked on is missing, inactive or has the wrong VAT code.',
  period_locked: 'The date of the report is locked.',
  voucher_refused: 'The report cannot be booked as it is.',
  taken_back: "The report's voucher has been taken back, with nothing in its place.",
};

/** How a report stands, for whoever asks what became of those it sent. */
export const tillReportStates = {
  received: 'Kept, not judged yet',
  booked: 'A voucher, or nothing to book',
  rejected: 'Kept with its reason; a person sees it',
  dismissed: 'A person has said that it is not to be booked',
  unknown: 'The key has sent no such report',
} as const;
