import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { withTx } from '#src/db/pool.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { createInstallation, type Installation } from '../support/installation.ts';

const run = promisify(execFile);
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const client = '../../clients/typescript/schema.d.ts';

type Travel = (baseUrl: string, key: string, customerId: string) => Promise<object>;

let books: Installation;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
});
afterAll(() => books.close());

test('a client generated from /openapi.json compiles and drives a whole flow', async () => {
  const address = await books.app.listen({ port: 0, host: '127.0.0.1' });
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // As it is served but for the days of its examples, which are those of whoever asks (openapi.test.ts).
  const document = at('../../docs/openapi.json');
  const types = join(folder, 'schema.d.ts');
  const generator = at('../../node_modules/openapi-typescript/bin/cli.js');
  const hooks = at('../client/typescript-5.mjs');
  await run(process.execPath, ['--import', hooks, generator, document, '--output', types]);
  // What integrators copy: `vitest -u` writes it anew.
  await expect(await readFile(types, 'utf8')).toMatchFileSnapshot(client);
  await run(process.execPath, [
    at('../../node_modules/typescript/bin/tsc'),
    '--project',
    at('../client/tsconfig.json'),
  ]);

  const customer = await withTx(books.owner, (tx) => insertCustomer(tx, { name: 'Kunden AB' }));
  await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Företagskonto', ledgerAccount: 1930 }, 'test'),
  );
  await books.owner.query(`update ledger.locks set period_locked_to = '2026-01-31'`);
  // Not an import of ours to check: its types were made just now.
  const { travel } = (await import(at('../client/flow.ts'))) as { travel: Travel };
  const journey = await travel(address, books.key, customer.id);
  expect(journey).toEqual({
    scopes: [
      'data:read',
      'intake:write',
      'documents:read',
      'documents:write',
      'bank:write',
      'bank:read',
      'ledger:write',
    ],
    documents: ['waiting', true],
    bankRows: [1, ['Kortköp', null]],
    label: 'A1',
    invoiceNumber: 1001,
    drafted: expect.any(String),
    descriptions: ['Från en typad klient', 'Kundfaktura 1001'],
    lock: 'period',
  });
});

test('the client, copied into an empty project of TypeScript 5, compiles and knows what each call answers', async () => {
  const compiler = at('../../node_modules/typescript-5/bin/tsc');
  const project = at('../client/tsconfig.copied.json');
  await expect(run(process.execPath, [compiler, '--project', project])).resolves.toMatchObject({
    stdout: '',
  });
});
