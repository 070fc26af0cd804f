/** What README says works when pasted, and what the API's description shows, does so on any day. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, expectStory, root, startOn } from './readme.ts';

const DAY = '2027-04-01';

/** What the blocks of `docs/api` write, each as its text says. */
async function expectGuides(paste: (file: string) => Promise<string[]>): Promise<void> {
  const [meta, referred, tried, read = ''] = await paste('docs/api/first-call.md');
  expect(JSON.parse(meta ?? '')).toMatchObject({ api_version: 'v1' });
  expect(referred).toContain('"number":6570');
  expect(JSON.parse(tried ?? '')).toMatchObject({ dry_run: true, verification_date: DAY });
  const [posted, found] = read.split(/(?<=\})(?=\{"data")/).map((answer) => JSON.parse(answer));
  expect(found.data).toMatchObject([
    { id: posted.id, rows: [{ account_name: 'Bankkostnader' }, {}] },
  ]);
  const [made, scopes] = await paste('docs/api/keys.md');
  expect(made).toMatch(/svc_live_[\w-]{43}/);
  expect(scopes).toContain('data:read intake:write');
  const [accounts, unchanged, customers, called, invoices, balances] =
    await paste('docs/api/reading.md');
  expect(accounts?.match(/^\d{4} ./gm)?.length).toBeGreaterThan(200);
  expect(unchanged).toBe('304\n');
  expect(JSON.parse(called ?? '')).toMatchObject({ data: [], has_more: false });
  expect(JSON.parse(customers ?? '').data).toHaveLength(2);
  expect(invoices).toContain('"remaining_amount":');
  expect(balances).toContain('"account_name":');
  const [vouchers, orders] = await paste('docs/api/bulk.md');
  expect([vouchers, orders].map((answer) => JSON.parse(answer ?? '').results)).toMatchObject([
    [{ dry_run: true }, { dry_run: true }],
    [{ status: 200 }, { status: 422, detail: { reason: 'total_mismatch', stored: false } }],
  ]);
  const [refused, codes, reasons] = await paste('docs/api/errors.md');
  expect(JSON.parse(refused ?? '')).toMatchObject({
    error: 'invalid_request',
    detail: { problems: [{ path: 'rows', reason: 'unbalanced' }] },
  });
  expect(codes).toMatch(/^503 overloaded after$/m);
  expect(reasons).toMatch(/^total_mismatch - ./m);
  const [left] = await paste('docs/api/limits.md');
  expect(left).toMatch(/^ratelimit: "hour";r=\d+;t=\d+/im);
  const [twice = ''] = await paste('docs/api/retries.md');
  const labels = [...twice.matchAll(/"label":"(A\d+)"/g)].map(([, label]) => label);
  expect(labels).toEqual([expect.any(String), labels[0]]);
  expect(twice.match(/idempotent-replayed: true/gi)).toHaveLength(1);
  const [, listed, events, changed, file] = await paste('docs/api/sync.md');
  expect(listed).toBe('2 vouchers, more: true\n');
  expect(changed).toMatch(/^changed today, more: (true|false)\n$/);
  expect(file).toMatch(/^[0-9a-f]{64}\n$/);
  expect(JSON.parse(events ?? '')).toMatchObject({ data: [], next_cursor: expect.any(String) });
  const [whole = '', sums, resumed] = await paste('docs/api/export.md');
  const [begun, ended] = whole
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(ended.end).toMatchObject({ vouchers: begun.begin.vouchers, rows: begun.begin.rows });
  expect(sums).toMatch(/^end,/);
  expect(resumed).toBe('the same\n');
  const [ordered, reconciled] = await paste('docs/api/orders.md');
  expect(JSON.parse(ordered ?? '')).toMatchObject({ ok: true, invoiceId: expect.any(String) });
  expect(JSON.parse(reconciled ?? '').orders).toEqual([
    expect.objectContaining({ status: 'draft' }),
  ]);
  const [reported, again, stands, tills] = await paste('docs/api/till-reports.md');
  expect([reported, again].map((answer) => JSON.parse(answer ?? ''))).toEqual([
    { ok: true },
    { ok: true, duplicate: true },
  ]);
  expect(JSON.parse(stands ?? '').tillReports).toEqual([
    expect.objectContaining({ status: expect.stringMatching(/^(received|booked)$/) }),
  ]);
  expect(JSON.parse(tills ?? '').data).toEqual(expect.any(Array));
  expect(await paste('docs/api/webhooks.md')).toEqual(['true false\n']);
  const [asked, proposed, told] = await paste('docs/assistants.md');
  expect(asked).toBe('');
  expect(JSON.parse(proposed ?? '')).toMatchObject({ kind: 'voucher', status: 'open' });
  const [waiting = '', taken = ''] = (told ?? '').split('\n');
  expect(JSON.parse(waiting).data).toMatchObject([{ status: 'open' }]);
  expect(JSON.parse(taken)).toMatchObject({ status: 'withdrawn', result: null });
  const [judged] = await paste('docs/api/sandbox.md');
  expect(JSON.parse(judged ?? '')).toMatchObject({ ok: true, dry_run: true, vat_amount: 39.8 });
  const [delivered] = await paste('docs/api/peppol.md');
  expect(JSON.parse(delivered ?? '')).toMatchObject({ draftId: expect.any(String) });
}

/** Each guide stands in the index, says which key it needs, and has blocks only if they are pasted. */
async function expectOneShape(pasted: readonly string[]): Promise<void> {
  const index = await readFile(join(root, 'docs', 'api.md'), 'utf8');
  const guides = (await readdir(join(root, 'docs', 'api'))).sort();
  const listed = [...index.matchAll(/^\| \[.+?\]\(api\/([\w-]+\.md)\) \|/gm)].map(
    ([, name]) => name,
  );
  expect(listed.sort()).toEqual(guides);
  expect(await blocksOf('docs/api.md')).toEqual([]);
  for (const guide of guides) {
    const file = `docs/api/${guide}`;
    const text = await readFile(join(root, file), 'utf8');
    expect([guide, text]).toEqual([guide, expect.stringMatching(/^# .+\n\n[^#]+^\*\*Key\*\*: /m)]);
    expect([guide, pasted.includes(file)]).toEqual([guide, (await blocksOf(file)).length > 0]);
  }
}

it('README says the same to paste in both languages', async () => {
  expect(await blocksOf('README.sv.md')).toEqual(await blocksOf('README.md'));
});

it('the blocks of README work when pasted, in empty books', async () => {
  const [start, ...blocks] = await blocksOf('README.md');
  expect(start).toContain('npm start');
  const { paste } = await startOn(DAY, []);
  const [setUp, ...story] = await paste(blocks);
  expect(setUp).toContain('Mitt Bolag AB');
  expectStory(DAY, story);
});

it('the calls that the example company shows work, and so does every example of the guides and the API’s description', {
  // Some fifty blocks, one after the other.
  timeout: 400_000,
}, async () => {
  const { service, address, paste } = await startOn(DAY, ['--demo']);
  // What is shown once is shown when everything answers, and not before.
  const [said] = await service.says(/[\s\S]*Börja om: /);
  expect(said).toContain('Huvudbok svarar på');
  const [, key = ''] = /^ {2}export HUVUDBOK_KEY=([\w-]+)$/m.exec(service.stdout) ?? [];
  // What is to be pasted stands as it is on stdout, and the log, which is for machines, beside it.
  const lines = [...service.stdout.matchAll(/^ {2}curl -s .*$/gm)].map(([line]) => line);
  const calls = await paste(lines, { HUVUDBOK_KEY: key });
  expect(calls.map((answer) => JSON.parse(answer))).toMatchObject([
    { api_version: 'v1' },
    { has_more: true },
    { dry_run: true, verification_date: DAY },
    { series: 'A', verification_date: DAY },
    { dry_run: true, total_amount: 199 },
    { ok: true, invoiceId: expect.any(String) },
  ]);
  const pasted: string[] = [];
  await expectGuides(async (file) => {
    const blocks = await blocksOf(file);
    pasted.push(file);
    return paste(blocks, { HUVUDBOK_KEY: key, HUVUDBOK_URL: address });
  });
  await expectOneShape(pasted);

  // A key that may book proposes nothing.
  const [made = ''] = await paste([
    'npm run -s huvudbok -- key create --name F --scope data:read --scope proposals:write --json',
  ]);
  const { key: proposer } = JSON.parse(made) as { key: string };

  const document = (await (await fetch(`${address}/openapi.json`)).json()) as Document;
  const tried: string[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      if (requestBody?.content['application/octet-stream']) {
        const answer = await fetch(`${address}${path}?fileName=Kvitto.txt`, {
          method: method.toUpperCase(),
          body: 'Kaffe 40,00',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/octet-stream',
            'idempotency-key': randomUUID(),
          },
        });
        expect([path, answer.status, await answer.json()]).toEqual([path, 200, expect.anything()]);
        tried.push(path);
        continue;
      }
      const { $ref = '', ...own } = requestBody?.content['application/json']?.schema ?? {};
      const { examples = [] } = document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? own;
      expect([path, method, examples.length > 0]).toEqual([
        path,
        method,
        requestBody !== undefined,
      ]);
      for (const example of examples) {
        const answer = await fetch(address + path, {
          method: method.toUpperCase(),
          body: JSON.stringify(example),
          headers: {
            authorization: `Bearer ${path === '/api/v1/forslag' ? proposer : key}`,
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
          },
        });
        expect([path, answer.status, await answer.json()]).toEqual([path, 200, expect.anything()]);
        tried.push(path);
      }
    }
  }
  expect(tried.sort()).toEqual([
    '/api/inbound/aterbetalning',
    '/api/inbound/avstamning',
    '/api/inbound/dagskassa',
    '/api/inbound/order',
    '/api/inbound/order/bunt',
    '/api/inbound/peppol',
    '/api/v1/avrakning',
    '/api/v1/banktransaktioner',
    '/api/v1/forslag',
    '/api/v1/kundfakturor',
    '/api/v1/underlag',
    '/api/v1/verifikat',
    '/api/v1/verifikat/bunt',
  ]);
});

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { readonly examples?: object[] }> };
}

interface Operation {
  readonly requestBody?: {
    readonly content: Record<
      string,
      { readonly schema: { $ref?: string; readonly examples?: object[] } }
    >;
  };
}
