import { expect, test } from 'vitest';
import { adviseWorkers, arrivalsPerSecond } from '#src/domain/basics/worker-advice.ts';

test.each([
  ['nothing waits and nothing is done', { waiting: 0, perMinute: 0, running: 2, busyShare: 0 }, 1],
  ['they have little to do', { waiting: 3, perMinute: 90, running: 4, busyShare: 0.2 }, 2],
  ['they keep up, half of the time', { waiting: 3, perMinute: 900, running: 3, busyShare: 0.5 }, 3],
  [
    'what waits is done within a minute',
    { waiting: 90, perMinute: 100, running: 1, busyShare: 1 },
    1,
  ],
  [
    'three times a minute of work waits',
    { waiting: 300, perMinute: 100, running: 1, busyShare: 1 },
    3,
  ],
  ['two share the pace', { waiting: 300, perMinute: 200, running: 2, busyShare: 1 }, 3],
  ['no more than the cores', { waiting: 90_000, perMinute: 100, running: 1, busyShare: 1 }, 4],
  [
    'never fewer than run, when there are more than cores',
    { waiting: 90_000, perMinute: 600, running: 6, busyShare: 1 },
    6,
  ],
  [
    'nothing gets done, so more would not help',
    { waiting: 5, perMinute: 0, running: 1, busyShare: 1 },
    1,
  ],
  ['nobody works the queue', { waiting: 0, perMinute: 0, running: 0, busyShare: 1 }, 1],
])('%s', (_what, load, wanted) => {
  const advice = adviseWorkers(load, 4);
  expect(advice.wanted).toBe(wanted);
  expect(advice.reason.why).not.toBe('');
});

test('what comes in is what is worked and what is left lying', () => {
  const at = 60_000;
  expect(arrivalsPerSecond(undefined, { at, jobs: 7 }, 3)).toBe(3);
  expect(arrivalsPerSecond({ at: 0, jobs: 0 }, { at, jobs: 120 }, 3)).toBe(5);
  expect(arrivalsPerSecond({ at: 0, jobs: 60 }, { at, jobs: 0 }, 3)).toBe(2);
  expect(arrivalsPerSecond({ at: 0, jobs: 600 }, { at, jobs: 0 }, 3)).toBe(0);
});
