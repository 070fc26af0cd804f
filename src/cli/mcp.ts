/** huvudbok mcp: the assistants' door on standard input and output, for an assistant on the same machine. */
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { hashOfSecret } from '../access/keys/secrets.ts';
import { createAssistantServer } from '../api/assistants/server.ts';
import { loadProcessConfig } from '../config/config.ts';
import { findLogins } from '../db/logins.ts';
import { admitKey } from '../http/access.ts';
import { closeConnections, createConnections } from '../http/connections.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { uuid } from '../lib/uuid.ts';
import { note, withDatabase } from './context.ts';

const lineEnd = 0x0a;
/** Of one message; over HTTP it is a body of half a megabyte. */
const maxBufferSize = 10 * 1024 ** 2;
const tooLong = () =>
  new OperatorError(
    `Ett meddelande är längre än ${maxBufferSize / 1024 ** 2} MB; förbindelsen är bruten. Inget av det är gjort.`,
  );

/** What is no JSON-RPC the library tells in many lines. */
function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'ZodError'
    ? 'Ett meddelande är inte JSON-RPC; det lästes förbi.'
    : error.message;
}

export function registerMcp(program: Command): void {
  program
    .command('mcp')
    .description('assistenters väg in på standard in och ut; nyckeln står i HUVUDBOK_KEY')
    .action(async () => {
      // The protocol's library is loaded where it is used.
      const { serveStdio, StdioServerTransport } = await import(
        '@modelcontextprotocol/server/stdio'
      );
      const config = loadProcessConfig();
      // biome-ignore lint/style/noProcessEnv: a key of whoever calls, not a setting of the installation.
      const key = process.env['HUVUDBOK_KEY'];
      if (!key)
        throw new OperatorError(
          'HUVUDBOK_KEY saknas: en nyckel med data:read och proposals:write.',
        );
      await withDatabase(async (url) => {
        const connections = createConnections(await findLogins(url), 'huvudbok mcp');
        const deps = { ...connections, config, clock: systemClock(config.timeZone) };
        const hash = hashOfSecret(key);
        const begin = async () => ({
          caller: await admitKey(connections.pool, hash),
          deps,
          requestId: uuid(),
        });
        try {
          await begin();
          const onFault = (error: unknown) => note(`Fel: ${faultText(error)}`);
          const { promise: ended, resolve: end } = Promise.withResolvers<'said' | 'cut off'>();
          // Its end would take back what is asked and not answered yet, and may stand for that of the last line.
          const asked = process.stdin.pipe(new PassThrough(), { end: false });
          let isWhole = true;
          process.stdin
            .on('data', (chunk: Buffer) => (isWhole = chunk.at(-1) === lineEnd))
            .once('end', () => {
              if (!isWhole) asked.write('\n');
              end('said');
            })
            .once('close', () => end('said'));
          const calls = new Set<Promise<unknown>>();
          const onCall = (answered: Promise<unknown>) => {
            calls.add(answered);
            void answered.finally(() => calls.delete(answered));
          };
          const transport = new StdioServerTransport(asked, process.stdout, { maxBufferSize });
          const close = transport.close.bind(transport);
          // The library hangs up by itself on a message that it does not read to its end.
          transport.close = () => close().finally(() => end('cut off'));
          const handle = serveStdio(() => createAssistantServer({ begin, onFault, onCall }), {
            maxSubscriptions: 0,
            transport,
            onerror: onFault,
          });
          if ((await ended) === 'cut off') throw tooLong();
          // Whoever has asked all and says no more is answered all the same.
          for (await nextTurn(); calls.size > 0; await nextTurn()) await Promise.all(calls);
          await handle.close();
        } finally {
          await closeConnections(connections);
        }
      });
    });
}
