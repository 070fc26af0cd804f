/** Why a till's report was not booked: stable words, each with one plain sentence about it. */
export const tillRejectionMeanings = {
  invalid_report: 'Något i rapporten saknas eller är felskrivet, så den går inte att läsa.',
  sums_differ:
    'Rapportens egna summor går inte ihop: försäljningen mot betalsätten, momsen eller öresavrundningen.',
  report_differs:
    'Kassans Z-rapport med det numret är redan bokförd, och den här har ett annat innehåll.',
  date_in_future: 'Rapporten är daterad en dag som inte har kommit.',
  date_outside_fiscal_year: 'Rapportens datum ligger utanför alla räkenskapsår.',
  means_unknown: 'Ett betalsätt eller en kassarörelse i rapporten har inget konto.',
  account_missing:
    'Ett konto som rapporten ska bokföras på saknas, är inaktivt eller har fel momskod.',
  period_locked: 'Rapportens datum är låst.',
  voucher_refused: 'Rapporten går inte att bokföra som den är.',
  taken_back: 'Rapportens verifikat har tagits tillbaka utan att något har satts i dess ställe.',
} as const;

export type TillRejection = keyof typeof tillRejectionMeanings;
