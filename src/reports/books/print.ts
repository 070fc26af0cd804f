/** A report as a page to print. */
import type { Db } from '../../db/pool.ts';
import { findCompany } from '../../installation/company/store.ts';
import { amountText } from '../../lib/swedish.ts';
import { loadTemplate, type Render } from '../../render/templates.ts';
import { runningTexts } from '../../render/wording.ts';
import { allLines, type BookReport, daysText, type ReportOptions } from './table.ts';

let template: Render | undefined;

/** Of a report that is short enough (`requireRoom`). */
export async function reportHtml(
  db: Db,
  report: BookReport,
  options: ReportOptions,
): Promise<string> {
  template ??= loadTemplate('documents/report');
  const company = await findCompany(db);
  const columns = report.columns(options);
  const lines = [];
  for await (const portion of allLines((work) => work(db), report, options)) {
    for (const { kind, cells } of portion) {
      lines.push({
        isStrong: kind !== 'row',
        cells: columns.map((column, place) => {
          const cell = cells[place] ?? '';
          const isNumber = column.kind === 'amount';
          return { text: typeof cell === 'bigint' ? amountText(cell) : cell, isNumber };
        }),
      });
    }
  }
  const title = `${report.title} ${daysText(report, options)}`;
  return template({
    title,
    ...runningTexts(title, {
      name: company?.name ?? '',
      orgNumber: company?.organization_number ?? null,
    }),
    company: company?.name ?? '',
    of: options.dimension ? `${options.dimension.code} ${options.dimension.name}` : '',
    // Months side by side need a larger sheet than ledgers do, and a statement none that is turned.
    size: columns.length > 9 ? 'A3' : columns.length > 5 ? 'A4' : '',
    columns: columns.map(({ label, kind }) => ({ label, isNumber: kind === 'amount' })),
    lines,
  });
}
