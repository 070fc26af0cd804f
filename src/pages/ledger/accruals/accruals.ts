/** Periodiseringar och avskrivningar: the list, one with its postings, moving what is stopped, and cancelling. */
import { z } from 'zod';
import { listActorNames } from '../../../audit/actors.ts';
import { addDays } from '../../../domain/basics/dates.ts';
import { absolute } from '../../../domain/basics/money.ts';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import { cancelAccrual, moveAccrual, restOf } from '../../../ledger/accruals/service.ts';
import {
  type Accrual,
  type AccrualPosting,
  findAccrual,
  type ListedAccrual,
  listAccruals,
  listPostings,
} from '../../../ledger/accruals/store.ts';
import { kindNames, partNames } from '../../../ledger/accruals/words.ts';
import { listAccountNames } from '../../../ledger/fiscal-years/store.ts';
import { getLocks } from '../../../ledger/locks/store.ts';
import { getVoucher } from '../../../ledger/vouchers/detail-store.ts';
import { refuseWhole } from '../../../lib/errors.ts';
import { say, translated } from '../../../lib/language.ts';
import { sentenceFor, sentenceOfKept } from '../../../lib/sentences/say.ts';
import { field, formOf } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, kronor, moment, monthInWords } from '../../format.ts';
import { day, optional, uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';
import { kindWords } from './accrual-words.ts';

export const accrualHome = '/periodiseringar';
const onPage = 100;
const params = z.object({ id: uuid });
type OfAccrual = Visit<{ id: string }>;

export function registerAccrualPages(pages: Pages): void {
  pages.show({ url: accrualHome, right: 'read', show: showList });
  pages.show({
    url: `${accrualHome}/:id`,
    right: 'read',
    params,
    show: (visit) => showOne(visit, nothingTyped),
  });
  pages.act({
    url: `${accrualHome}/:id/flytta`,
    right: 'keep_books',
    params,
    fields: z.object({ to: day }),
    show: showOne,
    perform: async ({ tx, today, person, params: { id } }, { to }) => {
      await moveAccrual(tx, { id, to }, { today, actor: person.actor });
      return { to: `${accrualHome}/${id}`, notice: `Det som låg tidigare är flyttat till ${to}.` };
    },
  });
  pages.act({
    url: `${accrualHome}/:id/avbryt`,
    right: 'keep_books',
    params,
    fields: z.object({ restOn: optional(day) }),
    show: showOne,
    perform: async ({ tx, today, person, params: { id } }, { restOn }) => {
      await cancelAccrual(tx, { id, restOn }, { today, actor: person.actor });
      const notice =
        restOn === null
          ? 'Periodiseringen är avbruten. Det som är bokfört står kvar.'
          : `Periodiseringen är avbruten, och resten är bokförd ${restOn}.`;
      return { to: `${accrualHome}/${id}`, notice };
    },
  });
}

type State = { readonly tone: string; readonly text: string };

const stateOf = (one: Pick<ListedAccrual, 'cancelledAt' | 'nextOn' | 'isStopped'>): State => {
  if (one.cancelledAt !== null) return { tone: '', text: say`Avbruten` };
  if (one.isStopped) return { tone: 'bad', text: say`Behöver ses` };
  return one.nextOn === null
    ? { tone: 'good', text: say`Klar` }
    : { tone: 'info', text: say`Pågår` };
};

/** As a row of a list: also on the pages of what it began with. */
export const shownAccrual = (one: ListedAccrual) => ({
  href: `${accrualHome}/${one.id}`,
  kind: translated(kindNames[one.kind]),
  description: one.description,
  accounts: say`${one.resultAccount} mot ${one.balanceAccount}`,
  amount: amountText(one.amountOre),
  months: spanOf(one),
  next: one.nextOn ?? '',
  progress: say`${one.posted} av ${one.postings}`,
  state: stateOf(one),
});

function spanOf({ firstMonth, months }: Pick<Accrual, 'firstMonth' | 'months'>): string {
  const from = monthInWords(firstMonth);
  return months === 1 ? from : say`${months} månader från ${from}`;
}

async function showList({ tx, query }: Visit): Promise<View> {
  const [nextOn = '', id = ''] = textOf(query, 'efter').split('~');
  const place = z.object({ nextOn: day.or(z.literal('')), id: uuid }).safeParse({ nextOn, id });
  const after = place.success ? { nextOn: place.data.nextOn || null, id: place.data.id } : null;
  const found = await listAccruals(tx, { limit: onPage + 1, after });
  const last = found.length > onPage ? found[onPage - 1] : undefined;
  return {
    template: 'accruals',
    title: 'Periodiseringar och avskrivningar',
    values: {
      accruals: found.slice(0, onPage).map(shownAccrual),
      pager: {
        next: last ? `${accrualHome}?efter=${last.nextOn ?? ''}~${last.id}` : null,
        first: after === null ? null : accrualHome,
      },
    },
  };
}

async function showOne(visit: OfAccrual, input: FormInput): Promise<View> {
  const { tx, deps, params: place } = visit;
  const accrual = await findAccrual(tx, place.id);
  if (!accrual) throw refuseWhole('not_found', 'no_accrual');
  const postings = await listPostings(tx, accrual.id);
  const { resultAccount, balanceAccount, createdBy, cancelledBy } = accrual;
  const names = await listAccountNames(tx, [resultAccount, balanceAccount]);
  const accountOf = (number: number) => ({ number, name: names.get(number) ?? '' });
  const who = await listActorNames(tx, [createdBy, ...(cancelledBy === null ? [] : [cancelledBy])]);
  const at = (time: Date) => moment(time, deps.config.timeZone);
  const waiting = postings.filter(({ voucherId }) => voucherId === null);
  const isStopped = waiting.some(({ problem }) => problem !== null);
  const origin =
    accrual.originVoucherId === null ? null : await getVoucher(tx, accrual.originVoucherId);
  return {
    template: 'accrual',
    title: `${kindNames[accrual.kind]}: ${accrual.description}`,
    values: {
      id: accrual.id,
      state: stateOf({ ...accrual, nextOn: waiting[0]?.date ?? null, isStopped }),
      amount: kronor(accrual.amountOre),
      months: spanOf(accrual),
      resultWord: kindWords[accrual.kind].result,
      balanceWord: kindWords[accrual.kind].balance,
      resultAccount: accountOf(resultAccount),
      balanceAccount: accountOf(balanceAccount),
      series: accrual.series,
      origin: origin && { id: origin.id, label: labelOf(origin), description: origin.description },
      created: `${at(accrual.createdAt)} av ${who(createdBy)}`,
      cancelled:
        accrual.cancelledAt === null
          ? null
          : `${at(accrual.cancelledAt)} av ${who(cancelledBy ?? '')}`,
      problems: [
        ...new Set(
          waiting
            .flatMap(({ problem }) => problem ?? [])
            .map((one) => sentenceOfKept(() => sentenceFor('page', one))),
        ),
      ],
      postings: postings.map((posting) => shownPosting(accrual, posting)),
      move: isStopped ? await moveForm(visit, input) : null,
      cancel: waiting.length === 0 ? null : cancelForm(accrual, postings, input),
    },
  };
}

function shownPosting(
  { resultAccount, balanceAccount }: Accrual,
  { part, date, resultOre, voucherId, voucher, takenBackBy, problem }: AccrualPosting,
) {
  const [debit, credit] =
    resultOre > 0n ? [resultAccount, balanceAccount] : [balanceAccount, resultAccount];
  return {
    date,
    part: partNames[part],
    accounts: `${debit} mot ${credit}`,
    amount: amountText(absolute(resultOre)),
    voucher: voucherId && { href: `/verifikat/${voucherId}`, label: voucher },
    takenBack: takenBackBy && `/verifikat/${takenBackBy}`,
    isStopped: problem !== null,
  };
}

/** The first open day stands there. */
async function moveForm({ tx }: OfAccrual, input: FormInput) {
  const { period_locked_to: lockedTo } = await getLocks(tx);
  return formOf(input, {
    to: field(input, 'to', 'Bokför det som väntar den', {
      type: 'date',
      isRequired: true,
      value: lockedTo === null ? '' : addDays(lockedTo, 1),
      help: 'Allt som är daterat tidigare och inte är bokfört får den dagen.',
    }),
  });
}

function cancelForm(accrual: Accrual, postings: readonly AccrualPosting[], input: FormInput) {
  const rest = restOf(accrual, postings);
  return {
    rest: rest === 0n ? null : kronor(absolute(rest)),
    form: formOf(input, {
      restOn: field(input, 'restOn', 'Bokför resten den', {
        type: rest === 0n ? 'hidden' : 'date',
        help: `${kronor(absolute(rest))} står på ${accrual.balanceAccount} av det som är bokfört. Tomt: det står kvar, och du bokför det själv.`,
      }),
    }),
  };
}
