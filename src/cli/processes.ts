/** huvudbok start · http · worker · migrate: the long-running processes and what they stand on. */
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { keyFileIn, openSecrets, requireKey } from '../access/secrets/service.ts';
import { type Config, inheritedEnvironment, loadProcessConfig } from '../config/config.ts';
import { workerConnections } from '../db/connection-budget.ts';
import { deadLetterName, mail, rendering } from '../db/jobs.ts';
import { roleUrl } from '../db/logins.ts';
import { migrate } from '../db/migrate.ts';
import { createPool, db } from '../db/pool.ts';
import { checkDatabase, whenDatabaseAnswers } from '../db/standing.ts';
import { startHeartbeat } from '../installation/processes/heartbeat.ts';
import { tellDatabase } from '../installation/processes/metrics.ts';
import { Throughput } from '../installation/processes/throughput.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { namePart, serveMetrics, snapshot, textOf } from '../metrics/export.ts';
import {
  callPart,
  exitWithParent,
  reportLeaving,
  reportReady,
  reportRefusal,
  stopWhenAsked,
  surviveLostLogs,
  tellFigures,
} from '../process/lifecycle.ts';
import { ownLine, partLine } from '../process/log-lines.ts';
import { createLogger } from '../process/logger.ts';
import { allParts, start } from '../process/start.ts';
import { explained, note, print, withServer } from './context.ts';
import { runDemo } from './demo.ts';
import { greet } from './greeting.ts';
import { collect, minutes, word } from './options.ts';

const workerNames = ['intake', 'booking', 'upkeep', 'webhooks', 'render', 'mail'] as const;
type WorkerName = (typeof workerNames)[number];

/** Who may be away until there is a job on one of their queues. */
const workersOnCall = ['render', 'mail'] as const;
type WorkerOnCall = (typeof workersOnCall)[number];
const queuesOf: Readonly<Record<WorkerOnCall, readonly string[]>> = {
  render: [rendering.name],
  mail: [mail.name, deadLetterName(mail.name)],
};

interface WorkerFlags {
  readonly call?: WorkerOnCall[];
  /** Minutes. */
  readonly untilIdle?: number;
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

export function registerProcesses(program: Command): void {
  program
    .command('start')
    .description('starta allt: databas, HTTP och alla arbetare')
    .option('--demo', 'fyll ett exempelföretag först')
    .action(async ({ demo }: { demo?: boolean }) => {
      const config = loadProcessConfig();
      surviveLostLogs();
      const isTerminal = process.stderr.isTTY;
      const say = (sentence: string) => {
        if (isTerminal || sentence !== '') note(ownLine(sentence, isTerminal));
      };
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        process.on(signal, () => stop.abort());
      }
      await start({
        entry: fileURLToPath(new URL('./huvudbok.ts', import.meta.url)),
        dataDir: config.dataDir,
        databaseUrl: config.databaseUrl,
        env: { ...inheritedEnvironment(), ...keyFileOf(config) },
        parts: allParts,
        write: say,
        log: (part, line) => note(partLine(part, line, isTerminal)),
        metrics: config.metrics,
        prepare: (url) => prepareSecrets(url, config),
        openDoor: async () => (await import('../http/front-door.ts')).openFrontDoor(config),
        greeting: async (address, url) => [
          ...(demo ? await explained(url, () => runDemo(url)) : []),
          ...(await greet(address, url)),
        ],
        stop: stop.signal,
      });
    });

  program
    .command('http')
    .description('HTTP-processen')
    .action(async () => {
      const config = loadProcessConfig();
      await asPart('http', config, async (log) => {
        const { startHttp } = await import('../process/http-server.ts');
        const http = await startHttp(config, databaseUrl(config.databaseUrl), log);
        stopWhenAsked(http.stop);
        log.info({ address: http.address }, `Huvudbok svarar på ${http.address}`);
        await reportReady(http.address);
        return http;
      });
    });

  program
    .command('worker')
    .argument('<namn...>', workerNames.join(', '), collect(word(workerNames)))
    .description(`arbetare: ${workerNames.join(', ')}`)
    .option(
      '--call <namn...>',
      'säg till den som startade när mail eller render behövs (huvudbok start)',
      collect(word(workersOnCall)),
    )
    .option('--until-idle <minuter>', 'sluta när inget funnits att göra så länge', minutes)
    .action(work);

  program
    .command('migrate')
    .description('för databasen till det här programmets schema')
    .option('--json', 'ett JSON-värde på stdout')
    .action(async ({ json }: { json?: boolean }) => {
      const { version } = await withServer((url) => migrate({ url, log: note }));
      print(json, { installation_schema_version: version }, `Databasen har schema ${version}.`);
    });
}

async function work(
  names: WorkerName[],
  { call: calls = [], untilIdle }: WorkerFlags,
): Promise<void> {
  const config = loadProcessConfig();
  await asPart(names.join('+'), config, async (log) => {
    const owner = databaseUrl(config.databaseUrl);
    // Told before the database is waited for.
    await loadWorks(names, config);
    const begin = async () => {
      await checkDatabase(owner, ['hb_worker']);
      const url = await roleUrl(owner, 'hb_worker');
      return startWorkers(names, { url, log, config, calls });
    };
    const running = await whenDatabaseAnswers(begin, {
      url: owner,
      say: (sentence) => log.warn(sentence),
    });
    const leave = stopWhenAsked(running.stop);
    if (untilIdle !== undefined) leaveWhenIdle(running, untilIdle, leave);
    log.info({ workers: names }, 'ready');
    await reportReady();
    return running;
  });
}

/** Where the parts of an installation with the embedded database find its key. */
const keyFileOf = ({ keyring, databaseUrl, dataDir }: Config): Record<string, string> =>
  keyring || databaseUrl !== undefined ? {} : { SECRETS_KEY_FILE: keyFileIn(dataDir) };

async function prepareSecrets(url: string, config: Config): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: 'huvudbok start' });
  try {
    if (await openSecrets(pool, config)) return;
    note(
      'SECRETS_KEY saknas, så webhookar och det andra steget vid inloggning är avstängda. Skapa en nyckel med huvudbok secrets create-key.',
    );
  } finally {
    await pool.end();
  }
}

interface Running {
  stop(): Promise<void>;
}

/** A part at work. */
interface RunningPart extends Running {
  /** Whether it reaches the database. */
  isWell(): boolean;
}

interface RunningWorkers extends RunningPart {
  /** For how long it has had nothing to do. */
  idleMs(): number;
}

interface WorkerOptions {
  /** The login of hb_worker. */
  readonly url: string;
  readonly log: Logger;
  readonly config: Config;
  /** Those who are called when there is a job for them. */
  readonly calls: readonly WorkerOnCall[];
}

async function startWorkers(
  names: readonly WorkerName[],
  options: WorkerOptions,
): Promise<RunningWorkers> {
  const { url, log, config, calls } = options;
  const work = await loadWorks(names, config);
  const running: Running[] = [];
  const throughput = new Throughput();
  // Said now: they start when it is late to say so.
  if (calls.length > 0) workerConnections(calls, config.databaseConnections);
  const called = calls.flatMap((name) => queuesOf[name]);
  for (const queue of called) throughput.declare(queue, 0);
  let idleMs = () => 0;
  // One pool for all that the process does.
  const pool = createPool({
    url,
    max: workerConnections(names, config.databaseConnections).pool,
    applicationName: `huvudbok ${names.join(' ')}`,
  });
  const stop = async () => {
    await Promise.all(running.map((one) => one.stop()));
    await pool.end();
  };
  try {
    if (work.length > 0) {
      const { runWorkers } = await import('#workers/run.ts');
      const call = () => void callPart(calls.join('+'));
      const watch = { queues: called, call };
      const runOptions = { url, pool, log, timeZone: config.timeZone, throughput, watch };
      const workers = await runWorkers(work, runOptions);
      idleMs = workers.idleMs;
      running.push(workers);
    }
    if (names.includes('webhooks')) {
      await requireKey(db(pool), config.keyring);
      const { runWebhooks } = await import('#workers/webhooks.ts');
      running.push(await runWebhooks({ pool, log, config }));
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

const loadWorks = async (names: readonly WorkerName[], config: Config) =>
  (await Promise.all(names.map((name) => loadWork(name, config)))).flat();

/** The queues a worker works; each is loaded only by the process that runs it. */
async function loadWork(name: WorkerName, config: Config) {
  const { chromiumPath, smtp } = config;
  switch (name) {
    case 'intake':
      return [
        (await import('#workers/intake.ts')).intake,
        (await import('#workers/e-invoices.ts')).eInvoices,
      ];
    case 'booking':
      return [
        (await import('#workers/booking.ts')).booking,
        (await import('#workers/purchase-booking.ts')).purchaseBooking,
      ];
    case 'upkeep': {
      const { purging, verifying } = await import('#workers/upkeep.ts');
      const { createBackups } = await import('#workers/backup.ts');
      return [purging, verifying, createBackups(config)];
    }
    case 'render':
      await (await import('../render/chromium.ts')).checkChromium(chromiumPath);
      return [(await import('#workers/render.ts')).createRenderer(chromiumPath)];
    case 'mail': {
      const { createMailer, givingUp } = await import('#workers/mail.ts');
      return [createMailer(smtp), givingUp];
    }
    case 'webhooks':
      return [];
  }
}

function databaseUrl(url: string | undefined): string {
  if (url !== undefined) return url;
  throw new OperatorError(
    'DATABASE_URL saknas. Kör huvudbok start för allt i ett, eller peka ut databasen.',
  );
}

/**
 * A part of the service goes when its supervisor dies, from the first moment; and what can never start
 * is told to it, so that it does not try for ever.
 */
async function asPart(
  name: string,
  { logLevel, metrics }: Config,
  work: (log: Logger) => Promise<RunningPart>,
): Promise<void> {
  exitWithParent();
  surviveLostLogs();
  namePart(name);
  tellFigures(snapshot);
  let part: RunningPart | undefined;
  const fault = () => (part ? (part.isWell() ? undefined : 'database') : 'starting');
  try {
    if (metrics)
      await serveMetrics({ ...metrics, read: async () => textOf([await snapshot()]), fault });
    part = await work(createLogger(logLevel, name));
  } catch (error) {
    if (error instanceof OperatorError) await reportRefusal(error.message);
    throw error;
  }
}
