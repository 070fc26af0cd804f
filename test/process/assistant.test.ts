/** `huvudbok mcp`: an assistant on the machine reads and proposes over standard input and output, as its key and no more. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/service.ts';
import { withTx } from '#src/db/pool.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { compiled } from '../support/program.ts';

const program = join(import.meta.dirname, '..', '..', 'src', 'cli', 'huvudbok.ts');
let books: Books;
beforeAll(async () => {
  books = await createBooks();
});
afterAll(() => books.close());

async function connect(key: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      env: {
        ...compiled,
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: books.url,
        HUVUDBOK_KEY: key,
      },
      stderr: 'pipe',
    }),
  );
  return client;
}

test('reads and proposes as its key, which ends when it is revoked', async () => {
  const { id, key } = await books.makeKey(['data:read', 'proposals:write']);
  const client = await connect(key);
  expect((await client.listTools()).tools).toHaveLength(22);
  const read = await client.callTool({ name: 'get_installation', arguments: {} });
  expect(read.structuredContent).toMatchObject({ scopes: ['data:read', 'proposals:write'] });
  const bank = await client.callTool({ name: 'list_bank_rows', arguments: {} });
  expect([bank.isError, JSON.stringify(bank.content)]).toEqual([
    true,
    expect.stringContaining('insufficient_scope'),
  ]);
  await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
  const ended = await client.callTool({ name: 'list_vouchers', arguments: {} });
  expect([ended.isError, JSON.stringify(ended.content)]).toEqual([
    true,
    expect.stringContaining('key_revoked'),
  ]);
  await client.close();
});

test('without a key that lives it does not begin', async () => {
  await expect(connect('svc_live_nobodys')).rejects.toThrow();
});

test('a message without an end breaks the connection with a word of why, and what is no message is read past', async () => {
  const { key } = await books.makeKey(['data:read']);
  const env = {
    ...compiled,
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: books.url,
    HUVUDBOK_KEY: key,
  };
  const run = promisify(execFile)(process.execPath, [program, 'mcp'], { env });
  run.child.stdin?.on('error', () => undefined).end(`[]\n{"x":"${'a'.repeat(11 * 1024 ** 2)}`);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Fel: Ett meddelande är inte JSON-RPC.*\n(?:.*\n)*Ett meddelande är längre än 10 MB.*\n$/,
    ),
  });
});

test('whoever asks all at once and says no more is answered all of it', async () => {
  const { key } = await books.makeKey(['data:read']);
  const client = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  const asked = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: client },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    ...[2, 3, 4].map((id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'list_parties', arguments: { kind: 'customer' } },
    })),
  ];
  const env = {
    ...compiled,
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: books.url,
    HUVUDBOK_KEY: key,
  };
  const run = promisify(execFile)(process.execPath, [program, 'mcp'], { env });
  // The last one's line has no end but that of all.
  run.child.stdin?.end(asked.map((one) => JSON.stringify(one)).join('\n'));
  const { stdout, stderr } = await run;
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(stderr).toBe('');
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
  for (const { id, result } of answers)
    if (id > 1) expect(result.structuredContent.parties).toBeDefined();
});
