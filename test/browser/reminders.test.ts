/** Reminders as customers get them: by mail to whom has an address for it, on paper to the others, to nobody whom they are not meant for. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { parseSmtpUrl } from '#src/config/smtp.ts';
import { roleUrl } from '#src/db/logins.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { judgeDisputed } from '#src/sales/collection/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { pauseReminders } from '#src/sales/reminders/pauses.ts';
import { createMailer } from '#workers/mail.ts';
import { runWorkers } from '#workers/run.ts';
import { fillInCompany, makeDrafts } from '../support/invoices.ts';
import { readMail, startMailServer } from '../support/mail-server.ts';
import { pageTexts } from '../support/pdf.ts';
import { complaintsOf, expectNoSidewaysScroll, openSite, savedFile } from './browser.ts';

const today = '2026-04-20';

test('a run in a browser reaches each customer the way that it said, with the fee where it was agreed', async () => {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'faktura@exempel.se' };
  const site = await openSite({ today, env: mail });
  onTestFinished(() => site.close());
  const { owner } = site;
  await fillInCompany(owner);
  const mailer = await runWorkers([createMailer(parseSmtpUrl(server.url))], {
    ...{ url: await roleUrl(site.url, 'hb_worker'), timeZone: 'Europe/Stockholm' },
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => mailer.stop());

  const invoiceTo = async (kronor: bigint, customer: Parameters<typeof insertCustomer>[1]) => {
    const [id = ''] = await makeDrafts(owner, [kronor]);
    await withTx(owner, async (tx) => {
      const { id: customerId } = await insertCustomer(tx, customer);
      await tx.query(sql`update sales.invoices set customer_id = ${customerId} where id = ${id}`);
      await bookInvoices(tx, [id], 'test');
    });
    return id;
  };
  const address = { address: 'Gatan 1', postalCode: '111 22', city: 'Orten' };
  await withTx(owner, async (tx) => {
    await changeSetting(tx, 'reminder-runs', 'on', 'test');
    await changeSetting(tx, 'reminder-run-fees', 'on', 'test');
    await changeSetting(tx, 'reminder-bank-days', '', 'test');
    await changeSetting(tx, 'company-email', 'vi@exempel.se', 'test');
  });
  // Booked before the company agreed on a fee with anybody.
  const free = await invoiceTo(1000n, { name: 'Avgiftsfri AB', email: 'fri@exempel.se' });
  await withTx(owner, (tx) => changeSetting(tx, 'reminder-fees', 'on', 'test'));
  const mailed = await invoiceTo(2000n, { name: 'Brevlådan AB', email: 'brev@exempel.se' });
  const printed = await invoiceTo(3000n, { name: 'Papper AB', ...address });
  const disputed = await invoiceTo(4000n, { name: 'Tvisten AB', email: 'tvist@exempel.se' });
  const promised = await invoiceTo(5000n, { name: 'Löftet AB', email: 'lofte@exempel.se' });
  await withTx(owner, async (tx) => {
    await judgeDisputed(tx, disputed, 'Fel vara', 'test');
    const pause = { kind: 'promise', lastDay: '2026-04-30', reason: null } as const;
    await pauseReminders(tx, { invoiceId: promised, today, ...pause }, 'test');
  });

  const page = await site.openAs('medarbetare');
  await page.goto('/paminnelser');
  await expectNoSidewaysScroll(page);
  const list = await page.getByRole('main').innerText();
  expect(list).toMatch(/Tvisten AB.*Kravet är tvistigt/);
  expect(list).toContain('Kunden har lovat att betala senast 2026-04-30');
  await page.getByRole('checkbox').first().check();
  for (const box of await page.locator('input[name="reminder"]').all()) await box.check();
  await page.getByRole('button', { name: 'Påminn de markerade …' }).click();
  await expect
    .poll(() => page.getByRole('main').innerText())
    .toMatch(/2 går genast med e-post, och 1 skrivs ut på papper[\s\S]*120,00/);
  expect(server.received).toEqual([]);
  await page.getByRole('button', { name: 'Gör körningen' }).click();
  await page.waitForURL('**/paminnelser/*');

  await expect.poll(() => server.received.length, { timeout: 100_000 }).toBe(2);
  const numbers = await db(owner).query<{ id: string; number: number; ocr: string }>(
    sql`select id, number, ocr from sales.invoices`,
  );
  const numberOf = (id: string) => numbers.find((one) => one.id === id);
  const textOf = async (to: string): Promise<string> => {
    const [one, ...others] = server.received.filter((each) => each.to.join() === to);
    expect(others).toEqual([]);
    const { attachments } = readMail(one?.raw ?? '');
    expect(attachments.map(({ name }) => name)).toHaveLength(1);
    return (await pageTexts(attachments[0]?.bytes ?? Buffer.alloc(0))).join('\n');
  };
  for (const [id, to, sum, fee] of [
    [free, 'fri@exempel.se', '1 250,00', false],
    [mailed, 'brev@exempel.se', '2 560,00', true],
  ] as const) {
    const letter = await textOf(to);
    expect(letter).toContain('Betalningspåminnelse');
    expect(letter).toContain(numberOf(id)?.ocr ?? '-');
    expect(letter).toContain(sum);
    expect(letter.includes('60,00')).toBe(fee);
  }

  const paper = await savedFile(page, () =>
    page.getByRole('link', { name: 'Skriv ut de på papper' }).click(),
  );
  const sheets = await pageTexts(paper.bytes);
  expect(sheets).toHaveLength(1);
  for (const part of [
    'Papper AB',
    'Gatan 1',
    '111 22',
    numberOf(printed)?.ocr ?? '-',
    '3 810,00',
  ]) {
    expect(sheets[0]).toContain(part);
  }
  // Whoever asks again the same day reminds nobody.
  await page.goto('/paminnelser');
  await expect
    .poll(() => page.getByRole('main').innerText())
    .toContain('Ingen faktura är det dags att påminna om');
  expect(complaintsOf(page)).toEqual([]);
});
