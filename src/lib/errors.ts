import type { ParamsOf, Reason } from './sentences/tables.ts';

export type { ParamsOf, Reason } from './sentences/tables.ts';

interface ErrorKind {
  readonly status: number;
  /**
   * Whether the same call, sent again as it is, may be answered otherwise: `true` at once or soon, `'after'`
   * the seconds of Retry-After (the next power of two where it is not said), `false` not before somebody has
   * mended the call, the key or the books.
   */
  readonly retryable: boolean | 'after';
  /** What it means and what to do, in the API's description, for whoever writes a client. */
  readonly meaning: string;
}

/**
 * Every way a call can be refused. `error` codes are part of the contract (section 7): stable for
 * ever, one status each. Everything a caller did wrong is an AppError; anything else that is thrown
 * is our own fault and answers 500 `internal_error` without telling why.
 */
export const errorCodes = {
  idempotency_required: {
    status: 400,
    retryable: false,
    meaning: 'The header Idempotency-Key is missing.',
  },
  invalid_request: {
    status: 400,
    retryable: false,
    meaning: 'Body, header or parameter cannot be read; mend what is named and send again.',
  },
  unauthorized: {
    status: 401,
    retryable: false,
    meaning: 'Key, token or session is missing or unknown; sending again does not help.',
  },
  key_revoked: {
    status: 401,
    retryable: false,
    meaning: 'The key is revoked by the owner of the installation.',
  },
  forbidden: {
    status: 403,
    retryable: false,
    meaning: 'The role of whoever is logged in does not suffice.',
  },
  https_required: { status: 403, retryable: false, meaning: 'The call came over http; use https.' },
  insufficient_scope: {
    status: 403,
    retryable: false,
    meaning: 'The key lacks a scope; detail.missing says which.',
  },
  scope_conflict: {
    status: 403,
    retryable: false,
    meaning:
      'The key may book by itself (ledger:write), and such a key proposes nothing; use one without it.',
  },
  no_access: {
    status: 403,
    retryable: false,
    meaning: 'The token is valid but opens nothing; the access may have been withdrawn.',
  },
  not_found: { status: 404, retryable: false, meaning: 'It does not exist in this installation.' },
  method_not_allowed: {
    status: 405,
    retryable: false,
    meaning: 'The address does not have the method; Allow says which it has.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    meaning: 'The call did not arrive in time; send it again.',
  },
  cursor_ahead: {
    status: 409,
    retryable: false,
    meaning:
      'The database has gone back to an earlier moment, and the cursor points at events that are no more. ' +
      'Compare what you have with the books, and read on from detail.resume_cursor.',
  },
  snapshot_gone: {
    status: 409,
    retryable: false,
    meaning:
      'The books are no longer those that the snapshot was taken of: they were restored from a backup, or begun anew. Begin the export again, without snapshot.',
  },
  idempotency_conflict: {
    status: 409,
    retryable: false,
    meaning: 'The same Idempotency-Key has been used with another body; take a new key.',
  },
  idempotency_in_progress: {
    status: 409,
    retryable: 'after',
    meaning: 'The same call is being processed just now; send it again soon, with the same key.',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    meaning: 'The body is larger than the address takes.',
  },
  period_locked: {
    status: 422,
    retryable: false,
    meaning: 'A lock stops the date: fiscal year, period or VAT; detail.lock says which.',
  },
  unprocessable: {
    status: 422,
    retryable: false,
    meaning: 'Read and understood, but cannot be booked as it is.',
  },
  bulk_refused: {
    status: 422,
    retryable: false,
    meaning:
      'Something in the request cannot be done, and as atomic=true was asked for nothing was; detail.refused says what.',
  },
  rate_limited: {
    status: 429,
    retryable: 'after',
    meaning: 'The quota of the hour is used up; wait the seconds of Retry-After.',
  },
  db_error: { status: 500, retryable: true, meaning: 'The figures could not be read; try again.' },
  internal_error: {
    status: 500,
    retryable: true,
    meaning: 'Something went wrong on our side; try again, with the same Idempotency-Key.',
  },
  document_not_stored: {
    status: 502,
    retryable: 'after',
    meaning: 'The document could not be stored; deliver it again.',
  },
  database_unavailable: {
    status: 503,
    retryable: 'after',
    meaning: 'The database does not answer just now; try again soon.',
  },
  overloaded: {
    status: 503,
    retryable: 'after',
    meaning:
      'The server has more to do than it can manage, and nothing of the call is done; send the same again after the seconds of Retry-After.',
  },
  processing_delayed: {
    status: 503,
    retryable: 'after',
    meaning: 'Received and safely stored but not finished; send the same again to get the answer.',
  },
  server_misconfigured: {
    status: 503,
    retryable: false,
    meaning: 'The installation has no company or fiscal year.',
  },
  token_unavailable: {
    status: 503,
    retryable: 'after',
    meaning: 'The agency key is valid, but no token could be made.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * How faults flow, everywhere. A rule, a store or a service knows what is wrong and never says it in words:
 * it answers with a `Fault` (where, which rule, and what a sentence about it needs) or throws a `Refusal` of
 * some. The surface that the call came through says it, by `sentences/say.ts`: the API names fields as its
 * JSON does, a page as its labels do, the command line by its flags. So no sentence is read back, stored for
 * another surface, or written for the wrong reader. The tables of sentences are what reasons there are: which
 * params each must be given follows from what its sentences read.
 *
 * A surface may refuse in words of its own what only it can get wrong: `AppError`, or a `Problem` in a
 * `Refusal`. What is for whoever runs the machine is an `OperatorError`, and nobody else hears of it.
 */
export type Fault = Reasoned & {
  /** As in `rows[2].vatRate`, or a header or parameter name; empty when it is about the whole. */
  readonly path: string;
};

/** Amounts in öre, dates as text, names of things. */
export type Params = Readonly<Record<string, unknown>>;

type Nothing = Record<never, never>;

/** What the sentence of a reason needs; one that needs nothing may be given what another reader wants. */
type GivenFor<R extends Reason> =
  Nothing extends ParamsOf<R>
    ? { readonly params?: ParamsOf<R> & Params }
    : { readonly params: ParamsOf<R> };

/** Each stable machine word, e.g. `required`, `too_long`, `unknown_account`, with what its sentence reads. */
export type Reasoned = { [R in Reason]: { readonly reason: R } & GivenFor<R> }[Reason];

/** A fault as a surface says it. */
export interface Problem {
  readonly path: string;
  readonly reason: string;
  readonly params?: Params;
  /** Swedish sentence for a person: what is wrong with this field and the way out. */
  readonly message: string;
  readonly [extra: string]: unknown;
}

export interface ErrorOptions {
  readonly detail?: Record<string, unknown> | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly cause?: unknown;
}

/** A refusal the caller is told about: code, Swedish message, structured detail. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: Record<string, unknown> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail;
    this.headers = options.headers;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** A refusal that no surface has put into words yet; its `message` is for the log. */
export class Refusal extends AppError {
  /** What is wrong with the whole; null when `faults` say it all. */
  readonly whole: Reasoned | null;
  /** At the fields; empty when it is about none. */
  readonly faults: readonly (Fault | Problem)[];

  constructor(
    code: ErrorCode,
    { whole, faults }: Pick<Refusal, 'whole' | 'faults'>,
    options: ErrorOptions = {},
  ) {
    const words = [whole, ...faults].flatMap((one) => one?.reason ?? []);
    // As an answer has them, but for the words.
    const problems = faults.length > 0 ? { problems: faults } : {};
    const detail =
      options.detail || faults.length > 0 ? { ...options.detail, ...problems } : undefined;
    super(code, `${code}: ${words.join(', ')}`, { ...options, detail });
    this.name = 'Refusal';
    this.whole = whole;
    this.faults = faults;
  }
}

/** Faults as JSON to store: amounts as their digits, which sentences take as well. */
export const jsonOf = (faults: unknown): string =>
  JSON.stringify(faults, (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** An error with its faults said of other fields; one without faults as it is. */
export function movingFaults(error: unknown, pathOf: (fault: Fault | Problem) => string): unknown {
  if (!(error instanceof Refusal) || error.faults.length === 0) return error;
  const { code, whole, faults, detail, headers } = error;
  const moved = faults.map((fault) => ({ ...fault, path: pathOf(fault) }));
  return new Refusal(code, { whole, faults: moved }, { detail, headers, cause: error });
}

/** The refusal of faults at fields, at least one; said as a whole by the first one's sentence. */
export function refuse(
  code: ErrorCode,
  faults: readonly (Fault | Problem)[],
  options?: ErrorOptions,
): Refusal {
  return new Refusal(code, { whole: null, faults }, options);
}

/** Params of a reason, left out where its sentence reads none; of any of several, what all of them read. */
type ParamsFor<R extends Reason> =
  Nothing extends ParamsOf<R> ? [params?: ParamsOf<R> & Params] : [params: ParamsOf<R>];

/** The fault of a reason that is one of several. */
export function faultOf<R extends Reason>(path: string, reason: R, ...given: ParamsFor<R>): Fault {
  const [params = {}] = given;
  return { path, reason, params } as Fault;
}

/** The refusal of a call for a reason that is at none of its fields: something is not there, or not in time. */
export function refuseWhole<R extends Reason>(
  code: ErrorCode,
  reason: R,
  ...given: [...ParamsFor<R>, options?: ErrorOptions]
): Refusal {
  const [params = {}, options]: readonly unknown[] = given;
  const whole = { reason, params } as Reasoned;
  return new Refusal(code, { whole, faults: [] }, options as ErrorOptions | undefined);
}
