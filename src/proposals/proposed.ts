/** What a proposal becomes when somebody approves it, as the services that do it take it. */
import type { NewCorrection } from '../ledger/vouchers/corrections.ts';
import type { AppVoucher } from '../ledger/vouchers/service.ts';
import type { SupplierInvoiceByHand } from '../purchases/by-hand/service.ts';
import type { WrittenDraft } from '../sales/invoices/drafts.ts';

/** In the order that pages list them. */
export const proposalKinds = [
  'voucher',
  'correction',
  'match',
  'invoice_draft',
  'purchase',
] as const;
export type ProposalKind = (typeof proposalKinds)[number];

/** What a bank row is to be booked by. */
export type ProposedMatch =
  | { readonly kind: 'voucher' | 'invoice' | 'purchase'; readonly id: string }
  | {
      readonly kind: 'account';
      readonly account: number;
      readonly description: string;
      readonly series: string;
    };

export type Proposed =
  | {
      readonly kind: 'voucher';
      readonly voucher: AppVoucher;
      /** Documents of the inbox that it is written from. */
      readonly documentIds: readonly string[];
    }
  | { readonly kind: 'correction'; readonly correction: NewCorrection }
  | { readonly kind: 'match'; readonly transactionId: string; readonly target: ProposedMatch }
  | { readonly kind: 'invoice_draft'; readonly draft: WrittenDraft }
  | { readonly kind: 'purchase'; readonly invoice: SupplierInvoiceByHand };

/** What became of it. */
export interface ProposalResult {
  readonly kind: 'voucher' | 'invoice' | 'purchase';
  readonly id: string;
}
