interface ErrorKind {
  readonly status: number;
  /** What it means and what to do, in the API's description: Swedish, for whoever writes a client. */
  readonly meaning: string;
}

/**
 * Every way a call can be refused. `error` codes are part of the contract (section 7): stable for
 * ever, one status each. Everything a caller did wrong is an AppError; anything else that is thrown
 * is our own fault and answers 500 `internal_error` without telling why.
 */
export const errorCodes = {
  idempotency_required: { status: 400, meaning: 'Rubriken Idempotency-Key saknas.' },
  invalid_request: {
    status: 400,
    meaning:
      'Kropp, rubrik eller parameter går inte att läsa; rätta det som nämns och skicka igen.',
  },
  unauthorized: {
    status: 401,
    meaning: 'Nyckel, token eller session saknas eller är okänd; att skicka igen hjälper inte.',
  },
  key_revoked: { status: 401, meaning: 'Nyckeln är återkallad av den som äger installationen.' },
  forbidden: { status: 403, meaning: 'Den inloggades roll räcker inte.' },
  https_required: { status: 403, meaning: 'Anropet kom över http; använd https.' },
  insufficient_scope: {
    status: 403,
    meaning: 'Nyckeln saknar en behörighet; detail.missing säger vilken.',
  },
  no_access: {
    status: 403,
    meaning: 'Token gäller men öppnar inget; åtkomsten kan ha dragits in.',
  },
  not_found: { status: 404, meaning: 'Det finns inte i den här installationen.' },
  method_not_allowed: {
    status: 405,
    meaning: 'Adressen har inte metoden; Allow säger vilka den har.',
  },
  request_timeout: { status: 408, meaning: 'Anropet kom inte fram i tid; skicka det igen.' },
  cursor_ahead: {
    status: 409,
    meaning:
      'Databasen har gått tillbaka till en tidigare tidpunkt, och cursor pekar på händelser som inte längre finns. ' +
      'Jämför det ni har fått med bokföringen, och läs vidare från detail.resume_cursor.',
  },
  idempotency_conflict: {
    status: 409,
    meaning: 'Samma Idempotency-Key har redan använts med en annan kropp; ta en ny nyckel.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'Samma anrop behandlas just nu; skicka det igen strax, med samma nyckel.',
  },
  payload_too_large: { status: 413, meaning: 'Kroppen är större än adressen tar emot.' },
  period_locked: {
    status: 422,
    meaning: 'Ett lås stoppar datumet: räkenskapsår, period eller moms; detail.lock säger vilket.',
  },
  unprocessable: { status: 422, meaning: 'Läst och förstått, men kan inte bokföras som det är.' },
  rate_limited: { status: 429, meaning: 'Timmens kvot är slut; vänta sekunderna i Retry-After.' },
  db_error: { status: 500, meaning: 'Uppgifterna kunde inte läsas; försök igen.' },
  internal_error: {
    status: 500,
    meaning: 'Något gick fel hos oss; försök igen, med samma Idempotency-Key.',
  },
  document_not_stored: { status: 502, meaning: 'Dokumentet kunde inte sparas; leverera det igen.' },
  database_unavailable: {
    status: 503,
    meaning: 'Databasen svarar inte just nu; försök igen strax.',
  },
  overloaded: {
    status: 503,
    meaning:
      'Servern har mer att göra än den hinner, och inget av anropet är gjort; skicka samma igen efter sekunderna i Retry-After.',
  },
  processing_delayed: {
    status: 503,
    meaning: 'Mottaget och säkrat men inte färdigt; skicka samma igen för att få svaret.',
  },
  server_misconfigured: {
    status: 503,
    meaning: 'Installationen har inget företag eller räkenskapsår.',
  },
  token_unavailable: { status: 503, meaning: 'Byrånyckeln gäller, men ingen token kunde skapas.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorCodes;

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
    return errorCodes[this.code].status;
  }
}

/** Turns a non-empty list of problems into one refusal; the message is the first problem's sentence. */
export function refuse(code: ErrorCode, problems: readonly Problem[]): AppError {
  const first = problems[0];
  return new AppError(code, first ? first.message : 'Anropet kunde inte behandlas.', {
    detail: { problems },
  });
}
