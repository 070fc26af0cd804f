/** From received bytes to a draft or a reason, many at once: orders (load → decide → apply), then refunds. */

import { decisionChannel } from '../../db/decisions.ts';
import { enqueue, invoiceBooking } from '../../db/jobs.ts';
import type { Tx } from '../../db/pool.ts';
import {
  normalizeOrganizationNumber,
  normalizeVatNumber,
  plainExternalId,
} from '../../domain/basics/identifiers.ts';
import { findJsonProblems, parseJson } from '../../domain/basics/json.ts';
import { oreToNumber } from '../../domain/basics/money.ts';
import { matchCustomer, type NamedCustomer } from '../../domain/sales/customer-match.ts';
import {
  decideOrder,
  type OrderContext,
  type OrderDecision,
  rejectUnreadable,
} from '../../domain/sales/order.ts';
import { type PaymentContext, readPaymentAccounts } from '../../domain/sales/order-payments.ts';
import { type Order, parseOrder } from '../../domain/sales/order-shape.ts';
import { orenForWire } from '../../domain/sales/order-total.ts';
import type { Fault } from '../../lib/errors.ts';
import { portionsOf } from '../../lib/portions.ts';
import { uuid } from '../../lib/uuid.ts';
import { insertDrafts, type NewInvoice } from '../../sales/invoices/create-store.ts';
import { insertOrderPayments, type PaidDraft } from '../../sales/invoices/order-payment-store.ts';
import { decideRefund } from '../refunds/service.ts';
import {
  type Candidate,
  getIntakeRules,
  type IntakeRules,
  type Judgement,
  listAttempts,
  listCandidates,
  lockAttempts,
  type OrderAttempt,
  openWaiting,
  type WaitingAttempt,
  writeJudgements,
} from './intake-store.ts';

const actor = 'job:order-intake';

type ReadAttempt = OrderAttempt & { readonly parsed: ReturnType<typeof readOrder> };

/** Of bodies in memory at the same time: read and judged, each is some twenty times its size. */
const portionBytes = 2_000_000;

/**
 * Judges received orders and refunds in the caller's transaction. One that was judged before is left alone, but for
 * refunds that have waited for their order's invoice.
 */
export async function judgeAttempts(tx: Tx, attemptIds: readonly string[]): Promise<void> {
  const locked = await lockAttempts(tx, attemptIds, portionBytes);
  if (locked.some(({ has_waited: hasWaited }) => hasWaited)) {
    await openWaiting(
      tx,
      locked.map(({ id }) => id),
    );
  }
  if (locked.every(isWhole)) return judge(tx, locked);
  for (const portion of portionsOf(locked, ({ bytes }) => bytes, portionBytes)) {
    const ids = portion.map(({ id }) => id);
    await judge(tx, await listAttempts(tx, ids));
  }
}

const isWhole = (attempt: WaitingAttempt): attempt is WaitingAttempt & OrderAttempt =>
  attempt.raw !== null;

async function judge(tx: Tx, attempts: readonly OrderAttempt[]): Promise<void> {
  const orders = attempts.filter(({ kind }) => kind === 'order');
  if (orders.length > 0) await judgeOrders(tx, orders);
  const refunds = attempts.filter(({ kind }) => kind === 'refund');
  if (refunds.length > 0) await judgeRefunds(tx, refunds);
}

/** One by one, since each may take of the same invoice. */
async function judgeRefunds(tx: Tx, attempts: readonly OrderAttempt[]): Promise<void> {
  const rules = await getIntakeRules(tx, []);
  const notes = new Map<string, NewInvoice>();
  const judgements: Judgement[] = [];
  for (const attempt of attempts) {
    if (attempt.invoice_id !== null || notes.has(attempt.order_id)) {
      judgements.push(judgement(attempt, { status: 'duplicate' }));
      continue;
    }
    const decision = await decideRefund(
      tx,
      attempt,
      { ...rules, ...paymentContextOf(rules) },
      actor,
    );
    if (decision.kind === 'rejected') {
      const { reason, problems } = decision;
      judgements.push(judgement(attempt, { status: 'rejected', reason, detail: { problems } }));
      continue;
    }
    const { note: invoice } = decision;
    await insertDrafts(tx, [invoice]);
    await insertOrderPayments(tx, [{ id: invoice.id, payments: decision.payments }]);
    notes.set(attempt.order_id, invoice);
    judgements.push(judgement(attempt, { status: 'draft', invoice }));
  }
  if (rules.isBookedAutomatically && notes.size > 0) {
    await enqueue(
      tx,
      invoiceBooking,
      [...notes.values()].map(({ id }) => ({ invoiceId: id })),
    );
  }
  await writeJudgements(tx, judgements, decisionChannel);
}

async function judgeOrders(tx: Tx, waiting: readonly OrderAttempt[]): Promise<void> {
  const attempts = waiting.map((attempt) => ({ ...attempt, parsed: readOrder(attempt.raw) }));
  const buyers = attempts.flatMap(({ parsed }) =>
    'order' in parsed ? [parsed.order.customer] : [],
  );
  const [candidates, rules] = await Promise.all([
    listCandidates(tx, keysOf(buyers)),
    getIntakeRules(tx, articleNumbersOf(attempts)),
  ]);
  const context = contextOf(rules);

  const drafts: NewInvoice[] = [];
  const paid: PaidDraft[] = [];
  const draftedIn = new Map<string, NewInvoice>();
  /** Drafts that may be booked although nobody has looked at them. */
  const unattended: string[] = [];
  const judgements = attempts.map((attempt): Judgement => {
    // The order may have got its invoice earlier, or from another body in this very batch.
    if (attempt.invoice_id !== null || draftedIn.has(attempt.order_id)) {
      return judgement(attempt, { status: 'duplicate' });
    }
    const decision = decide(attempt, context, candidates);
    if (decision.kind === 'rejected') {
      const { reason, problems, oren } = decision;
      const detail = { problems, ...(oren ? { oren: orenForWire(oren) } : {}) };
      return judgement(attempt, { status: 'rejected', reason, detail });
    }
    const invoice = invoiceOf(decision);
    drafts.push(invoice);
    paid.push({ id: invoice.id, payments: decision.payments });
    draftedIn.set(attempt.order_id, invoice);
    if (!decision.needsPerson) unattended.push(invoice.id);
    const detail = decision.warnings.length > 0 ? { warnings: decision.warnings } : null;
    return judgement(attempt, { status: 'draft', detail, invoice });
  });

  // Sent one after the other without waiting in between; the database takes them in this order.
  const written: Promise<void>[] = [];
  if (drafts.length > 0) written.push(insertDrafts(tx, drafts), insertOrderPayments(tx, paid));
  if (rules.isBookedAutomatically && unattended.length > 0) {
    const payloads = unattended.map((invoiceId) => ({ invoiceId }));
    written.push(enqueue(tx, invoiceBooking, payloads));
  }
  await Promise.all([...written, writeJudgements(tx, judgements, decisionChannel)]);
}

/** The order in the bytes, or what is wrong with their form. The door has let only JSON through. */
function readOrder(raw: Buffer) {
  const { text, value } = parseJson(raw);
  const problems = findJsonProblems(text, value);
  return problems.length > 0 ? { problems } : parseOrder(value);
}

/** What an order would come to if it were judged now, and what that would rest on. */
export interface Prospect {
  readonly decision: OrderDecision;
  /** Null while the bytes cannot be read as an order. */
  readonly order: Order | null;
  /** The buyer in the register; null when none is found. */
  readonly customer: Candidate | null;
  readonly rules: IntakeRules;
}

/** Judges the bytes as the worker would, and changes nothing. */
export async function foresee(tx: Tx, raw: Buffer): Promise<Prospect> {
  const parsed = readOrder(raw);
  const order = 'order' in parsed ? parsed.order : null;
  const candidates = await listCandidates(tx, keysOf(order ? [order.customer] : []));
  const rules = await getIntakeRules(tx, articleNumbersOf([{ parsed }]));
  return {
    decision: decide({ parsed }, contextOf(rules), candidates),
    order,
    customer: order && matchCustomer(order.customer, candidates),
    rules,
  };
}

function decide(
  { parsed }: Pick<ReadAttempt, 'parsed'>,
  context: Omit<OrderContext, 'customer'>,
  candidates: readonly Candidate[],
): OrderDecision {
  if (!('order' in parsed)) return rejectUnreadable(parsed.problems);
  const customer = matchCustomer(parsed.order.customer, candidates);
  return decideOrder(parsed.order, {
    ...context,
    customer: customer && { ...customer, register: customer },
  });
}

/** What every order of a batch is judged by, but for its own buyer. */
function contextOf(rules: IntakeRules): Omit<OrderContext, 'customer'> {
  const { collectiveCustomerId: id, collectivePaymentTermsDays: paymentTermsDays } = rules;
  return {
    collectiveCustomer: id === null ? null : { id, paymentTermsDays, register: null },
    orderPaymentTermsDays: rules.paymentTermsDays,
    ...paymentContextOf(rules),
    supplyDefault: rules.supply,
    isOssOn: rules.isOssOn,
    fiscalYears: rules.fiscalYears,
    accounts: new Map(rules.accounts.map((account) => [account.number, account])),
    articles: new Map(rules.articles.map((article) => [article.number, article])),
  };
}

const paymentContextOf = ({ paymentAccounts, accounts }: IntakeRules): PaymentContext => ({
  paymentAccounts: readPaymentAccounts(paymentAccounts.join()) ?? new Map(),
  activeAccounts: new Set(accounts.flatMap(({ number, isActive }) => (isActive ? number : []))),
});

function invoiceOf(draft: OrderDecision & { kind: 'draft' }): NewInvoice {
  return {
    id: uuid(),
    source: 'order',
    createdBy: actor,
    customerId: draft.customerId,
    invoiceDate: draft.invoiceDate,
    deliveryDate: draft.deliveryDate,
    dueDate: draft.dueDate,
    paymentTermsDays: draft.paymentTermsDays,
    pricesIncludeVat: draft.pricesIncludeVat,
    yourReference: null,
    notes: null,
    debtor: draft.debtor,
    debtorFilled: draft.debtorFilled,
    rows: draft.rows,
    totals: draft.totals,
    inCurrency: draft.inCurrency ?? null,
  };
}

function judgement(
  attempt: OrderAttempt,
  outcome: {
    status: Judgement['status'];
    reason?: string;
    detail?: object | null;
    invoice?: NewInvoice;
  },
): Judgement {
  return {
    attemptId: attempt.id,
    orderId: attempt.order_id,
    status: outcome.status,
    reason: outcome.reason ?? null,
    detail: outcome.detail ?? null,
    invoiceId: outcome.invoice?.id ?? null,
    customerId: outcome.invoice?.customerId ?? null,
  };
}

/** What buyers may be found by in the register, in its own spelling. */
export function keysOf(buyers: readonly NamedCustomer[]) {
  const texts = (values: readonly (string | null | undefined)[]): string[] => [
    ...new Set(values.filter((value) => value != null)),
  ];
  return {
    externalIds: texts(buyers.map(({ externalId }) => externalId && plainExternalId(externalId))),
    names: texts(buyers.map(({ name }) => name.normalize('NFC').trim().toLowerCase())),
    emails: texts(buyers.map(({ email }) => email?.trim().toLowerCase())),
    organizationNumbers: texts(
      buyers.map(({ orgNumber }) => orgNumber && normalizeOrganizationNumber(orgNumber)),
    ),
    vatNumbers: texts(buyers.map(({ vatNumber }) => vatNumber && normalizeVatNumber(vatNumber))),
  };
}

function articleNumbersOf(attempts: readonly Pick<ReadAttempt, 'parsed'>[]): string[] {
  const numbers = attempts.flatMap(({ parsed }) =>
    'order' in parsed ? parsed.order.rows.map((row) => row.articleNumber) : [],
  );
  return [...new Set(numbers.filter((number) => number !== null))];
}

/** What the sender of an order hears of it when it is only tried. */
export type TriedOrder =
  | {
      readonly status: 'draft';
      /** As JSON has them, in kronor. */
      readonly amounts: Readonly<Record<'net' | 'vat' | 'rounding' | 'total', number>>;
      readonly warnings: readonly Fault[];
    }
  | {
      readonly status: 'rejected';
      readonly reason: string;
      readonly detail: { readonly problems: readonly Fault[]; readonly oren?: object };
    };

/**
 * Judges the bytes as the worker would, as if nothing of that number had come: who tries learns of the order and of the
 * company's rules, not of what exists.
 */
export async function tryOrder(tx: Tx, raw: Buffer): Promise<TriedOrder> {
  const { decision } = await foresee(tx, raw);
  if (decision.kind === 'rejected') {
    const { reason, problems, oren } = decision;
    return {
      status: 'rejected',
      reason,
      detail: { problems, ...(oren ? { oren: orenForWire(oren) } : {}) },
    };
  }
  const { netOre, vatOre, roundingOre, totalOre } = decision.totals;
  return {
    status: 'draft',
    amounts: {
      net: oreToNumber(netOre),
      vat: oreToNumber(vatOre),
      rounding: oreToNumber(roundingOre),
      total: oreToNumber(totalOre),
    },
    warnings: decision.warnings,
  };
}
