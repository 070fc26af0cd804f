/** What the load generator is asked for and what it answers. */
export interface LoadJob {
  readonly port: number;
  /** Whole HTTP requests, sent in turn; `unique_mark` in them becomes a text that is new each time. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly calls_max: number;
  /** Mean pause between the calls of one connection. */
  readonly pause_ms: number;
}

export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** The first answer that was not 200. */
  readonly refusal?: string;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /** Of each whole second, in turn. */
  readonly seconds_p99_ms: readonly number[];
}

export type LoadAnswer = { readonly result: LoadResult } | { readonly fault: string };

/** Replaced by a text of the same length, so that Content-Length stays true. */
export const unique_mark = '<<unique--text>>';

/** One HTTP/1.1 request as the bytes on the wire. */
export function httpRequest(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}
