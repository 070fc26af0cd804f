/** What a check of the books may find. */
export interface VerificationFinding {
  kind: string;
  series: string | null;
  year: number | null;
  number: number | null;
  message: string;
}

export interface Verification {
  readonly vouchers: number;
  readonly series: number;
  readonly problems: readonly VerificationFinding[];
}
