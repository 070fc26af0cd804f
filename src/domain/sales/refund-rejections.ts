/** Why a refund became no credit note: stable words, each with one plain sentence about it. */
export const refundRejectionMeanings = {
  invalid_refund: 'Något i återbetalningen saknas eller är felskrivet, så den går inte att läsa.',
  refund_id_taken:
    'Återbetalningens nummer har redan blivit en kreditfaktura av en annan order; ett nummer krediterar en gång.',
  order_unknown:
    'Ordern som återbetalningen gäller har inte kommit eller är stoppad. Den prövas igen av sig själv när orderns faktura bokförs.',
  order_not_booked:
    'Orderns faktura är ett utkast. Återbetalningen prövas igen av sig själv när fakturan bokförs.',
  refund_outside_fiscal_year: 'Återbetalningens datum ligger utanför alla räkenskapsår.',
  refund_before_invoice: 'Återbetalningen är daterad före orderns faktura.',
  refund_rows_unknown: 'Raderna finns inte på orderns faktura, eller har inte så mycket kvar.',
  refund_exceeds_invoice: 'Återbetalningen är på mer än vad som är kvar av orderns faktura.',
  refund_payments_mismatch:
    'Det som betalades tillbaka blir inte det belopp som krediteras, eller gick ut på ett sätt som inte är inställt.',
  refund_draft_removed:
    'Utkastet som återbetalningen hade blivit är borttaget. Den blir ett nytt utkast om den prövas igen, eller om butiken skickar den med annat innehåll.',
  refund_of_written_off:
    'Fakturan är avskriven som kundförlust, och momsen på det är redan återtagen.',
} as const;

export type RefundRejection = keyof typeof refundRejectionMeanings;

/** Those that pass by themselves, when the order's invoice is booked. The database has the same two (`intake.wake_refunds`). */
export const waitingRejections: ReadonlySet<string> = new Set<RefundRejection>([
  'order_unknown',
  'order_not_booked',
]);
