/** Invoices and reminders sent by mail from their pages: asked for once, and truthfully told about. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { registerReminder } from '#src/sales/invoices/reminders.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { beginAttempt, concludeMail, type Mail, requeueMail } from '#src/sales/mail/store.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { errorAt, hiddenOf, hostile, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let colleague: LoggedIn;
let id: string;
beforeAll(async () => {
  books = await createInstallation({ env: { SMTP_URL: 'smtp://127.0.0.1:2525' } });
  person = await logIn(books, 'medarbetare');
  colleague = await logIn(books, 'medarbetare');
  await db(books.owner).query(sql`update restricted.company set email = 'info@exempel.se'`);
});
afterAll(() => books.close());
beforeEach(async () => {
  id = await makeBooked({ name: 'Kund', email: 'kund@exempel.se' });
});

/** 1 250 kr with VAT, due 2026-03-31. */
async function makeBooked(debtor: Record<string, string>): Promise<string> {
  const [made = ''] = await makeDrafts(books.owner, [1_000n]);
  await withTx(books.owner, async (tx) => {
    await tx.query(sql`update sales.invoices set debtor = ${JSON.stringify(debtor)}::jsonb
      where id = ${made}::uuid`);
    await bookInvoices(tx, [made], 'test');
  });
  // Booking freezes the buyer as the customer register has them; this one is who the shop said.
  await books.owner.query('alter table sales.invoices disable trigger user');
  await books.owner.query('update sales.invoices set debtor = $1 where id = $2', [debtor, made]);
  await books.owner.query('alter table sales.invoices enable trigger user');
  return made;
}

const address = (name = 'e-post') => `/kundfakturor/${id}/${name}`;
async function formOf(who: LoggedIn, url = address()): Promise<Record<string, string>> {
  const { body } = await who.get(url);
  return { ...tokensOf(body), seen: hiddenOf(body, 'seen') };
}
const letter = { recipients: 'kund@exempel.se', subject: 'Faktura', body: 'Hej!' };
const send = async (fields: Record<string, string> = {}, url = address(), who = person) =>
  who.post(url, { ...(await formOf(who, url)), ...letter, ...fields });
const mails = (): Promise<Mail[]> =>
  db(books.owner).query(
    sql`select * from sales.mails where invoice_id = ${id}::uuid order by created_at`,
  );
async function jobs(): Promise<number> {
  const rows = await db(books.owner).query(sql`select from pgboss.job j join sales.mails m
    on j.data ->> 'mailId' = m.id::text where j.name = 'mail' and m.invoice_id = ${id}::uuid`);
  return rows.length;
}
const fail = (mail: Mail | undefined, error = 'E-postservern svarar inte.') =>
  withTx(books.owner, (tx) =>
    concludeMail(tx, mail?.id ?? '', {
      ...{ state: 'failed', delivered: [], error, isAnswer: false },
    }),
  );
const page = async (url = `/kundfakturor/${id}`, who = person) => (await who.get(url)).body;

describe('the form', () => {
  test('proposes the buyer, a letter, and shows what will be attached', async () => {
    const body = await page(address());
    expect(body).toContain('name="recipients" value="kund@exempel.se"');
    expect(body).toMatch(/name="subject" value="Faktura \d+ från Testbolaget AB"/);
    expect(textOfPage(body)).toContain(
      'Från Testbolaget AB <info@exempel.se>'.replace('<', '&lt;').replace('>', '&gt;'),
    );
    expect(body).toContain(`href="/kundfakturor/${id}/pdf"`);
    expect(await page()).toContain(`href="${address()}"`);
  });

  test('takes the address of the customer register when the invoice has none', async () => {
    id = await makeBooked({ name: 'Kund' });
    // The collective customer is somebody else than the buyer.
    await db(books.owner).query(sql`update sales.customers set email = 'alla@exempel.se'`);
    expect(await page(address())).toContain('name="recipients" value=""');
    await books.owner.query('alter table sales.invoices disable trigger user');
    await books.owner.query(
      `with k as (insert into sales.customers (id, name, email)
         values (gen_random_uuid(), 'Egen', 'egen@exempel.se') returning id)
       update sales.invoices set customer_id = k.id from k where invoices.id = $1`,
      [id],
    );
    await books.owner.query('alter table sales.invoices enable trigger user');
    expect(await page(address())).toContain('name="recipients" value="egen@exempel.se"');
  });

  test('does not exist for drafts, or for reminders that there are not', async () => {
    expect((await person.get(address('paminnelser/1/e-post'))).statusCode).toBe(404);
    [id = ''] = await makeDrafts(books.owner, [1n]);
    expect((await person.get(address())).statusCode).toBe(404);
    expect(await page()).not.toContain('Skicka med e-post');
  });

  test('is only for those who keep the books; everybody sees what was sent', async () => {
    await send();
    const reader = await logIn(books, 'lasare');
    expect((await reader.get(address())).statusCode).toBe(403);
    const invoice = await page(undefined, reader);
    expect(invoice).not.toContain('Skicka med e-post');
    expect(textOfPage(invoice)).toContain('Utskick');
    const [mail] = await mails();
    const sent = await reader.get(address(`utskick/${mail?.id}`));
    expect(sent.statusCode).toBe(200);
    await fail(mail);
    expect((await reader.get(address(`utskick/${mail?.id}`))).body).not.toContain('Skicka igen');
  });
});

describe('what is sent', () => {
  test('is stored with its page and its job, and is said to be on its way, not sent', async () => {
    const answer = await send({ recipients: 'Kund@exempel.se, chef@Exempel.SE' });
    expect(answer.headers.location).toBe(`/kundfakturor/${id}`);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      state: 'queued',
      recipients: ['Kund@exempel.se', 'chef@exempel.se'],
      sender: 'info@exempel.se',
      sender_name: 'Testbolaget AB',
      subject: 'Faktura',
      body: 'Hej!',
      created_by: `user:${person.id}`,
    });
    expect(await jobs()).toBe(1);
    const text = textOfPage(await page());
    expect(text).toContain('På väg');
    expect(text).not.toMatch(/Skickat /);
    const [printed] = await db(books.owner).query<{ html: string }>(
      sql`select html from archive.pages where sha256 = ${mail?.page_sha256}`,
    );
    expect(printed?.html).toContain('Testbolaget AB');
  });

  test('twice by the same form is sent once', async () => {
    const fields = { ...(await formOf(person)), ...letter };
    const answers = await Promise.all([1, 2, 3].map(() => person.post(address(), fields)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
    expect([(await mails()).length, await jobs()]).toEqual([1, 1]);
  });

  test('by two people at once is sent once, and the second may insist', async () => {
    const forms = await Promise.all([person, colleague].map((who) => formOf(who)));
    const answers = await Promise.all(
      [person, colleague].map((who, index) => who.post(address(), { ...forms[index], ...letter })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
    const lateIndex = answers.findIndex(({ statusCode }) => statusCode === 422);
    const late = answers[lateIndex];
    const insisting = lateIndex === 0 ? person : colleague;
    expect(textOfPage(late?.body ?? '')).toContain(
      'Test medarbetare har skickat till kund@exempel.se sedan du öppnade sidan. Inget mer är skickat',
    );
    expect(await mails()).toHaveLength(1);
    const again = { ...tokensOf(late?.body ?? ''), seen: hiddenOf(late?.body ?? '', 'seen') };
    expect((await insisting.post(address(), { ...again, ...letter })).statusCode).toBe(303);
    expect(await mails()).toHaveLength(2);
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    ['to nobody', { recipients: '' }, 'recipients', /Fyll i/],
    ['to no address', { recipients: 'kund' }, 'recipients', /”kund” är ingen/],
    ['to two lines', { recipients: 'kund@exempel.se\r\nBcc: x@ond.se' }, 'recipients', /ingen/],
    [
      'to six',
      { recipients: [1, 2, 3, 4, 5, 6].map((n) => `a${n}@x.se`).join(',') },
      'recipients',
      /Högst 5/,
    ],
    ['with a subject of two lines', { subject: 'A\r\nBcc: x@ond.se' }, 'subject', /en enda rad/],
    ['with a control character', { subject: 'A\u0000B' }, 'subject', /tecken/],
    ['without a subject', { subject: ' ' }, 'subject', /Fyll i/],
    ['without a text', { body: '' }, 'body', /Fyll i/],
  ])('%s is refused where it was typed', async (_what, wrong, name, message) => {
    const answer = await send(wrong);
    expect(answer.statusCode).toBe(400);
    expect(errorAt(answer.body, name)).toMatch(message);
    expect([await mails(), await jobs()]).toEqual([[], 0]);
  });

  test('is text wherever it is shown', async () => {
    await send({ subject: `Ämne ${hostile}`, body: `Text ${hostile}` });
    const [mail] = await mails();
    await fail(mail, `E-postservern tog inte emot meddelandet (550 ${hostile}).`);
    for (const url of [`/kundfakturor/${id}`, address('utskick'), address(`utskick/${mail?.id}`)]) {
      const body = await page(url);
      expect(body).toContain('550 &lt;script&gt;');
      expect(body).not.toContain('<script>alert');
    }
    expect(await page(address(`e-post?som=${mail?.id}`))).toContain('Ämne &lt;script&gt;');
  });
});

describe('a mail that failed', () => {
  test('says why on the invoice, and is sent again as the same message', async () => {
    await send();
    const [mail] = await mails();
    await fail(mail);
    expect(textOfPage(await page())).toContain('Gick inte iväg E-postservern svarar inte.');
    const url = address(`utskick/${mail?.id}`);
    const tokens = tokensOf(await page(url));
    const answers = await Promise.all([1, 2].map(() => person.post(`${url}/igen`, tokens)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    expect(await jobs()).toBe(2);
    expect(await mails()).toMatchObject([{ id: mail?.id, state: 'queued' }]);
    // On its way, it is not sent once more.
    const early = await person.post(`${url}/igen`, tokensOf(await page(url)));
    expect(early.statusCode).toBe(422);
    expect(await jobs()).toBe(2);
  });

  test('of which an attempt was cut off says that it may have arrived all the same', async () => {
    await send();
    const [mail] = await mails();
    await withTx(books.owner, (tx) => beginAttempt(tx, mail?.id ?? ''));
    await fail(mail);
    const body = await page();
    expect(textOfPage(body)).toContain('så det kan ändå ha kommit fram: fråga mottagaren');
    expect(textOfPage(body)).toContain('Kan ha kommit fram E-postservern');
    await withTx(books.owner, async (tx) => {
      await requeueMail(tx, mail?.id ?? '');
      await beginAttempt(tx, mail?.id ?? '');
      const delivered = mail?.recipients ?? [];
      await concludeMail(tx, mail?.id ?? '', {
        ...{ state: 'sent', delivered, error: null, isAnswer: true },
      });
    });
    expect(textOfPage(await page())).toContain('så det kan ha kommit fram mer än en gång.');
  });

  test('can be written anew from what it was, to another address', async () => {
    await send({ recipients: 'fel@exempel.se', subject: 'Eget ämne' });
    const [mail] = await mails();
    await fail(mail);
    const body = await page(address(`e-post?som=${mail?.id}`));
    expect(body).toContain('value="fel@exempel.se"');
    expect(body).toContain('value="Eget ämne"');
  });

  test('of another invoice is not found on this one', async () => {
    await send();
    const [mail] = await mails();
    id = await makeBooked({ name: 'Annan' });
    expect((await person.get(address(`utskick/${mail?.id}`))).statusCode).toBe(404);
    expect((await person.get(address(`utskick/${mail?.id}/pdf`))).statusCode).toBe(404);
    expect(await page(address(`e-post?som=${mail?.id}`))).not.toContain('value="kund@exempel.se"');
  });
});

test('a credit note is sent as one', async () => {
  const note = await withTx(books.owner, (tx) =>
    creditInvoice(tx, { invoiceId: id, date: TODAY }, 'test'),
  );
  id = note.id;
  expect(await page(address())).toMatch(
    /name="subject" value="Kreditfaktura \d+ från Testbolaget AB"/,
  );
  expect((await send()).statusCode).toBe(303);
  expect((await mails())[0]?.file_name).toMatch(/^kreditfaktura-\d+\.pdf$/);
});

describe('a reminder', () => {
  const register = async (fields: Record<string, string>) =>
    person.post(address('paminnelse'), {
      ...(await formOf(person, address('paminnelse'))),
      sentDate: TODAY,
      fee: '60',
      feeAgreed: 'on',
      ...fields,
    });

  test('is sent from its row on the invoice', async () => {
    await withTx(books.owner, (tx) =>
      registerReminder(
        tx,
        {
          today: TODAY,
          invoiceId: id,
          sentDate: '2026-04-15',
          feeOre: 6_000n,
          isFeeVouchedFor: true,
        },
        'test',
      ),
    );
    const url = address('paminnelser/1/e-post');
    expect(await page()).toContain(`href="${url}"`);
    expect(await page(url)).toMatch(/value="Påminnelse om faktura \d+ från Testbolaget AB"/);
    expect((await send({}, url)).statusCode).toBe(303);
    expect(await mails()).toMatchObject([{ kind: 'reminder', reminder_no: 1 }]);
  });

  test('goes by mail as it is registered, when that is ticked', async () => {
    const answer = await register({ mail: 'on' });
    expect(answer.statusCode).toBe(303);
    expect(await mails()).toMatchObject([
      {
        reminder_no: 1,
        recipients: ['kund@exempel.se'],
        file_name: expect.stringMatching(/-1\.pdf$/),
      },
    ]);
    expect((await mails())[0]?.body).toContain('Att betala: 1 310,00 kr');
    expect(textOfPage(await page())).toContain('är registrerad; skickas till kund@exempel.se');
  });

  test('does not when it is not', async () => {
    expect((await register({})).statusCode).toBe(303);
    expect(await mails()).toEqual([]);
  });

  test('that goes by mail is dated the day it goes; else nothing is registered', async () => {
    const answer = await register({ mail: 'on', sentDate: '2026-04-15' });
    expect(errorAt(answer.body, 'sentDate')).toContain('E-posten går iväg i dag');
    expect(answer.body).toContain('name="mail" value="on" checked');
    expect(await page()).not.toContain('id="paminnelser"');
  });

  test('to somebody without an address is registered without mail, or not at all', async () => {
    id = await makeBooked({ name: 'Kund', email: 'ingen adress' });
    expect(await page(address('paminnelse'))).not.toContain('Skicka med e-post');
    expect((await register({ mail: 'on' })).statusCode).toBe(422);
    expect(await page()).not.toContain('id="paminnelser"');
  });
});

describe('an installation', () => {
  async function withoutMail(env: Record<string, string>, email: string | null) {
    const other = await createInstallation({ env });
    await db(other.owner).query(sql`update restricted.company set email = ${email}`);
    const [draft = ''] = await makeDrafts(other.owner, [1_000n]);
    await withTx(other.owner, (tx) => bookInvoices(tx, [draft], 'test'));
    return { other, url: `/kundfakturor/${draft}/e-post` };
  }

  test('without a mail server says so and how it is set, and offers the PDF and a letter', async () => {
    const { other, url } = await withoutMail({}, 'info@exempel.se');
    try {
      const keeper = await logIn(other, 'medarbetare');
      const told = await keeper.get(url);
      expect(told.statusCode).toBe(200);
      expect(textOfPage(told.body)).toContain('E-post är inte inställd i den här installationen.');
      expect(told.body).not.toContain('SMTP_URL');
      expect(told.body).toContain('/pdf"');
      const administrator = await logIn(other, 'administrator');
      expect((await administrator.get(url)).body).toContain('<code>SMTP_URL</code>');
      // Posted all the same, nothing is stored that would look as if it were to be sent.
      const answer = await keeper.post(url, {
        ...tokensOf((await keeper.get('/dimensioner')).body),
        ...letter,
      });
      expect(answer.statusCode).toBe(422);
      expect(textOfPage(answer.body)).toContain('Inget är skickat.');
      expect(await db(other.owner).query(sql`select from sales.mails`)).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('without an address to send from says what to do about that', async () => {
    const env = { SMTP_URL: 'smtp://127.0.0.1:2525' };
    const { other, url } = await withoutMail(env, null);
    try {
      const administrator = await logIn(other, 'administrator');
      const told = (await administrator.get(url)).body;
      expect(textOfPage(told)).toContain('Företaget har ingen e-postadress att skicka från.');
      expect(told).toContain('<code>MAIL_FROM</code>');
    } finally {
      await other.close();
    }
  });
});

describe('the database', () => {
  const asReader = async (statement: string): Promise<unknown> => {
    const client = await books.owner.connect();
    try {
      await client.query('begin; set local role hb_app');
      return await client.query(statement);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

  test('lets nobody at the pages say that a mail was sent, or take one away', async () => {
    await send();
    for (const statement of [
      `update sales.mails set sent_at = now()`,
      `update sales.mails set recipients = '{x@ond.se}'`,
      'delete from sales.mails',
    ]) {
      await expect(asReader(statement)).rejects.toThrow('permission denied');
    }
    // Whoever has presented no session sees none.
    expect(await asReader('select from sales.mails')).toMatchObject({ rowCount: 0 });
  });
});
