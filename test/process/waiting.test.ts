/** A database that is not there: what may come back is waited for, and what never will is told. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/port.ts';
import { entry } from '../support/program.ts';
import { askInOne } from './ask-in-one.ts';
import { hold, newDataDir, query, usedDataDir } from './embedded.ts';
import { Running } from './running.ts';

/** Many processes one after the other, on a machine that may be busy. */
const slow = { timeout: 300_000 };

function begin(env: NodeJS.ProcessEnv, ...words: string[]): Running {
  const { PATH, HOME } = process.env;
  return new Running(entry, words, { PATH, HOME, ...env });
}

async function run(env: NodeJS.ProcessEnv, ...words: string[]) {
  const command = begin(env, ...words);
  return { code: await command.exitCode(), output: command.output };
}

/** A server that can be stopped and comes back at the same address. */
async function newServer() {
  const dataDir = await usedDataDir();
  const server = await hold(dataDir);
  return { ...server, back: () => hold(dataDir) };
}

const statusOf = async (address: string): Promise<number> =>
  fetch(address).then(
    ({ status }) => status,
    () => 0,
  );

it(
  'waits for a database that is away, says so, answers /healthz, and goes on when it comes',
  slow,
  async () => {
    const { url, process: server, back } = await newServer();
    expect(await run({ DATABASE_URL: url }, 'migrate')).toMatchObject({ code: 0 });
    await server.kill('SIGTERM');

    const ports = { http: await freePort(), start: await freePort() };
    const http = begin({ DATABASE_URL: url, PORT: String(ports.http) }, 'http');
    const worker = begin({ DATABASE_URL: url }, 'worker', 'intake', 'booking', 'webhooks');
    const whole = begin({ DATABASE_URL: url, PORT: String(ports.start) }, 'start');
    for (const process of [http, worker, whole])
      await process.says(/Väntar på databasen\. .*nås inte/);
    for (const port of Object.values(ports)) {
      expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(200);
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
      expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5']);
      const told = (await ready.json()) as { error: string; message: string };
      expect(told.error).toBe('database_unavailable');
      // A stranger may ask too.
      expect(told.message).not.toMatch(/127\.0\.0\.1|DATABASE_URL/);
    }

    await back();
    for (const process of [http, worker, whole]) await process.says(/Databasen svarar\./);
    await http.says(/Huvudbok svarar på/);
    await whole.says(/Ctrl-C/);
    for (const port of Object.values(ports)) {
      expect(await statusOf(`http://127.0.0.1:${port}/readyz`)).toBe(200);
    }
    expect([http, worker, whole].map(({ child }) => child.exitCode)).toEqual([null, null, null]);
  },
);

it('ends with a sentence where waiting would not help, whatever is started', slow, async () => {
  const { url } = await newServer();
  const PORT = String(await freePort());
  // What is refused lets go of its port when it ends, which it does not here.
  const at = async (address: string) => ({ DATABASE_URL: address, PORT: String(await freePort()) });
  const all = [['http'], ['worker', 'upkeep'], ['start'], ['verify'], ['setup'], ['migrate']].map(
    (words) =>
      words[0] === 'setup' ? [...words, '--company', 'A', '--org-number', '556036-0793'] : words,
  );
  const ask = askInOne();
  const isAlone = new Set(['http', 'worker', 'verify']);
  // The first of each command as a process; the others are refused by the same code in one.
  const refuses = async (address: string, sentence: string, commands: string[][]) => {
    const alone = commands.find(([word = '']) => isAlone.delete(word));
    for (const words of commands) {
      const { code, output } =
        words === alone
          ? await run({ DATABASE_URL: address, PORT }, ...words)
          : { code: 1, output: await ask(await at(address), words) };
      expect([words, code, output]).toEqual([words, 1, expect.stringContaining(sentence)]);
      expect(output).not.toMatch(/ at .*:\d+:\d+/);
    }
  };
  await refuses(url.replace(/:[^:@]+@/, ':fel@'), 'Lösenordet för hb_owner', all);
  await refuses(url.replace(/\/huvudbok$/, '/annan'), 'Databasen annan finns inte', all);
  const parts = all.slice(0, 2);
  await refuses(url, 'kör huvudbok migrate', [...parts, ['verify']]);
  expect(await run({ DATABASE_URL: url }, 'migrate')).toMatchObject({ code: 0 });

  await query(url, `alter role hb_worker password 'ett annat'; alter role hb_agency nologin`);
  await refuses(url, 'Databasrollen hb_worker', [['worker', 'upkeep']]);
  await refuses(url, 'Databasrollen hb_agency', [['http']]);
  expect(await run({ DATABASE_URL: url }, 'migrate')).toMatchObject({ code: 0 });

  await query(url, 'revoke usage on schema pgboss from hb_worker');
  await refuses(url, 'hb_worker saknar sina rättigheter', [['worker', 'upkeep']]);
  await query(url, `update migration.functions set sha256 = 'x' where name = 'ledger.post'`);
  await refuses(url, 'andra funktioner än programmet (1', [...parts, ['verify']]);
  await query(url, `insert into migration.applied (name, run_on) values ('9999-tomorrow', now())`);
  await refuses(url, 'nyare schema (9999-tomorrow)', all);
  await query(url, `update migration.applied set name = '0097-early' where name like '9999%'`);
  await refuses(url, 'förhandsversion av Huvudbok (0097-early)', all);
  await query(url, `delete from migration.applied where name = '0097-early' or name >= '0125'`);
  await refuses(url, 'äldre schema', [...parts, ['verify']]);
});

it('tells a taken port before anything is made', async () => {
  const dataDir = await newDataDir();
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  const { code, output } = await run({ DATA_DIR: dataDir, PORT: String(port) }, 'start', '--demo');
  expect([code, output]).toEqual([1, expect.stringContaining(`Port ${port} är upptagen`)]);
  // One line that it waits for whoever may be about to stop, and one with the way out.
  expect(output.trim().split('\n')).toHaveLength(2);
  expect(existsSync(dataDir)).toBe(false);
});

it('waits for the port of one that is just stopping, as whoever starts anew at once after a kill of npm needs', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  const { url } = await newServer();
  const start = begin({ DATABASE_URL: url, PORT: String(port) }, 'start');
  await start.says(/inte ledig än/);
  // What takes longer than it once waited.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  other.close();
  await start.says(/Ctrl-C/);
});

it('says how many files must be open where a start, or a backup, would stop half-way for want of them', async () => {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATA_DIR: await newDataDir() };
  for (const most of ['24', '64']) {
    const limited = 'ulimit -n "$1"; shift; exec "$@"';
    const words = ['sh', most, process.execPath, entry, 'start'];
    const { status, stderr } = spawnSync('sh', ['-c', limited, ...words], {
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining(`Högst ${most} filer`)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  expect(existsSync(env.DATA_DIR)).toBe(false);
});

it('refuses a setting that is wrong by name, in Swedish, at once', async () => {
  const ask = askInOne();
  const commands = [['start'], ['http'], ['worker', 'mail'], ['verify']];
  const wrong = ['TRUST_PROXY=true', 'TRUST_PROXY=localhost', 'LOG_LEVEL=loud', 'PORT=0x10'];
  for (const [turn, setting] of wrong.entries()) {
    const [name = '', value] = setting.split('=');
    const env = { DATA_DIR: await newDataDir(), [name]: value };
    for (const words of commands) {
      // Each of the commands as a process, with one of the settings.
      const { code, output } =
        words === commands[turn]
          ? await run(env, ...words)
          : { code: 1, output: await ask(env, words) };
      expect([code, output]).toEqual([1, expect.stringContaining(`${name}: `)]);
      expect(output).not.toMatch(/expected|Invalid|Too /);
      expect(existsSync(env.DATA_DIR)).toBe(false);
    }
  }
});
