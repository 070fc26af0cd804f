/** The order inbox: what came from shops, what stopped, and what to do with several at once. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, refuse } from '../errors.ts';
import { parseJson } from '../json.ts';
import { dismissOrders, retryOrders } from '../orders/inbox.ts';
import {
  type ListedOrder,
  listOrders,
  listRetried,
  type OrderQuery,
  type RetryOutcome,
} from '../orders/inbox-store.ts';
import { readableOrder } from '../orders/readable.ts';
import { field, problemsAbove } from './fields.ts';
import { type Fields, textOf, textsOf } from './form-fields.ts';
import { amountText, count, moment } from './format.ts';
import { text } from './inputs.ts';
import { orderChip, orderSentence, rejectionOptions } from './order-words.ts';
import {
  type FormInput,
  nothingTyped,
  type Pages,
  type Place,
  type View,
  type Visit,
} from './page.ts';

const PAGE_SIZE = 50;
/** What a person waits for the worker after trying again. */
const WAIT_MS_MAX = 4_000;

const tabs = [
  { tab: 'stopped', name: 'atgard', label: 'Kräver åtgärd' },
  { tab: 'drafts', name: 'utkast', label: 'Utkast' },
  { tab: 'duplicates', name: 'dubbletter', label: 'Dubbletter' },
  { tab: 'dismissed', name: 'avvisade', label: 'Avvisade' },
  { tab: 'all', name: 'alla', label: 'Alla' },
] as const;

/** The ticked rows of a list. */
export const tickedRows = (sentence: string) =>
  z.union([z.string().transform((one) => [one]), z.array(z.string())], { error: sentence }).pipe(
    z
      .array(z.uuid({ error: sentence }))
      .min(1, sentence)
      .max(PAGE_SIZE, sentence),
  );

const ticked = tickedRows('Markera minst en order i listan.');

export function registerOrderPages(pages: Pages): void {
  const place: Place<Record<string, string>> = { url: '/order', right: 'read' };
  pages.answer(place, async (request) => {
    await waitForRetried(pages, request, place);
    return pages.visit(request, place, (visit) => showOrders(visit, nothingTyped));
  });

  pages.act({
    url: '/order/forsok-igen',
    right: 'keep_books',
    fields: z.object({ order: ticked }),
    show: showOrders,
    perform: async ({ tx, person, requestId, query }, { order }) => {
      const { retried } = await retryOrders(tx, order, { actor: person.actor, requestId });
      return retried === 0
        ? { to: addressOf(query, {}), notice: 'Inga av orderna väntade på att prövas igen.' }
        : { to: addressOf(query, { provas: requestId }) };
    },
  });

  pages.act({
    url: '/order/avvisa',
    right: 'keep_books',
    fields: z.object({ order: ticked, reason: text(500) }),
    show: showOrders,
    perform: async ({ tx, person, requestId, query }, { order, reason }) => {
      const decider = { actor: person.actor, requestId };
      const { dismissed, left } = await dismissOrders(tx, order, reason, decider);
      if (dismissed === 0) {
        const message = 'Ingen av orderna är stoppad; de prövas just nu eller har blivit fakturor.';
        throw refuse('unprocessable', [{ path: 'order', reason: 'not_stopped', message }]);
      }
      const rest =
        left === 0 ? '' : ` ${count(left)} lämnades: de prövas eller har blivit fakturor.`;
      return { to: addressOf(query, {}), notice: `${count(dismissed)} order avvisade.${rest}` };
    },
  });
}

interface Filter {
  readonly tab: (typeof tabs)[number];
  readonly query: OrderQuery;
}

const isUuid = (value: string): boolean => z.uuid().safeParse(value).success;

function filterOf(fields: Fields): Filter {
  const tab = tabs.find(({ name }) => name === textOf(fields, 'flik')) ?? tabs[0];
  const reason = rejectionOptions.find(({ value }) => value === textOf(fields, 'orsak'));
  const before = textOf(fields, 'efter');
  const search = textOf(fields, 'sok').trim().slice(0, 255);
  return {
    tab,
    query: {
      tab: tab.tab,
      reason: reason?.value ?? null,
      externalId: search === '' || search.includes('\0') ? null : search,
      before: isUuid(before) ? before : null,
      limit: PAGE_SIZE,
    },
  };
}

/** The list with the same filter, and what is added to it. */
function addressOf(fields: Fields, more: Readonly<Record<string, string>>): string {
  const { tab, query } = filterOf(fields);
  const pairs = {
    ...(tab === tabs[0] ? {} : { flik: tab.name }),
    ...(query.reason === null ? {} : { orsak: query.reason }),
    ...(query.externalId === null ? {} : { sok: query.externalId }),
    ...more,
  };
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? '/order' : `/order?${text}`;
}

async function showOrders(visit: Visit, input: FormInput): Promise<View> {
  const { tx, query: fields, deps } = visit;
  const { tab, query } = filterOf(fields);
  const found = await listOrders(tx, query);
  const orders = found.slice(0, PAGE_SIZE);
  const last = orders.at(-1);
  const chosen = new Set(textsOf(input.fields, 'order'));
  const isFiltered = query.reason !== null || query.externalId !== null;
  const address = addressOf(fields, {});
  const search = address.slice('/order'.length);
  return {
    template: 'orders',
    title: 'Order',
    scripts: ['inbox'],
    values: {
      tabs: tabs.map(({ name, label }, index) => ({
        href: index === 0 ? '/order' : `/order?flik=${name}`,
        label,
        isCurrent: name === tab.name,
      })),
      tab: { name: tab.name, label: tab.label, isStopped: tab.tab === 'stopped' },
      empty: emptyStates[tab.tab],
      isFiltered,
      filter: filterFields(fields, tab.tab === 'stopped'),
      orders: orders.map((order) => ({
        ...listedOrder(order, deps.config.timeZone),
        isTicked: chosen.has(order.id),
      })),
      bulk: {
        retry: `/order/forsok-igen${search}`,
        dismiss: `/order/avvisa${search}`,
        isShown: tab.tab === 'stopped' || tab.tab === 'dismissed',
        mayDismiss: tab.tab === 'stopped',
        reason: field(input, 'reason', 'Orsak till att avvisa', {
          maxLength: 500,
          isRequired: false,
        }),
        above: problemsAbove(input, ['reason']),
        faults: input.problems.length,
      },
      outcome: await outcomeOf(visit),
      pager: {
        next: found.length > PAGE_SIZE && last ? addressOf(fields, { efter: last.id }) : null,
        first: query.before === null ? null : address,
      },
    },
  };
}

const emptyStates = {
  stopped: {
    heading: 'Ingen order väntar på dig',
    text: 'Hit kommer order som inte kunde bli fakturautkast av sig själva, med orsaken.',
  },
  drafts: {
    heading: 'Inga utkast från order',
    text: 'Order som har blivit fakturautkast står här tills utkastet är bokfört.',
  },
  duplicates: {
    heading: 'Inga dubbletter',
    text: 'Hit kommer order vars nummer skickades flera gånger med olika innehåll på samma gång. Den som redan är faktura besvaras med fakturan och lagras inte igen.',
  },
  dismissed: {
    heading: 'Inga avvisade order',
    text: 'Order som någon har bestämt inte ska faktureras står här, med skälet.',
  },
  all: {
    heading: 'Inga order har kommit än',
    text: 'Butiken skickar sina order till POST /api/inbound/order med en API-nyckel som får lämna in.',
  },
} as const;

function filterFields(fields: Fields, hasReason: boolean) {
  const input: FormInput = { fields: {}, problems: [], isSent: false };
  return {
    search: field(input, 'sok', 'Ordernummer', { type: 'search', value: textOf(fields, 'sok') }),
    reason: hasReason
      ? field(input, 'orsak', 'Orsak', {
          type: 'select',
          isRequired: true,
          value: textOf(fields, 'orsak'),
          options: [{ value: '', label: 'Alla orsaker' }, ...rejectionOptions],
        })
      : null,
  };
}

function listedOrder(order: ListedOrder, timeZone: string) {
  const read = order.raw === null ? null : readableOrder(bodyOf(order.raw));
  const totalOre = order.invoice_total_ore ?? read?.totalOre ?? null;
  return {
    id: order.id,
    externalId: order.external_id ?? 'Utan nummer',
    received: moment(order.received_at, timeZone),
    sender: order.sender ?? '–',
    customer: order.debtor_name ?? read?.customer.name ?? '',
    total: totalOre === null ? (read?.total ?? '') : amountText(totalOre),
    sentence: orderSentence(order),
    code: order.status === 'rejected' ? order.reason : null,
    dismissal: order.dismissal,
    chip: orderChip(order),
  };
}

/** What a stored body says; the door has let only JSON through. */
export function bodyOf(raw: Buffer): unknown {
  try {
    return parseJson(raw).value;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Waits a little, outside any transaction, for the worker to judge what the address says was retried. */
export async function waitForRetried<Params>(
  pages: Pages,
  request: FastifyRequest,
  place: Place<Params>,
): Promise<void> {
  const { decisions, config } = pages.deps;
  const requestId = new URLSearchParams(request.url.split('?', 2)[1] ?? '').get('provas') ?? '';
  if (!isUuid(requestId)) return;
  const deadline = performance.now() + Math.min(config.intakeWaitMs, WAIT_MS_MAX);
  const read = () =>
    pages.visit(request, place, async ({ tx }) =>
      (await listRetried(tx, requestId)).filter(isWaiting).map((one) => one.attempt_id),
    );
  for (let waiting = await read(); ; ) {
    const [first] = waiting;
    const timeoutMs = deadline - performance.now();
    if (first === undefined || timeoutMs <= 0) return;
    const options = { timeoutMs, mayBeDecided: true };
    waiting = await decisions.wait(first, options, read, (left) => !left.includes(first));
  }
}

const isWaiting = ({ status, is_invoiced }: RetryOutcome): boolean =>
  status === 'received' && !is_invoiced;

/** What came of the orders that were just tried again, in words; null when none were. */
export async function outcomeOf({
  tx,
  query,
}: Pick<Visit, 'tx' | 'query'>): Promise<{ tone: string; text: string } | null> {
  const requestId = textOf(query, 'provas');
  if (!isUuid(requestId)) return null;
  const retried = await listRetried(tx, requestId);
  if (retried.length === 0) return null;
  const invoiced = retried.filter((one) => one.is_invoiced).length;
  const waiting = retried.filter(isWaiting).length;
  const stopped = retried.length - invoiced - waiting;
  const sentences = [
    `${orders(retried.length)} prövades igen.`,
    invoiced > 0 ? `${count(invoiced)} blev fakturautkast.` : '',
    stopped > 0 ? `${count(stopped)} stoppades på nytt.` : '',
    waiting > 0 ? `${count(waiting)} prövas fortfarande; ladda om sidan strax.` : '',
  ];
  const tone = stopped > 0 ? 'warning' : waiting > 0 ? 'hint' : 'notice';
  return { tone, text: sentences.filter(Boolean).join(' ') };
}

const orders = (n: number): string => (n === 1 ? 'Ordern' : `${count(n)} order`);
