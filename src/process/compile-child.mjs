/**
 * Compiles the program (compile.mjs), in a process that ends: the compiler takes more memory than what it compiles.
 *
 *   node src/process/compile-child.mjs <the project's folder> <how its files end> <folder to be made>
 */

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import http from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { isWhole, noteWhole } from './compile.mjs';

/** A package has JavaScript where a checkout has TypeScript. */
const [root, ending, folder] = process.argv.slice(2);
const home = dirname(folder);
const written = (path) => join(root, 'src', `${path}${ending}`);

/**
 * What a process begins with, or loads by its file's name when it is needed. What is compiled together shares its files,
 * so they are many and small; everybody waits for HTTP, which is compiled by itself into few.
 */
const together = {
  huvudbok: written('cli/huvudbok'),
  preparing: written('cli/preparing'),
  english: written('lib/english/index'),
};
const alone = { http: written('cli/http') };
const compiledOf = (file) => {
  const found = Object.entries({ ...together, ...alone }).find(([, path]) => path === file);
  return found && join(folder, `${found[0]}.cjs`);
};

/** Packages with code for a processor, or with files beside their code: they are loaded from where npm put them. */
const apart = /^(@node-rs\/|@sparticuz\/|playwright-core)/;

const placed = {
  name: 'placed',
  async resolveId(name, importer, { kind }) {
    if (name === 'pg-native') return { id: name, external: true };
    if (!apart.test(name)) return undefined;
    const { id } = await this.resolve(name, importer, { skipSelf: true });
    // `require` takes a path, and `import` an address.
    return { id: kind === 'dynamic-import' ? pathToFileURL(id).href : id, external: true };
  },
  /** A file of ours is where it was written: templates, migrations and data are found from there. */
  transform(code, id) {
    return code
      .replace(/(?<=\b(?:script|require)\()'(\.[^'\n]*)'(?=\))/g, (written, path) => {
        const compiled = compiledOf(resolve(dirname(id), path));
        return compiled ? JSON.stringify(compiled) : written;
      })
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/**
 * For whoever imports `http`, Node reads all that it exports, WebSocket among it, which has a whole client of HTTP
 * loaded: some MB in each process. Asked for by name, nothing is read but what is used.
 */
const lightHttp = {
  name: 'light http',
  resolveId: (name, _, { kind }) =>
    /^(node:)?http$/.test(name) && kind === 'import-statement' ? 'light:http' : undefined,
  load: (id) =>
    id === 'light:http'
      ? `const http = process.getBuiltinModule('node:http');
        export default http;
        export const { ${httpExports} } = http;`
      : undefined,
};
const httpExports = Object.keys(http)
  .filter((name) => !['WebSocket', 'CloseEvent', 'MessageEvent'].includes(name))
  .join();

/** V8 keeps a text with a single letter beyond ÿ at two bytes for each. What `charset` leaves is in templates' words. */
const oneByte = {
  name: 'one byte',
  renderChunk: (code) =>
    code.replace(/[^\0-\xff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
};

mkdirSync(home, { recursive: true });
const building = join(home, `.building-${process.pid}`);
async function compile(input, chunks) {
  const program = await rolldown({
    cwd: root,
    platform: 'node',
    input,
    plugins: [placed, lightHttp, oneByte],
    logLevel: 'silent',
  });
  await program.write({
    dir: building,
    // Node reads, compiles and runs them in 0.8 × the time that it takes for modules of ECMAScript.
    format: 'cjs',
    comments: false,
    charset: 'ascii',
    entryFileNames: '[name].cjs',
    chunkFileNames: `${chunks}[name].cjs`,
  });
}
try {
  await compile(together, '');
  await compile(alone, 'http/');
  noteWhole(building);
  // One that is there is another start's, just made, or one that a power cut left by halves.
  if (!isWhole(folder)) rmSync(folder, { recursive: true, force: true });
  renameSync(building, folder);
} finally {
  rmSync(building, { recursive: true, force: true });
}
