/** A process of workers: their queues, one pool, and a word now and then that they live. */
import type { Logger } from 'pino';
import type { AnyWork } from '#workers/run.ts';
import { requireKey } from '../access/secrets/service.ts';
import type { Config } from '../config/config.ts';
import { workerConnections } from '../db/connection-budget.ts';
import { deadLetterName, mail, preview, rendering } from '../db/jobs.ts';
import { createJobPool, db } from '../db/pool.ts';
import type { Logins } from '../db/roles.ts';
import { checkRole, whenDatabaseAnswers, withOwner } from '../db/standing.ts';
import { startHeartbeat } from '../installation/processes/heartbeat.ts';
import { tellDatabase } from '../installation/processes/metrics.ts';
import { Throughput } from '../installation/processes/throughput.ts';
import { checkChromium } from '../render/chromium-path.ts';
import { callPart, reportLeaving, reportReady, stopWhenAsked } from './lifecycle.ts';
import { asPart, databaseUrl, type RunningPart } from './part.ts';
import type { WorkerName, WorkerOnCall } from './worker-names.ts';

const queuesOf: Readonly<Record<WorkerOnCall, readonly string[]>> = {
  render: [rendering.name, preview.name],
  mail: [mail.name, deadLetterName(mail.name)],
};

export interface WorkerPartOptions {
  /** Those whose queues it watches, and who are called when there is a job. */
  readonly calls: readonly WorkerOnCall[];
  /** Minutes without a job after which it leaves. */
  readonly untilIdle: number | undefined;
}

/**
 * `huvudbok worker`, loaded: what it answers works the queues of `names` until it is told to stop, or has been idle long
 * enough.
 */
export async function loadWorkerPart(
  names: readonly WorkerName[],
): Promise<(config: Config, options: WorkerPartOptions) => Promise<void>> {
  const works = await Promise.all(names.map(loadWork));
  if (works.some((one) => one !== undefined)) await loadRunner();
  const worksWith = (config: Config) => works.flatMap((one) => one?.(config) ?? []);
  return (config, options) => runWorkerPart(names, worksWith, config, options);
}

/** What works jobs, and pg-boss with it. */
const loadRunner = () => import('#workers/run.ts');

async function runWorkerPart(
  names: readonly WorkerName[],
  worksWith: (config: Config) => readonly AnyWork[],
  config: Config,
  { calls, untilIdle }: WorkerPartOptions,
): Promise<void> {
  await asPart(names.join('+'), config, async (log) => {
    const owner = databaseUrl(config.databaseUrl);
    // What they cannot do without is told before the database is waited for.
    const works = worksWith(config);
    if ([...names, ...calls].includes('render')) await checkChromium(config.chromiumPath);
    if (names.includes('upkeep')) await warnOfBackupFolder(config, log);
    const logins = () =>
      withOwner({ url: owner, stamp: config.schemaStamp }, async (_, logins) => logins);
    const begin = async () =>
      startWorkers(names, works, { login: await logins(), log, config, calls });
    const running = await whenDatabaseAnswers(begin, {
      url: owner,
      folder: config.embeddedIn,
      say: (sentence) => log.warn(sentence),
    });
    const leave = stopWhenAsked(running.stop);
    if (untilIdle !== undefined) leaveWhenIdle(running, untilIdle, leave);
    log.info({ workers: names }, 'ready');
    await reportReady();
    return running;
  });
}

/** Told now, and not first when a backup fails at night. The books are kept without it. */
async function warnOfBackupFolder({ backup }: Config, log: Logger): Promise<void> {
  if (backup.folder === undefined || backup.time === undefined) return;
  const { makeBackupFolder } = await import('../installation/backups/take.ts');
  await makeBackupFolder(backup.folder).catch(({ message }: Error) =>
    log.warn(`Inga säkerhetskopior blir tagna. ${message}`),
  );
}

const looksAtIdle = 10;

/** Looks often enough to be late by little. */
function leaveWhenIdle({ idleMs }: RunningWorkers, idleMinutes: number, leave: () => void): void {
  const longest = idleMinutes * 60_000;
  const timer = setInterval(() => {
    if (idleMs() <= longest) return;
    clearInterval(timer);
    void reportLeaving().then(leave);
  }, longest / looksAtIdle);
}

interface RunningWorkers extends RunningPart {
  /** For how long it has had nothing to do. */
  idleMs(): number;
}

interface WorkerOptions {
  readonly login: Logins;
  readonly log: Logger;
  readonly config: Config;
  /** Those who are called when there is a job for them. */
  readonly calls: readonly WorkerOnCall[];
}

async function startWorkers(
  names: readonly WorkerName[],
  works: readonly AnyWork[],
  options: WorkerOptions,
): Promise<RunningWorkers> {
  const { login, log, config, calls } = options;
  const url = login('hb_worker');
  const running: { stop(): Promise<void> }[] = [];
  const throughput = new Throughput();
  // Said now: they start when it is late to say so.
  if (calls.length > 0) workerConnections(calls, config.databaseConnections);
  const called = calls.flatMap((name) => queuesOf[name]);
  for (const queue of called) throughput.declare(queue, 0);
  let idleMs = () => 0;
  // One pool for all that the process does.
  const pool = createJobPool({
    url,
    max: workerConnections(names, config.databaseConnections).pool,
    applicationName: `huvudbok ${names.join(' ')}`,
  });
  const stop = async () => {
    await Promise.all(running.map((one) => one.stop()));
    await pool.end();
  };
  try {
    await checkRole(pool, 'hb_worker', login);
    if (works.length > 0) {
      const { runWorkers } = await loadRunner();
      const call = () => void callPart(calls.join('+'));
      const watch = { queues: called, call };
      const runOptions = { url, pool, log, timeZone: config.timeZone, throughput, watch };
      const workers = await runWorkers(works, runOptions);
      idleMs = workers.idleMs;
      running.push(workers);
    }
    if (names.includes('webhooks')) {
      await requireKey(db(pool), config.keyring);
      const { runWebhooks } = await import('#workers/webhooks.ts');
      running.push(await runWebhooks({ pool, log, config }));
    }
    if (names.includes('upkeep') && config.bankInbox !== undefined) {
      const { runBankInbox } = await import('#workers/bank-inbox.ts');
      const { bankInbox: folder, baseUrl, timeZone } = config;
      const owner = databaseUrl(config.databaseUrl);
      running.push(await runBankInbox({ folder, baseUrl, databaseUrl: owner, timeZone, log }));
    }
    const heartbeat = await startHeartbeat({ pool, parts: [...names, ...calls], throughput, log });
    running.push(heartbeat);
    if (names.includes('upkeep')) tellDatabase(pool);
    return { stop, isWell: heartbeat.isHeard, idleMs };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The queues a worker works, which the settings may say more of; each is loaded only by the process that runs it. */
async function loadWork(
  name: WorkerName,
): Promise<((config: Config) => readonly AnyWork[]) | undefined> {
  switch (name) {
    case 'intake': {
      const { intake } = await import('#workers/intake.ts');
      const { createTillReports } = await import('#workers/till-reports.ts');
      const { eInvoices } = await import('#workers/e-invoices.ts');
      const { trials } = await import('#workers/trials.ts');
      return (config) => [intake, createTillReports(config), eInvoices, trials];
    }
    case 'booking': {
      const { booking } = await import('#workers/booking.ts');
      const { purchaseBooking } = await import('#workers/purchase-booking.ts');
      return () => [booking, purchaseBooking];
    }
    case 'upkeep': {
      const { purging, verifying } = await import('#workers/upkeep.ts');
      const { createBackups } = await import('#workers/backup.ts');
      const { createBankImporter, createSieImporter } = await import('#workers/import.ts');
      const { createBankBooker } = await import('#workers/bank-booking.ts');
      const { createRecurring } = await import('#workers/recurring.ts');
      const { createAccruals } = await import('#workers/accruals.ts');
      return (config) => [
        purging,
        verifying,
        createBackups(config),
        createSieImporter(config),
        createBankImporter(config),
        createBankBooker(config),
        createRecurring(config),
        createAccruals(config),
      ];
    }
    case 'render': {
      const { createRenderer } = await import('#workers/render.ts');
      const { previewing } = await import('#workers/preview.ts');
      return ({ chromiumPath }) => [createRenderer(chromiumPath), previewing];
    }
    case 'mail': {
      const { createMailer, givingUp } = await import('#workers/mail.ts');
      return ({ smtp }) => [createMailer(smtp), givingUp];
    }
    case 'webhooks':
      return undefined;
  }
}
