/** Month ends. */
import type { Pages } from '../../page.ts';
import { registerMonthEndPages } from './month-end.ts';

export function registerMonthSection(pages: Pages): void {
  registerMonthEndPages(pages);
}
