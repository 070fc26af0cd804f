/**
 * A client for the API of Huvudbok: one file, no dependencies, for Node 22.18 and newer, Deno, Bun and browsers' workers.
 * Calls are typed by `schema.d.ts`, which is generated out of the API's own description.
 *
 *   const books = new Huvudbok({ url: 'https://books.example.com', key: process.env.HUVUDBOK_KEY });
 *   const { label } = await books.post('/api/v1/verifikat', { body: { … }, idempotencyKey: 'shop-fee-2026-03' });
 *   for await (const voucher of books.each('/api/v1/verifikat', { query: { from: '2026-01-01' } })) { … }
 *   for await (const voucher of books.exportVouchers()) { … }
 *
 * What may be sent again is sent again, as long as it can help: after no answer, 429, `idempotency_in_progress` and 5xx,
 * and never after any other refusal. Writes carry an Idempotency-Key, so what is sent twice is done once; give your own,
 * made of what the call is about, so that a program that was killed can send it again too.
 */
import type { paths } from './schema.d.ts';

type Method = 'get' | 'post';

/** The addresses that take the method. */
export type Path<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<P extends Path<M>, M extends Method> =
  paths[P] extends Record<M, infer O> ? O : never;
type Parameter<O, Kind extends string> = O extends { parameters: infer Given }
  ? Kind extends keyof Given
    ? NonNullable<Given[Kind]>
    : never
  : never;
type Content<T> = T extends { content: infer C } ? C[keyof C] : undefined;

/** What the call answers when it succeeds; the client asks for nothing that is answered otherwise than by 200. */
export type Answer<P extends Path<M>, M extends Method> =
  Operation<P, M> extends { responses: { 200: infer R } } ? Content<R> : never;

/** What a write answers when it has written, and so is no dry run. */
export type Written<P extends Path<'post'>> = Exclude<Answer<P, 'post'>, { dry_run: true }>;

/** What the call takes as its body; bytes and text are sent as they are. */
export type Body<P extends Path<'post'>> =
  Operation<P, 'post'> extends { requestBody?: infer B } ? Content<NonNullable<B>> | Raw : never;
type Given<P extends Path<'post'>> =
  Operation<P, 'post'> extends { requestBody?: never }
    ? { readonly body?: never }
    : { readonly body: Body<P> };
type Raw = string | Uint8Array<ArrayBuffer>;

/** One of what a list has. */
export type Item<P extends Path<'get'>> =
  Answer<P, 'get'> extends { data: readonly (infer T)[] } ? T : never;

export interface Options {
  /** The installation's address. */
  readonly url: string;
  readonly key: string | undefined;
  /** How many times a call is sent again at most; 6 are about half a minute. */
  readonly retries?: number;
  /** The longest that it waits for a quota, in milliseconds: one that opens later is an error at once. */
  readonly waitMsMax?: number;
  /** The longest that one attempt may take, in milliseconds. */
  readonly timeoutMs?: number;
}

export interface GetOptions<P extends Path<'get'>> {
  readonly query?: Parameter<Operation<P, 'get'>, 'query'>;
  /** What stands in braces in the address. */
  readonly path?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What an export is of: the filters of a list of vouchers, or a moment of before to go on with. */
export interface ExportOptions {
  readonly query?: Omit<
    NonNullable<GetOptions<'/api/v1/export/verifikatrader'>['query']>,
    'format'
  >;
  /** Hears of the moment before the first voucher comes: keep `snapshot`, and `events_cursor` for what is posted after it. */
  readonly onBegin?: (begin: ExportBegin) => void;
  readonly signal?: AbortSignal;
}

export interface ExportBegin {
  readonly snapshot: string;
  readonly taken_at: string;
  readonly events_cursor: string;
  /** How many vouchers and rows come. */
  readonly vouchers: number;
  readonly rows: number;
}

export type PostOptions<P extends Path<'post'>> = Given<P> & {
  readonly query?: Parameter<Operation<P, 'post'>, 'query'>;
  /** What stands in braces in the address. */
  readonly path?: Readonly<Record<string, string>>;
  /** 8–255 characters. A new one for each call when left out. */
  readonly idempotencyKey?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
};

interface Refusal {
  readonly error?: string;
  readonly message?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly request_id?: string;
}

/** A refusal, as the API said it. Branch on `code`; `message` is Swedish, for people. */
export class HuvudbokError extends Error {
  override readonly name = 'HuvudbokError';
  readonly status: number;
  readonly code: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  /** How long to wait before it is sent again, where that was said. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    { error, message, detail, request_id }: Refusal,
    retryAfterMs?: number,
  ) {
    super(message ?? `HTTP ${status}`);
    this.status = status;
    this.code = error ?? 'unknown';
    this.detail = detail ?? {};
    this.requestId = request_id;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the very same call may succeed later. */
  get mayRetry(): boolean {
    return this.status >= 500 || this.status === 429 || this.code === 'idempotency_in_progress';
  }
}

const firstWaitMs = 500;
const backOffMs = (attempt: number): number => firstWaitMs * 2 ** attempt * (0.5 + Math.random());

/** No sooner than was said, and ever longer: an installation that says one second each time may need half a minute. */
const waitMsOf = (saidMs: number | undefined, attempt: number, waitMsMax: number): number =>
  Math.max(saidMs ?? 0, Math.min(backOffMs(attempt), waitMsMax));
const exportPath = '/api/v1/export/verifikatrader';

type ExportLine =
  | { readonly begin: ExportBegin }
  | { readonly end: object }
  | ({ readonly error: string; readonly status: number } & Refusal)
  | Item<'/api/v1/verifikat'>;

export class Huvudbok {
  readonly #options: Required<Options>;

  constructor(options: Options) {
    if (!options.key)
      throw new Error('A key is needed: huvudbok key create, or Inställningar → API-nycklar.');
    this.#options = {
      retries: 6,
      waitMsMax: 60_000,
      timeoutMs: 30_000,
      ...options,
      key: options.key,
    };
  }

  get<P extends Path<'get'>>(path: P, options: GetOptions<P> = {}): Promise<Answer<P, 'get'>> {
    return this.#send('GET', path, options) as Promise<Answer<P, 'get'>>;
  }

  /** A dry run (`query: { dryRun: true }`) has an answer of its own, with `dry_run`. */
  post<P extends Path<'post'>>(
    path: P,
    options: PostOptions<P> & { readonly query?: { readonly dryRun?: false } },
  ): Promise<Written<P>>;
  post<P extends Path<'post'>>(path: P, options: PostOptions<P>): Promise<Answer<P, 'post'>>;
  post<P extends Path<'post'>>(path: P, options: PostOptions<P>): Promise<Answer<P, 'post'>> {
    return this.#send('POST', path, options) as Promise<Answer<P, 'post'>>;
  }

  /** A file, byte for byte: `/api/v1/underlag/{id}`. */
  file<P extends Path<'get'>>(
    path: P,
    options: GetOptions<P> = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const call = { ...options, isFile: true };
    return this.#send('GET', path, call) as Promise<Uint8Array<ArrayBuffer>>;
  }

  /** All that a list has, page after page. */
  async *each<P extends Path<'get'>>(
    path: P,
    options: GetOptions<P> = {},
  ): AsyncGenerator<Item<P>> {
    for (let query: object = options.query ?? {}; ; ) {
      const page = (await this.#send('GET', path, { ...options, query })) as Page<Item<P>>;
      yield* page.data;
      if (!page.has_more || page.next_cursor === null) return;
      query = { ...query, cursor: page.next_cursor };
    }
  }

  /**
   * Every voucher of one moment, each once. What breaks off goes on where it broke, out of the same moment: a loop that
   * ends has had them all, and one that cannot go on throws.
   */
  async *exportVouchers({
    query = {},
    onBegin,
    signal,
  }: ExportOptions = {}): AsyncGenerator<Item<'/api/v1/verifikat'>> {
    let place: { snapshot?: string; after?: string } = {};
    for (let attempt = 0; ; attempt += 1) {
      const asked = { query: { ...query, ...place, format: 'ndjson' } };
      let failure: unknown = new Error('The export broke off.');
      try {
        for await (const line of this.#lines(this.#address(exportPath, asked), signal)) {
          if ('begin' in line) {
            if (place.snapshot === undefined) onBegin?.(line.begin);
            place = { ...place, snapshot: line.begin.snapshot };
          } else if ('end' in line) return;
          else if ('error' in line) throw new HuvudbokError(line.status, line);
          else {
            yield line;
            place = { ...place, after: line.id };
            attempt = 0;
          }
        }
      } catch (error) {
        failure = error;
      }
      if (signal?.aborted) throw signal.reason;
      const refusal = failure instanceof HuvudbokError ? failure : undefined;
      const waitMs = waitMsOf(refusal?.retryAfterMs, attempt, this.#options.waitMsMax);
      const isLast = attempt >= this.#options.retries || waitMs > this.#options.waitMsMax;
      if (isLast || refusal?.mayRetry === false) throw failure;
      await pause(waitMs, signal);
    }
  }

  /** What the export has, line by line, for as long as it comes. */
  async *#lines(url: URL, signal: AbortSignal | undefined): AsyncGenerator<ExportLine> {
    const silence = new AbortController();
    // Whoever takes their time with a voucher is not kept waiting.
    const inTime = <T>(answer: Promise<T>): Promise<T> => {
      const timer = setTimeout(() => silence.abort(), this.#options.timeoutMs);
      return answer.finally(() => clearTimeout(timer));
    };
    const signals = signal ? [signal, silence.signal] : [silence.signal];
    const headers = { authorization: `Bearer ${this.#options.key}` };
    try {
      const response = await inTime(fetch(url, { headers, signal: AbortSignal.any(signals) }));
      if (!response.ok || !response.body) {
        const refusal = refusalOf(await response.arrayBuffer());
        throw new HuvudbokError(response.status, refusal, waitOf(response));
      }
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      for (let rest = ''; ; ) {
        const { done, value } = await inTime(reader.read());
        if (done) return;
        const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as ExportLine;
      }
    } finally {
      silence.abort();
    }
  }

  async #send(method: string, path: string, call: Call): Promise<unknown> {
    const url = this.#address(path, call);
    const init = { method, ...this.#content(method, call) };
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(url, init, call);
      if (!('error' in outcome)) return outcome.answer;
      const waitMs = waitMsOf(outcome.retryAfterMs, attempt, this.#options.waitMsMax);
      const isLast = attempt >= this.#options.retries || waitMs > this.#options.waitMsMax;
      if (isLast || !outcome.mayRetry) throw outcome.error;
      await pause(waitMs, call.signal);
    }
  }

  async #attempt(url: URL, init: RequestInit, { signal, isFile }: Call): Promise<Outcome> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      const response = await fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      // An answer that is cut off is no answer: it is read to its end within the attempt.
      const bytes = await response.arrayBuffer();
      if (response.ok)
        return { answer: isFile ? new Uint8Array(bytes) : contentOf(response, bytes) };
      const error = new HuvudbokError(response.status, refusalOf(bytes));
      return { error, mayRetry: error.mayRetry, retryAfterMs: waitOf(response) };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return { error, mayRetry: true, retryAfterMs: undefined };
    }
  }

  #address(path: string, { path: parts = {}, query = {} }: Call): URL {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(parts[name] ?? ''),
    );
    const url = new URL(filled.slice(1), `${this.#options.url.replace(/\/+$/, '')}/`);
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value].flat())
        if (one !== undefined) url.searchParams.append(name, String(one));
    }
    return url;
  }

  #content(method: string, { body, contentType, idempotencyKey, isFile }: Call): RequestInit {
    const accept = isFile ? '*/*' : 'application/json';
    const headers = { authorization: `Bearer ${this.#options.key}`, accept };
    if (method === 'GET') return { headers };
    const type = contentType ?? (isRaw(body) ? 'application/octet-stream' : 'application/json');
    return {
      headers: {
        ...headers,
        'content-type': type,
        'idempotency-key': idempotencyKey ?? crypto.randomUUID(),
      },
      body: isRaw(body) ? body : JSON.stringify(body),
    };
  }
}

const isRaw = (body: unknown): body is Raw =>
  typeof body === 'string' || body instanceof Uint8Array;

interface Call {
  readonly query?: object;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly idempotencyKey?: string;
  readonly isFile?: boolean;
  readonly signal?: AbortSignal;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

type Outcome =
  | { readonly answer: unknown }
  | {
      readonly error: unknown;
      readonly mayRetry: boolean;
      readonly retryAfterMs: number | undefined;
    };

/** In milliseconds. A date, as something between us may write it, is none of ours. */
function waitOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

const textOf = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);

function contentOf(response: Response, bytes: ArrayBuffer): unknown {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return JSON.parse(textOf(bytes));
  return type.startsWith('text/') || type.includes('ndjson')
    ? textOf(bytes)
    : new Uint8Array(bytes);
}

/** Something between us and the installation may have answered in a form of its own. */
function refusalOf(bytes: ArrayBuffer): Refusal {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return {};
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
