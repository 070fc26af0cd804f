/** The state of a file or a payment in it, out of what is known of it; nothing keeps a state of its own. */

export interface FileFacts {
  readonly needsSecondPerson: boolean;
  readonly isApproved: boolean;
  readonly isSent: boolean;
  readonly isCancelled: boolean;
  readonly payouts: number;
  readonly paid: number;
  readonly refused: number;
}

export type FileState =
  | 'waits_for_approval'
  | 'not_sent'
  | 'sent'
  | 'partly_paid'
  | 'paid'
  /** Nothing waits, and the bank has refused some of it. */
  | 'partly_refused'
  | 'refused'
  | 'cancelled';

export function fileState(file: FileFacts): FileState {
  const { payouts, paid, refused } = file;
  if (file.isCancelled) return 'cancelled';
  if (payouts > 0 && paid + refused === payouts) {
    if (refused === 0) return 'paid';
    return paid === 0 ? 'refused' : 'partly_refused';
  }
  if (!file.isSent) {
    return file.needsSecondPerson && !file.isApproved ? 'waits_for_approval' : 'not_sent';
  }
  return paid > 0 ? 'partly_paid' : 'sent';
}

export type PayoutState = 'cancelled' | 'refused' | 'paid' | 'accepted' | 'asked';

export function payoutState(payout: {
  readonly isCancelled: boolean;
  readonly isRefused: boolean;
  readonly isPaid: boolean;
  readonly isAccepted: boolean;
}): PayoutState {
  if (payout.isPaid) return 'paid';
  if (payout.isRefused) return 'refused';
  if (payout.isCancelled) return 'cancelled';
  return payout.isAccepted ? 'accepted' : 'asked';
}
