/**
 * The journal held against the books: what was promised stands there once, as it was said; what was refused
 * does not; and nothing stands there that nobody asked for.
 */
import { db, type Pool } from '#src/db/pool.ts';
import { type Sql, sql } from '#src/db/sql.ts';
import { type Entry, type Kind, type Operation, operationsOf } from './journal.ts';

export interface Found {
  /** As the journal calls it. */
  readonly op: string;
  /** What an answer says of it, and is held against. */
  readonly told: Readonly<Record<string, unknown>>;
}

/** What stands in the books, by the kind of call that makes it. */
export type Books = ReadonlyMap<Kind, readonly Found[]>;

/** Sentences of what users would have suffered. */
export type Faults = string[];

const rows = (owner: Pool, query: Sql): Promise<Record<string, unknown>[]> =>
  db(owner).query(query);

async function foundBy(owner: Pool, query: Sql): Promise<Found[]> {
  const found = await rows(owner, query);
  return found.map(({ op, ...told }) => ({ op: String(op), told }));
}

export async function readBooks(owner: Pool): Promise<Books> {
  return new Map<Kind, readonly Found[]>([
    [
      'voucher',
      await foundBy(
        owner,
        sql`select description as op, id, series, number, verification_date
            from ledger.vouchers where source = 'api'`,
      ),
    ],
    [
      'invoice',
      await foundBy(
        owner,
        sql`select notes as op, id, number as invoice_number, total_ore::float8 / 100 as total_amount
            from sales.invoices where source = 'api'`,
      ),
    ],
    [
      'order',
      await foundBy(
        owner,
        sql`select external_id as op, invoice_id as "invoiceId" from intake.orders`,
      ),
    ],
    [
      'e-invoice',
      await foundBy(
        owner,
        sql`select invoice_number as op, id as "draftId", invoice_number as "invoiceNo"
            from purchases.invoices`,
      ),
    ],
    ['payment', await foundBy(owner, sql`select reference as op from sales.payments`)],
  ]);
}

/** Said on replays, and of nothing in the books. */
const unkept = new Set(['duplicate', 'status']);

export function holdAgainst(entries: readonly Entry[], books: Books): Faults {
  const faults: Faults = [];
  const operations = operationsOf(entries);
  for (const [kind, all] of books) {
    const standing = Map.groupBy(all, ({ op }) => op);
    const asked = operations.filter((operation) => operation.kind === kind);
    for (const operation of asked) {
      faults.push(...judge(operation, standing.get(operation.op) ?? []));
    }
    const known = new Set(asked.map(({ op }) => op));
    for (const op of standing.keys()) {
      if (!known.has(op)) faults.push(`${kind} ${op} stands in the books, and nobody asked for it`);
    }
  }
  return faults;
}

/** A refusal that keeps what came: a person sees it (contract 2.6). */
const keepsRefused = (kind: Kind): boolean => kind === 'order' || kind === 'invoice';

function judge(operation: Operation, standing: readonly Found[]): Faults {
  const { kind, op, promised, refused, isUnclear } = operation;
  const name = `${kind} ${op}`;
  if (standing.length > 1) return [`${name} stands ${standing.length} times in the books`];
  const [found] = standing;
  if (promised) {
    if (!found) return [`${name} was answered with ${promised.status} and is not in the books`];
    return operation.calls.flatMap(({ answer }) => differences(name, answer, found));
  }
  if (refused && found && !isUnclear && !keepsRefused(kind)) {
    return [`${name} was refused (${refused.status} ${refused.code}) and stands in the books`];
  }
  if (refused && !found && kind === 'order' && refused.status === 422) {
    return [`${name} was said to be stored with its reason, and is not`];
  }
  return [];
}

function differences(name: string, answer: Entry['answer'], { told }: Found): Faults {
  return Object.entries(answer ?? {}).flatMap(([field, said]) => {
    const isSame = unkept.has(field) || (said ?? null) === (told[field] ?? null);
    return isSame
      ? []
      : [`${name} was answered with ${field} ${said}, and in the books it is ${told[field]}`];
  });
}

/** What each kind of call may be answered with in the end. */
const allowed: Readonly<Record<Kind, readonly string[]>> = {
  voucher: ['401 key_revoked'],
  'wrong voucher': [
    '400 invalid_request',
    '401 unauthorized',
    '403 insufficient_scope',
    '409 idempotency_conflict',
    '413 payload_too_large',
    '422 unprocessable',
  ],
  invoice: [],
  order: ['422 unprocessable'],
  'e-invoice': [],
  payment: [],
  events: [],
  read: [],
  page: ['429 undefined'],
};

/** Right calls that were refused, and wrong ones that were not. */
export function judgeAnswers(entries: readonly Entry[]): Faults {
  return operationsOf(entries).flatMap(({ kind, op, promised, calls }) => {
    const refusals = calls
      .filter(({ status }) => status >= 400 && status < 500)
      .map(({ status, code }) => `${status} ${code}`)
      .filter((refusal) => !/^(429|409 idempotency_in_progress)/.test(refusal));
    const untrue = refusals.filter((refusal) => !allowed[kind].includes(refusal));
    const wrong = kind === 'wrong voucher' && promised;
    return [
      ...(wrong ? [`${op}, which is wrong, was answered with ${promised.status}`] : []),
      ...[...new Set(untrue)].map((refusal) => `${kind} ${op} was refused with ${refusal}`),
    ];
  });
}

/** Nothing is done with a key that had been revoked when the call came. */
export function judgeRevoked(
  entries: readonly Entry[],
  revoked: ReadonlyMap<string, number>,
): Faults {
  return entries.flatMap(({ op, key = '', at, status }) => {
    const since = revoked.get(key);
    return since !== undefined && at > since && status === 200
      ? [`${op} was answered with 200 ${at - since} ms after its key was revoked`]
      : [];
  });
}
