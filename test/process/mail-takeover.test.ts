/** kill -9 of the mail worker when the server has taken a message and nobody has written that down yet. */
import { expect, onTestFinished, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createBooks } from '../support/installation.ts';
import { readMail, startMailServer } from '../support/mail-server.ts';
import { getMail, makeMail } from '../support/mails.ts';
import { until } from '../support/processes.ts';
import { entry } from '../support/program.ts';
import { Running } from './running.ts';

test('the next worker sends it with the same Message-ID, and then nobody sends it any more', async () => {
  const books = await createBooks();
  onTestFinished(() => books.close());
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const id = await makeMail(books.owner);
  // The test runner's own BASE_URL is no address of ours.
  const env = { ...process.env, BASE_URL: '', DATABASE_URL: books.url, SMTP_URL: server.url };
  const startWorker = () => new Running(entry, ['worker', 'mail'], env);

  // What is sent is written down together with its event, which now waits.
  const blocker = await books.owner.connect();
  await blocker.query('begin; lock table audit.events in exclusive mode');
  const first = startWorker();
  await until(async () => {
    const waiting = await db(books.owner).query(
      sql`select from pg_locks where relation = 'audit.events'::regclass and not granted`,
    );
    return waiting.length > 0;
  });
  expect(server.received).toHaveLength(1);
  await first.kill('SIGKILL');
  await blocker.query('rollback');
  blocker.release();

  startWorker();
  await until(async () => (await getMail(books.owner, id)).state === 'sent');
  const ids = server.received.map(({ raw }) => readMail(raw).header('message-id'));
  expect(ids).toEqual([`<${id}@exempel.se>`, `<${id}@exempel.se>`]);
});
