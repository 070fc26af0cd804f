/** The program compiled before the first of its processes that stays. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const urlOf = (file: string): string => JSON.stringify(pathToFileURL(join(root, file)).href);

it('no process of a first start carries the stripper of types, nor compiles what is compiled', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'huvudbok-compiled-'));
  onTestFinished(() => rm(cache, { recursive: true }));
  const evaluate = async (words: string): Promise<string> => {
    const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache };
    const args = ['--input-type=module', '--eval', words];
    return (await run(process.execPath, args, { env, cwd: root })).stdout.trim();
  };
  const compile = () =>
    evaluate(
      `import { compileProgram } from ${urlOf('src/process/compile.mjs')};
      compileProgram(process.execPath, ${JSON.stringify(cache)});`,
    );
  await compile();
  const { mtimeMs } = await stat(join(cache, 'compiled'));

  for (const files of [
    ['src/cli/run.ts', 'src/cli/start.ts', 'src/process/start.ts'],
    ['src/cli/processes.ts', 'src/process/http-server.ts', 'src/api/assistants/handler.ts'],
    ['src/process/workers.ts', 'workers/run.ts', 'workers/intake.ts', 'workers/backup.ts'],
  ]) {
    const loaded = await evaluate(
      `for (const url of [${files.map(urlOf)}]) await import(url);
      console.log(process.moduleLoadList.filter((name) => /amaro/.test(name)).join());`,
    );
    expect({ files, loaded }).toEqual({ files, loaded: '' });
  }

  await compile();
  expect((await stat(join(cache, 'compiled'))).mtimeMs).toBe(mtimeMs);
});
