/** Answers every request with the same bytes, unread: what the load generator's own limit is measured on. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { exitWithParent } from '#src/process/lifecycle.ts';

const body = JSON.stringify({ text: 'x'.repeat(150) });
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
);

exitWithParent();
const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', () => void socket.write(answer));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' ? address?.port : undefined);
