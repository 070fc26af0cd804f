/**
 * `npm test`: type check, lint, every test, and a closing summary. They run beside each other, for the tests begin
 * with waiting for a server, and each to its end whatever becomes of the others, so that one run tells everything.
 * Arguments go to vitest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const root = join(import.meta.dirname, '..');

/** Runs an installed program under this same Node, whatever `node` means in the shell. */
async function run(program: string, args: string[], stdio: 'inherit' | 'pipe') {
  const script = await realpath(join(root, 'node_modules', '.bin', program));
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => said.push(chunk));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { isDone: code === 0, said: Buffer.concat(said).toString() };
}

const titleOf = (title: string, program: string, args: string[]): string =>
  `\n── ${title}: ${program} ${args.join(' ')}`;

/** What it says is shown as it comes. */
async function step(title: string, program: string, args: string[]): Promise<boolean> {
  console.log(titleOf(title, program, args));
  return (await run(program, args, 'inherit')).isDone;
}

/** What it says is shown together, among what the tests say meanwhile. */
async function stepBeside(title: string, program: string, args: string[]): Promise<boolean> {
  const { isDone, said } = await run(program, args, 'pipe');
  console.log(`${titleOf(title, program, args)}\n${said.trim()}`);
  return isDone;
}

async function readCounts(path: string, succeeded: boolean) {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  // Without a report the run itself failed, which must not look like nothing to complain about.
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(text) as VitestReport;
  // A file that cannot even be loaded has no failed test in it, but it has failed.
  const broken_files = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + broken_files;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !succeeded ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

const started = Date.now();
const folder = await mkdtemp(join(tmpdir(), 'huvudbok-report-'));
const report = join(folder, 'report.json');
const [types, lint, tests] = await Promise.all([
  // By one checker: each of several judges anew what they share, for half as much again of the processor.
  stepBeside('Type check', 'tsc', ['--checkers', '1']),
  stepBeside('Lint', 'biome', ['check']),
  step('Tests', 'vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ]),
]);
const results = { 'type check': types, lint, tests };
const { passed, failed, skipped } = await readCounts(report, results.tests);
await rm(folder, { recursive: true, force: true });

const verdicts = Object.entries(results).map(([name, ok]) => `${name} ${ok ? 'ok' : 'FAILED'}`);
console.log(`\n${verdicts.join(' · ')} · ${((Date.now() - started) / 1000).toFixed(1)} s`);
console.log(
  `Tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = Object.values(results).every(Boolean) && failed === 0 ? 0 : 1;
