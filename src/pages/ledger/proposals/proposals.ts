/** Förslag: what programs propose, many at once and one by one; a person approves or rejects. */

import { z } from 'zod';
import { proposedOf } from '../../../api/proposals/payloads.ts';
import { listActorNames } from '../../../audit/actors.ts';
import { refuse, refuseWhole } from '../../../lib/errors.ts';
import { say, worded } from '../../../lib/language.ts';
import {
  approveProposals,
  type DecidedProposals,
  rejectProposals,
} from '../../../proposals/service.ts';
import {
  findProposal,
  listStoredProposals,
  type StoredProposal,
} from '../../../proposals/store.ts';
import { field, problemsAbove } from '../../fields.ts';
import { textOf, textsOf } from '../../form-fields.ts';
import { count } from '../../format.ts';
import { isMoment, text, uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';
import { proposalView } from './proposal-view.ts';

const home = '/forslag';
const onPage = 25;

const chosen = z
  .union([z.string().transform((one) => [one]), z.array(z.string())], {
    error: () => say`Markera minst ett förslag.`,
  })
  .pipe(z.array(uuid).max(onPage));

export function registerProposalPages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: (visit) => showList(visit, nothingTyped) });
  pages.show({
    url: `${home}/:id`,
    right: 'read',
    params: z.object({ id: uuid }),
    show: showOne,
  });
  const act = { right: 'keep_books', show: showList } as const;
  pages.act({
    ...act,
    url: `${home}/godkann`,
    fields: z.object({ proposal: chosen.optional(), only: chosen.optional() }),
    perform: async ({ tx, person, today }, { proposal, only = proposal }) => {
      const deciding = { today, actor: person.actor, read: proposedOf };
      const done = await approveProposals(tx, requireChosen(only), deciding);
      return {
        to: home,
        notice: outcomeOf(
          done,
          [say`förslag är godkänt`, say`förslag är godkända`],
          say`godkännas`,
        ),
      };
    },
  });
  pages.act({
    ...act,
    url: `${home}/avvisa`,
    fields: z.object({ proposal: chosen.optional(), reason: text(500) }),
    perform: async ({ tx, person }, { proposal, reason }) => {
      const deciding = { reason, actor: person.actor };
      const done = await rejectProposals(tx, requireChosen(proposal), deciding);
      return {
        to: home,
        notice: outcomeOf(done, [say`förslag är avvisat`, say`förslag är avvisade`], say`avvisas`),
      };
    },
  });
}

function requireChosen(ids: readonly string[] | undefined): readonly string[] {
  if (ids && ids.length > 0) return ids;
  const message = say`Markera minst ett förslag.`;
  throw refuse('invalid_request', [{ path: 'proposal', reason: 'required', message }]);
}

const pathStart = 'proposal.';
const pathOf = (id: string): string => `${pathStart}${id}`;
const idOf = (path: string): string | undefined =>
  path.startsWith(pathStart) ? path.slice(pathStart.length) : undefined;

/** Throws when none could be, each reason at its proposal. */
function outcomeOf(
  { decided, refused }: DecidedProposals,
  [one, several]: readonly [string, string],
  verb: string,
): string {
  if (decided.length === 0) {
    throw refuse(
      'unprocessable',
      refused.map(({ id, fault }) => ({ ...fault, path: pathOf(id) })),
    );
  }
  // What somebody else has decided meanwhile waits no longer.
  const taken = refused.filter(({ fault }) => fault.reason === 'proposal_decided').length;
  const left = refused.length - taken;
  return [
    `${count(decided.length)} ${decided.length === 1 ? one : several}.`,
    taken > 0 &&
      (taken === 1
        ? say`Ett var redan avgjort av någon annan.`
        : say`${count(taken)} var redan avgjorda av någon annan.`),
    left > 0 && say`${count(left)} kunde inte ${verb} och ligger kvar, med skälet på dess sida.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const tabs = worded(
  () =>
    [
      { name: 'vantar', label: say`Väntar`, isOpen: true },
      { name: 'avgjorda', label: say`Avgjorda`, isOpen: false },
    ] as const,
);

/** `2026-03-31 10:00:00.123+00~<id>`; anything else is the beginning. */
function placeOf(typed: string): { at: string; id: string } | null {
  const [at = '', id = ''] = typed.split('~');
  return isMoment(at) && uuid.safeParse(id).success ? { at, id } : null;
}

async function namesFor(visit: Visit<unknown>, proposals: readonly StoredProposal[]) {
  const actors = proposals.flatMap(({ actor, decided_by: by }) =>
    by === null ? [actor] : [actor, by],
  );
  const nameOf = await listActorNames(visit.tx, actors);
  return { nameOf, timeZone: visit.deps.config.timeZone };
}

async function showList(visit: Visit, input: FormInput): Promise<View> {
  const { tx, query } = visit;
  const tab = tabs().find(({ name }) => name === textOf(query, 'flik')) ?? tabs()[0];
  const after = placeOf(textOf(query, 'efter'));
  const found = await listStoredProposals(tx, { isOpen: tab.isOpen, after, limit: onPage + 1 });
  const page = found.slice(0, onPage);
  const last = found.length > onPage ? page.at(-1) : undefined;
  const names = await namesFor(visit, page);
  const ticked = textsOf(input.fields, 'proposal');
  const proposals: object[] = [];
  for (const one of page) {
    const view = await proposalView(tx, one, names);
    const fault = input.problems.find(({ path }) => path === pathOf(one.id))?.message ?? view.fault;
    const mayTick = view.moved.length === 0 && view.fault === null;
    proposals.push({ ...view, fault, mayApprove: mayTick, isTicked: ticked.includes(one.id) });
  }
  const address = tab === tabs()[0] ? home : `${home}?flik=${tab.name}`;
  const shownPaths = [...page.map(({ id }) => pathOf(id)), 'reason'];
  const form = {
    above: await problemsElsewhere(visit, input, shownPaths),
    faults: input.problems.length,
  };
  return {
    template: 'proposals',
    title: say`Förslag`,
    scripts: ['inbox'],
    values: {
      tabs: tabs().map((one) => ({
        href: one === tabs()[0] ? home : `${home}?flik=${one.name}`,
        label: one.label,
        isCurrent: one === tab,
      })),
      isOpen: tab.isOpen,
      proposals,
      reason: reasonField(input),
      form,
      pager: {
        next: last
          ? `${home}?${new URLSearchParams({ ...(tab.isOpen ? {} : { flik: tab.name }), efter: `${last.place}~${last.id}` })}`
          : null,
        first: after === null ? null : address,
      },
    },
  };
}

/** What stands at nothing on the page; of a proposal that is no longer in the list, by its name. */
async function problemsElsewhere(
  visit: Visit,
  input: FormInput,
  shownPaths: readonly string[],
): Promise<string[]> {
  const named: FormInput['problems'][number][] = [];
  for (const problem of input.problems) {
    const { path, message } = problem;
    const id = shownPaths.includes(path) ? undefined : idOf(path);
    const one = id === undefined ? undefined : await findProposal(visit.tx, id);
    if (!one) named.push(problem);
    else {
      const { kind, title } = await proposalView(visit.tx, one, await namesFor(visit, [one]));
      named.push({ ...problem, message: `${kind}: ${title}. ${message}` });
    }
  }
  return problemsAbove({ ...input, problems: named }, shownPaths);
}

const reasonField = (input: FormInput) =>
  field(input, 'reason', say`Skäl`, {
    maxLength: 500,
    saysOptional: false,
    help: say`Den som lade förslaget läser det.`,
  });

async function showOne(visit: Visit<{ id: string }>): Promise<View> {
  const one = await findProposal(visit.tx, visit.params.id);
  if (!one) throw refuseWhole('not_found', 'no_proposal');
  const view = await proposalView(visit.tx, one, await namesFor(visit, [one]));
  return {
    template: 'proposal',
    title: say`Förslag: ${view.kind.toLowerCase()}`,
    values: {
      one: { ...view, mayApprove: view.moved.length === 0 && view.fault === null },
      reason: reasonField(nothingTyped),
    },
  };
}
