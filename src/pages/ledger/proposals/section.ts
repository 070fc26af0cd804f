import type { Pages } from '../../page.ts';
import { registerProposalPages } from './proposals.ts';

export function registerProposalSection(pages: Pages): void {
  registerProposalPages(pages);
}
