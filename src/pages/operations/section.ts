/** The overview, the operation of the installation, and the audit log. */
import type { Pages } from '../page.ts';
import { registerAuditPages } from './audit.ts';
import { registerOperationPages } from './operations.ts';
import { registerOverviewPages } from './overview.ts';

export function registerOperationSection(pages: Pages): void {
  registerOperationPages(pages);
  registerOverviewPages(pages);
  registerAuditPages(pages);
}
