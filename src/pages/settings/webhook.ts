/** Inställningar › Webhooks › an endpoint: what it was sent, how that went, and what can be done. */

import { z } from 'zod';
import { recordEvent } from '../../audit/store.ts';
import {
  deleteEndpoint,
  enableEndpoint,
  pauseEndpoint,
  queueTest,
  resend,
  rotateSecret,
} from '../../events/webhooks/service.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  getEndpoint,
  listAttempts,
  listDeliveries,
} from '../../events/webhooks/store.ts';
import { say, translated, worded } from '../../lib/language.ts';
import { textOf } from '../form-fields.ts';
import { count, moment } from '../format.ts';
import { isMoment, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { View, Visit } from '../visit.ts';
import { endpointView, typeName, webhookSecret, webhooksUrl } from './webhooks.ts';

const url = `${webhooksUrl}/:id`;
const params = z.object({ id: uuid });
type EndpointVisit = Visit<{ id: string }>;
const pageSize = 50;

const states = worded(
  () =>
    ({
      pending: { word: say`Väntar`, tone: 'info' },
      delivered: { word: say`Levererad`, tone: 'good' },
      failed: { word: say`Misslyckad`, tone: 'bad' },
    }) as const,
);

const tabs = worded(
  () =>
    [
      { state: '', label: say`Alla` },
      { state: 'pending', label: say`Väntar` },
      { state: 'delivered', label: say`Levererade` },
      { state: 'failed', label: say`Misslyckade` },
    ] as const,
);

export function registerWebhookPage(pages: Pages): void {
  pages.show({ url, right: 'administer', params, show: showEndpoint });

  pages.show({
    url: `${url}/leveranser`,
    right: 'administer',
    params,
    show: async (visit) => ({
      template: 'webhook-deliveries',
      title: say`Leveranser`,
      values: await deliveriesOf(visit),
    }),
  });

  pages.act({
    url: `${url}/hemlighet`,
    right: 'administer',
    params,
    perform: async ({ tx, person, deps, params: { id } }) => {
      const endpoint = await getEndpoint(tx, id);
      const { secret } = await rotateSecret(tx, id, deps.config.keyring, person.actor);
      return { to: `${webhooksUrl}/${id}`, view: webhookSecret(id, secret, endpoint.url, true) };
    },
  });

  pages.act({
    url: `${url}/ta-bort`,
    right: 'administer',
    params,
    perform: async ({ tx, person, params: { id } }) => {
      const endpoint = await getEndpoint(tx, id);
      await deleteEndpoint(tx, id, person.actor);
      return { to: webhooksUrl, notice: say`Webhooken till ${endpoint.url} är borttagen.` };
    },
  });

  pages.act({
    url: `${url}/leveranser/:delivery/igen`,
    right: 'administer',
    params: z.object({ id: uuid, delivery: uuid }),
    perform: async ({ tx, person, params: { id, delivery } }) => {
      await getEndpoint(tx, id);
      await resend(tx, delivery, person.actor);
      return { to: `${webhooksUrl}/${id}`, notice: say`Leveransen skickas igen.` };
    },
  });
  registerSwitches(pages);
}

function registerSwitches(pages: Pages): void {
  const actions: readonly {
    readonly path: string;
    readonly does: (visit: EndpointVisit) => Promise<string>;
  }[] = [
    {
      path: 'prova',
      does: async ({ tx, person, params: { id } }) => {
        await queueTest(tx, id);
        await recordEvent(tx, { actor: person.actor, action: 'webhook.tested', subject: id });
        return say`Provmeddelandet skickas nu; svaret står överst bland leveranserna.`;
      },
    },
    {
      path: 'stang-av',
      does: async ({ tx, person, params: { id } }) => {
        await pauseEndpoint(tx, id, person.actor);
        return say`Webhooken är avstängd. Det som händer sparas och skickas när den slås på.`;
      },
    },
    {
      path: 'sla-pa',
      does: async ({ tx, person, deps, params: { id } }) => {
        await enableEndpoint(tx, id, deps.config.keyring, person.actor);
        return say`Webhooken är på. Det som väntade skickas nu.`;
      },
    },
  ];
  for (const { path, does } of actions) {
    pages.act({
      url: `${url}/${path}`,
      right: 'administer',
      params,
      perform: async (visit) => {
        await getEndpoint(visit.tx, visit.params.id);
        return { to: `${webhooksUrl}/${visit.params.id}`, notice: await does(visit) };
      },
    });
  }
}

async function showEndpoint(visit: EndpointVisit): Promise<View> {
  const endpoint = await getEndpoint(visit.tx, visit.params.id);
  const deliveries = await deliveriesOf(visit);
  const base = `${webhooksUrl}/${endpoint.id}`;
  return {
    template: 'webhook',
    title: say`Webhook`,
    values: {
      endpoint: endpointView(endpoint, visit),
      tabs: tabs().map(({ state, label }) => ({
        label,
        href: state === '' ? base : `${base}?lage=${state}`,
        isCurrent: state === deliveries.state,
      })),
      ...deliveries,
    },
  };
}

/** A page of deliveries with their attempts; asked for anew while one of them is under way. */
async function deliveriesOf({ tx, params: { id }, query, deps }: EndpointVisit) {
  await getEndpoint(tx, id);
  const { timeZone } = deps.config;
  const state = tabs().find((tab) => tab.state === textOf(query, 'lage'))?.state ?? '';
  const before = placeOf(textOf(query, 'fore'));
  const rows = await listDeliveries(tx, id, {
    state: state === '' ? null : state,
    limit: pageSize + 1,
    before,
  });
  const shown = rows.slice(0, pageSize);
  const attempts = Map.groupBy(
    await listAttempts(
      tx,
      shown.map((delivery) => delivery.id),
    ),
    ({ delivery_id }) => delivery_id,
  );
  const filter = state === '' ? '' : `lage=${state}&`;
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  const base = `${webhooksUrl}/${id}`;
  return {
    id,
    state,
    deliveries: shown.map((one) => deliveryView(one, attempts.get(one.id) ?? [], timeZone)),
    // Only what was put there just now: what waits for its next try waits for hours.
    isUnderWay:
      before === null && shown.some((one) => one.state === 'pending' && one.attempts === 0),
    poll: `${base}/leveranser${state === '' ? '' : `?lage=${state}`}`,
    next: last
      ? `${base}?${filter}fore=${encodeURIComponent(`${last.created_text}|${last.id}`)}`
      : null,
    first: before === null ? null : `${base}${state === '' ? '' : `?lage=${state}`}`,
  };
}

/** Where the page before ended; null from the beginning, and when the address was tampered with. */
function placeOf(text: string): { created_text: string; id: string } | null {
  const [created_text = '', id = ''] = text.split('|');
  return isMoment(created_text) && uuid.safeParse(id).success ? { created_text, id } : null;
}

function deliveryView(delivery: Delivery, attempts: readonly DeliveryAttempt[], timeZone: string) {
  return {
    id: delivery.id,
    type: typeName(delivery.type),
    eventId: delivery.event_id,
    chip: states()[delivery.state],
    at: moment(delivery.created_at, timeZone),
    answer: answerOf(delivery.status, delivery.error),
    next: delivery.next_attempt_at && moment(delivery.next_attempt_at, timeZone),
    isFinished: delivery.state !== 'pending',
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      at: moment(attempt.started_at, timeZone),
      duration: count(attempt.duration_ms),
      answer: answerOf(attempt.status, attempt.error),
    })),
  };
}

const answerOf = (status: number | null, error: string | null): string =>
  error !== null
    ? translated(error)
    : status === null
      ? say`Inget försök än`
      : say`Svarade ${status}`;
