/** The archive: which years must be kept until when, and all that must be kept of one as a file. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listActorNames } from '../../../audit/actors.ts';
import { listLatestEvents } from '../../../audit/store.ts';
import { keptThrough } from '../../../domain/ledger/retention.ts';
import {
  type BreakOff,
  beginArchive,
  recordArchive,
  recordBreakOff,
} from '../../../reports/archive/making.ts';
import { patientPrinting } from '../../../reports/archive/patience.ts';
import { listArchiveYears } from '../../../reports/archive/store.ts';
import { count, moment } from '../../format.ts';
import { integer } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { asPerson } from '../../person.ts';
import type { FileAnswer, View, Visit } from '../../visit.ts';

const archivesShown = 20;
const file = {
  url: '/arkiv/:year/zip',
  right: 'administer',
  params: z.object({ year: integer(1900, 9999) }),
} as const;

export function registerArchiveSection(pages: Pages): void {
  pages.show({ url: '/arkiv', right: 'administer', show: showArchive });
  pages.answer(file, (request) => archiveFile(request, pages));
}

async function showArchive({ tx, today, deps }: Visit): Promise<View> {
  const years = await listArchiveYears(tx);
  const ends = ['archive.exported', 'archive.broken_off'];
  const events = await listLatestEvents(tx, ends, archivesShown);
  const who = await listActorNames(
    tx,
    events.map(({ actor }) => actor),
  );
  return {
    template: 'archive',
    title: 'Arkiv',
    values: {
      years: years.map(({ year, start, end, status, vouchers }) => ({
        year: String(year),
        span: `${start}–${end}`,
        vouchers: count(vouchers),
        isClosed: status === 'closed',
        keptThrough: keptThrough(end),
        isPast: keptThrough(end) < today,
      })),
      archives: events.map(({ occurred_at, actor, subject, detail }) => ({
        at: moment(occurred_at, deps.config.timeZone),
        who: who(actor),
        year: subject,
        files: count(Number(detail['files'] ?? 0)),
        sha256: String(detail['manifest_sha256'] ?? ''),
        brokenOff: brokenOff[String(detail['reason'])] ?? null,
      })),
    },
  };
}

/** Why there is no more of an archive that a browser calls unfinished. */
const brokenOff: Readonly<Record<string, string>> = {
  not_printed:
    'verifikaten blev inte utskrivna i tid. Datorn har för mycket att göra, eller så står worker render still, och då står skälet under Drift. Hämta igen: det som hann skrivas ut finns kvar.',
  not_taken: 'förbindelsen bröts innan allt var hämtat. Hämta igen.',
  failed: 'något gick fel hos oss, och felet är loggat. Hämta igen.',
} satisfies Record<BreakOff, string>;

/** Made while the browser takes it: minutes for a large company. */
async function archiveFile(request: FastifyRequest, pages: Pages): Promise<FileAnswer> {
  const { clock, config } = pages.deps;
  const { timeZone } = config;
  const year = await pages.visit(request, file, async ({ params }) => params.year);
  const begun = await beginArchive(
    { year, timeZone, madeAt: clock.now() },
    {
      read: (work) => pages.visit(request, file, ({ tx }) => work(tx)),
      print: patientPrinting((html) => pages.print(request, file, html)),
      record: (report) =>
        pages.visit(request, file, ({ tx, person }) =>
          recordArchive(tx, year, report, person.actor),
        ),
      // Not as reading: whoever has left does none, and nobody else need wait for it.
      breakOff: (error) =>
        asPerson(pages.deps.appPool, request, file, (tx, person) =>
          recordBreakOff(tx, year, error, person.actor),
        ).catch((unwritten) => request.log.warn({ err: unwritten }, 'break-off not recorded')),
    },
  );
  return {
    type: 'application/zip',
    content: begun.content,
    headers: { 'content-disposition': `attachment; filename="${begun.fileName}"` },
  };
}
