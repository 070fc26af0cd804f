/** One order: what came beside why it stopped, what has been tried, and what to do. */

import { z } from 'zod';
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { countryOf } from '../../domain/basics/countries.ts';
import {
  normalizeOrganizationNumber,
  normalizeVatNumber,
} from '../../domain/basics/identifiers.ts';
import { settleChangedOrder } from '../../intake/orders/change-store.ts';
import { createCustomerAndRetry, dismissOrders, retryOrders } from '../../intake/orders/inbox.ts';
import {
  findAttemptBytes,
  findOrder,
  listAttempts,
  listDecisions,
  listRefundsOf,
  type ShownAttempt,
  type ShownOrder,
} from '../../intake/orders/inbox-store.ts';
import { bodyOf, readableOrder } from '../../intake/orders/readable.ts';
import { foresee, type Prospect } from '../../intake/orders/service.ts';
import { AppError } from '../../lib/errors.ts';
import { say } from '../../lib/language.ts';
import { capitalized } from '../../lib/sentences/words.ts';
import { field, formOf } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { downloadOf } from '../headers.ts';
import {
  email,
  externalId,
  integer,
  optional,
  organizationNumber,
  text,
  uuid,
  vatNumber,
} from '../inputs.ts';
import { namedOutside } from '../named-outside.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { rateQuery } from './order-invoice.ts';
import { outcomeOf, waitForRetried } from './order-retries.ts';
import { orderView, refundsShown } from './order-view.ts';
import { receivedWords } from './order-words.ts';

const params = z.object({ id: uuid });
type OrderVisit = Visit<{ id: string }>;

const countryCode = text(2).transform((value, context): string => {
  const code = countryOf(value.toUpperCase());
  if (code !== null && /^[A-Z]{2}$/.test(code)) return code;
  context.addIssue({
    code: 'custom',
    message: say`Skriv en landskod med två bokstäver, t.ex. SE.`,
  });
  return z.NEVER;
});

const customerFields = z.object({
  name: text(200),
  email: optional(email),
  organizationNumber: optional(organizationNumber),
  vatNumber: optional(vatNumber),
  countryCode,
  paymentTermsDays: optional(integer(0, 90)),
  externalId,
});

export function registerOrderPage(pages: Pages): void {
  const place = { url: '/order/:id', right: 'read', params } as const;
  pages.answer(place, async (request) => {
    await waitForRetried(pages, request, place);
    return pages.visit(request, place, (visit) => showOrder(visit, nothingTyped));
  });

  pages.show({
    url: '/order/:id/original/:attemptId',
    right: 'read',
    params: z.object({ id: uuid, attemptId: uuid }),
    show: async ({ tx, params: { id, attemptId } }) => {
      const raw = await findAttemptBytes(tx, id, attemptId);
      if (!raw) throw notFound();
      // As text, whatever it holds: nothing a shop sent is to run or be shown as a page.
      return {
        type: 'text/plain; charset=utf-8',
        content: raw,
        headers: downloadOf(`order-${attemptId}.json`),
      };
    },
  });

  pages.act({
    url: '/order/:id/forsok-igen',
    right: 'keep_books',
    params,
    show: showOrder,
    perform: async ({ tx, person, requestId, params: { id } }) => {
      const decider = { actor: person.actor, requestId };
      const { retried, underWay, invoiced } = await retryOrders(tx, [id], decider);
      if (retried + underWay + invoiced === 0) throw notFound();
      const to = `/order/${id}`;
      const { the, booked } = await wordsOf(tx, id);
      if (invoiced > 0) {
        return { to, notice: say`${capitalized(the)} har redan blivit en ${booked}.` };
      }
      if (underWay > 0) return { to, notice: say`Någon annan har just låtit pröva ${the} igen.` };
      return { to: `${to}?provas=${requestId}` };
    },
  });

  pages.act({
    url: '/order/:id/avvisa',
    right: 'keep_books',
    params,
    fields: z.object({ reason: text(500) }),
    show: showOrder,
    perform: async ({ tx, person, requestId, params: { id } }, { reason }) => {
      const decider = { actor: person.actor, requestId };
      const { dismissed, left } = await dismissOrders(tx, [id], reason, decider);
      if (dismissed + left === 0) throw notFound();
      const { the, booked } = await wordsOf(tx, id);
      if (left > 0) {
        const message = say`${capitalized(the)} är inte stoppad: den prövas just nu eller har blivit en ${booked}.`;
        throw new AppError('unprocessable', message);
      }
      const notice = say`${capitalized(the)} är avvisad och väntar inte längre på någon.`;
      return { to: '/order', notice };
    },
  });

  registerChange(pages);

  pages.form({
    url: '/order/:id/kund',
    right: 'keep_books',
    params,
    fields: customerFields,
    show: customerForm,
    perform: async ({ tx, person, requestId, query, params: { id } }, values) => {
      const decider = { actor: person.actor, requestId };
      const next = isForInvoice(query) ? 'invoice' : 'retry';
      const customer = await createCustomerAndRetry(tx, id, values, decider, next);
      const page = `/order/${id}`;
      const to =
        next === 'invoice'
          ? `${page}/faktura${rateQuery(query, '?')}`
          : `${page}?provas=${requestId}`;
      return { to, notice: say`${customer.name} är upplagd.` };
    },
  });
}

/** What was sent of the order after its invoice, seen to. */
function registerChange(pages: Pages): void {
  pages.act({
    url: '/order/:id/andring',
    right: 'keep_books',
    params,
    fields: z.object({ receivedAt: z.iso.datetime() }),
    perform: async ({ tx, person, params: { id } }, { receivedAt }) => {
      if (!(await settleChangedOrder(tx, id, receivedAt))) {
        const notice = say`Någon annan är redan klar med ändringen, eller så har en ny kommit.`;
        return { to: `/order/${id}`, notice };
      }
      const { actor } = person;
      await recordEvent(tx, { actor, action: 'order.change_settled', subject: id });
      return { to: '/order?flik=andrade', notice: say`Ändringen väntar inte längre på någon.` };
    },
  });
}

/** The customer is made for an invoice by hand, not so that the order can be tried again. */
const isForInvoice = (query: Fields): boolean => textOf(query, 'sedan') === 'faktura';

async function wordsOf(tx: Tx, id: string) {
  const order = await findOrder(tx, id);
  if (!order) throw notFound();
  return receivedWords()[order.kind];
}

const notFound = (): AppError => new AppError('not_found', say`Ordern finns inte.`);

/** Everything about the order, with what came in the chosen attempt: the latest unless said. */
async function showOrder(visit: OrderVisit, input: FormInput): Promise<View> {
  const { tx, params, query } = visit;
  const order = await findOrder(tx, params.id);
  if (!order) throw notFound();
  const attempts = await listAttempts(tx, order.id);
  const chosen = attempts.find(({ id }) => id === textOf(query, 'visa')) ?? attempts[0];
  if (!chosen) throw notFound();
  const raw = (await findAttemptBytes(tx, order.id, chosen.id)) ?? Buffer.alloc(0);
  const decisions = await listDecisions(tx, order.id);
  const refunds = await listRefundsOf(tx, order.id, refundsShown);
  return orderView(visit, input, {
    refunds,
    order,
    attempts,
    chosen,
    raw,
    decisions,
    outcome: await outcomeOf(visit),
    prospect: await prospectOf(visit, order, attempts),
  });
}

/** What a stopped order's latest content would come to now. */
async function prospectOf(
  { tx, person }: OrderVisit,
  order: ShownOrder,
  [latest]: readonly ShownAttempt[],
): Promise<Prospect | null> {
  const isStopped = order.invoice_id === null && latest?.status === 'rejected';
  if (order.kind !== 'order' || !isStopped || !person.may('keep_books')) return null;
  return foresee(tx, (await findAttemptBytes(tx, order.id, latest.id)) ?? Buffer.alloc(0));
}

/** The customer that the order speaks of, as far as it can be read, for a person to put right. */
async function customerForm({ tx, params, query }: OrderVisit, input: FormInput): Promise<View> {
  const order = await findOrder(tx, params.id);
  const [latest] = order ? await listAttempts(tx, order.id) : [];
  if (order?.kind !== 'order' || !latest) throw notFound();
  const raw = (await findAttemptBytes(tx, order.id, latest.id)) ?? Buffer.alloc(0);
  const { customer } = readableOrder(bodyOf(raw));
  const cut = (value: string, max: number) => [...value].slice(0, max).join('');
  return {
    template: 'order-customer',
    title: say`Skapa kund av ordern`,
    values: {
      id: order.id,
      externalId: order.external_id ?? say`utan nummer`,
      isForInvoice: isForInvoice(query),
      form: formOf(input, {
        name: field(input, 'name', say`Namn`, {
          isRequired: true,
          maxLength: 200,
          value: cut(customer.name.trim(), 200),
        }),
        email: field(input, 'email', say`E-postadress`, {
          type: 'email',
          maxLength: 320,
          value: cut(customer.email.trim(), 320),
        }),
        organizationNumber: field(input, 'organizationNumber', say`Organisationsnummer`, {
          value: normalizeOrganizationNumber(customer.orgNumber) ?? cut(customer.orgNumber, 50),
          help: say`Tio siffror; för enskild firma personnumret.`,
        }),
        vatNumber: field(input, 'vatNumber', say`Momsnummer`, {
          value: normalizeVatNumber(customer.vatNumber) ?? cut(customer.vatNumber, 50),
        }),
        countryCode: field(input, 'countryCode', say`Landskod`, {
          isRequired: true,
          maxLength: 2,
          value: countryOf(customer.countryCode || 'SE') ?? 'SE',
          help: say`Två bokstäver, t.ex. SE.`,
        }),
        ...namedOutside(input, cut(customer.externalId, 255)),
        paymentTermsDays: field(input, 'paymentTermsDays', say`Betalningsvillkor i dagar`, {
          help: say`Tomt följer inställningen för order.`,
        }),
      }),
    },
  };
}
