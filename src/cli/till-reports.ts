/** huvudbok till-report list · show · add · retry · dismiss: tills' Z reports (dagskassor) */
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import { dismissTillReports, retryTillReports } from '../intake/till-reports/inbox.ts';
import {
  findTillReport,
  type ListedTillReport,
  listMissingNumbers,
  listStopped,
  listTillReports,
  type ShownTillReport,
} from '../intake/till-reports/inbox-store.ts';
import { addTillReport } from '../intake/till-reports/service.ts';
import type { TillReportStatus } from '../intake/till-reports/store.ts';
import { refuseWhole } from '../lib/errors.ts';
import { commandProblem, sentenceOfKept } from '../lib/sentences/say.ts';
import { asOwner, print, readWhole, today, withPool } from './context.ts';
import { addList } from './listing.ts';
import { actor, collect, type Json, jsonOption, text, uuid } from './options.ts';

const listed = 1_000;
const retriedMax = 500;

const statusNames: Readonly<Record<TillReportStatus, string>> = {
  received: 'prövas',
  posted: 'bokförd',
  empty: 'inget att bokföra',
  stopped: 'stoppad',
  dismissed: 'avvisad',
};

const wireOf = (one: Omit<ListedTillReport, 'raw'>) => ({
  id: one.id,
  tillId: one.till,
  zNumber: one.z_number === null ? null : Number(one.z_number),
  date: one.day,
  status: one.status,
  reason: one.reason,
  dismissal: one.dismissal,
  voucher: one.voucher,
});

interface ListOptions {
  readonly stopped?: boolean;
}

export function registerTillReports(program: Command): void {
  const report = program
    .command('till-report')
    .description('dagskassor: kassors Z-rapporter, och verifikaten som de blir');
  addList<ListedTillReport, ListOptions>(report, {
    description: `visa de ${listed} senast mottagna`,
    empty: 'Ingen dagskassa finns att visa.',
    read: (from, { stopped }) =>
      listTillReports(from, { tab: stopped ? 'stopped' : 'all', before: null, limit: listed }),
    cells: (one) => [
      one.id,
      one.day,
      one.till,
      one.z_number === null ? null : `Z ${one.z_number}`,
      one.voucher ?? statusNames[one.status],
      one.reason ?? '',
    ],
    wire: wireOf,
  }).option('--stopped', 'bara de som väntar på någon');

  report
    .command('missing')
    .description('visa Z-nummer som kassor har gått förbi utan att rapporterna har kommit')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const missing = await withPool((pool) => listMissingNumbers(db(pool), listed));
      const lines = missing.map(({ till, first, last }) =>
        first === last ? `${till}: Z ${first}` : `${till}: Z ${first}–${last}`,
      );
      const wire = missing.map(({ till, first, last }) => ({
        tillId: till,
        first: Number(first),
        last: Number(last),
      }));
      print(json, wire, lines.join('\n') || 'Inget nummer saknas.');
    });

  report
    .command('show')
    .description('visa en dagskassa: vad den blev, eller varför den stoppades')
    .argument('<id>', 'dagskassans id', uuid)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const found = await withPool((pool) => findTillReport(db(pool), id));
      if (!found) throw refuseWhole('not_found', 'no_till_report');
      tell(json, found, {});
    });

  report
    .command('add')
    .description('läs in en Z-rapport ur en JSON-fil, som den till POST /api/inbound/dagskassa')
    .argument('<fil>', 'JSON med tillId, zNumber, date, sales och payments')
    .option(...jsonOption)
    .action(async (file: string, { json }: Json) => {
      const raw = await readWhole(file);
      const { report: added, isKnown } = await asOwner(async (tx) => {
        const kept = await addTillReport(tx, raw, { today: today(), actor });
        return { report: await findTillReport(tx, kept.id), isKnown: kept.isKnown };
      });
      if (!added) throw new Error('a report that was taken in is not there');
      tell(json, added, { duplicate: isKnown });
      if (added.status === 'stopped') process.exitCode = 1;
    });
  registerDeciding(report);
}

/** What a person does about those that stopped. */
function registerDeciding(report: Command): void {
  report
    .command('retry')
    .description('låt stoppade dagskassor prövas igen av worker intake; alla när inga id ges')
    .argument('[id...]', 'dagskassornas id', collect(uuid))
    .option(...jsonOption)
    .action(async (ids: string[], { json }: Json) => {
      const again = await asOwner(async (tx) =>
        retryTillReports(tx, ids.length > 0 ? ids : await listStopped(tx, retriedMax), actor),
      );
      if (ids.length > 0 && again.length === 0) {
        throw refuseWhole('unprocessable', 'till_report_not_stopped');
      }
      print(json, { retried: again }, `${again.length} dagskassor prövas igen.`);
    });

  report
    .command('dismiss')
    .description('avvisa en stoppad dagskassa, som inte ska bokföras')
    .argument('<id>', 'dagskassans id', uuid)
    .requiredOption('--reason <skäl>', 'varför', text(500))
    .option(...jsonOption)
    .action(async (id: string, { reason, json }: Json & { reason: string }) => {
      const count = await asOwner((tx) => dismissTillReports(tx, [id], reason, actor));
      if (count === 0) throw refuseWhole('unprocessable', 'till_report_not_stopped');
      print(json, { dismissed: id }, 'Dagskassan är avvisad.');
    });
}

function tell(json: boolean | undefined, one: ShownTillReport, more: object): void {
  const kept = one.status === 'stopped' ? (one.detail?.problems ?? []) : [];
  const problems = kept.map((fault) => ({
    path: fault.path,
    reason: fault.reason,
    message: sentenceOfKept(() => commandProblem(fault).message),
  }));
  const number = one.z_number === null ? 'utan nummer' : `Z ${one.z_number}`;
  const head = `${one.till ?? 'Okänd kassa'}, ${number}, ${one.day ?? 'utan dag'}: ${one.voucher ?? statusNames[one.status]}`;
  const lines = [
    head,
    ...(one.reason === null ? [] : [`Orsak: ${one.reason}`]),
    ...problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
  ];
  print(json, { ...wireOf(one), ...more, problems }, lines.join('\n'));
}
