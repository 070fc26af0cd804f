/** What people call proposals. */
import { say, worded } from '../lib/language.ts';
import type { ProposalKind } from './proposed.ts';
import type { ProposalStatus } from './store.ts';

export const proposalKindNames = worded(
  (): Readonly<Record<ProposalKind, string>> => ({
    voucher: say`Verifikat`,
    correction: say`Rättelse`,
    match: say`Matchning`,
    invoice_draft: say`Fakturautkast`,
    purchase: say`Leverantörsfaktura`,
  }),
);

export const proposalStatusNames = worded(
  (): Readonly<Record<ProposalStatus, string>> => ({
    open: say`Väntar`,
    approved: say`Godkänt`,
    rejected: say`Avvisat`,
    withdrawn: say`Återtaget`,
    expired: say`Utgånget`,
  }),
);
