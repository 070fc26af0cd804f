/** Each role on each page and button there is: a new page cannot forget to say who may open it. */
import type { RouteOptions } from 'fastify';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayDo, type Right, type Role, roles } from '#src/access/users/roles.ts';
import { loadConfig } from '#src/config/config.ts';
import { findLogins } from '#src/db/logins.ts';
import { closeConnections, createConnections } from '#src/http/connections.ts';
import { type App, createServer } from '#src/http/fastify.ts';
import { uuid } from '#src/lib/uuid.ts';
import { registerPages } from '#src/process/pages.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf, type Visitor, visit } from '../support/person.ts';
import { findMisjudged, takeWrittenDown } from '../support/written-down.ts';

/** What is open to whoever has not logged in: the ways in and out. */
const open = [
  'GET /',
  'GET /favicon.ico',
  'GET /inbjudan',
  'GET /kom-igang',
  'GET /logga-in',
  'GET /logga-in/kod',
  'GET /public/*',
  'GET /public/fonts/*',
  'POST /inbjudan',
  'POST /kom-igang',
  'POST /logga-in',
  'POST /logga-in/kod',
  'POST /logga-ut',
];

interface PageRoute {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly right: Right | undefined;
}

const routes: PageRoute[] = [];
let installation: Installation;
let app: App;
let connections: ReturnType<typeof createConnections>;
let people: Readonly<Record<Role, LoggedIn>>;

beforeAll(async () => {
  installation = await createInstallation();
  connections = createConnections(await findLogins(installation.url), 'test roles');
  const clock = { now: () => new Date(`${TODAY}T12:00:00Z`), today: () => TODAY };
  app = createServer({ config: loadConfig({}), ...connections, clock });
  app.addHook('onRoute', (route: RouteOptions) => {
    for (const method of [route.method].flat()) {
      if (method === 'HEAD') continue;
      const { right } = route.config ?? {};
      routes.push({ method: method as PageRoute['method'], url: route.url, right });
    }
  });
  await registerPages(app, { config: loadConfig({}), ...connections, clock });
  await app.ready();
  const loggedIn: Partial<Record<Role, LoggedIn>> = {};
  for (const role of roles) loggedIn[role] = await logIn({ ...installation, app }, role);
  people = loggedIn as Record<Role, LoggedIn>;
});
afterAll(async () => {
  await app.close();
  await closeConnections(connections);
  await installation.close();
});

/** What a part of an address that is no uuid may be. */
const parts: Readonly<Record<string, string>> = {
  no: '1',
  month: '2026-01',
  quarter: '2026-Q1',
  end: '2026-03-31',
  box: '05',
  period: '2026-05',
  kind: 'period',
  adjustment: 'skatt',
  side: 'kunder',
  report: 'huvudbok',
  sha256: 'a'.repeat(64),
  from: '1999-01-01',
  name: 'STATS_API_KEY',
  delivery: uuid(),
};

/** Nobody prints here: a report is asked for days that there are none of, which is told before it is printed. */
const asked: Readonly<Record<string, string>> = {
  '/rapporter/:report/rapport.pdf': '?fran=2026-02-30',
};

/** An address that fits the route and names nothing that there is. */
const addressOf = (url: string): string =>
  url.replace(
    /:(\w+)/g,
    (_, name: string) => parts[name] ?? (/id$/i.test(name) ? uuid() : '1999'),
  ) + (asked[url] ?? '');

async function call(visitor: Visitor, { method, url }: PageRoute): Promise<Response> {
  const address = addressOf(url);
  if (method === 'GET') return visitor.get(address);
  const { _csrf } = tokens.get(visitor) ?? tokensOf((await visitor.get('/dimensioner')).body);
  if (_csrf === undefined) return visitor.post(address, {});
  tokens.set(visitor, { _csrf });
  return visitor.post(address, { _csrf, _once: uuid() });
}

/** What proves whose form it is, the same on every page of a session. */
const tokens = new WeakMap<Visitor, Record<string, string>>();

const isLoggedOut = ({ headers }: Response): boolean =>
  String(headers.location ?? '').startsWith('/logga-in?');

const nameOf = ({ method, url }: PageRoute) => `${method} ${url}`;

test('every page says who may open it, save the ways in and out', () => {
  const unguarded = routes.filter(({ right }) => right === undefined).map(nameOf);
  expect(unguarded.filter((name) => !open.includes(name))).toEqual([]);
});

test('a stranger is sent to the log-in from every page, and may press no button', async () => {
  for (const route of routes.filter(({ right }) => right !== undefined)) {
    const answer = await call(visit({ app }), route);
    const place = String(answer.headers.location ?? '');
    const isKeptOut = answer.statusCode === 403 || place.startsWith('/logga-in');
    expect([nameOf(route), isKeptOut]).toEqual([nameOf(route), true]);
  }
});

describe.each(roles)('%s', (role) => {
  test('is refused what the role may not, on every page and button', async () => {
    for (const route of routes.filter(({ right }) => right && !mayDo(role, right))) {
      const { statusCode } = await call(people[role], route);
      expect([nameOf(route), statusCode]).toEqual([nameOf(route), 403]);
    }
  });

  test('is let in where the role may, and nothing there fails on an id that nobody has', async () => {
    let person = people[role];
    for (const route of routes.filter(({ right }) => right && mayDo(role, right))) {
      let answer = await call(person, route);
      if (isLoggedOut(answer)) {
        // A button before this one ended the session.
        person = await logIn({ ...installation, app }, role);
        answer = await call(person, route);
      }
      const { statusCode } = answer;
      const isLetIn = statusCode < 500 && statusCode !== 403 && !isLoggedOut(answer);
      expect([nameOf(route), statusCode, isLetIn]).toEqual([nameOf(route), statusCode, true]);
    }
  });
});

test('no button works without the token of the page it stands on', async () => {
  for (const route of routes.filter(({ method, right }) => method === 'POST' && right)) {
    const answer = await people.agare.post(addressOf(route.url), { name: 'x' });
    expect([nameOf(route), answer.statusCode]).toEqual([nameOf(route), 403]);
    expect(answer.body).toContain('Formuläret hör till en annan inloggning');
  }
});

test('what pages write into the audit log may be written by those who are let in to them, which each test that closes an installation holds', async () => {
  const agare = await logIn({ ...installation, app }, 'agare');
  expect(await findMisjudged(installation.owner, takeWrittenDown(installation.url))).toEqual([]);
  await agare.submit('/mitt-konto', { name: 'Nytt namn', email: agare.email });
  const entries = takeWrittenDown(installation.url);
  expect(entries).toMatchObject([{ right: 'read', url: '/mitt-konto', action: 'user.renamed' }]);
  const [entry] = entries;
  if (!entry) throw new Error('nothing was written down');
  expect(await findMisjudged(installation.owner, entries)).toEqual([]);
  const of = (change: object) => findMisjudged(installation.owner, [{ ...entry, ...change }]);
  expect(await of({ subject: people.lasare.id })).toEqual([]);
  expect(await of({ right: 'keep_books' })).toEqual([
    'user.renamed at /mitt-konto (keep_books) takes own',
  ]);
  expect(await of({ action: 'fiscal_year.reopened', right: 'administer' })).toHaveLength(1);
  expect(await of({ action: 'books.begun_anew', right: 'own' })).toEqual([]);
});
