/** Somebody who is logged in, looks around and registers payments: one browser, one form at a time. */
import type { Answer } from '../bench/attacks.ts';
import { hiddenOf } from '../test/support/pages.ts';
import { tokensOf } from '../test/support/person.ts';
import type { Caller } from './callers.ts';
import type { Kind } from './journal.ts';

export const password = 'rätt häst batteri';
export const emailOf = (caller: string): string => `${caller}@exempel.se`;

const pages = ['/oversikt', '/verifikat', '/kundfakturor', '/leverantorsinkorg', '/kunder'];

export async function beAtThePages(caller: Caller): Promise<void> {
  const browser = new Browser(caller);
  await caller.repeat(400, async () => {
    await browser.get(caller.random.pick(pages));
    const invoice = caller.world.toPay.shift();
    if (invoice) await registerPayment(caller, browser, invoice);
  });
}

async function registerPayment(
  caller: Caller,
  browser: Browser,
  { id, total }: { readonly id: string; readonly total: number },
): Promise<void> {
  const path = `/kundfakturor/${id}/betalning`;
  const form = await browser.get(path);
  if (form?.status !== 200) return;
  const op = caller.next();
  // In two parts now and then; the rest stays open.
  const kronor = caller.random.chance(30) ? Math.max(1, Math.floor(total / 2)) : total;
  const fields = {
    ...tokensOf(form.body),
    seen: hiddenOf(form.body, 'seen'),
    amount: String(kronor).replace('.', ','),
    date: '2026-04-15',
    account: '1930',
    reference: op,
  };
  await browser.post('payment', op, path, fields);
}

class Browser {
  readonly #caller: Caller;
  #cookies = new Map<string, string>();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Logs in first, when that is what the page wants. */
  async get(path: string): Promise<Answer | undefined> {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const got = await this.#send('page', path, { path });
      if (got?.status !== 303 || !isLogin(got)) return got;
      await this.#logIn();
    }
    return undefined;
  }

  /** Sent again as it is until it is answered, as a person who presses the button once more. */
  async post(
    kind: Kind,
    op: string,
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<Answer | undefined> {
    const body = new URLSearchParams(fields).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#send(kind, op, { method: 'POST', path, body, headers });
  }

  async #logIn(): Promise<void> {
    this.#cookies = new Map();
    const form = await this.#send('page', '/logga-in', { path: '/logga-in' });
    const fields = { ...tokensOf(form?.body ?? ''), email: emailOf(this.#caller.name), password };
    await this.post('page', '/logga-in', '/logga-in', fields);
  }

  async #send(
    kind: Kind,
    op: string,
    { headers, ...request }: Parameters<Caller['attempt']>[2],
  ): Promise<Answer | undefined> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    // As a proxy hands it on: the two machines are one place to a browser, whose cookies are named after its port.
    const all = { accept: 'text/html', host: 'bok.example', cookie, ...headers };
    const got = await this.#caller.untilAnswered(kind, op, { ...request, headers: all });
    for (const set of got?.answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    return got?.answer;
  }
}

const isLogin = ({ headers }: Answer): boolean =>
  headers.location?.startsWith('/logga-in') ?? false;
