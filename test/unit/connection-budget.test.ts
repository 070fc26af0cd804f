/** How many connections a process may hold, and what the page for operators says of it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadConfig } from '#src/config/config.ts';
import { httpConnections, workerConnections } from '#src/db/connection-budget.ts';

const sum = (counts: object): number =>
  Object.values(counts).reduce((all, count) => all + count, 0);
const workers = ['intake', 'booking', 'upkeep', 'webhooks', 'render', 'mail'];

it('leaves room for people beside four http and eight workers', () => {
  const eight = [...workers, 'intake', 'render'];
  const all =
    4 * sum(httpConnections()) +
    eight.reduce((total, name) => total + sum(workerConnections([name])), 0);
  // PostgreSQL keeps 3 of its 100 for superusers.
  expect(all).toBeLessThanOrEqual(82);
});

it('shares out exactly what it is given', () => {
  for (let total = 6; total <= 60; total += 1) {
    const parts = httpConnections(total);
    expect(sum(parts)).toBe(total);
    expect(Math.min(...Object.values(parts))).toBeGreaterThanOrEqual(1);
  }
  expect(sum(workerConnections(workers, 20))).toBe(20);
});

it('refuses too few in a sentence that says how many', () => {
  expect(() => httpConnections(5)).toThrow(/DATABASE_CONNECTIONS är 5, men http behöver minst 6/);
  expect(() => workerConnections(['mail'], 3)).toThrow(/worker mail behöver minst 4/);
  expect(() => loadConfig({ DATABASE_CONNECTIONS: 'många' })).toThrow(
    /DATABASE_CONNECTIONS: anges som ett heltal/,
  );
  expect(loadConfig({ DATABASE_CONNECTIONS: '12' }).databaseConnections).toBe(12);
});

it('is what the table for operators says', () => {
  const text = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const least = (of: (total: number) => object): number => {
    for (let total = 1; ; total += 1) {
      try {
        return sum(of(total));
      } catch {
        // Fewer than it needs.
      }
    }
  };
  const rows = ['http', ...workers.map((name) => `worker ${name}`)].map((part) => {
    const of = (total?: number) =>
      part === 'http' ? httpConnections(total) : workerConnections([part.slice(7)], total);
    return [part, least(of), sum(of())];
  });
  const written = [...text.matchAll(/^\| ([a-z ]+) \|.*\| (\d+) \| (\d+) \|$/gm)].map(
    ([, part, fewest, usual]) => [part, Number(fewest), Number(usual)],
  );
  expect(written).toEqual(rows);
});
