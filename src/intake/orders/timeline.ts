/** What has happened to an order, from its attempts and what people have decided. */
import type { AttemptStatus, JudgedAttempt, OrderDecided, ShownAttempt } from './inbox-store.ts';

export type OrderEvent = { readonly at: Date; readonly requestId: string } & (
  | {
      readonly kind: 'try';
      readonly attempt: ShownAttempt;
      /** Null when a key sent it: then the attempt says which. */
      readonly actor: string | null;
      readonly outcome: { readonly status: AttemptStatus; readonly reason: string | null };
    }
  | { readonly kind: 'dismissal'; readonly actor: string; readonly reason: string }
  | { readonly kind: 'invoice'; readonly actor: string }
);

/**
 * Every time the order was judged or decided about, newest first. An attempt that was tried again is
 * told once for each time: what it came to then stands with the decision to try it again.
 */
export function orderTimeline(
  attempts: readonly ShownAttempt[],
  decisions: readonly OrderDecided[],
): OrderEvent[] {
  const tries = attempts.flatMap((attempt) => {
    const retries = decisions.filter(
      (one) => one.attempt_id === attempt.id && one.decision === 'retried',
    );
    // A retry knows what the try before it came to; null when that was never judged.
    const outcomes = [...retries.map(({ judgement }) => earlier(judgement)), attempt];
    const begun = [
      { at: attempt.received_at, requestId: attempt.request_id, actor: null },
      ...retries.map((one) => ({
        at: one.decided_at,
        requestId: one.request_id,
        actor: one.decided_by,
      })),
    ];
    return begun.map((begin, index): OrderEvent => {
      const { status, reason } = outcomes[index] ?? attempt;
      return { kind: 'try', attempt, ...begin, outcome: { status, reason } };
    });
  });
  const dismissals = decisions.flatMap((one): OrderEvent[] =>
    one.decision === 'dismissed'
      ? [
          {
            kind: 'dismissal',
            at: one.decided_at,
            requestId: one.request_id,
            actor: one.decided_by,
            reason: one.reason ?? '',
          },
        ]
      : [],
  );
  const invoices = decisions
    .filter(({ decision }) => decision === 'invoiced')
    .map((one): OrderEvent => {
      return {
        kind: 'invoice',
        at: one.decided_at,
        requestId: one.request_id,
        actor: one.decided_by,
      };
    });
  return [...tries, ...dismissals, ...invoices].sort((a, b) => b.at.getTime() - a.at.getTime());
}

const earlier = (
  judgement: JudgedAttempt | null,
): { status: AttemptStatus; reason: string | null } =>
  judgement === null
    ? { status: 'received', reason: null }
    : { status: 'rejected', reason: judgement.reason };
