/** What a log holds is read by whoever runs the machine, and kept: no secrets, and nobody's customers. */
import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createLogger } from '#src/process/logger.ts';
import { expectCheap } from '../support/cost.ts';

function lineOf(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('trace', 'test', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

/** As pg-pool and pg-boss hand it over: the whole client hangs on the error. */
function errorOfClient(): Error {
  const client = new pg.Client({ connectionString: 'postgres://hb:hemligt-ord@db:5432/bok' });
  Object.assign(client, { processID: 424_242, secretKey: -987_654_321 });
  return Object.assign(new Error('Connection terminated unexpectedly'), { client });
}

const refusedRow = () =>
  Object.assign(new pg.DatabaseError('duplicate key value', 100, 'error'), {
    code: '23505',
    constraint: 'customers_email_key',
    table: 'customers',
    detail: 'Key (email)=(kund@exempel.se) already exists, Kalle Kund.',
    where: "unnamed portal parameter $1 = 'Kalle Kund'",
  });

describe('an error in the log', () => {
  test.each([
    ['under err', (error: Error) => ({ err: error })],
    ['under another name', (error: Error) => ({ error })],
    ['as the cause of another', (error: Error) => ({ err: new Error('x', { cause: error }) })],
    ['among several', (error: Error) => ({ err: new AggregateError([error], 'x') })],
    ['as what pg-boss warns of', (error: Error) => ({ warning: error })],
  ])('tells nothing of the connection it hangs on: %s', (_, bindings) => {
    const line = lineOf((log) => log.error(bindings(errorOfClient()), 'job queue'));
    expect(line).toContain('Connection terminated unexpectedly');
    expect(line).not.toMatch(/424242|987654321|hemligt-ord|"client"|secretKey|processID/);
    expect(line.length).toBeLessThan(4_500);
  });

  test('keeps what tells faults of the database apart, and not the row', () => {
    const line = lineOf((log) => log.error({ err: refusedRow() }));
    expect(line).toContain('23505');
    expect(line).toContain('customers_email_key');
    expect(line).not.toMatch(/Kalle|exempel\.se/);
  });

  test.each([
    ['22P02', 'invalid input syntax for type uuid: "Kalle "Kund" Ek"'],
    ['22008', 'date/time field value out of range: "Kalle Kund"'],
  ])('does not repeat the value that the database could not read: %s', (code, message) => {
    const fault = Object.assign(new pg.DatabaseError(message, 1, 'error'), { code });
    const line = lineOf((log) => log.error({ err: fault }));
    expect(line).toContain(message.slice(0, 12));
    expect(line).not.toMatch(/Kalle|Kund/);
  });

  test('does not repeat a body that is not JSON', () => {
    let fault: unknown;
    try {
      JSON.parse('{"name": Kalle Kund}');
    } catch (error) {
      fault = error;
    }
    expect(lineOf((log) => log.error({ err: fault }))).not.toContain('Kalle');
  });

  test('is written down whatever was thrown', () => {
    for (const thrown of ['a text', null, undefined, { client: { secretKey: 17 } }, 17n]) {
      const line = lineOf((log) => log.error({ err: thrown }, 'fault'));
      expect(line).toContain('fault');
      expect(line).not.toContain('secretKey');
    }
    const circular = new Error('round');
    circular.cause = circular;
    expect(lineOf((log) => log.error({ err: circular }))).toContain('round');
  });

  test('still says where it happened', () => {
    const line = lineOf((log) => log.error({ err: new Error('here') }));
    expect(line).toContain('logger.test.ts');
  });
});

test.each([
  ['a mail address', 'RCPT TO:<kund+bok@exempel.se> refused', 'kund'],
  ['a password in a connection address', 'postgres://hb:hemligt@db:5432/bok', 'hemligt'],
  ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9'],
  ['an API key', `svc_live_${'a1'.repeat(21)}b`, 'a1a1'],
])('%s is blanked wherever in a line it ends up', (_, text, secret) => {
  const line = lineOf((log) => log.info({ deep: [{ down: text }] }, text));
  expect(line).not.toContain(secret);
  expect(line).toContain('[dolt]');
});

test('a line that is made to cost is written as fast as any', async () => {
  const texts = ['@'.repeat(100_000), 'a'.repeat(100_000), `${'a.'.repeat(50_000)}@`];
  for (const text of texts) {
    await expectCheap(1_000, () => lineOf((log) => log.info(`${text}@`)));
  }
});

test('lines of a turn are written together, in order, and the last ones when the process ends', () => {
  const said = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { createLogger } = await import('./src/process/logger.ts');
       const log = createLogger('info', 'test');
       log.info('first'); log.error('at once'); log.info('third');
       await new Promise((resolve) => setImmediate(resolve));
       log.info('fourth'); process.exit(3);`,
    ],
    { encoding: 'utf8' },
  );
  const lines = said.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(lines).toEqual(['first', 'at once', 'third', 'fourth']);
  expect(said.status).toBe(3);
});
