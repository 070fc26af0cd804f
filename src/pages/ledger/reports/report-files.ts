/** A report as a file, made while the browser takes it, however long it is. */
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { fileNameOf, reportCsv, requireRoom } from '../../../reports/books/files.ts';
import { readPrinted, reportPdf } from '../../../reports/books/pdf.ts';
import { readOptions } from '../../../reports/books/reports.ts';
import { allLines } from '../../../reports/books/table.ts';
import { reportWorkbook } from '../../../reports/books/workbook.ts';
import type { PagePlace, Pages } from '../../page.ts';
import type { FileAnswer, Visit } from '../../visit.ts';
import { askedOf, type ReportParams, reportParams } from './asking.ts';

/** Each chunk is bytes, and counts as many. */
const binary = { objectMode: false };

const place = (url: string) => ({ url, right: 'read', params: reportParams }) as const;

const csv = place('/rapporter/:report/rapport.csv');
const xlsx = place('/rapporter/:report/rapport.xlsx');
const pdf = place('/rapporter/:report/rapport.pdf');

export function registerReportFiles(pages: Pages): void {
  pages.answer(csv, (request) => csvFile(request, pages));
  pages.answer(xlsx, (request) => workbookFile(request, pages));
  pages.answer(pdf, (request) => pdfFile(request, pages));
}

/** What is asked for, when there is room for it. */
async function askedFor({ tx, query, params: { report }, today, deps }: Visit<ReportParams>) {
  const day = { today, timeZone: deps.config.timeZone };
  return { report, options: await readOptions(tx, report, askedOf(query), day) };
}

type Asked = Awaited<ReturnType<typeof askedFor>>;

/** A portion of lines is a transaction, so that a long file holds neither memory nor a connection. */
const linesFor = (
  request: FastifyRequest,
  pages: Pages,
  at: PagePlace<ReportParams>,
  { report, options }: Asked,
) => allLines((work) => pages.visit(request, at, ({ tx }) => work(tx)), report, options);

const answer = (
  { report, options }: Asked,
  ending: string,
  type: string,
  content: Readable | Buffer,
): FileAnswer => ({
  type,
  content,
  headers: {
    'content-disposition': `attachment; filename="${fileNameOf(report, options, ending)}"`,
  },
});

async function csvFile(request: FastifyRequest, pages: Pages): Promise<FileAnswer> {
  const asked = await pages.visit(request, csv, askedFor);
  const columns = asked.report.columns(asked.options);
  const lines = linesFor(request, pages, csv, asked);
  return answer(asked, 'csv', 'text/csv; charset=utf-8', Readable.from(reportCsv(columns, lines)));
}

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function workbookFile(request: FastifyRequest, pages: Pages): Promise<FileAnswer> {
  const asked = await pages.visit(request, xlsx, async (visit) => {
    const found = await askedFor(visit);
    await requireRoom(visit.tx, found.report, found.options, 'xlsx');
    return found;
  });
  const { report, options } = asked;
  const lines = linesFor(request, pages, xlsx, asked);
  return answer(
    asked,
    'xlsx',
    workbookType,
    reportWorkbook(report.title, report.columns(options), lines),
  );
}

async function pdfFile(request: FastifyRequest, pages: Pages): Promise<FileAnswer> {
  const { asked, printed } = await pages.visit(request, pdf, async (visit) => {
    const found = await askedFor(visit);
    return { asked: found, printed: await readPrinted(visit.tx, found.report, found.options) };
  });
  const lines = linesFor(request, pages, pdf, asked);
  return answer(asked, 'pdf', 'application/pdf', Readable.from(reportPdf(printed, lines), binary));
}
