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
  readonly schema_version: number;
  readonly unbooked_count: number;
  readonly attachments_missing: number;
  readonly unmatched_bank: number;
  readonly vat_due_date: string;
  readonly open_month: string | null;
  readonly open_month_failing: readonly string[];
  readonly months_behind: number;
}

/** The form of the answer that this program reads. */
const readsVersion = 1;

/** Why a client's row is empty. Where nobody answers, somebody may later; the others wait for a person. */
type Trouble =
  | 'access_withdrawn'
  | 'wrong_key'
  | 'wrong_address'
  | 'moved'
  | 'needs_https'
  | 'asked_too_often'
  | 'newer_than_this'
  | 'no_answer';

class Untold extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

/** `access_withdrawn` is the client's right and no fault: it is shown as what it is. */
const troubleOf: Readonly<Record<string, Trouble>> = {
  key_revoked: 'access_withdrawn',
  no_access: 'access_withdrawn',
  unauthorized: 'wrong_key',
  https_required: 'needs_https',
  rate_limited: 'asked_too_often',
};

async function call<T>(url: string, path: string, method: string, secret: string): Promise<T> {
  const address = `${url.replace(/\/+$/, '')}${path}`;
  if (!URL.canParse(address)) throw new Untold('wrong_address');
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${secret}` },
    // A key is handed to nobody but whom it is for: a new address is written into clients.json by a person.
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  });
  if (response.status >= 300 && response.status < 400) throw new Untold('moved');
  const body = (await response.json().catch(() => undefined)) as
    | (T & { error?: string })
    | undefined;
  if (response.ok && body) return body;
  const isElsewhere = response.status < 500 && body?.error === undefined;
  throw new Untold(troubleOf[body?.error ?? ''] ?? (isElsewhere ? 'wrong_address' : 'no_answer'));
}

/** The key is exchanged for a token of an hour each time; the two routes take 60 calls an hour from an address. */
async function look({ url, key }: Client): Promise<Aggregate> {
  const { access_token } = await call<{ access_token: string }>(
    url,
    '/api/byra/token',
    'POST',
    key,
  );
  const aggregate = await call<Aggregate>(url, '/api/stats/byra', 'GET', access_token);
  if (aggregate.schema_version !== readsVersion) throw new Untold('newer_than_this');
  return aggregate;
}

const clients: readonly Client[] = JSON.parse(
  await readFile(process.argv[2] ?? 'clients.json', 'utf8'),
);
const rows = await Promise.all(
  clients.map(async (client) => {
    const found = await look(client).catch((error) =>
      error instanceof Untold ? error.trouble : 'no_answer',
    );
    if (typeof found === 'string') return { client: client.name, state: found };
    return {
      client: client.name,
      state: found.months_behind > 0 ? 'behind' : 'up_to_date',
      months_behind: found.months_behind,
      open_month: found.open_month?.slice(0, 7) ?? '',
      failing: found.open_month_failing.join(' '),
      unbooked: found.unbooked_count,
      no_document: found.attachments_missing,
      unmatched: found.unmatched_bank,
      vat_due: found.vat_due_date,
    };
  }),
);
// Those who need somebody most come first, and those that nothing is known of before them.
const need = ({ months_behind = Number.MAX_VALUE }: (typeof rows)[number]) => months_behind;
rows.sort((a, b) => need(b) - need(a));
console.table(rows);
