/**
 * What the two v1 writes share (contract 4.4, 4.5, 7): one answer however often a call is sent, and what a
 * caller hears when it clashes with an earlier one.
 */
import { differingFields } from '../../domain/basics/json.ts';
import { type Refusal, refuseWhole } from '../../lib/errors.ts';
import { type KeyRefusal, keyRefusal } from './refusal.ts';

/** Who calls, and what a retry of the same call must repeat. */
export interface WriteCall {
  readonly keyHash: Buffer;
  /** Null on a dry run, of which nothing is kept. */
  readonly idempotencyKey: string | null;
  readonly requestHash: Buffer;
  readonly request: string;
  readonly requestId: string;
}

/** What `restricted.judge_calls` may say instead of letting a call go on. */
export type CallRefusal = KeyRefusal | 'idempotency_conflict' | 'idempotency_in_progress';

/** What every write function of the database tells of a call beside its own result. */
export interface CallOutcome {
  outcome: string;
  detail: Record<string, unknown> | null;
  first_request_id: string | null;
  first_seen_at: Date | null;
  first_request: string | null;
}

const inProgress = {
  outcome: 'idempotency_in_progress',
  detail: null,
  first_request_id: null,
  first_seen_at: null,
  first_request: null,
} as const satisfies CallOutcome;

/**
 * Runs many calls together; each gets its own outcome, in order. A call that repeats the
 * Idempotency-Key of another among them is told that it is being processed, as the database says of one
 * in another transaction.
 */
export async function runDistinct<Call extends WriteCall, Outcome extends CallOutcome>(
  calls: readonly Call[],
  run: (distinct: readonly Call[]) => Promise<Outcome[]>,
): Promise<(Outcome | typeof inProgress)[]> {
  const firsts = new Map<unknown, Call>();
  for (const call of calls) {
    const identity =
      call.idempotencyKey === null
        ? call
        : `${call.keyHash.toString('hex')} ${call.idempotencyKey}`;
    if (!firsts.has(identity)) firsts.set(identity, call);
  }
  const distinct = [...firsts.values()];
  const outcomes = await run(distinct);
  const byCall = new Map(distinct.map((call, index) => [call, outcomes[index]]));
  return calls.map((call) => byCall.get(call) ?? inProgress);
}

/** The refusal of a call that was not let on; `sent` is its body. */
export function callRefusal(
  outcome: CallOutcome & { outcome: CallRefusal },
  sent: string,
): Refusal {
  switch (outcome.outcome) {
    case 'idempotency_conflict':
      return refuseWhole(
        'idempotency_conflict',
        'other_body_before',
        {},
        {
          detail: {
            first_request_id: outcome.first_request_id,
            first_seen_at: outcome.first_seen_at?.toISOString(),
            differing_fields: differingFields(
              JSON.parse(outcome.first_request ?? '{}'),
              JSON.parse(sent),
            ),
          },
        },
      );
    case 'idempotency_in_progress':
      return refuseWhole(
        'idempotency_in_progress',
        'same_call_underway',
        {},
        { headers: { 'retry-after': '1' } },
      );
    default:
      return keyRefusal(outcome.outcome);
  }
}
