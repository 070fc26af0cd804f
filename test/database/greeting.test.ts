/** The process that prepares a database and greets, when that goes away just as everything has come to answer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PreparationAnswer } from '#src/process/lifecycle.ts';
import type { PreparationMessage } from '#src/process/preparation.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { freePort } from '../support/port.ts';

const script = join(import.meta.dirname, '../../src/cli/preparing.ts');

let books: Installation;
beforeAll(async () => {
  books = await createInstallation({ isMigrated: true });
});
afterAll(() => books.close());

/** A way to the database that can be closed and opened; `turnedAway` counts who met it closed. */
async function startGate() {
  const { hostname, port } = new URL(books.url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  let turnedAway = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (!isOpen) {
      turnedAway += 1;
      socket.destroy();
      return;
    }
    const onward = connect(Number(port), hostname).on('error', () => socket.destroy());
    sockets.add(socket).add(onward);
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(books.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    set: (open: boolean) => {
      isOpen = open;
      if (!open) for (const socket of sockets) socket.destroy();
    },
    turnedAway: () => turnedAway,
  };
}

/** What the parts are told: the schema that they need not look through again. */
const prepared = {
  kind: 'prepared',
  env: { SCHEMA_STAMP: expect.stringMatching(/^[0-9a-f]{64}$/) },
};

async function startPreparing() {
  const port = await freePort();
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Of the tests' own environment nothing: some of its names are settings.
    env: { PATH: process.env['PATH'], DATABASE_URL: books.url, PORT: String(port) },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told: PreparationAnswer[] = [];
  child.on('message', (message: PreparationAnswer) => told.push(message));
  const streams = [child.stdout, child.stderr].map((stream) => stream ?? Readable.from([]));
  const said = Promise.all(streams.map((stream) => text(stream)));
  const tell = (message: PreparationMessage) => child.send(message);
  await expect.poll(() => told.splice(0)).toMatchObject([{ kind: 'begun' }]);
  return { child, told, said, tell };
}

test('comes when the database is back', async () => {
  const gate = await startGate();
  const { child, told, said, tell } = await startPreparing();
  tell({ kind: 'prepare', url: gate.url, folder: undefined });
  await expect.poll(() => told).toEqual([prepared]);
  gate.set(false);
  tell({ kind: 'greet', address: 'http://127.0.0.1:3000' });
  await expect.poll(gate.turnedAway).toBeGreaterThan(1);
  expect(child.exitCode).toBeNull();
  gate.set(true);
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  const all = (await said).join('');
  const [first, ...rest] = all.match(/Väntar på databasen\.|Databasen svarar\.|\/docs/g) ?? [];
  expect(first).toBe('Väntar på databasen.');
  expect(rest).toEqual(['Databasen svarar.', '/docs']);
});

test('tells the service why it cannot be, once, and says nothing itself', async () => {
  const { child, told, said, tell } = await startPreparing();
  const url = new URL(books.url);
  url.password = 'fel';
  tell({ kind: 'prepare', url: url.href, folder: undefined });
  await once(child, 'close');
  expect(child.exitCode).toBe(1);
  expect(told).toEqual([
    { kind: 'refused', message: expect.stringMatching(/^Lösenordet för hb_owner/) },
  ]);
  expect(await said).toEqual(['', '']);
});

test('ends with the service that it greets for', async () => {
  const { child, told, tell } = await startPreparing();
  tell({ kind: 'prepare', url: books.url, folder: undefined });
  await expect.poll(() => told).toEqual([prepared]);
  child.disconnect();
  await once(child, 'exit');
  expect(child.exitCode).toBe(1);
});
