/**
 * An installation whose every answer is held against the contract: X-Request-Id, the error body, and
 * the status and schema that /openapi.json promises. A test that uses `call` tests that too.
 */
import type { Response } from 'light-my-request';
import { expect } from 'vitest';
import { loadConfig } from '#src/config/config.ts';
import { findLogins } from '#src/db/logins.ts';
import { closeConnections, createConnections } from '#src/http/connections.ts';
import type { App, AppDeps } from '#src/http/fastify.ts';
import { buildApp } from '#src/process/app.ts';
import {
  createInstallation,
  type Installation,
  type InstallationOptions,
  TODAY,
} from '../support/installation.ts';
import { type Contract, createContract } from './contract.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const trace = /\bat .+:\d+:\d+|node_modules|\.ts\b|select |pg_catalog/i;

/** Every installation has the same, and to compile its schemas takes longer than most tests do. */
let known: Contract | undefined;

export async function openBooks(options: InstallationOptions = {}): Promise<Installation> {
  const books = await createInstallation(options);
  known ??= createContract(books.app.swagger());
  const contract = known;
  return {
    ...books,
    call: async (request) => {
      const response = await books.call(request);
      expectOwnAnswer(response);
      contract.check(request.method ?? 'GET', request.url, response);
      if (contract.operation(request.method ?? 'GET', request.url)) expectPrivate(response);
      return response;
    },
  };
}

/** What keys open, and how they were refused, nothing on the way may keep or take for a page. */
export function expectPrivate({ headers }: Pick<Response, 'headers'>): void {
  expect(headers).toMatchObject({
    'cache-control': expect.stringMatching(/\bno-store$/),
    'x-content-type-options': 'nosniff',
  });
}

/** What holds of every answer, whatever was asked. */
export function expectOwnAnswer(response: Pick<Response, 'statusCode' | 'headers' | 'body'>): void {
  const id = response.headers['x-request-id'];
  expect(id).toMatch(uuid);
  if (response.statusCode < 400) return;
  const body = JSON.parse(response.body);
  expect(body).toEqual({
    error: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
    message: expect.stringMatching(/\S.*\S/),
    ...(body.detail === undefined ? {} : { detail: expect.any(Object) }),
    request_id: id,
  });
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.body).not.toMatch(trace);
}

export interface SecondApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Another HTTP process on the same books, with its own settings, log or timeout. */
export async function openSecondApp(
  books: Installation,
  { env = {}, ...rest }: { env?: Record<string, string> } & Partial<AppDeps> = {},
): Promise<SecondApp> {
  const login = await findLogins(books.url);
  const connections = createConnections(login, 'test second http');
  await connections.decisions.start(login('hb_api'));
  const clock = { now: () => new Date(`${TODAY}T12:00:00Z`), today: () => TODAY };
  const config = loadConfig({ BASE_URL: 'https://bok.example', ...env });
  const app = await buildApp({ config, ...connections, clock, ...rest });
  await app.ready();
  return {
    app,
    async close() {
      await app.close();
      await closeConnections(connections);
    },
  };
}
