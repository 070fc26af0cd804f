/** Commands and the folder they are pointed at: books that are there, and books that are not. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { freePort } from '../support/port.ts';
import { compiled, entry } from '../support/program.ts';
import { askInOne } from './ask-in-one.ts';
import { makeFolder, newDataDir } from './embedded.ts';
import { Running } from './running.ts';

async function run(env: NodeJS.ProcessEnv, ...words: string[]) {
  const { PATH, HOME } = process.env;
  const command = new Running(entry, words, { PATH, HOME, ...env });
  return { code: await command.exitCode(), output: command.output };
}

it('refuses a folder without books, says which, and leaves it as it was', async () => {
  const dataDir = await newDataDir();
  const ask = askInOne();
  for (const words of [
    ['verify'],
    ['migrate'],
    ['user', 'list'],
    ['key', 'create', '--name', 'Butiken', '--scope', 'intake:write'],
    ['backup', 'done'],
    ['first-visit'],
  ]) {
    // One of them as a process.
    const { code, output } =
      words[0] === 'verify'
        ? await run({ DATA_DIR: dataDir }, ...words)
        : { code: 1, output: await ask({ DATA_DIR: dataDir }, words) };
    expect([words, code, output]).toEqual([words, 1, expect.stringContaining(dataDir)]);
    expect(output).toContain('Det finns inga böcker');
    expect(existsSync(dataDir)).toBe(false);
  }
});

it('makes books for a set-up, though nothing that it says of it can be written, and finds them again', async () => {
  const dataDir = await newDataDir();
  const words = ['setup', '--company', 'Bolaget AB', '--org-number', '556036-0793'];
  const { PATH, HOME } = process.env;
  const lost = openSync(existsSync('/dev/full') ? '/dev/full' : '/dev/null', 'w');
  const env = { ...compiled, PATH, HOME, DATA_DIR: dataDir };
  const command = spawn(process.execPath, [entry, ...words], {
    env,
    stdio: ['ignore', 'ignore', lost],
  });
  expect(await once(command, 'close')).toEqual([0, null]);
  closeSync(lost);
  const verified = await run({ DATA_DIR: dataDir }, 'verify');
  expect(verified).toEqual({ code: 0, output: expect.stringContaining('Allt stämmer.') });

  // No server is left in a folder that is perhaps copied next: when nobody reads on (`| head`), and when asked to stop.
  const server = join(dataDir, 'postgresql', 'cluster', 'postmaster.pid');
  const unread = spawn(process.execPath, [entry, 'verify'], { env });
  unread.stdout.destroy();
  expect(await once(unread, 'close')).toEqual([141, null]);
  expect(existsSync(server)).toBe(false);

  const made = await run(
    { DATA_DIR: dataDir },
    ...['key', 'create', '--name', 'Assistent', '--scope', 'data:read', '--json'],
  );
  const [HUVUDBOK_KEY] = /svc_[\w-]+/.exec(made.output) ?? [];
  const stopped = spawn(process.execPath, [entry, 'mcp'], { env: { ...env, HUVUDBOK_KEY } });
  const asked = { jsonrpc: '2.0', id: 1, method: 'ping' };
  stopped.stdin.write(`${JSON.stringify(asked)}\n`);
  await once(stopped.stdout, 'data');
  expect(existsSync(server)).toBe(true);
  stopped.kill('SIGTERM');
  expect(await once(stopped, 'close')).toEqual([143, null]);
  expect(existsSync(server)).toBe(false);
});

it('says in one sentence what is wrong with a folder', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'data');
  await writeFile(file, '');
  const ask = askInOne();
  for (const dataDir of [file, join(file, 'inuti')]) {
    for (const words of [['verify'], ['start'], ['demo']]) {
      const env = { DATA_DIR: dataDir, PORT: String(await freePort()) };
      const { code, output } =
        words[0] === 'start' && dataDir === file
          ? await run(env, ...words)
          : { code: 1, output: await ask(env, words) };
      expect([code, output]).toEqual([1, expect.stringContaining('är ingen mapp')]);
      expect(output.trim().split('\n')).toHaveLength(1);
    }
  }
});

it('ends without a word when whoever reads what it writes has read enough', async () => {
  const { PATH, HOME } = process.env;
  const command = spawn(process.execPath, [entry, 'openapi'], { env: { ...compiled, PATH, HOME } });
  let said = '';
  command.stderr.on('data', (bytes) => {
    said += bytes;
  });
  command.stdout.once('data', () => command.stdout.destroy());
  const [code] = await once(command, 'close');
  expect([code, said]).toEqual([141, '']);
});

const nobody = 65_534;
/** Root may do everything, so what others may not is tried as somebody else. */
function isNobodyAble(): boolean {
  try {
    const read = `process.argv.slice(1).forEach((path) => require('node:fs').accessSync(path))`;
    const files = [entry, fileURLToPath(import.meta.resolve('commander'))];
    execFileSync(process.execPath, ['-e', read, ...files], { uid: nobody, gid: nobody });
    return true;
  } catch {
    return false;
  }
}

it.runIf(isNobodyAble())('says it of a folder that is somebody else’s', async () => {
  const folder = await makeFolder();
  const [theirs, shut, shutToo, cache = ''] = ['data', 'shut', 'env', 'cache'].map((name) =>
    join(folder, name),
  );
  await mkdir(cache);
  await chown(cache, nobody, nobody);
  await mkdir(theirs ?? '');
  await mkdir(shut ?? '', { mode: 0o700 });
  await mkdir(shutToo ?? '');
  await writeFile(join(shutToo ?? '', '.env'), 'PORT=1', { mode: 0o600 });
  const runAsNobody = (env: NodeJS.ProcessEnv, word: string, cwd = '/') =>
    new Promise((resolve) => {
      const { PATH } = process.env;
      const NODE_COMPILE_CACHE = join(cache, 'compiled');
      const options = { env: { PATH, NODE_COMPILE_CACHE, ...env }, uid: nobody, gid: nobody, cwd };
      execFile(process.execPath, [entry, word], options, (error, _stdout, stderr) =>
        resolve([error?.code ?? 0, stderr]),
      );
    });
  const mayNot = (path = '') => [
    1,
    expect.stringMatching(
      `^(.*Skapar .*\\n)?DATA_DIR \\(${path}\\) får inte läsas och skrivas .*\\n$`,
    ),
  ];
  const PORT = String(await freePort());
  expect(await runAsNobody({ DATA_DIR: theirs, PORT }, 'start')).toEqual(mayNot(theirs));
  expect(await runAsNobody({ DATA_DIR: shut, PORT }, 'start')).toEqual(mayNot(shut));
  expect(await runAsNobody({ DATA_DIR: shut }, 'verify')).toEqual(mayNot(shut));
  expect(await runAsNobody({}, 'verify', shutToo)).toEqual([1, expect.stringContaining('.env')]);
});

it('says what is wrong with a certificate, before anything is made', async () => {
  const folder = await makeFolder();
  const [cert = '', key = '', other = ''] = ['cert', 'key', 'other'].map((name) =>
    join(folder, `${name}.pem`),
  );
  const make = (keyFile: string, certFile: string) =>
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-subj',
        '/CN=bok',
        '-keyout',
        keyFile,
        '-out',
        certFile,
      ],
      { stdio: 'ignore' },
    );
  make(other, cert);
  make(key, cert);
  const DATA_DIR = join(folder, 'data');
  const PORT = String(await freePort());
  const ask = askInOne();
  for (const [certFile, keyFile, sentence] of [
    [join(folder, 'none.pem'), key, 'TLS_CERT_FILE'],
    [cert, join(folder, 'none.pem'), 'TLS_KEY_FILE'],
    [cert, other, 'går inte att använda ihop'],
    [key, cert, 'går inte att använda ihop'],
  ] as const) {
    const env = { DATA_DIR, PORT, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
    const { code, output } =
      keyFile === other ? await run(env, 'start') : { code: 1, output: await ask(env, ['start']) };
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(existsSync(DATA_DIR)).toBe(false);
  }
});

it('says of a database that is away what it is, also when it was to be filled', async () => {
  const folder = await makeFolder();
  const env = { DATA_DIR: join(folder, 'data') };
  await run(env, 'setup', '--company', 'Bolaget AB', '--org-number', '556036-0793');
  const taken = await run(env, 'backup', '--to', folder, '--skip-verify', '--json');
  const { file } = JSON.parse(taken.output.trim().split('\n').at(-1) ?? '');
  const away = { DATABASE_URL: `postgres://hb_owner:x@127.0.0.1:${await freePort()}/borta` };
  const { code, output } = await run({ ...env, ...away }, 'restore', file);
  expect([code, output]).toEqual([1, expect.stringContaining('nås inte')]);
  const sound = await run(env, 'backup', 'verify', file, '--checksums-only', '--json');
  expect(JSON.parse(sound.output)).toMatchObject({ file, vouchers: 0 });
});

it.skipIf(!existsSync('/dev/full'))(
  'says that what it wrote did not arrive, as on a full disk',
  async () => {
    const { PATH, HOME } = process.env;
    const full = openSync('/dev/full', 'w');
    const stdio = ['ignore', full, 'pipe'] as const;
    const env = { ...compiled, PATH, HOME };
    const command = spawn(process.execPath, [entry, 'openapi'], { env, stdio: [...stdio] });
    let said = '';
    command.stderr?.on('data', (bytes) => {
      said += bytes;
    });
    const [code] = await once(command, 'close');
    closeSync(full);
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^Det som .* \(disken är full\)\. .*\n$/),
    ]);
  },
);
