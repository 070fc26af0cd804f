/** The greeting of a service whose database goes away just when everything has come to answer. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorError } from '#src/lib/operator-error.ts';
import { start } from '#src/process/start.ts';
import { createInstallation, type Installation } from '../support/installation.ts';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation({ isMigrated: true });
});
afterAll(() => books.close());

/** Starts one part, and stops when it has greeted or has ended; gives what was written. */
async function startWith(greeting: () => Promise<readonly string[]>): Promise<string[]> {
  const stop = new AbortController();
  const lines: string[] = [];
  await start({
    entry: join(import.meta.dirname, '..', 'process', 'child.ts'),
    dataDir: '',
    databaseUrl: books.url,
    env: process.env,
    parts: [{ names: ['work', 'http', '/dev/null'] }],
    write: (line) => {
      lines.push(line);
      if (line === 'Välkommen') stop.abort();
    },
    log: () => undefined,
    metrics: undefined,
    prepare: async () => undefined,
    openDoor: async () => ({ explain: () => undefined, close: async () => undefined }),
    greeting,
    stop: stop.signal,
  });
  return lines;
}

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('comes when the database is back, and the service goes on meanwhile', async () => {
  let turn = 0;
  const lines = await startWith(async () => {
    turn += 1;
    if (turn < 3) throw away();
    return ['Välkommen'];
  });
  expect(turn).toBe(3);
  const [said, ...rest] = lines.filter((line) => /atabasen/.test(line));
  expect(said).toMatch(/^Väntar på databasen\. /);
  expect(rest).toEqual(['Databasen svarar.']);
  expect(lines.some((line) => /startas igen/.test(line))).toBe(false);
});

test('that fails for another reason ends the service with it', async () => {
  const failing = startWith(async () => {
    throw new OperatorError('Något annat.');
  });
  await expect(failing).rejects.toThrow('Något annat.');
});
