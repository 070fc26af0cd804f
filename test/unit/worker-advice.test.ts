import { expect, test } from 'vitest';
import { adviseWorkers } from '#src/domain/worker-advice.ts';

test.each([
  ['nothing waits', { waiting: 0, perMinute: 0, running: 2 }, 2],
  ['what waits is done within a minute', { waiting: 90, perMinute: 100, running: 1 }, 1],
  ['three times a minute of work waits', { waiting: 300, perMinute: 100, running: 1 }, 3],
  ['two share the pace', { waiting: 300, perMinute: 200, running: 2 }, 3],
  ['no more than the cores', { waiting: 90_000, perMinute: 100, running: 1 }, 4],
  [
    'never fewer than run, when there are more than cores',
    { waiting: 90_000, perMinute: 600, running: 6 },
    6,
  ],
  ['nothing gets done, so more would not help', { waiting: 5, perMinute: 0, running: 1 }, 1],
  ['nobody works the queue', { waiting: 0, perMinute: 0, running: 0 }, 1],
])('%s', (_what, load, wanted) => {
  const advice = adviseWorkers(load, 4);
  expect(advice.wanted).toBe(wanted);
  expect(advice.reason).not.toBe('');
});
