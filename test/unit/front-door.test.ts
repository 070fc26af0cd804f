/** What those meet who come before there is anything behind the port. */
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '#src/config/config.ts';
import { openFrontDoor } from '#src/http/front-door.ts';
import { freePort } from '../support/port.ts';

async function openDoor(): Promise<string> {
  const port = await freePort();
  const door = await openFrontDoor(loadConfig({ PORT: String(port), HOST: '127.0.0.1' }));
  onTestFinished(() => door.close());
  return `http://127.0.0.1:${port}`;
}

const atBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('a person at a browser reads a page that comes back by itself', async () => {
  const address = await openDoor();
  const answer = await fetch(`${address}/verifikat`, { headers: atBrowser });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await answer.text();
  expect(page).toContain('http-equiv="refresh"');
  expect(page).toContain('Sidan läses in igen av sig själv');
});

test('a person who sends a form with files is told that it did not arrive and how to send it again', async () => {
  const address = await openDoor();
  const form = new FormData();
  form.append('files', new File([new Uint8Array(8 * 1024 * 1024)], 'kvitto.pdf'));
  for (const _ of [1, 2, 3]) {
    const answer = await fetch(`${address}/underlag`, {
      ...{ method: 'POST', body: form, headers: atBrowser },
    });
    const page = await answer.text();
    expect(answer.status).toBe(503);
    expect(page).toContain('har inte tagits emot');
    expect(page).toContain('ladda om sidan');
    // To be fetched anew by itself would throw away what the browser has to send.
    expect(page).not.toContain('http-equiv="refresh"');
  }
});

test('a program is told as JSON that it may come back, also when it says that it takes pages', async () => {
  const address = await openDoor();
  const calls: [string, Record<string, string>][] = [
    ['/readyz', {}],
    ['/api/v1/meta', atBrowser],
    ['/docs', { ...atBrowser, authorization: 'Bearer x' }],
  ];
  for (const [path, headers] of calls) {
    const answer = await fetch(address + path, { headers });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      error: 'database_unavailable',
      message: expect.stringContaining('varför står i loggen'),
      request_id: answer.headers.get('x-request-id'),
    });
  }
  expect((await fetch(`${address}/healthz`, { headers: atBrowser })).status).toBe(200);
});
