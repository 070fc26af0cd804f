/** Mail to a real SMTP server: it arrives as it should, once, or people are told why it did not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseSmtpUrl, type SmtpServer } from '#src/config/smtp.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, type Pool } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { sendMail } from '#src/sales/mail/send.ts';
import { createMailer, givingUp } from '#workers/mail.ts';
import { createRenderer } from '#workers/render.ts';
import { runWorkers } from '#workers/run.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { type MailServer, readMail, startMailServer } from '../support/mail-server.ts';
import { getMail, hurryRetries, makeMail, PDF } from '../support/mails.ts';
import { pageTexts } from '../support/pdf.ts';

let books: Books;
let worker: Pool;
let server: MailServer;
beforeAll(async () => {
  books = await createBooks();
  worker = createPool({
    url: await roleUrl(books.url, 'hb_worker'),
    max: 8,
    applicationName: 'test mail',
  });
});
afterAll(async () => {
  await worker.end();
  await books.close();
});
beforeEach(async () => {
  await db(books.owner).query(sql`delete from pgboss.job where name in ('mail', 'mail-dead')`);
  server = await startMailServer();
  onTestFinished(() => server.close());
});

const log = pino({ level: 'silent' });
const smtp = (url = server.url): SmtpServer | undefined => parseSmtpUrl(url);

/** One attempt, as the queue makes it. */
const attempt = (mailId: string, by = smtp()): Promise<void> =>
  createMailer(by).run(worker, log, { mailId });

async function startMailWorkers(by: SmtpServer | undefined, more: { prints?: boolean } = {}) {
  const work = [createMailer(by), givingUp, ...(more.prints ? [createRenderer(undefined)] : [])];
  const running = await runWorkers(work, {
    url: await roleUrl(books.url, 'hb_worker'),
    log,
    timeZone: 'Europe/Stockholm',
  });
  onTestFinished(() => running.stop());
}

/** As small as a letter is: all of it is written before a server has said whether it takes any. */
const letter = {
  ...{ senderName: 'Åke', sender: 'faktura@exempel.se', replyTo: null },
  ...{ recipients: ['kund@exempel.se'], remaining: ['kund@exempel.se'] },
  ...{ subject: 'Faktura', body: 'Hej!', messageId: '<1@exempel.se>' },
  ...{ writtenAt: new Date(), pdf: null },
};

const refusal = (responseCode: number, words: string) =>
  Object.assign(new Error(words), { responseCode });

async function auditOf(mailId: string): Promise<string[]> {
  const events = await db(books.owner).query<{ action: string }>(sql`select action
    from audit.events where detail ->> 'mail' = ${mailId} order by occurred_at, id`);
  return events.map(({ action }) => action);
}

test('a mail arrives with the invoice that the page shows, and says who sent it', async () => {
  const id = await makeMail(books.owner, { isPrinted: false });
  await startMailWorkers(smtp(), { prints: true });
  await expect
    .poll(async () => (await getMail(books.owner, id)).state, { timeout: 30_000 })
    .toBe('sent');
  expect(server.received).toHaveLength(1);
  const [received] = server.received;
  expect(received).toMatchObject({ from: 'faktura@exempel.se', to: ['kund@exempel.se'] });
  const mail = readMail(received?.raw ?? '');
  expect(mail.header('from')).toBe('Åkes "Kaffe" & Smörgås AB <faktura@exempel.se>');
  expect(mail.header('to')).toBe('kund@exempel.se');
  expect(mail.header('reply-to')).toBe('info@exempel.se');
  expect(mail.header('subject')).toBe('Faktura från Åkes kafferosteri: à la carte');
  const stored = await getMail(books.owner, id);
  expect(mail.header('message-id')).toBe(stored.message_id);
  expect(stored.message_id).toBe(`<${id}@exempel.se>`);
  expect(Math.abs(Date.parse(mail.header('date')) - stored.created_at.getTime())).toBeLessThan(
    1_000,
  );
  expect(mail.text.trim()).toBe('Hej!\n\nHär kommer fakturan.\n.\nÅke');
  const [attached] = mail.attachments;
  expect(attached).toMatchObject({ name: stored.file_name, type: expect.stringContaining('pdf') });
  const [page = ''] = await pageTexts(attached?.bytes ?? Buffer.alloc(0));
  expect(page).toContain('Testbolaget AB');
  expect(stored).toMatchObject({
    attempts: 1,
    unanswered: 0,
    delivered_to: ['kund@exempel.se'],
    last_error: null,
  });
  expect(await auditOf(id)).toEqual(['invoice.mail_requested', 'invoice.mailed']);
});

test('nobody adds a header or a recipient by what the company is called', async () => {
  const id = await makeMail(books.owner, {
    senderName: 'Bolaget <x@ond.se>, "y" <y@ond.se>; =?utf-8?q?=0D=0ABcc:_z@ond.se?=',
  });
  await attempt(id);
  expect(server.received[0]?.to).toEqual(['kund@exempel.se']);
  const { headers } = readMail(server.received[0]?.raw ?? '');
  expect(headers.get('to')).toEqual(['kund@exempel.se']);
  expect(headers.get('from')).toHaveLength(1);
  expect([...headers.keys()]).not.toContain('bcc');
  // Nor by the back door: the table takes no line break in what becomes a header.
  for (const column of ['sender_name', 'subject', 'file_name']) {
    const insert = books.owner.query(
      `insert into sales.mails (id, invoice_id, kind, sender_name, sender, recipients, subject, body,
         page_sha256, file_name, message_id, created_by)
       select gen_random_uuid(), invoice_id, kind,
         case when $1 = 'sender_name' then e'A\\r\\nBcc: x@y.se' else sender_name end, sender, recipients,
         case when $1 = 'subject' then e'A\\r\\nBcc: x@y.se' else subject end, body, page_sha256,
         case when $1 = 'file_name' then e'A\\r\\nBcc: x@y.se' else file_name end, '<x@y.se>', created_by
       from sales.mails where id = $2`,
      [column, id],
    );
    await expect(insert).rejects.toMatchObject({ constraint: 'mails_headers_are_lines' });
  }
});

describe('what was sent', () => {
  test('is not sent again, whoever asks: the queue, two workers at once, or a job that comes late', async () => {
    const id = await makeMail(books.owner);
    await Promise.all([attempt(id), attempt(id), attempt(id)]);
    await attempt(id);
    expect(server.received).toHaveLength(1);
    expect(await getMail(books.owner, id)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('stays as it was', async () => {
    const id = await makeMail(books.owner);
    await expect(
      books.owner.query(`update sales.mails set subject = 'Annat' where id = $1`, [id]),
    ).rejects.toMatchObject({ constraint: 'mails_are_kept' });
    await attempt(id);
    for (const statement of [
      `update sales.mails set state = 'queued', sent_at = null where id = $1`,
      'delete from sales.mails where id = $1',
    ]) {
      await expect(books.owner.query(statement, [id])).rejects.toMatchObject({ code: 'HB001' });
    }
  });

  test('and could not be written down before the process died, is sent with the same Message-ID', async () => {
    const id = await makeMail(books.owner);
    await attempt(id);
    // As the row stood when the process died between the server's answer and our commit.
    await books.owner.query('alter table sales.mails disable trigger user');
    await books.owner.query(
      `update sales.mails set state = 'queued', sent_at = null, delivered_to = '{}', unanswered = 1
       where id = $1`,
      [id],
    );
    await books.owner.query('alter table sales.mails enable trigger user');
    await attempt(id);
    const ids = server.received.map(({ raw }) => readMail(raw).header('message-id'));
    expect(ids).toEqual([`<${id}@exempel.se>`, `<${id}@exempel.se>`]);
    expect(await getMail(books.owner, id)).toMatchObject({
      ...{ state: 'sent', attempts: 2, unanswered: 1 },
    });
  });
});

describe('a server', () => {
  test('that is down is tried again, and then people are told', async () => {
    await hurryRetries(books.owner, 2);
    const url = server.url;
    await server.close();
    const id = await makeMail(books.owner);
    await startMailWorkers(smtp(url));
    await expect
      .poll(async () => (await getMail(books.owner, id)).state, { timeout: 20_000 })
      .toBe('failed');
    const { attempts, last_error } = await getMail(books.owner, id);
    expect(attempts).toBe(3);
    expect(last_error).toBe('E-postservern 127.0.0.1 svarar inte.');
    expect(await auditOf(id)).toEqual(['invoice.mail_requested', 'invoice.mail_failed']);
  });

  test('that comes back gets what waited, and nothing is said of what went wrong', async () => {
    const url = server.url;
    await server.close();
    const id = await makeMail(books.owner);
    await expect(attempt(id, smtp(url))).rejects.toThrow('svarar inte');
    expect(await getMail(books.owner, id)).toMatchObject({ state: 'queued', attempts: 1 });
    const again = await startMailServer();
    onTestFinished(() => again.close());
    await attempt(id, smtp(again.url));
    expect(await getMail(books.owner, id)).toMatchObject({ state: 'sent', last_error: null });
  });

  test('that takes whole messages and closes without a word gets three, and people are told that they may have come', async () => {
    await hurryRetries(books.owner, 40);
    const mute = await startMailServer({ hangsUp: true });
    onTestFinished(() => mute.close());
    const id = await makeMail(books.owner);
    await startMailWorkers(smtp(mute.url));
    await expect
      .poll(async () => (await getMail(books.owner, id)).state, { timeout: 20_000 })
      .toBe('failed');
    expect(mute.received).toHaveLength(3);
    const { attempts, unanswered, last_error } = await getMail(books.owner, id);
    expect([attempts, unanswered]).toEqual([3, 3]);
    expect(last_error).toBe(
      'E-postservern 127.0.0.1 fick hela meddelandet, men svarade inte på det.',
    );
  });

  test('that closes before the message has done nothing with it', async () => {
    const shy = await startMailServer({
      onRcptTo: (_to, session, done) => shy.hangUp(session, done),
    });
    onTestFinished(() => shy.close());
    const id = await makeMail(books.owner);
    await expect(attempt(id, smtp(shy.url))).rejects.toThrow('svarar inte');
    expect(await getMail(books.owner, id)).toMatchObject({ attempts: 1, unanswered: 0 });
  });

  test('that has the message is waited for longer than one that is slow to take it', async () => {
    const patience = { untilSentMs: 1_000, untilAnsweredMs: 20_000 };
    const thorough = await startMailServer({ thinksMs: 2_000 });
    const slow = await startMailServer({ onMailFrom: () => undefined });
    onTestFinished(() => Promise.all([thorough.close(), slow.close()]).then(() => undefined));
    const sent = (url: string) => {
      const server = smtp(url);
      if (!server) throw new Error('no server');
      return sendMail(server, letter, patience);
    };
    expect(await sent(thorough.url)).toMatchObject({ accepted: ['kund@exempel.se'], error: null });
    expect(await sent(slow.url)).toMatchObject({
      accepted: [],
      error: 'E-postservern 127.0.0.1 svarar inte i tid.',
      isUnanswered: false,
    });
    expect(thorough.received).toHaveLength(1);
  });

  test('that takes nothing from us says so at once, in its own words', async () => {
    const strict = await startMailServer({ answer: () => refusal(554, 'Message looks like spam') });
    onTestFinished(() => strict.close());
    const id = await makeMail(books.owner);
    await attempt(id, smtp(strict.url));
    const { state, last_error } = await getMail(books.owner, id);
    expect(state).toBe('failed');
    expect(last_error).toContain('tog inte emot meddelandet (554 Message looks like spam)');
  });

  test('that asks us to come back later is tried again', async () => {
    let asked = 0;
    const grey = await startMailServer({
      onRcptTo: (_address, _session, done) => {
        asked += 1;
        done(asked === 1 ? refusal(450, 'Greylisted') : null);
      },
    });
    onTestFinished(() => grey.close());
    const id = await makeMail(books.owner);
    await expect(attempt(id, smtp(grey.url))).rejects.toThrow('Greylisted');
    await attempt(id, smtp(grey.url));
    expect(grey.received).toHaveLength(1);
    expect((await getMail(books.owner, id)).state).toBe('sent');
  });

  test('that knows only some of the recipients gets it for them, once, and the others are named', async () => {
    let isFull = true;
    const picky = await startMailServer({
      onRcptTo: ({ address }, _session, done) => {
        if (address === 'okand@exempel.se') done(refusal(550, 'No such user'));
        else if (address === 'full@exempel.se' && isFull) done(refusal(452, 'Mailbox full'));
        else done();
      },
    });
    onTestFinished(() => picky.close());
    const recipients = ['kund@exempel.se', 'full@exempel.se', 'okand@exempel.se'];
    const id = await makeMail(books.owner, { recipients });
    await expect(attempt(id, smtp(picky.url))).rejects.toThrow('Mailbox full');
    isFull = false;
    await attempt(id, smtp(picky.url));
    expect(picky.received.map(({ to }) => to)).toEqual([['kund@exempel.se'], ['full@exempel.se']]);
    const mail = await getMail(books.owner, id);
    expect(mail).toMatchObject({
      state: 'failed',
      delivered_to: ['kund@exempel.se', 'full@exempel.se'],
    });
    expect(mail.last_error).toContain('okand@exempel.se (550 No such user)');
    expect(readMail(picky.received[1]?.raw ?? '').header('to')).toBe(recipients.join(', '));
  });

  test('that refuses the password is not asked again, and the password is nowhere', async () => {
    const password = 'hemligt-lösen/1';
    const guarded = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) =>
        done(refusal(535, `Wrong password ${auth.password} for ${auth.username}`)),
    });
    onTestFinished(() => guarded.close());
    const lines: string[] = [];
    const noisy = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
    const id = await makeMail(books.owner);
    const url = `smtp://bok:${encodeURIComponent(password)}@127.0.0.1:${guarded.port}`;
    await createMailer(smtp(url)).run(worker, noisy, { mailId: id });
    const { state, last_error } = await getMail(books.owner, id);
    expect(state).toBe('failed');
    expect(last_error).toContain('godtog inte inloggningen i SMTP_URL (535 Wrong password [dolt]');
    expect(lines.join('')).not.toContain('hemligt');
    expect(lines.length).toBeGreaterThan(0);
  });

  test('that offers no TLS never sees the password', async () => {
    let asked = 0;
    const plain = await startMailServer({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        asked += 1;
        done(null, { user: 1 });
      },
    });
    onTestFinished(() => plain.close());
    const remote = parseSmtpUrl(`smtp://bok:hemligt@smtp.exempel.se:${plain.port}`);
    if (!remote) throw new Error('no such server');
    const id = await makeMail(books.owner);
    // As the address says, but at the only machine there is.
    await expect(attempt(id, { ...remote, host: '127.0.0.1' })).rejects.toThrow('krypterad');
    expect([asked, plain.received.length]).toEqual([0, 0]);
  });

  test('that takes the right password gets the mail', async () => {
    const guarded = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'bok@x' && password === 'p@ss'
          ? done(null, { user: 1 })
          : done(refusal(535, 'No')),
    });
    onTestFinished(() => guarded.close());
    const id = await makeMail(books.owner);
    await attempt(id, smtp(`smtp://bok%40x:p%40ss@127.0.0.1:${guarded.port}`));
    expect(guarded.received).toHaveLength(1);
  });

  test('that is none: the worker refuses, and says what to set', async () => {
    const id = await makeMail(books.owner);
    await createMailer(undefined).run(worker, log, { mailId: id });
    const { state, attempts, last_error } = await getMail(books.owner, id);
    expect({ state, attempts }).toEqual({ state: 'failed', attempts: 0 });
    expect(last_error).toContain('SMTP_URL');
    expect(server.received).toHaveLength(0);
  });
});

test('a mail whose worker dies each time is given up, not left on its way', async () => {
  const id = await makeMail(books.owner);
  await givingUp.run(worker, log, { mailId: id });
  expect(await getMail(books.owner, id)).toMatchObject({
    state: 'failed',
    last_error: 'Utskicket avbröts gång på gång.',
  });
  // What has arrived is not undone by a letter that was dead a while ago.
  const other = await makeMail(books.owner);
  await attempt(other);
  await givingUp.run(worker, log, { mailId: other });
  expect((await getMail(books.owner, other)).state).toBe('sent');
});

test('a database that goes away while the server answers does not make it forget', async () => {
  const slow = await startMailServer({
    onRcptTo: (_address, _session, done) => void sleep(300).then(() => done()),
  });
  onTestFinished(() => slow.close());
  const id = await makeMail(books.owner);
  const sending = attempt(id, smtp(slow.url));
  await expect.poll(async () => (await getMail(books.owner, id)).attempts).toBe(1);
  await books.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test mail'`,
  );
  await sending;
  expect(await getMail(books.owner, id)).toMatchObject({ state: 'sent', attempts: 1 });
  expect(readMail(slow.received[0]?.raw ?? '').attachments[0]?.bytes).toEqual(PDF);
});
