/** SIE files: the books out to other programs, and in from them. */
import type { Pages } from '../../page.ts';
import { registerSieAnew } from './sie-anew.ts';
import { registerSieExport } from './sie-export.ts';
import { registerSieImport } from './sie-import.ts';

export function registerSieSection(pages: Pages): void {
  registerSieExport(pages);
  registerSieImport(pages);
  registerSieAnew(pages);
}
