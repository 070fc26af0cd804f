/** What people call proposals. */
import type { ProposalKind } from './proposed.ts';
import type { ProposalStatus } from './store.ts';

export const proposalKindNames: Readonly<Record<ProposalKind, string>> = {
  voucher: 'Verifikat',
  correction: 'Rättelse',
  match: 'Matchning',
  invoice_draft: 'Fakturautkast',
  purchase: 'Leverantörsfaktura',
};

export const proposalStatusNames: Readonly<Record<ProposalStatus, string>> = {
  open: 'Väntar',
  approved: 'Godkänt',
  rejected: 'Avvisat',
  withdrawn: 'Återtaget',
  expired: 'Utgånget',
};
