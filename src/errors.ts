/**
 * Every way a call can be refused. `error` codes are part of the contract (section 7): stable for
 * ever, one status each. Everything a caller did wrong is an AppError; anything else that is thrown
 * is our own fault and answers 500 `internal_error` without telling why.
 */
export const errorStatus = {
  idempotency_required: 400,
  invalid_request: 400,
  unauthorized: 401,
  key_revoked: 401,
  forbidden: 403,
  https_required: 403,
  insufficient_scope: 403,
  no_access: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  period_locked: 422,
  unprocessable: 422,
  rate_limited: 429,
  db_error: 500,
  internal_error: 500,
  document_not_stored: 502,
  database_unavailable: 503,
  processing_delayed: 503,
  server_misconfigured: 503,
  token_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** One fault in what a caller sent. `path` is as in `rows[2].vatRate`, or a header or parameter name. */
export interface Problem {
  readonly path: string;
  /** Stable machine word, e.g. `required`, `too_long`, `unknown_account`. */
  readonly reason: string;
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
    return errorStatus[this.code];
  }
}

/** Turns a non-empty list of problems into one refusal; the message is the first problem's sentence. */
export function refuse(code: ErrorCode, problems: readonly Problem[]): AppError {
  const first = problems[0];
  return new AppError(code, first ? first.message : 'Anropet kunde inte behandlas.', {
    detail: { problems },
  });
}
