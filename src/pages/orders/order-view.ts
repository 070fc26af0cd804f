/** An order's page as its template shows it: every value a text. */

import { listActorNames } from '../../audit/actors.ts';
import { indentJson } from '../../domain/basics/json.ts';
import { type Ore, parseDecimal } from '../../domain/basics/money.ts';
import type {
  AttemptStatus,
  OrderDecided,
  RefundOfOrder,
  ShownAttempt,
  ShownOrder,
} from '../../intake/orders/inbox-store.ts';
import {
  bodyOf,
  type ReadableOrder,
  type ReadablePayments,
  type ReadableRefund,
  readableOrder,
  readableRefund,
} from '../../intake/orders/readable.ts';
import type { Prospect } from '../../intake/orders/service.ts';
import type { ReceivedKind } from '../../intake/orders/store.ts';
import { type OrderEvent, orderTimeline } from '../../intake/orders/timeline.ts';
import { say } from '../../lib/language.ts';
import { rowMemberList } from '../../lib/sentences/order-fields.ts';
import { capitalized } from '../../lib/sentences/words.ts';
import { field, problemsAbove } from '../fields.ts';
import { amountText, count, kronor, moment } from '../format.ts';
import { shownProblems } from '../order-problems.ts';
import type { Person } from '../person.ts';
import { firstRows } from '../row-pages.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { changeView } from './order-change.ts';
import { nextSteps, retryStep } from './order-steps.ts';
import {
  currencyAmount,
  isKronor,
  orderChip,
  orderSentence,
  receivedName,
  receivedWords,
  rejectionWords,
} from './order-words.ts';

/** In characters, as it stands in the page; what is longer is downloaded instead of shown. */
const rawShownMax = 100_000;
const hashShown = 12;
export const refundsShown = 50;

interface Found {
  readonly order: ShownOrder;
  readonly attempts: readonly ShownAttempt[];
  /** The attempt whose body is shown. */
  readonly chosen: ShownAttempt;
  readonly raw: Buffer;
  readonly decisions: readonly OrderDecided[];
  /** Of an order; one more than are shown when there are more. */
  readonly refunds: readonly RefundOfOrder[];
  readonly outcome: { tone: string; text: string } | null;
  /** What the latest content would come to now; null unless the order is stopped. */
  readonly prospect: Prospect | null;
}

export async function orderView(
  { tx, deps, person }: Visit<{ id: string }>,
  input: FormInput,
  { order, attempts, chosen, raw, decisions, refunds, outcome, prospect }: Found,
): Promise<View> {
  const { timeZone } = deps.config;
  const latest = attempts[0] ?? chosen;
  const isStopped = order.invoice_id === null && latest.status === 'rejected';
  const timeline = orderTimeline(attempts, decisions);
  const nameOf = await listActorNames(
    tx,
    timeline.flatMap(({ actor }) => actor ?? []),
  );
  const { noun, the } = receivedWords()[order.kind];
  const isRefund = order.kind === 'refund';
  const dismissal = order.is_dismissed ? timeline.find(({ kind }) => kind === 'dismissal') : null;
  return {
    template: 'order',
    title: receivedName(order),
    values: {
      id: order.id,
      noun,
      isRefund,
      externalId: order.external_id ?? say`utan nummer`,
      refunded: {
        order: order.refunded_order_id && `/order/${order.refunded_order_id}`,
        invoice: order.refunded_invoice_id && `/kundfakturor/${order.refunded_invoice_id}`,
      },
      chip: orderChip({ ...order, status: latest.status, is_stuck: latest.is_stuck }),
      outcome,
      invoice: invoiceOf(order),
      change: await changeView(tx, order, timeZone),
      customer: order.customer_id && { id: order.customer_id, name: order.customer_name ?? '' },
      refunds: refundsView(order, refunds),
      next: stepsView(order, latest, prospect, person.may),
      may: { dismiss: isStopped && !order.is_dismissed },
      dismissal: dismissal?.kind === 'dismissal' ? dismissal.reason : null,
      stopped: chosen.status === 'rejected' ? stoppedView(chosen) : null,
      warnings: shownProblems(chosen.detail?.['warnings']),
      oren: orenView(chosen.detail?.['oren'], readableOrder(bodyOf(raw)).currency),
      body: bodyView(raw, chosen, order),
      isLatest: chosen.id === latest.id,
      timeline: timeline.map((event) => eventView(event, nameOf, timeZone, chosen.id, order.kind)),
      dismissForm: {
        reason: field(input, 'reason', say`Varför avvisas ${the}?`, {
          isRequired: true,
          maxLength: 500,
          help: say`Sparas i behandlingshistoriken. Den som skickade ${the} får samma svar som förut.`,
        }),
        above: problemsAbove(input, ['reason']),
        faults: input.problems.length,
      },
    },
  };
}

function invoiceOf(order: ShownOrder) {
  if (order.invoice_id === null) return null;
  const isDraft = order.invoice_status === 'draft';
  const { theDraft, booked } = receivedWords()[order.kind];
  return {
    id: order.invoice_id,
    label: isDraft ? theDraft : `${capitalized(booked)} ${order.invoice_number ?? ''}`,
    total: order.invoice_total_ore === null ? '' : kronor(order.invoice_total_ore),
  };
}

/** Each links to its own page, where its credit note is. */
function refundsView({ external_id }: ShownOrder, refunds: readonly RefundOfOrder[]) {
  const rows = refunds.slice(0, refundsShown).map((refund) => ({
    href: `/order/${refund.id}`,
    name: refund.external_id ?? say`utan nummer`,
    chip: orderChip(refund),
    total: refund.invoice_total_ore === null ? '' : kronor(refund.invoice_total_ore),
    sentence: orderSentence(refund),
  }));
  const more = new URLSearchParams({ flik: 'alla', nummer: external_id ?? '' });
  return {
    rows,
    more: refunds.length > refundsShown ? `/order?${more}` : null,
  };
}

function stoppedView({ reason, detail }: ShownAttempt) {
  const { name, sentence, wayOut } = rejectionWords(reason ?? '');
  const problems = shownProblems(detail?.['problems']);
  return { code: reason ?? '', name, sentence, wayOut, problems };
}

/** What to do, best first: of a stuck order to try again, of a stopped one what its reason asks. */
function stepsView(
  order: ShownOrder,
  latest: ShownAttempt,
  prospect: Prospect | null,
  may: Person['may'],
) {
  const isStuck = latest.is_stuck && order.invoice_id === null;
  const none = { sentence: '', others: [], currency: null, hasMore: false };
  const isStoppedRefund =
    order.kind === 'refund' && order.invoice_id === null && latest.status === 'rejected';
  if (prospect === null) {
    return { ...none, main: isStuck || isStoppedRefund ? retryStep(order.id) : null };
  }
  const { sentence, steps } = nextSteps(order.id, prospect, may);
  const [main = null, ...others] = steps;
  const sent = prospect.order?.currency ?? 'SEK';
  const currency = isKronor(sent) ? null : sent;
  const hasMore = sentence !== '' || others.length > 0 || currency !== null;
  return { sentence, main, others, currency, hasMore };
}

type Amounts = { readonly net: number; readonly vat: number; readonly gross: number };
interface StoredOren {
  readonly prices_include_vat: boolean;
  readonly rows: readonly (Amounts & { readonly row_no: number; readonly vat_rate: number })[];
  readonly vat_rounded_per_rate: Amounts;
  readonly vat_rounded_per_row: Amounts;
  readonly total: number;
  readonly difference: number;
}

/** Kronor as they are stored in JSON, exactly. */
const oreOf = (value: number): Ore => parseDecimal(value, 2) ?? 0n;

/** The arithmetic of an order whose rows do not make its total, both ways of rounding the VAT. */
function orenView(stored: unknown, currency: string) {
  if (typeof stored !== 'object' || stored === null) return null;
  const table = stored as StoredOren;
  const { rows, more } = firstRows(table.rows);
  const shown = ({ net, vat, gross }: Amounts) => ({
    net: amountText(oreOf(net)),
    vat: amountText(oreOf(vat)),
    gross: amountText(oreOf(gross)),
    difference: amountText(oreOf(table.total) - oreOf(gross)),
  });
  return {
    rows: rows.map((row) => ({ rowNo: row.row_no, rate: row.vat_rate, ...shown(row) })),
    more,
    perRate: shown(table.vat_rounded_per_rate),
    perRow: shown(table.vat_rounded_per_row),
    total: currencyAmount(oreOf(table.total), currency),
    difference: currencyAmount(oreOf(table.difference), currency),
    prices: table.prices_include_vat ? say`Priserna är med moms.` : say`Priserna är utan moms.`,
  };
}

function bodyView(
  raw: Buffer,
  attempt: ShownAttempt,
  { kind, refunded_currency: refundedIn }: ShownOrder,
) {
  const body = bodyOf(raw);
  const isShort = body !== undefined && raw.length <= rawShownMax;
  // Deep within, indentation is longer than what it indents.
  const json = isShort ? indentJson(raw.toString('utf8')) : '';
  const { rows, moreRows, customer, ...order } = readableOrder(body);
  const columns = rowMemberList().filter(
    ({ name, isRare }) => !isRare || rows.some((row) => row[name] !== ''),
  );
  return {
    attemptId: attempt.id,
    facts:
      kind === 'refund'
        ? refundFacts(readableRefund(body), refundedIn)
        : factsOf({ rows, moreRows, customer, ...order }),
    columns,
    rows: rows.map((row) => ({
      rowNo: row.rowNo,
      cells: columns.map(({ name, isNumber }) => ({ text: row[name], isNumber })),
    })),
    moreRows: moreRows === 0 ? null : count(moreRows),
    size: say`${count(raw.length)} byte`,
    json: isShort && json.length <= rawShownMax ? json : null,
  };
}

/** Amounts are in the currency that is sent, or else in the invoice's. */
function refundFacts(
  { amount, amountOre, isWhole, currency, ...refund }: ReadableRefund,
  refundedIn: string | null,
) {
  const sent = currency || refundedIn || 'SEK';
  const said = amountOre === null ? amount : currencyAmount(amountOre, sent);
  const facts = [
    [say`Återbetalningens nummer`, refund.refundId],
    [say`Ordernummer`, refund.externalId],
    [say`Datum`, refund.refundDate],
    [say`Belopp`, isWhole ? say`Allt som är kvar` : said || say`Enligt raderna`],
    ...paymentFacts(say`Betalt tillbaka`, refund.paid),
  ];
  return facts.map(([label, value]) => ({ label, value: value || '–' }));
}

/** None where the shop says nothing of payments. */
function paymentFacts(label: string, { payments, tip }: ReadablePayments): [string, string][] {
  const each = payments.map(({ method, amount }) => `${method} ${amount}`);
  return [
    ...(each.length === 0 ? [] : [[label, each.join(', ')] satisfies [string, string]]),
    ...(tip === '' ? [] : [[say`Dricks`, tip] satisfies [string, string]]),
  ];
}

function factsOf({ customer, pricesIncludeVat, ...order }: ReadableOrder) {
  const paid = (ore: Ore) => currencyAmount(ore, order.currency);
  const prices = pricesIncludeVat === null ? '' : pricesIncludeVat ? say`Med moms` : say`Utan moms`;
  const facts = [
    [say`Ordernummer`, order.externalId],
    [say`Orderdatum`, order.orderDate],
    [say`Leveransdatum`, order.deliveryDate],
    [say`Valuta`, order.currency],
    ...(order.exchangeRate === '' ? [] : [[say`Kurs`, order.exchangeRate] as const]),
    [say`Priser`, prices],
    [say`Kunden betalade`, order.totalOre === null ? order.total : paid(order.totalOre)],
    ...paymentFacts(say`Betalt med`, order.paid),
    [say`Köpare`, customer.name],
    [say`E-postadress`, customer.email],
    [say`Org.nummer`, customer.orgNumber],
    [say`Momsnummer`, customer.vatNumber],
    [say`Land`, customer.countryCode],
  ];
  return facts.map(([label, value]) => ({ label, value: value || '–' }));
}

const outcomeWord = (status: AttemptStatus, kind: ReceivedKind): string =>
  ({
    received: say`Prövas`,
    draft: say`Blev ${receivedWords()[kind].draft}`,
    duplicate: say`Dubblett`,
    rejected: say`Stoppad`,
  })[status];

function eventView(
  event: OrderEvent,
  nameOf: (actor: string) => string,
  timeZone: string,
  chosenId: string,
  receivedAs: ReceivedKind,
) {
  const common = { at: moment(event.at, timeZone), requestId: event.requestId };
  if (event.kind === 'dismissal') {
    const who = nameOf(event.actor);
    return { ...common, what: say`Avvisad av ${who}`, text: event.reason, hash: null, show: null };
  }
  if (event.kind === 'invoice') {
    const who = nameOf(event.actor);
    return {
      ...common,
      what: say`Fakturerad för hand av ${who}`,
      text: '',
      hash: null,
      show: null,
    };
  }
  const { attempt, actor, outcome } = event;
  const who =
    actor === null
      ? say`Skickad med nyckeln ${attempt.sender ?? '–'}`
      : say`Försökt igen av ${nameOf(actor)}`;
  const isOverdue = outcome.status === 'received' && attempt.is_stuck;
  const word = isOverdue ? say`Har inte prövats` : outcomeWord(outcome.status, receivedAs);
  const why = outcome.reason === null ? '' : `: ${rejectionWords(outcome.reason).name}`;
  return {
    ...common,
    what: who,
    text: `${word}${why}`,
    hash: { short: attempt.sha256.slice(0, hashShown), whole: attempt.sha256 },
    show: attempt.id === chosenId ? null : attempt.id,
  };
}
