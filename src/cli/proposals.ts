/** huvudbok proposal list · show · approve · reject: what programs propose, decided by whoever runs the machine */
import type { Command } from 'commander';
import { proposedOf } from '../api/proposals/payloads.ts';
import { db } from '../db/pool.ts';
import { visibleText } from '../domain/basics/visible-text.ts';
import { refuseWhole } from '../lib/errors.ts';
import { changeInWords } from '../lib/sentences/proposals.ts';
import { commandProblem } from '../lib/sentences/say.ts';
import { approveProposals, type DecidedProposals, rejectProposals } from '../proposals/service.ts';
import { findProposal, listStoredProposals, type StoredProposal } from '../proposals/store.ts';
import { proposalKindNames, proposalStatusNames } from '../proposals/words.ts';
import { asOwner, print, today, withPool } from './context.ts';
import { addList } from './listing.ts';
import { actor, collect, type Json, jsonOption, text, uuid } from './options.ts';

const listMax = 10_000;

const wireOf = (one: StoredProposal) => ({
  id: one.id,
  kind: one.kind,
  status: one.status,
  payload: one.payload,
  untrusted_text: one.prose,
  moved: one.moved,
  created_at: one.created_at,
  created_by: one.actor,
  expires_at: one.expires_at,
  decided_at: one.decided_at,
  decided_by: one.decided_by,
  reject_reason: one.reason,
  result: one.result_id === null ? null : { kind: one.result_kind, id: one.result_id },
});

const movedWords = ({ moved, grounds, now_grounds: now }: StoredProposal): string =>
  moved
    .map((name) => changeInWords({ name, before: grounds[name] ?? null, now: now[name] ?? null }))
    .join('; ');

export function registerProposalCommands(program: Command): void {
  const proposal = program
    .command('proposal')
    .description('förslag som program har lagt och som någon ska ta ställning till');

  addList(proposal, {
    description: 'visa förslag som väntar, de äldsta först',
    empty: 'Inga förslag väntar.',
    read: (tx) => listStoredProposals(tx, { isOpen: true, after: null, limit: listMax }),
    cells: (one) => [
      one.id,
      proposalKindNames()[one.kind].toLowerCase(),
      one.created_at.toISOString().slice(0, 10),
      one.moved.length > 0 ? `har ändrats: ${movedWords(one)}` : 'går att godkänna',
    ],
    wire: wireOf,
  });

  proposal
    .command('show')
    .description('visa ett förslag, exakt som det bokförs om det godkänns')
    .argument('<id>', 'förslagets id', uuid)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const found = await withPool((pool) => findProposal(db(pool), id));
      if (!found) throw refuseWhole('not_found', 'no_proposal');
      const head = `${proposalKindNames()[found.kind]}, ${proposalStatusNames()[found.status].toLowerCase()}`;
      const moved = found.moved.length > 0 ? [`Har ändrats: ${movedWords(found)}`] : [];
      const said = found.prose === null ? [] : ['Text utifrån:', found.prose];
      const lines = [head, ...moved, JSON.stringify(found.payload, null, 2), ...said];
      print(json, wireOf(found), visibleText(lines.join('\n')));
    });

  proposal
    .command('approve')
    .description('godkänn förslag: vart och ett bokförs exakt som det står, eller ligger kvar')
    .argument('<id...>', 'förslagens id', collect(uuid))
    .option(...jsonOption)
    .action(async (ids: string[], { json }: Json) => {
      const deciding = { today: today(), actor, read: proposedOf };
      tell(json, await asOwner((tx) => approveProposals(tx, ids, deciding)), 'godkända');
    });

  proposal
    .command('reject')
    .description('avvisa förslag; den som lade dem läser skälet')
    .argument('<id...>', 'förslagens id', collect(uuid))
    .requiredOption('--reason <skäl>', 'varför', text(500))
    .option(...jsonOption)
    .action(async (ids: string[], { reason, json }: Json & { reason: string }) => {
      tell(json, await asOwner((tx) => rejectProposals(tx, ids, { reason, actor })), 'avvisade');
    });
}

function tell(
  json: boolean | undefined,
  { decided, refused }: DecidedProposals,
  done: string,
): void {
  const problems = refused.map(({ id, fault }) => ({ id, ...commandProblem(fault) }));
  const lines = [
    `${decided.length} förslag är ${done}.`,
    ...problems.map(({ id, message }) => `${id}: ${message}`),
  ];
  print(json, { decided, refused: problems }, lines.join('\n'));
  if (refused.length > 0) process.exitCode = 1;
}
