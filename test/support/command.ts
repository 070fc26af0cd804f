/**
 * Commands run in this process, since to start one of their own takes half a second of the processor. What only a
 * process can show (signals, pipes, how it ends) is tested with one: test/process, test/unit/command-line.test.ts.
 */
import { expect, vi } from 'vitest';
import { endingOf } from '#src/cli/ending.ts';
import { runWords } from '#src/cli/run.ts';
import type { Books } from './installation.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command finds around it, beside the books. */
export interface Around {
  /** Settings, which are all it has. */
  readonly env?: Readonly<Record<string, string>>;
  /** The day it is, at noon; the machine's own unless said. */
  readonly today?: string;
}

/** Runs one at a time, as somebody at a keyboard does. Whatever it leaves open would keep a process alive for ever. */
export async function runCommand(
  books: Pick<Books, 'url' | 'owner'>,
  words: readonly string[],
  { env = {}, today }: Around = {},
): Promise<Ran> {
  const said = { stdout: '', stderr: '' };
  const others = await connectionsOf(books);
  const before = { env: process.env, exitCode: process.exitCode };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk, encoding, done?) => {
      said[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const written = typeof encoding === 'function' ? encoding : done;
      if (written) queueMicrotask(() => written(null));
      return true;
    }),
  );
  process.env = { PATH: before.env['PATH'], DATABASE_URL: books.url, ...env };
  process.exitCode = undefined;
  if (today) vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${today}T12:00:00Z`) });
  let code: number;
  try {
    code = (await endingOf(() => runWords(words))) ?? Number(process.exitCode ?? 0);
  } finally {
    if (today) vi.useRealTimers();
    process.env = before.env;
    process.exitCode = before.exitCode;
    for (const spy of spies) spy.mockRestore();
  }
  await expect
    .poll(async () => (await connectionsOf(books)).filter((name) => !others.includes(name)), {
      message: `connections of ${words.join(' ')}`,
    })
    .toEqual([]);
  return { code, ...said };
}

/** The program's own connections to the books, by what they call themselves. */
async function connectionsOf({ owner }: Pick<Books, 'owner'>): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'huvudbok %'`,
  );
  return rows.map(({ name }) => name);
}
