/** Rapporter: every report there is, on a page and as a file. */
import type { Pages } from '../../page.ts';
import { registerReportFiles } from './report-files.ts';
import { registerReportPages } from './reports.ts';

export function registerReportSection(pages: Pages): void {
  registerReportPages(pages);
  registerReportFiles(pages);
}
