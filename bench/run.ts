/**
 * `npm run bench`: measures the whole service on one machine, prints a table and writes it to
 * bench/results. Everything runs on a durable embedded server in a folder that is removed afterwards.
 */
import { measureAgency } from './agency.ts';
import { measureStatistics } from './answers.ts';
import { measureApp } from './app.ts';
import { type Arguments, readArguments, UsageError, usage } from './arguments.ts';
import { measureBank } from './bank.ts';
import { measureBulk } from './bulk.ts';
import { measureConnections } from './connections.ts';
import { measureEInvoices } from './e-invoices.ts';
import { measureExport } from './export.ts';
import type { Figure, Measurement } from './figure.ts';
import { measureInvoices } from './invoices.ts';
import { measureLimit } from './limit.ts';
import { measureCeiling } from './load.ts';
import { measureMatchingSet } from './matching.ts';
import { measureMemory } from './memory.ts';
import { measureOpenTransaction } from './open-transaction.ts';
import { measureOrders } from './orders.ts';
import { measureOverload } from './overload.ts';
import { measurePages } from './pages.ts';
import { measurePdf } from './pdf.ts';
import { measurePeppol } from './peppol.ts';
import { measurePosting } from './posting.ts';
import { measureProfile } from './profile.ts';
import { printTable, readFacts, save } from './report.ts';
import { measureReports } from './reports.ts';
import { Interrupted, type System, withSystem } from './system.ts';

const ceiling_seconds_max = 3;
const note = (line: string): void => void process.stderr.write(`${line}\n`);

type Measure = (system: System, run: Arguments) => Promise<Figure[]>;

const steps: Readonly<Record<Measurement, Measure>> = {
  profile: (system, { seconds }) => measureProfile(system, seconds),
  // Posting measures the limit too, in turn with itself.
  limit: async (system, { chosen, seconds }) =>
    chosen.includes('posting') ? [] : measureLimit(system, seconds),
  posting: (system, { seconds }) => measurePosting(system, seconds),
  bulk: (system, { seconds }) => measureBulk(system, seconds),
  connections: (system, { seconds }) => measureConnections(system, seconds),
  invoices: (system, { seconds }) => measureInvoices(system, seconds),
  orders: (system, { seconds }) => measureOrders(system, seconds),
  'open-transaction': (system, { seconds }) => measureOpenTransaction(system, seconds),
  pages: (system, { seconds, vouchers }) => measurePages(system, { seconds, vouchers, note }),
  statistics: (system, { seconds, vouchers }) =>
    measureStatistics(system, { seconds, vouchers, note }),
  app: (system, { vouchers }) => measureApp(system, { vouchers, note }),
  reports: (system, { vouchers }) => measureReports(system, { vouchers, note }),
  export: (system, { vouchers }) => measureExport(system, { vouchers, note }),
  'e-invoices': (system, { seconds }) => measureEInvoices(system, seconds),
  pdf: (system, { seconds }) => measurePdf(system, seconds),
  agency: (system, { seconds }) => measureAgency(system, seconds),
  overload: (system, { seconds }) => measureOverload(system, seconds),
  memory: (system, { seconds }) => measureMemory(system, seconds),
  peppol: (_, { seconds }) => measurePeppol(seconds),
  matching: async (_, { seed }) => measureMatchingSet(seed, note),
  bank: (system) => measureBank(system, note),
};

async function measure(system: System, run: Arguments): Promise<void> {
  note('Measuring the load generator itself …');
  const ceiling = await measureCeiling(system.load, Math.min(ceiling_seconds_max, run.seconds));
  const facts = await readFacts(system, ceiling.calls / ceiling.seconds);
  const figures: Figure[] = [];
  for (const name of run.chosen) {
    note(`Measuring ${name} …`);
    figures.push(...(await steps[name](system, run)));
  }
  printTable(facts, figures);
  if (run.save) note(`Written to ${await save(facts, figures)}`);
}

try {
  const run = readArguments(process.argv.slice(2));
  const { folder, keep } = run;
  await withSystem({ folder, keep, note }, (system) => measure(system, run));
} catch (error) {
  if (error instanceof UsageError) note(`${error.message}\n\n${usage}`);
  else if (error instanceof Interrupted) note(error.message);
  else note(error instanceof Error && error.stack ? error.stack : String(error));
  // What was measured when it failed may have calls under way that never end.
  process.exit(error instanceof UsageError ? 2 : 1);
}
