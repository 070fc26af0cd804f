/** `?dryRun=true` of what shops and access points send: a worker judges it, and nothing of it is kept. */
import { z } from 'zod';
import { keyRefusal } from '../access/keys/refusal.ts';
import { createBatcher } from '../db/batching/batcher.ts';
import { Overloaded } from '../db/batching/overloaded.ts';
import { db } from '../db/pool.ts';
import type { Caller } from '../http/access.ts';
import type { AppDeps } from '../http/fastify.ts';
import { queryBoolean } from '../http/schemas.ts';
import { holderOfCall } from '../http/shedding.ts';
import {
  type StoredTrial,
  storeTrials,
  type Trial,
  type TrialKind,
  type TrialOutcome,
  takeTrialOutcomes,
} from '../intake/trials/store.ts';
import { uuid } from '../lib/uuid.ts';
import { createOutcomeReader } from './outcomes.ts';

/** Of what shops, tills and access points send. */
export const intakeQuery = z.strictObject({
  dryRun: queryBoolean.describe(
    'Judge it and keep nothing: it is answered as if nothing with its number or content had come',
  ),
});

/** Answers what a worker says of the bytes; `timeoutMs` is as long as a call waits unless said. Throws 503 when none comes to it. */
export type Try = <Outcome>(
  raw: Buffer,
  caller: Pick<Caller, 'hash' | 'hasHungUp'>,
  timeoutMs?: number,
) => Promise<Outcome>;

const batchBytes = 4 * 1024 * 1024;

export function createTrier({ pool, decisions, config }: AppDeps, kind: TrialKind): Try {
  const store = createBatcher<Trial, StoredTrial>({
    name: `${kind} tried`,
    maxItems: 100,
    maxInFlight: 1,
    maxWeight: batchBytes,
    weigh: ({ raw }) => raw.length,
    holderOf: holderOfCall,
    run: (trials) => storeTrials(db(pool), trials),
  });
  const take = createOutcomeReader<Pick<Trial, 'keyHash' | 'id'>, TrialOutcome>(
    `${kind} outcomes of trials`,
    (trials) => takeTrialOutcomes(db(pool), trials),
  );
  return async <Outcome>(
    raw: Buffer,
    { hash: keyHash, hasHungUp }: Pick<Caller, 'hash' | 'hasHungUp'>,
    timeoutMs = config.intakeWaitMs,
  ) => {
    const id = uuid();
    // Before it is stored: a worker may be quicker than the answer of the statement that stores it.
    const since = decisions.listen(id);
    try {
      const stored = await store({ keyHash, id, kind, raw }, hasHungUp);
      if (stored.outcome !== 'stored') throw keyRefusal(stored.outcome);
      const { trial } = await decisions.wait(
        id,
        { timeoutMs, since },
        () => take({ keyHash, id }),
        (outcome) => outcome.trial !== null,
      );
      if (trial === null) throw new Overloaded('waiting_time');
      return trial as Outcome;
    } finally {
      since.close();
    }
  };
}
