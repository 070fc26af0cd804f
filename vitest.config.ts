import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { folders, InTurn, slowFolder, triedMore } from './test/order.ts';
import { folderOfDatabases } from './test/support/memory.ts';

/**
 * A whole run is one project, for a worker goes on with files of the project that it has loaded the program for.
 * Each part is one when any is asked for by its name.
 */
const isPartAskedFor = process.argv.some((word) => word.startsWith('--project'));
const parts = isPartAskedFor
  ? {
      projects: [
        ...folders.map((name) => ({
          extends: true as const,
          test: { name, include: [`test/${name}/**/*.test.ts`] },
        })),
        {
          extends: true as const,
          test: {
            name: slowFolder,
            include: [`test/${slowFolder}/**/*.test.ts`, ...triedMore],
            env: { TRIES: '6' },
          },
        },
      ],
    }
  : { include: folders.map((name) => `test/${name}/**/*.test.ts`) };

export default defineConfig({
  test: {
    // One server for the whole run; it stays down when only unit tests are asked for.
    globalSetup: ['test/support/global-setup.ts'],
    // What tests lay aside, servers' folders among it, lies where the databases do.
    env: { TMPDIR: folderOfDatabases },
    // What is waited for comes within milliseconds, but the machine may be busy with other things.
    expect: { poll: { timeout: 45_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A worker loads the program once and not for each file: the program keeps nothing between calls.
    isolate: false,
    // As it is started, by Node itself: nothing is transformed, and compiled code is kept (bootstrap.mjs).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Two more than there are processors, for tests wait for PostgreSQL, browsers and processes.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: InTurn },
    ...parts,
  },
});
