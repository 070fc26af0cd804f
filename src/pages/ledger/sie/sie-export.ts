/** SIE: a fiscal year, or the vouchers of some days, as a file for another program. */
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listActorNames } from '../../../audit/actors.ts';
import { listLatestEvents } from '../../../audit/store.ts';
import { listYears } from '../../../ledger/fiscal-years/store.ts';
import { listBegunImports } from '../../../ledger/sie/begun-store.ts';
import { beginExport, recordExport } from '../../../ledger/sie/exporting.ts';
import { listImports } from '../../../ledger/sie/undo-store.ts';
import { exportText } from '../../../ledger/sie/wordings.ts';
import { movingFaults } from '../../../lib/errors.ts';
import { field, formOf } from '../../fields.ts';
import { count, moment } from '../../format.ts';
import { choice, day, formProblems, integer, optional, readTyped } from '../../inputs.ts';
import { type Pages, problemsIn, queryFields, refusalOf } from '../../page.ts';
import {
  type FileAnswer,
  type FormInput,
  nothingTyped,
  type View,
  type Visit,
} from '../../visit.ts';

const exportsShown = 10;
const importsShown = 50;
const place = { url: '/sie/export', right: 'read' } as const;

const query = z.object({
  ar: integer(1900, 9999),
  typ: choice(['4E', '4I']),
  fran: optional(day),
  till: optional(day),
});
/** What the service calls the fields. */
const fieldNames = new Map([
  ['year', 'ar'],
  ['from', 'fran'],
  ['to', 'till'],
]);

export function registerSieExport(pages: Pages): void {
  pages.show({ url: '/sie', right: 'read', show: (visit) => showSie(visit, nothingTyped) });
  pages.answer(place, (request) => exportFile(request, pages));
}

/** The file; or the page again with what was wrong. */
async function exportFile(request: FastifyRequest, pages: Pages): Promise<FileAnswer | View> {
  const fields = queryFields(request);
  const showAgain = async (problems: FormInput['problems'], status: number) => ({
    ...(await pages.visit(request, place, (visit) =>
      showSie(visit, { fields, problems, isSent: true }),
    )),
    status,
  });
  const typed = readTyped(query, fields);
  if (!typed.success) return showAgain(formProblems(typed.error.issues), 400);
  try {
    return await fileOf(request, pages, typed.data);
  } catch (error) {
    const moved = movingFaults(error, ({ path }) => fieldNames.get(path) ?? path);
    const refusal = refusalOf(moved);
    if (!refusal) throw error;
    return showAgain(problemsIn(refusal), refusal.status);
  }
}

/** Read little by little as the browser takes it, each part in a transaction of its own. */
async function fileOf(
  request: FastifyRequest,
  pages: Pages,
  { ar: year, typ: type, fran: from, till: to }: z.output<typeof query>,
): Promise<FileAnswer> {
  const { timeZone } = pages.deps.config;
  const begun = await beginExport((work) => pages.visit(request, place, ({ tx }) => work(tx)), {
    year,
    type,
    from,
    to,
    timeZone,
  });
  async function* content() {
    yield* begun.content;
    // Before its last byte has gone: what nobody has written down does not arrive whole.
    await pages.visit(request, place, ({ tx, person }) =>
      recordExport(tx, begun.report(), person.actor),
    );
  }
  return {
    type: 'application/octet-stream',
    content: Readable.from(content()),
    headers: { 'content-disposition': `attachment; filename="${begun.fileName}"` },
  };
}

const eventDetail = z.object({
  type: z.string(),
  from: z.string(),
  to: z.string(),
  vouchers: z.number(),
  openingVouchers: z.number(),
  sha256: z.string(),
  replaced: z.array(z.object({ sign: z.string(), by: z.string(), count: z.number() })),
});

/** The page, with what was wrong in one of its forms. */
export async function showSie(
  { tx, deps, person }: Visit<unknown>,
  input: FormInput,
  upload: FormInput = nothingTyped,
): Promise<View> {
  const years = await listYears(tx);
  const events = await listLatestEvents(tx, ['sie.exported'], exportsShown);
  const who = await listActorNames(
    tx,
    events.map(({ actor }) => actor),
  );
  return {
    template: 'sie',
    title: 'SIE-filer',
    values: {
      hasYears: years.length > 0,
      mayImport: person.may('administer'),
      mayBeginAnew: person.may('own'),
      upload: formOf(upload, {
        file: field(upload, 'file', 'SIE-fil', {
          type: 'file',
          isRequired: true,
          accept: '.se,.si,.sie',
          help: 'Typ 1–4, högst 10 MiB. Inget läses in förrän du har sett vad som skulle hända. En större fil läses in med huvudbok sie import.',
        }),
      }),
      begun: (await listBegunImports(tx)).map((one) => ({
        id: one.id,
        at: moment(one.created_at, deps.config.timeZone),
        name: one.file_name,
        hasFailed: one.failed_at !== null,
      })),
      imports: (await listImports(tx, importsShown)).map((one) => ({
        id: one.id,
        at: moment(one.created_at, deps.config.timeZone),
        name: one.file_name,
        vouchers: count(one.report.vouchers),
        isUndone: one.undone_at !== null,
        isGone: one.emptied_at !== null,
      })),
      form: formOf(input, {
        year: field(input, 'ar', 'Räkenskapsår', {
          type: 'select',
          isRequired: true,
          value: String(years[0]?.year ?? ''),
          options: years.map(({ year, start, end }) => ({
            value: String(year),
            label: `${year} (${start}–${end})`,
          })),
        }),
        type: field(input, 'typ', 'Innehåll', {
          type: 'radios',
          isRequired: true,
          value: '4E',
          options: [
            {
              value: '4E',
              label: 'Hela året (SIE 4E)',
              help: 'Kontoplan, ingående och utgående balanser, resultat och alla verifikat. För revisor, bokslutsprogram eller ett annat bokföringsprogram.',
            },
            {
              value: '4I',
              label: 'Verifikat för några dagar (SIE 4I)',
              help: 'Bara verifikat, att läsa in i böcker som redan har sina balanser.',
            },
          ],
        }),
        from: field(input, 'fran', 'Från', {
          type: 'date',
          help: 'Bara för SIE 4I. Tomt: årets första dag.',
        }),
        to: field(input, 'till', 'Till', {
          type: 'date',
          help: 'Bara för SIE 4I. Tomt: årets sista dag.',
        }),
      }),
      exports: events.flatMap(({ occurred_at, actor, subject, detail }) => {
        const made = eventDetail.safeParse(detail);
        if (!made.success) return [];
        return {
          at: moment(occurred_at, deps.config.timeZone),
          who: who(actor),
          year: subject,
          text: exportText(made.data),
          sha256: made.data.sha256,
        };
      }),
    },
  };
}
