/** huvudbok webhook create · list · test · deliveries · resend · rotate · enable · disable · delete */
import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
import type { Keyring } from '../config/keyring.ts';
import { db, type Tx, withTx } from '../db/pool.ts';
import { type EventType, eventTypes } from '../events/types.ts';
import { createSender } from '../events/webhooks/send.ts';
import {
  attemptDelivery,
  concludeAttempt,
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  pauseEndpoint,
  queueTest,
  resend,
  rotateSecret,
} from '../events/webhooks/service.ts';
import {
  type Delivery,
  type Endpoint,
  listDeliveries,
  listEndpoints,
  take,
  unknownEndpoint,
} from '../events/webhooks/store.ts';
import { asOwner, print, withPool } from './context.ts';
import { actor, collect, type Json, jsonOption, text, uuid, word } from './options.ts';
import { keyringFor } from './secrets.ts';
import { when } from './words.ts';

const endpointId = ['<id>', 'webhookens id, se webhook list', uuid] as const;

export function registerWebhooks(program: Command): void {
  const webhook = program.command('webhook').description('berätta för andra system vad som händer');
  registerCreating(webhook);
  registerReading(webhook);
  registerSending(webhook);
  registerChanging(webhook);
}

function registerCreating(webhook: Command): void {
  webhook
    .command('create')
    .description('skapa en webhook; hemligheten visas en enda gång')
    .requiredOption('--url <adress>', 'dit händelserna skickas, https', text(2_000))
    .option(
      '--type <händelse>',
      `${eventTypes.join(', ')}; alla om inget anges`,
      collect(word(eventTypes)),
    )
    .option('--description <text>', 'vad den är till', text(200))
    .option(...jsonOption)
    .action(async ({ url, type = [], description = '', json }: CreateOptions) => {
      const { webhookNetworks } = loadProcessConfig();
      const endpoint = { url, types: [...new Set(type)], description };
      const created = await withKeyring((tx, keyring) =>
        createEndpoint(tx, endpoint, { webhookNetworks, keyring }, actor),
      );
      print(
        json,
        created,
        `Webhooken ${created.id} är skapad. Hemligheten som signerar visas bara nu:\n\n  ${created.secret}\n\nProva den: huvudbok webhook test ${created.id}`,
      );
    });
}

interface CreateOptions extends Json {
  readonly url: string;
  readonly type?: EventType[];
  readonly description?: string;
}

function registerReading(webhook: Command): void {
  webhook
    .command('list')
    .description('visa alla webhookar och hur de mår')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const endpoints = await withPool((pool) => listEndpoints(db(pool)));
      const lines = endpoints.map(endpointLine).join('\n');
      print(json, endpoints, lines || 'Det finns inga webhookar.');
    });

  webhook
    .command('deliveries')
    .description('visa de senaste leveranserna')
    .argument(...endpointId)
    .option('--state <läge>', 'pending, delivered eller failed', deliveryState)
    .option(...jsonOption)
    .action(async (id: string, { state, json }: Json & { state?: Delivery['state'] }) => {
      const deliveries = await withPool(async (pool) => {
        const known = (await listEndpoints(db(pool))).some((one) => one.id === id);
        if (!known) throw unknownEndpoint(id);
        return listDeliveries(db(pool), id, state ? { state } : {});
      });
      const lines = deliveries.map(deliveryLine).join('\n');
      print(json, deliveries, lines || 'Det finns inga leveranser.');
    });
}

const deliveryState = word(['pending', 'delivered', 'failed']);

function registerSending(webhook: Command): void {
  webhook
    .command('test')
    .description('skicka ett provmeddelande nu och visa svaret')
    .argument(...endpointId)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const { webhookNetworks } = loadProcessConfig();
      const sender = createSender(webhookNetworks);
      const result = await withPool(async (pool) => {
        const [delivery] = await withTx(pool, async (tx) => {
          const { deliveryId } = await queueTest(tx, id);
          return take(tx, [deliveryId]);
        });
        if (!delivery) throw new Error('the test was not queued');
        const attempt = await attemptDelivery(sender.send, await keyringFor(pool), delivery);
        await withTx(pool, (tx) => concludeAttempt(tx, delivery, attempt));
        return { status: attempt.status, error: attempt.error, duration_ms: attempt.durationMs };
      }).finally(sender.close);
      const isWell = result.status !== null && result.status >= 200 && result.status < 300;
      const answer = result.error ?? `Mottagaren svarade ${result.status}`;
      print(json, result, `${answer} (${result.duration_ms} ms).`);
      if (!isWell) process.exitCode = 1;
    });

  webhook
    .command('resend')
    .description('skicka en leverans en gång till')
    .argument('<leverans>', 'leveransens id, se webhook deliveries', uuid)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const { deliveryId } = await asOwner((tx) => resend(tx, id, actor));
      print(json, { delivery_id: deliveryId }, `Leveransen skickas om som ${deliveryId}.`);
    });
}

function registerChanging(webhook: Command): void {
  webhook
    .command('rotate')
    .description('byt hemlighet; den gamla signerar också i ett dygn')
    .argument(...endpointId)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const { secret } = await withKeyring((tx, keyring) => rotateSecret(tx, id, keyring, actor));
      print(json, { id, secret }, `Den nya hemligheten visas bara nu:\n\n  ${secret}\n`);
    });

  for (const { name, description, change, done, key } of changes) {
    webhook
      .command(name)
      .description(description)
      .argument(...endpointId)
      .option(...jsonOption)
      .action(async (id: string, { json }: Json) => {
        await change(id);
        print(json, { id, [key]: true }, `Webhooken ${id} är ${done}.`);
      });
  }
}

/** One transaction as the owner, with the keys that seal secrets. */
const withKeyring = <T>(work: (tx: Tx, keyring: Keyring | undefined) => Promise<T>): Promise<T> =>
  withPool(async (pool) => {
    const keyring = await keyringFor(pool);
    return withTx(pool, (tx) => work(tx, keyring));
  });

const changes = [
  {
    name: 'enable',
    description: 'slå på igen; det som väntade skickas',
    change: (id: string) => withKeyring((tx, keyring) => enableEndpoint(tx, id, keyring, actor)),
    done: 'påslagen',
    key: 'enabled',
  },
  {
    name: 'disable',
    description: 'stäng av tills vidare; det som händer sparas',
    change: (id: string) => asOwner((tx) => pauseEndpoint(tx, id, actor)),
    done: 'avstängd',
    key: 'disabled',
  },
  {
    name: 'delete',
    description: 'ta bort för gott, med leveranserna',
    change: (id: string) => asOwner((tx) => deleteEndpoint(tx, id, actor)),
    done: 'borttagen',
    key: 'deleted',
  },
] as const;

function endpointLine(endpoint: Endpoint): string {
  const { id, url, types, outstanding, failing_since, held_until, disabled_at, disabled_reason } =
    endpoint;
  const failing = failing_since ? `misslyckas sedan ${when(failing_since)}` : 'mår bra';
  const held = held_until ? `, mottagaren vill vara i fred till ${when(held_until)}` : '';
  const state = disabled_at
    ? `AVSTÄNGD ${when(disabled_at)}: ${disabled_reason}`
    : `${failing}${held}`;
  return `${id}  ${url}  [${types.join(' ') || 'alla'}]  ${outstanding} väntar  ${state}`;
}

function deliveryLine(delivery: Delivery): string {
  const { id, type, state, attempts, status, error, next_attempt_at } = delivery;
  const answer = error ?? (status === null ? '–' : `status ${status}`);
  const next = next_attempt_at ? `  nästa ${when(next_attempt_at)}` : '';
  return `${id}  ${type}  ${state}  ${attempts} försök  ${answer}${next}`;
}
