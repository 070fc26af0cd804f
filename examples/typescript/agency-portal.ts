/**
 * An accounting agency sees at a glance which of its clients need it.
 *
 *   node examples/typescript/agency-portal.ts clients.json
 *
 * `clients.json`: [{"name": "Kaffe AB", "url": "https://…", "key": "svcb_…"}, …]. Each client's administrator makes the key
 * (Inställningar → Byrå, or huvudbok agency create); it opens one row of figures, no vouchers and no amounts.
 */
import { readFile } from 'node:fs/promises';

interface Client {
  readonly name: string;
  readonly url: string;
  readonly key: string;
}

interface Aggregate {
  readonly unbooked_count: number;
  readonly attachments_missing: number;
  readonly unmatched_bank: number;
  readonly vat_due_date: string | null;
  readonly open_month: string | null;
  readonly open_month_failing: readonly string[];
  readonly months_behind: number;
}

/** `access_withdrawn` is the client's right and no fault: it is shown as what it is. Where nobody answers, somebody may later. */
type State =
  | { readonly aggregate: Aggregate }
  | { readonly state: 'access_withdrawn' | 'wrong_key' | 'asked_too_often' | 'no_answer' };

const stateOf: Readonly<Record<string, 'access_withdrawn' | 'wrong_key' | 'asked_too_often'>> = {
  key_revoked: 'access_withdrawn',
  no_access: 'access_withdrawn',
  unauthorized: 'wrong_key',
  rate_limited: 'asked_too_often',
};

async function call<T>(url: string, path: string, method: string, secret: string): Promise<T> {
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}` },
    signal: AbortSignal.timeout(15_000),
  });
  const body = (await response.json()) as T & { readonly error: string };
  if (!response.ok) throw new Error(body.error);
  return body;
}

/** The key is exchanged for a token of an hour each time; the two routes take 60 calls an hour from an address. */
async function look({ url, key }: Client): Promise<State> {
  try {
    const { access_token } = await call<{ access_token: string }>(
      url,
      '/api/byra/token',
      'POST',
      key,
    );
    return { aggregate: await call<Aggregate>(url, '/api/stats/byra', 'GET', access_token) };
  } catch (error) {
    return { state: (error instanceof Error && stateOf[error.message]) || 'no_answer' };
  }
}

const clients: readonly Client[] = JSON.parse(
  await readFile(process.argv[2] ?? 'clients.json', 'utf8'),
);
const rows = await Promise.all(
  clients.map(async (client) => {
    const found = await look(client);
    if ('state' in found) return { client: client.name, state: found.state };
    const { aggregate } = found;
    return {
      client: client.name,
      state: aggregate.months_behind > 0 ? 'behind' : 'up_to_date',
      months_behind: aggregate.months_behind,
      open_month: aggregate.open_month?.slice(0, 7) ?? '',
      failing: aggregate.open_month_failing.join(' '),
      unbooked: aggregate.unbooked_count,
      no_document: aggregate.attachments_missing,
      unmatched: aggregate.unmatched_bank,
      vat_due: aggregate.vat_due_date ?? '',
    };
  }),
);
// Those who need somebody most come first.
rows.sort(
  (a, b) =>
    (b.months_behind ?? Number.POSITIVE_INFINITY) - (a.months_behind ?? Number.POSITIVE_INFINITY),
);
console.table(rows);
