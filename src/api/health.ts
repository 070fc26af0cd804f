/** For whoever watches over the process: `/healthz` lives, `/readyz` can work. */
import type { FastifyInstance } from 'fastify';
import { type Db, db, type Pool } from '../db/pool.ts';
import { countUnreadable, findBackupState } from '../installation/backups/record-store.ts';
import { proveWriting } from '../installation/meta/store.ts';
import { findLastVerification } from '../ledger/verification/store.ts';
import { AppError, refuseWhole } from '../lib/errors.ts';

/** However often it is asked, the database writes this seldom to prove that it can. */
const proofMs = 5_000;
/** One that could not is tried again sooner, so that it is soon known when it can. */
const failedProofMs = 1_000;
/** Whoever asks waits no longer: a commit may wait for a standby that never comes. */
const answerMsMax = 5_000;

export function registerHealth(app: FastifyInstance, pool: Pool): void {
  const reader = db(pool);
  const writing = seldom(() => proveWriting(reader));
  const findStanding = together(async () => {
    await refuseUnreadable(reader);
    const verification = (await findLastVerification(reader)) ?? null;
    return { verification, backup: (await findBackupState(reader)) ?? null };
  });
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true }));
  // Books that do not hold, or have no backup, are a person's matter: taking the service away would only
  // hide them.
  app.get('/readyz', { schema: { hide: true } }, async () => {
    await inTime(writing());
    return { ok: true, ...(await inTime(findStanding())) };
  });
}

/** Better no answers than empty ones. */
async function refuseUnreadable(reader: Db): Promise<void> {
  if ((await countUnreadable(reader)) === 0) return;
  throw new AppError(
    'server_misconfigured',
    'Regler för vem som får läsa saknas i databasen, så allt ser tomt ut: återställ den med sina roller.',
  );
}

/** The database answers in time, or it cannot be worked with. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise: isLate, reject } = Promise.withResolvers<never>();
  const headers = { 'retry-after': '5' };
  const late = setTimeout(
    () => reject(refuseWhole('database_unavailable', 'database_undecided', {}, { headers })),
    answerMsMax,
  );
  return Promise.race([answer, isLate]).finally(() => clearTimeout(late));
}

/** Whoever asks while it is being found out hears the same. */
function together<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  return () => {
    current ??= work().finally(() => {
      current = undefined;
    });
    return current;
  };
}

/** What was found out is told again for a while, a failure too. */
function seldom(work: () => Promise<unknown>): () => Promise<unknown> {
  let latest: Promise<unknown> | undefined;
  const forgetAfter = (ms: number) => {
    setTimeout(() => {
      latest = undefined;
    }, ms).unref();
  };
  return () => {
    if (latest !== undefined) return latest;
    latest = work();
    void latest.then(
      () => forgetAfter(proofMs),
      () => forgetAfter(failedProofMs),
    );
    return latest;
  };
}
