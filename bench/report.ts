/** The run as a table on the terminal, a JSON file with everything, and a page that people read. */
import { execFileSync } from 'node:child_process';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { Figure } from './figure.ts';
import { percentile } from './statistics.ts';
import type { System } from './system.ts';

const results = join(import.meta.dirname, 'results');
const fsync_tries = 100;
const noise_cores_max = 0.5;

export interface Facts {
  readonly date: string;
  readonly commit: string;
  readonly cores: number;
  readonly processor: string;
  readonly memory_gb: number;
  readonly node: string;
  readonly postgresql: string;
  /** Median time to get one block to the disk that the database is on. */
  readonly fsync_ms: number;
  readonly generator_calls_per_second: number;
}

export async function readFacts(system: System, generator: number): Promise<Facts> {
  const [server] = await db(system.owner).query<{ version: string }>(
    sql`select current_setting('server_version') as version`,
  );
  return {
    date: new Date().toISOString(),
    commit: readCommit(),
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgresql: server?.version ?? 'unknown',
    fsync_ms: await measureFsync(system.dataDir),
    generator_calls_per_second: Math.round(generator),
  };
}

function readCommit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
    const is_changed = git('status', '--porcelain', '--', 'src', 'workers', 'migrations') !== '';
    return git('rev-parse', '--short', 'HEAD') + (is_changed ? ' with changes' : '');
  } catch {
    return 'unknown';
  }
}

async function measureFsync(folder: string): Promise<number> {
  const path = join(folder, 'fsync-test');
  const file = await open(path, 'w');
  const block = Buffer.alloc(8192, 1);
  const times: number[] = [];
  try {
    for (let n = 0; n < fsync_tries; n += 1) {
      const begun = performance.now();
      await file.write(block, 0, block.length, 0);
      await file.datasync();
      times.push(performance.now() - begun);
    }
  } finally {
    await file.close();
    await rm(path);
  }
  return percentile(
    times.sort((a, b) => a - b),
    0.5,
  );
}

type Row = readonly string[];
const head: Row = [
  'Measured',
  'per s',
  'p50 ms',
  'p99 ms',
  'wanted',
  'met',
  'noise',
  'What limits it',
];
const noise_column = head.indexOf('noise');

function rowsOf(figures: readonly Figure[]): Row[] {
  return figures.map((figure) => [
    figure.what,
    figure.value ?? number(figure.per_second, 0),
    number(figure.p50_ms, 2),
    number(figure.p99_ms, 2),
    figure.wanted ?? '',
    figure.is_met === undefined ? '' : figure.is_met ? 'yes' : 'NO',
    number(figure.usage?.others, 1),
    figure.limited_by ?? '',
  ]);
}

const number = (value: number | undefined, digits: number): string =>
  value === undefined ? '' : value.toFixed(digits);

function factLines(facts: Facts): string[] {
  const { date, commit, cores, processor, memory_gb, node, postgresql, fsync_ms } = facts;
  return [
    `Commit ${commit}, ${date.slice(0, 16).replace('T', ' ')} UTC.`,
    `${cores} cores (${processor}), ${memory_gb} GB memory, Node ${node}, PostgreSQL ${postgresql} ` +
      `with fsync on; one block to the disk takes ${fsync_ms.toFixed(2)} ms.`,
    'Load, service and database share these cores; noise is what everything else used of them. The load generator alone manages ' +
      `${facts.generator_calls_per_second} calls/s against a server that does nothing.`,
  ];
}

/** A word of warning when something else was at work, else nothing. */
function noiseLines(figures: readonly Figure[]): string[] {
  const noise = Math.max(0, ...figures.map(({ usage }) => usage?.others ?? 0));
  if (noise < noise_cores_max) return [];
  return [
    `**Not a quiet machine**: something else used up to ${noise.toFixed(1)} cores, so compare only ratios.`,
  ];
}

export function printTable(facts: Facts, figures: readonly Figure[]): void {
  const rows = [head, ...rowsOf(figures)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) =>
        i === 0
          ? cell.padEnd(widths[0] ?? 0)
          : cell.padStart(i <= noise_column ? (widths[i] ?? 0) : 0),
      )
      .join('  ')
      .trimEnd(),
  );
  console.log(['', ...factLines(facts), ...noiseLines(figures), '', ...lines, ''].join('\n'));
}

/** Writes the run's JSON and makes the page tell of this run. */
export async function save(facts: Facts, figures: readonly Figure[]): Promise<string> {
  await mkdir(results, { recursive: true });
  const name = `${facts.date.slice(0, 16).replace(/[-:]/g, '')}-${facts.commit.replaceAll(' ', '-')}.json`;
  await writeFile(join(results, name), `${JSON.stringify({ facts, figures }, null, 2)}\n`);
  const cells = (row: Row) => `| ${row.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`;
  const page = [
    '# Measured with `npm run bench`',
    '',
    ...[...factLines(facts), ...noiseLines(figures)].flatMap((line) => [line, '']),
    cells(head),
    cells(['---', '--:', '--:', '--:', '---', '---', '--:', '---']),
    ...rowsOf(figures).map(cells),
    '',
    `Everything, with what each process used: [${name}](${name}).`,
    '',
  ];
  await writeFile(join(results, 'README.md'), page.join('\n'));
  return join(results, name);
}
