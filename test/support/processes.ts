/** More HTTP applications and workers on one installation's database, as other hosts would run them. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { InjectOptions, Response } from 'light-my-request';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { loadConfig } from '#src/config/config.ts';
import { findLogins, roleUrl } from '#src/db/logins.ts';
import { closeConnections, createConnections } from '#src/http/connections.ts';
import { buildApp } from '#src/process/app.ts';
import { booking } from '#workers/booking.ts';
import { eInvoices } from '#workers/e-invoices.ts';
import { intake } from '#workers/intake.ts';
import { purchaseBooking } from '#workers/purchase-booking.ts';
import { runWorkers } from '#workers/run.ts';
import { TODAY } from './installation.ts';

export type Call = (key: string, options: InjectOptions) => Promise<Response>;

/** Another HTTP application with pools of its own, gone when the test is. */
export async function startApp(databaseUrl: string): Promise<Call> {
  const login = await findLogins(databaseUrl);
  const connections = createConnections(login, 'test http');
  await connections.decisions.start(login('hb_api'));
  const clock = { now: () => new Date(`${TODAY}T12:00:00Z`), today: () => TODAY };
  const config = loadConfig({ BASE_URL: 'https://bok.example' });
  const app = await buildApp({ config, ...connections, clock });
  onTestFinished(async () => {
    await app.close();
    await closeConnections(connections);
  });
  return (key, { headers, ...rest }) =>
    app.inject({
      ...rest,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID(), ...headers },
    });
}

/** Intake and booking workers, stopped when the test is over. */
export async function startWorkers(databaseUrl: string): Promise<void> {
  const url = await roleUrl(databaseUrl, 'hb_worker');
  const workers = await runWorkers([intake, booking, eInvoices, purchaseBooking], {
    url,
    log: pino({ level: 'silent' }),
    timeZone: 'Europe/Stockholm',
  });
  onTestFinished(() => workers.stop());
}

/** Polls until `condition` holds; the test's own deadline ends it otherwise. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Numbers from 0 to `count` - 1. */
export const times = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index);

/** The processes that this one has started, on Linux. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
