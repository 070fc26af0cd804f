/**
 * What was asked of the service and what it answered: a line a call, on disk before whoever called goes on.
 * The proof reads it back from there, and believes nothing else.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises';

export type Kind =
  | 'voucher'
  | 'wrong voucher'
  | 'invoice'
  | 'order'
  | 'e-invoice'
  | 'payment'
  | 'events'
  | 'read'
  | 'page';

/** One call. */
export interface Entry {
  readonly kind: Kind;
  /** What the call is about, in the books too: a description, a number, a reference. The same in every attempt. */
  readonly op: string;
  readonly at: number;
  readonly ms: number;
  /** 0 when the connection broke, or nobody answered in time. */
  readonly status: number;
  readonly code?: string | undefined;
  /** What of the answer is held against the books. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined;
  /** The key's id. */
  readonly key?: string | undefined;
}

export class Journal {
  readonly path: string;
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<Journal> {
    return new Journal(path, await open(path, 'ax'));
  }

  /** Resolves when it is on disk, with all that came meanwhile. */
  async write(entry: Entry): Promise<void> {
    this.#waiting.push(`${JSON.stringify(entry)}\n`);
    // Those that come while others are being written are written together.
    while (this.#writing !== undefined) await this.#writing;
    if (this.#waiting.length === 0) return;
    this.#writing = this.#flush();
    try {
      await this.#writing;
    } finally {
      this.#writing = undefined;
    }
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting.join('');
    this.#waiting = [];
    await this.#file.write(lines);
    await this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

export async function readJournal(path: string): Promise<Entry[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Entry);
}

/** All calls about one thing. */
export interface Operation {
  readonly kind: Kind;
  readonly op: string;
  readonly calls: readonly Entry[];
  /** What was promised: the first 2xx (of pages, a redirect). */
  readonly promised: Entry | undefined;
  /** Whether it may stand there although nobody was told so. */
  readonly isUnclear: boolean;
  /** The last word, when it was a refusal. */
  readonly refused: Entry | undefined;
}

/** Whether a call with this answer may have had its effect: nobody knows what a broken connection carried. */
const isUnclear = ({ status }: Entry): boolean => status === 0 || status >= 500;
const isPromise = ({ status }: Entry): boolean => status >= 200 && status < 400;

export function operationsOf(entries: readonly Entry[]): Operation[] {
  const groups = Map.groupBy(entries, ({ kind, op }) => `${kind}\n${op}`);
  return [...groups.values()].flatMap((calls) => {
    const [first] = calls;
    if (!first) return [];
    const last = calls.at(-1);
    return {
      kind: first.kind,
      op: first.op,
      calls,
      promised: calls.find(isPromise),
      isUnclear: calls.some(isUnclear),
      refused: last && !isPromise(last) && !isUnclear(last) ? last : undefined,
    };
  });
}
