/** The order inbox: what came from shops, what stopped, and what to do with several at once. */

import { z } from 'zod';
import { countChangedOrders } from '../../intake/orders/change-store.ts';
import { dismissOrders, retryOrders } from '../../intake/orders/inbox.ts';
import { type ListedOrder, listOrders, type OrderQuery } from '../../intake/orders/inbox-store.ts';
import {
  bodyOf,
  type ReadableOrder,
  readableOrder,
  readableRefund,
} from '../../intake/orders/readable.ts';
import { refuse } from '../../lib/errors.ts';
import { say, sayOf, worded } from '../../lib/language.ts';
import { field, problemsAbove } from '../fields.ts';
import { type Fields, textOf, textsOf } from '../form-fields.ts';
import { amountText, count, moment } from '../format.ts';
import { text } from '../inputs.ts';
import type { PagePlace, Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { isUuid, outcomeOf, waitForRetried } from './order-retries.ts';
import {
  currencyAmount,
  isKronor,
  orderChip,
  orderSentence,
  receivedName,
  rejectionOptions,
} from './order-words.ts';

const pageSize = 50;

const tabs = worded(
  () =>
    [
      { tab: 'stopped', name: 'atgard', label: say`Kräver åtgärd` },
      { tab: 'changed', name: 'andrade', label: say`Ändrade efteråt` },
      { tab: 'drafts', name: 'utkast', label: say`Utkast` },
      { tab: 'duplicates', name: 'dubbletter', label: say`Dubbletter` },
      { tab: 'dismissed', name: 'avvisade', label: sayOf('order')`Avvisade` },
      { tab: 'all', name: 'alla', label: say`Alla` },
    ] as const,
);

/** The ticked rows of a list. */
export const tickedRows = (error: () => string) =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())], { error })
    .pipe(z.array(z.uuid({ error })).min(1, { error }).max(pageSize, { error }));

const ticked = tickedRows(() => say`Markera minst en order i listan.`);

export function registerOrderPages(pages: Pages): void {
  const place: PagePlace<Record<string, string>> = { url: '/order', right: 'read' };
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
        ? { to: addressOf(query, {}), notice: say`Inga av orderna väntade på att prövas igen.` }
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
        const message = say`Ingen av orderna är stoppad; de prövas just nu eller har blivit fakturor.`;
        throw refuse('unprocessable', [{ path: 'order', reason: 'not_stopped', message }]);
      }
      const rest =
        left === 0 ? '' : say` ${count(left)} lämnades: de prövas eller har blivit fakturor.`;
      return { to: addressOf(query, {}), notice: say`${count(dismissed)} order avvisade.${rest}` };
    },
  });
}

interface Filter {
  readonly tab: ReturnType<typeof tabs>[number];
  readonly query: OrderQuery;
}

function filterOf(fields: Fields): Filter {
  const tab = tabs().find(({ name }) => name === textOf(fields, 'flik')) ?? tabs()[0];
  const reason = rejectionOptions().find(({ value }) => value === textOf(fields, 'orsak'));
  const before = textOf(fields, 'efter');
  const search = textOf(fields, 'sok').trim().slice(0, 255);
  return {
    tab,
    query: {
      tab: tab.tab,
      reason: reason?.value ?? null,
      externalId: search === '' || search.includes('\0') ? null : search,
      before: isUuid(before) ? before : null,
      limit: pageSize,
    },
  };
}

/** The list with the same filter, and what is added to it. */
function addressOf(fields: Fields, more: Readonly<Record<string, string>>): string {
  const { tab, query } = filterOf(fields);
  const pairs = {
    ...(tab === tabs()[0] ? {} : { flik: tab.name }),
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
  const orders = found.slice(0, pageSize);
  const last = orders.at(-1);
  const chosen = new Set(textsOf(input.fields, 'order'));
  const isFiltered = query.reason !== null || query.externalId !== null;
  const address = addressOf(fields, {});
  const changed = await countChangedOrders(tx);
  const search = address.slice('/order'.length);
  return {
    template: 'orders',
    title: sayOf('menu')`Order`,
    scripts: ['inbox'],
    values: {
      tabs: tabs().map(({ tab: which, name, label }, index) => ({
        href: index === 0 ? '/order' : `/order?flik=${name}`,
        label: which === 'changed' && changed > 0 ? `${label} (${changed})` : label,
        isCurrent: name === tab.name,
      })),
      tab: { name: tab.name, label: tab.label, isStopped: tab.tab === 'stopped' },
      empty: emptyStates()[tab.tab],
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
        reason: field(input, 'reason', sayOf('order')`Orsak till att avvisa`, {
          maxLength: 500,
          isRequired: false,
        }),
        above: problemsAbove(input, ['reason']),
        faults: input.problems.length,
      },
      outcome: await outcomeOf(visit),
      pager: {
        next: found.length > pageSize && last ? addressOf(fields, { efter: last.id }) : null,
        first: query.before === null ? null : address,
      },
    },
  };
}

const emptyStates = worded(
  () =>
    ({
      stopped: {
        heading: say`Ingen order väntar på dig`,
        text: say`Hit kommer order som inte kunde bli fakturautkast av sig själva, med orsaken.`,
      },
      changed: {
        heading: say`Ingen order är ändrad efteråt`,
        text: say`Hit kommer order som butiken skickar igen med annat innehåll när de redan är fakturor, tills någon har sett till dem.`,
      },
      drafts: {
        heading: say`Inga utkast från order`,
        text: say`Order som har blivit fakturautkast står här tills utkastet är bokfört.`,
      },
      duplicates: {
        heading: say`Inga dubbletter`,
        text: say`Hit kommer order vars nummer skickades flera gånger med olika innehåll på samma gång. Den som redan är faktura besvaras med fakturan, och står under Ändrade efteråt när innehållet är ett annat.`,
      },
      dismissed: {
        heading: say`Inga avvisade order`,
        text: say`Order som någon har bestämt inte ska faktureras står här, med skälet.`,
      },
      all: {
        heading: say`Inga order har kommit än`,
        text: say`Butiken skickar sina order till POST /api/inbound/order med en API-nyckel som får lämna in.`,
      },
    }) as const,
);

function filterFields(fields: Fields, hasReason: boolean) {
  const input: FormInput = { fields: {}, problems: [], isSent: false };
  return {
    search: field(input, 'sok', say`Ordernummer`, { type: 'search', value: textOf(fields, 'sok') }),
    reason: hasReason
      ? field(input, 'orsak', say`Orsak`, {
          type: 'select',
          saysOptional: false,
          value: textOf(fields, 'orsak'),
          options: [{ value: '', label: say`Alla orsaker` }, ...rejectionOptions()],
        })
      : null,
  };
}

/** The invoice's total, or else what the order says in its own currency; kronor go without saying. */
function totalText({ invoice_total_ore }: ListedOrder, read: ReadableOrder | null): string {
  if (invoice_total_ore !== null) return amountText(invoice_total_ore);
  if (read === null || read.totalOre === null) return read?.total ?? '';
  const { totalOre, currency } = read;
  return isKronor(currency) ? amountText(totalOre) : currencyAmount(totalOre, currency);
}

function ofOrder(body: unknown): string {
  const { externalId } = readableRefund(body);
  return externalId === '' ? '' : say`av order ${externalId}`;
}

/** Below zero, since it goes back; of one that is no credit note yet, what it says itself. */
function refundText({ invoice_total_ore: noteOre }: ListedOrder, body: unknown): string {
  const { amountOre, amount, currency } = readableRefund(body);
  if (noteOre !== null) return amountText(-noteOre);
  if (amountOre === null) return amount;
  return isKronor(currency || 'SEK')
    ? amountText(-amountOre)
    : currencyAmount(-amountOre, currency);
}

function listedOrder(order: ListedOrder, timeZone: string) {
  const body = order.raw === null ? undefined : bodyOf(order.raw);
  const read = order.raw === null || order.kind === 'refund' ? null : readableOrder(body);
  return {
    id: order.id,
    name: receivedName(order),
    externalId:
      order.kind === 'refund' ? receivedName(order) : (order.external_id ?? say`Utan nummer`),
    received: moment(order.received_at, timeZone),
    sender: order.sender ?? '–',
    customer:
      order.debtor_name ?? (order.kind === 'refund' ? ofOrder(body) : (read?.customer.name ?? '')),
    total: order.kind === 'refund' ? refundText(order, body) : totalText(order, read),
    sentence: orderSentence(order),
    code: order.status === 'rejected' ? order.reason : null,
    dismissal: order.dismissal,
    chip: orderChip(order),
  };
}
