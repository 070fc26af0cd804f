import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let installation: Installation;
let person: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  person = await logIn(installation, 'medarbetare');
});
afterAll(() => installation.close());

test('a dimension is made, shown, renamed and taken out of use', async () => {
  const made = await person.submit('/dimensioner/ny', {
    kind: 'project',
    code: 'P1',
    name: 'Ny butik <i>Umeå</i>',
  });
  expect(made.statusCode).toBe(303);
  const list = await person.get('/dimensioner');
  expect(list.body).toContain('Projekt P1 Ny butik &lt;i&gt;Umeå&lt;/i&gt; är upplagt.');
  const [, id] = /href="\/dimensioner\/([0-9a-f-]{36})"/.exec(list.body) ?? [];
  const changed = await person.submit(`/dimensioner/${id}`, { name: 'Butik Umeå' });
  expect(changed.statusCode).toBe(303);
  expect((await person.get('/dimensioner')).body).toContain('Inga dimensioner');
  const inactive = await person.get('/dimensioner?visa=inaktiva');
  expect(inactive.body).toMatch(/>Butik Umeå<[\s\S]*>Inaktiv</);
  const trail = (await (await logIn(installation, 'agare')).get('/handelser')).body;
  expect(trail).toContain('lade upp dimensionen Ny butik &lt;i&gt;Umeå&lt;/i&gt;');
  expect(trail).toContain('ändrade dimensionen P1 Butik Umeå, som hette Ny butik');
});

test('what is wrong stands beside its field, and what was typed is kept', async () => {
  const answer = await person.submit('/dimensioner/ny', {
    kind: 'project',
    code: '',
    name: 'Å ä ö',
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain('id="f-code-error">Fyll i fältet.');
  expect(answer.body).toContain('value="Å ä ö"');
});

test('a form sent twice is answered once', async () => {
  const { body } = await person.get('/dimensioner/ny');
  const fields = { ...tokensOf(body), kind: 'cost_center', code: 'K1', name: 'Lager' };
  const answers = await Promise.all([1, 2, 3].map(() => person.post('/dimensioner/ny', fields)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
  expect((await person.get('/dimensioner')).body.match(/>K1</g)).toHaveLength(1);
});

test('a dimension that a voucher carries is shown with it and kept; an unused one is removed', async () => {
  const make = async (code: string) => {
    await person.submit('/dimensioner/ny', { kind: 'project', code, name: `Projekt ${code}` });
    const { body } = await person.get(`/dimensioner?q=${code}`);
    return /href="(\/dimensioner\/([0-9a-f-]{36}))"/.exec(body) ?? [];
  };
  const [, used = '', id] = await make('ANV');
  const posted = await installation.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({
      description: 'Med <b>projekt</b>',
      rows: [
        { account: 1930, debit: 0, credit: 10 },
        { account: 5010, debit: 10, credit: 0, project: id },
      ],
    }),
  });
  expect(posted.statusCode, posted.body).toBe(200);
  const { body } = await person.get(used);
  expect(body).toContain('Med &lt;b&gt;projekt&lt;/b&gt;');
  expect(body).not.toContain('ta-bort');
  const refused = await person.submit(`${used}/ta-bort`, {}, used);
  expect(refused.statusCode).toBe(422);
  expect(refused.body).toContain('står på verifikat');
  const [, unused = ''] = await make('OANV');
  expect((await person.submit(`${unused}/ta-bort`, {}, unused)).statusCode).toBe(303);
  expect((await person.get(unused)).statusCode).toBe(404);
});
