/** Accruals and depreciation as people plan, look at, move and cancel them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { postDue } from '#src/ledger/accruals/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let keeper: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  keeper = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
});
afterAll(() => books.close());

const home = '/periodiseringar';
const shown = async (person: LoggedIn, address: string): Promise<string> =>
  textOfPage((await person.get(address)).body);
const insurance = (more: Record<string, string> = {}): Record<string, string> => ({
  kind: 'prepaid_cost',
  verifikat: '',
  description: 'Försäkring',
  amount: '12 000',
  resultAccount: '6310 Företagsförsäkringar',
  balanceAccount: '1730',
  firstMonth: '2026-09',
  months: '12',
  movedOn: '2026-09-15',
  sharesOn: 'last',
  series: 'P',
  costCenter: '',
  project: '',
  lateOn: '',
  do: 'save',
  ...more,
});
const postUntil = (today: string) =>
  postDue(books.owner, {
    today,
    actor: 'job:accruals',
    onBroken: (_, error) => {
      throw error;
    },
  });
const lock = (to: string | null) => withTx(books.owner, (tx) => setLock(tx, 'period', to, 'test'));

test('an invoice is spread from its voucher: looked at first, then kept, and shown to a reader', async () => {
  const bill = ledgerVoucher({
    date: '2026-09-15',
    description: 'Trygg AB 4711',
    rows: [row(6310, 1_200_000), row(2440, -1_200_000)],
  });
  await post(books.owner, [bill]);
  expect((await keeper.get(`/verifikat/${bill.id}`)).body).toContain(
    `${home}/ny?verifikat=${bill.id}`,
  );
  expect((await reader.get(`/verifikat/${bill.id}`)).body).not.toContain(`${home}/ny`);
  const form = (await keeper.get(`${home}/ny?verifikat=${bill.id}`)).body;
  for (const value of ['Trygg AB 4711', '6310', '2026-09-15', '2026-09', bill.id]) {
    expect(form).toContain(`value="${value}"`);
  }
  expect(form).toContain('12\u00a0000,00');

  const fields = insurance({ verifikat: bill.id });
  const looked = await keeper.submit(`${home}/ny`, { ...fields, do: 'look' });
  expect(textOfPage(looked.body)).toContain('2026-09-30 Månadens del 6310 mot 1730 1 000,00');
  expect(await shown(reader, home)).toContain('Inga periodiseringar än');

  const kept = await keeper.submit(`${home}/ny`, fields);
  expect(kept.statusCode).toBe(303);
  const place = String(kept.headers.location);
  const page = await shown(reader, place);
  expect(page).toContain('2026-10-31 Månadens del 6310 mot 1730 1 000,00 P3');
  expect(page).not.toContain('Avbryt periodiseringen');
  expect(await shown(reader, home)).toContain('3 av 13 bokförda');
  expect(await shown(reader, `/verifikat/${bill.id}`)).toContain('Fördelat över månader');
  // Sent once more, nothing is left of the invoice to spread.
  const again = await keeper.submit(`${home}/ny`, fields);
  expect(again.statusCode).toBe(422);
  expect(errorAt(again.body, 'amount')).toContain('återstår 0,00');
  expect(again.body).toContain('value="Försäkring"');
});

test('what is wrong stands at its field', async () => {
  const wrong = await keeper.submit(
    `${home}/ny`,
    insurance({ amount: 'mycket', months: '0', firstMonth: 'mars' }),
  );
  expect(wrong.statusCode).toBe(400);
  for (const [name, words] of [
    ['amount', 'Skriv ett belopp'],
    ['months', '1–600'],
    ['firstMonth', 'ÅÅÅÅ-MM'],
  ] as const) {
    expect(errorAt(wrong.body, name)).toContain(words);
  }
  const account = await keeper.submit(`${home}/ny`, insurance({ balanceAccount: '1930' }));
  expect(errorAt(account.body, 'balanceAccount')).toContain('passar inte');
  expect((await reader.get(`${home}/ny`)).statusCode).toBe(403);
  expect((await reader.submit(`${home}/ny`, insurance())).statusCode).toBe(403);
  expect((await keeper.get(`${home}/ny?verifikat=${crypto.randomUUID()}`)).statusCode).toBe(404);
  expect((await keeper.get(`${home}/${crypto.randomUUID()}`)).statusCode).toBe(404);
});

test.each(['2026-09', '202609', '2609', '9/2026'])(
  'the first month is understood as %s',
  async (firstMonth) => {
    const look = await keeper.submit(`${home}/ny`, insurance({ firstMonth, amount: 'mycket' }));
    expect([errorAt(look.body, 'amount'), errorAt(look.body, 'firstMonth')]).toEqual([
      expect.stringContaining('Skriv ett belopp'),
      undefined,
    ]);
  },
);

test('a lock in the way is told with the day it could be, and stops nothing unseen', async () => {
  await lock('2026-10-31');
  const refused = await keeper.submit(`${home}/ny`, insurance());
  expect(refused.statusCode).toBe(422);
  expect(errorAt(refused.body, 'lateOn')).toContain('2026-11-01');
  const wears = {
    ...insurance({ kind: 'depreciation', resultAccount: '7832', balanceAccount: '1229' }),
    movedOn: '',
    firstMonth: '2026-11',
  };
  const kept = await keeper.submit(`${home}/ny`, wears);
  const place = String(kept.headers.location);
  await lock('2026-11-30');
  expect(await postUntil('2026-12-01')).toMatchObject({ posted: 0, stopped: 2 });
  expect(await shown(keeper, '/oversikt')).toContain('periodiseringar behöver ses');
  expect(await shown(keeper, home)).toContain('Behöver ses');
  const page = await shown(keeper, place);
  expect(page).toContain('Perioden är låst till och med 2026-11-30');
  expect(page).toContain('Stoppad');
  const early = await keeper.submit(`${place}/flytta`, { to: '2026-11-30' }, place);
  expect(errorAt(early.body, 'to')).toContain('Inget som väntar');
  expect((await keeper.submit(`${place}/flytta`, { to: '2026-12-01' }, place)).statusCode).toBe(
    303,
  );
  expect(await shown(keeper, place)).toContain('2026-12-01 Månadens del 7832 mot 1229 1 000,00');
  expect(await shown(keeper, place)).not.toContain('Stoppad');
  await lock(null);
  await postUntil('2026-12-01');
});

test('what remains is cancelled once, with the rest on a day or left', async () => {
  const kept = await keeper.submit(`${home}/ny`, insurance({ months: '6' }));
  const place = String(kept.headers.location);
  expect((await reader.submit(`${place}/avbryt`, { restOn: TODAY }, home)).statusCode).toBe(403);
  const form = await keeper.get(place);
  expect(textOfPage(form.body)).toContain('8 000,00 kr står på 1730');
  expect((await keeper.submit(`${place}/avbryt`, { restOn: TODAY }, place)).statusCode).toBe(303);
  const page = await shown(keeper, place);
  expect(page).toContain(`${TODAY} Det som återstod 6310 mot 1730 8 000,00`);
  expect(page).toContain('Avbruten');
  expect(page).not.toContain('Avbryt periodiseringen');
  expect(await shown(keeper, '/handelser?vad=accrual.cancelled')).toContain(
    'avbröt periodiseringen',
  );
});
