import { defineConfig } from 'vitest/config';

const project = (name: string, options: object = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...options },
});

export default defineConfig({
  test: {
    // One server for the whole run; it stays down when only unit tests are asked for.
    globalSetup: ['test/support/global-setup.ts'],
    // What is waited for comes within milliseconds, but the machine may be busy with other things.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 20_000,
    projects: [
      project('unit'),
      project('database', { hookTimeout: 30_000 }),
      project('http', { hookTimeout: 30_000 }),
      project('workers', { hookTimeout: 30_000 }),
      project('pages', { hookTimeout: 30_000 }),
      // Browsers take a processor each.
      project('browser', {
        testTimeout: 60_000,
        hookTimeout: 60_000,
        maxWorkers: 2,
        sequence: { groupOrder: 1 },
      }),
      // Real processes, and clocks on them: last, and two at a time.
      project('process', {
        testTimeout: 90_000,
        hookTimeout: 90_000,
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});
