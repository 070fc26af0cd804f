/** Proposals on the wire. */
import { z } from 'zod';
import {
  cursorParameter,
  openEnum,
  pageSchema,
  queryInteger,
  textSchema,
} from '../../http/schemas.ts';
import { dryRunMark } from '../../http/write-calls.ts';
import { type ProposalKind, type ProposalResult, proposalKinds } from '../../proposals/proposed.ts';
import { type ProposalForKey, proposalStatuses } from '../../proposals/store.ts';
import { time } from '../registers/schemas.ts';
import { payloads } from './payloads.ts';

export const proseSchema = textSchema(2_000)
  .nullish()
  .describe(
    'What you want to say of it. Shown last and marked as text from outside; posted nowhere',
  );

const proposalOf = <Kind extends ProposalKind>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), payload: payloads[kind], untrusted_text: proseSchema });

export const proposalInput = z
  .discriminatedUnion('kind', [
    proposalOf('voucher'),
    proposalOf('correction'),
    proposalOf('match'),
    proposalOf('invoice_draft'),
    proposalOf('purchase'),
  ])
  .meta({
    example: {
      kind: 'voucher',
      payload: {
        seriesCode: 'A',
        date: '2026-03-31',
        description: 'Kontorsmaterial',
        rows: [
          { account: 6110, debit: 400, credit: 0 },
          { account: 2641, debit: 100, credit: 0 },
          { account: 1930, debit: 0, credit: 500 },
        ],
      },
      untrusted_text: 'The receipt of 31 March says office supplies.',
    },
  });

export const statusMeanings: Readonly<Record<(typeof proposalStatuses)[number], string>> = {
  open: 'Waits for a person',
  approved: 'A person approved it, and it became what `result` says',
  rejected: 'A person rejected it; `reject_reason` says why',
  withdrawn: 'Taken back by the key that made it',
  expired: 'Nobody decided within 30 days',
};

export const proposalKindMeanings: Readonly<Record<ProposalKind, string>> = {
  voucher: 'A voucher',
  correction: 'A voucher taken back, and perhaps one in its place',
  match: 'What a row of the bank is booked as',
  invoice_draft: 'A customer invoice as a draft',
  purchase: "A supplier's invoice as a draft",
};

export const resultKindMeanings: Readonly<Record<ProposalResult['kind'], string>> = {
  voucher: 'To be read at GET /api/v1/verifikat?id=',
  invoice: 'To be read at GET /api/v1/kundfakturor/{id}',
  purchase: 'To be read at GET /api/v1/inkop/{id}',
};

export const proposalItem = z
  .object({
    id: z.uuid(),
    kind: openEnum(proposalKindMeanings),
    status: openEnum(statusMeanings),
    payload: z.looseObject({}).describe('Exactly as it was sent'),
    untrusted_text: z.string().nullable(),
    moved: z
      .array(z.string())
      .describe(
        'What it relies on and that has changed since, as account:1930: it cannot be approved as it is',
      ),
    created_at: time,
    expires_at: time,
    decided_at: time.nullable(),
    reject_reason: z.string().nullable(),
    result: z
      .object({
        kind: openEnum(resultKindMeanings),
        id: z.uuid(),
      })
      .nullable()
      .describe('What it became'),
    url: z.url().describe('Where people look at it'),
  })
  .meta({ id: 'Proposal', description: 'What a key has proposed, and what became of it' });

export const checkedProposal = z
  .object({ dry_run: dryRunMark, kind: openEnum(proposalKindMeanings) })
  .meta({ id: 'CheckedProposal', description: 'With dryRun: nothing hinders, nothing is written' });

export const proposalPage = pageSchema(
  proposalItem,
  'ProposalPage',
  'A page of proposals, the latest first',
);

export const proposalQuery = z.strictObject({
  status: z.enum(proposalStatuses).optional().describe('Only proposals in that state'),
  limit: queryInteger(1, 200).default(50).describe('Proposals per page, 50 unless said'),
  cursor: cursorParameter,
});

export const proposalParams = z.strictObject({ id: z.guid().describe('The id of the proposal') });

export const proposalAnswer = (one: ProposalForKey, baseUrl: string) => ({
  id: one.id,
  kind: one.kind,
  status: one.status,
  payload: one.payload as Record<string, unknown>,
  untrusted_text: one.prose,
  moved: one.moved,
  created_at: one.created_at.toISOString(),
  expires_at: one.expires_at.toISOString(),
  decided_at: one.decided_at?.toISOString() ?? null,
  reject_reason: one.reason,
  result: one.result_kind && one.result_id ? { kind: one.result_kind, id: one.result_id } : null,
  url: `${baseUrl}/forslag/${one.id}`,
});

export const isProposalKind = (word: string): word is ProposalKind =>
  proposalKinds.some((kind) => kind === word);
