/**
 * (k) Every page of the application that links lead to from the overview, among a million vouchers: one
 * person who clicks, so one call at a time over HTTP.
 */

import { hashOfPassword } from '#src/access/users/passwords.ts';
import { createUser } from '#src/access/users/service.ts';
import { withTx } from '#src/db/pool.ts';
import type { Figure } from './figure.ts';
import { seed } from './seed.ts';
import { percentile } from './statistics.ts';
import type { System } from './system.ts';

const ms_wanted = 200;
const calls_a_page = 15;
const pages_max = 150;
const slowest_shown = 6;
const password = 'mätningens lösenord';

export async function measureApp(
  system: System,
  options: { vouchers: number; note: (line: string) => void },
): Promise<Figure[]> {
  await seed(system, options.vouchers, options.note);
  const cookie = await logIn(system);
  const timed = [];
  for (const page of await findPages(system, cookie)) {
    const times: number[] = [];
    for (let call = 0; call < calls_a_page; call += 1) {
      const begun = performance.now();
      await (await get(system, page, cookie)).arrayBuffer();
      times.push(performance.now() - begun);
    }
    times.sort((one, other) => one - other);
    timed.push({ page, p50_ms: percentile(times, 0.5), p99_ms: percentile(times, 0.99) });
  }
  timed.sort((one, other) => other.p50_ms - one.p50_ms);
  const worst = timed[0]?.p50_ms ?? 0;
  const all: Figure = {
    measurement: 'app',
    what: `${timed.length} pages, ${options.vouchers} vouchers, the slowest page's median`,
    value: `${worst.toFixed(1)} ms`,
    wanted: `< ${ms_wanted} ms`,
    is_met: worst < ms_wanted,
    details: timed,
  };
  const slowest = timed.slice(0, slowest_shown).map(
    ({ page, p50_ms, p99_ms }): Figure => ({
      measurement: 'app',
      what: `GET ${page}`,
      p50_ms,
      p99_ms,
    }),
  );
  return [all, ...slowest];
}

const get = ({ port }: System, path: string, cookie = '') =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { accept: 'text/html', cookie },
    redirect: 'manual',
  });

/** A new owner's session, as a cookie. */
async function logIn(system: System): Promise<string> {
  const email = `matning-${Date.now()}@exempel.se`;
  const passwordHash = await hashOfPassword(password);
  await withTx(system.owner, (tx) =>
    createUser(
      tx,
      { email, name: 'Mätning', role: 'agare', passwordHash, passwordIsTemporary: false },
      'bench',
    ),
  );
  const form = await get(system, '/logga-in');
  const [, csrf = ''] = /name="_csrf" value="([^"]*)"/.exec(await form.text()) ?? [];
  const answer = await fetch(`http://127.0.0.1:${system.port}/logga-in`, {
    method: 'POST',
    headers: { accept: 'text/html', cookie: cookiesOf(form) },
    body: new URLSearchParams({ _csrf: csrf, email, password }),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`could not log in: ${answer.status}`);
  return cookiesOf(answer);
}

const cookiesOf = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

/** One address of each kind: ids are all alike. Files are left out. */
async function findPages(system: System, cookie: string): Promise<string[]> {
  const found = ['/oversikt'];
  const known = new Set(found);
  for (const page of found) {
    const html = await (await get(system, page, cookie)).text();
    for (const [, link = ''] of html.matchAll(/href="(\/[^"]*)/g)) {
      const written = link.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=');
      const address = written.replace(/#.*/, '');
      const kind = address
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id')
        .replace(/\d+/g, ':n')
        .replace(/=[^&]{20,}/g, '=…');
      const isFile =
        /format=|\.(pdf|csv|xlsx|json|xml|js|css|svg)\b|\/zip$|^\/(public|docs|openapi)/.test(
          address,
        );
      if (isFile || known.has(kind) || known.size >= pages_max) continue;
      known.add(kind);
      found.push(address);
    }
  }
  return found;
}
