/**
 * `npm run soak`: the whole service on two machines, called by everyone at once over a network that fails,
 * while its parts are killed; and the proof that nobody was told anything untrue. Ends with 1 if somebody was.
 */
import { randomBytes } from 'node:crypto';
import { readArguments, UsageError, usage } from './arguments.ts';
import { type BankReport, soakBank } from './bank.ts';
import { type Report, soak } from './soak.ts';
import type { Violation } from './violations.ts';

const note = (line: string): void => void process.stderr.write(`${line}\n`);
const write = (line: string): void => void process.stdout.write(`${line}\n`);

const line = (name: string, counts: Readonly<Record<string, unknown>>): string =>
  `  ${name.padEnd(22)} ${Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')}`;

function tell(report: Report): void {
  const { calls, mischief, faults, memory_mb, violations } = report;
  write(`Soaked for ${report.minutes} minutes, seed ${report.seed}.`);
  write('Calls, by what they were answered with (0: not at all):');
  for (const [kind, statuses] of Object.entries(calls)) write(line(kind, statuses));
  write(line('answered after, ms', report.slowest_ms));
  write('Done to it:');
  for (const [deed, count] of Object.entries(mischief)) write(line(deed, { '×': count }));
  write(line('network', faults));
  write(line('webhooks refused', { '×': report.deliveries_refused }));
  write('In the books:');
  write(line('', { vouchers: report.vouchers, events: report.events }));
  write('Resident megabytes, in tenths of the run:');
  for (const [part, sizes] of Object.entries(memory_mb))
    write(`  ${part.padEnd(22)} ${sizes.join(' ')}`);
  write('Errors logged:');
  for (const [said, count] of Object.entries(report.errors_logged)) {
    write(`  ${String(count).padStart(6)} × ${said.slice(0, 150)}`);
  }
  tellViolations(violations, `--minutes ${report.minutes} --seed ${report.seed}`);
}

function tellBank({ rows, kills, violations, seed }: BankReport): void {
  write(`${rows} rows of the bank, and what was killed while they were booked:`);
  for (const { killed, booked } of kills) write(line(killed, { 'with booked': booked }));
  tellViolations(violations, `--bank ${rows} --seed ${seed}`);
}

function tellViolations(violations: readonly Violation[], again: string): void {
  for (const { at, sentence, count, tail } of violations) {
    write(`\nVIOLATION (${count} ×, first ${at}): ${sentence}`);
    for (const said of tail) write(`    ${said}`);
  }
  write(
    violations.length === 0
      ? 'No violations: all that was answered is true.'
      : `\n${violations.length} violations. Again: npm run soak -- ${again}`,
  );
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => stop.abort(new Error('Interrupted; nothing was proved.')));
}
try {
  const run = readArguments(process.argv.slice(2), () => randomBytes(4).toString('hex'));
  const told = { note, stop: stop.signal };
  const report =
    run.bank === null ? await soak(run, told) : await soakBank({ ...run, rows: run.bank }, told);
  if (run.json) write(JSON.stringify(report, null, 2));
  else if ('rows' in report) tellBank(report);
  else tell(report);
  // Of an hour's cut connections some never report back to Node, which then waits for them at its end, for ever
  // and with a whole processor (seen in Environment::CleanupHandles): so it is ended, once all is written.
  process.stdout.write('', () => process.exit(report.violations.length === 0 ? 0 : 1));
} catch (error) {
  if (stop.signal.aborted) {
    note('Interrupted; nothing was proved.');
    process.exit(1); // Callers in the midst of it would go on trying.
  }
  if (error instanceof UsageError) note(`${error.message}\n\n${usage}`);
  else note(error instanceof Error && error.stack ? error.stack : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
