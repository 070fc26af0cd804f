/** A report as a file: made while the browser takes it, however long it is. */
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { fileNameOf, reportCsv } from '../../../reports/books/files.ts';
import { readOptions } from '../../../reports/books/reports.ts';
import { allLines } from '../../../reports/books/table.ts';
import type { Pages } from '../../page.ts';
import type { FileAnswer } from '../../visit.ts';
import { askedOf, reportParams } from './asking.ts';

const csv = { url: '/rapporter/:report/csv', right: 'read', params: reportParams } as const;

export function registerReportFiles(pages: Pages): void {
  pages.answer(csv, (request) => csvFile(request, pages));
}

/** A portion of lines is a transaction, so that a long file holds neither memory nor a connection. */
async function csvFile(request: FastifyRequest, pages: Pages): Promise<FileAnswer> {
  const { report, options } = await pages.visit(request, csv, async (visit) => {
    const { tx, query, today, params } = visit;
    const day = { today, timeZone: pages.deps.config.timeZone };
    const { report } = params;
    return { report, options: await readOptions(tx, report, askedOf(query), day) };
  });
  const lines = allLines(
    (work) => pages.visit(request, csv, ({ tx }) => work(tx)),
    report,
    options,
  );
  return {
    type: 'text/csv; charset=utf-8',
    content: Readable.from(reportCsv(report.columns(options), lines)),
    headers: {
      'content-disposition': `attachment; filename="${fileNameOf(report, options, 'csv')}"`,
    },
  };
}
