import { expect, test } from 'vitest';
import { drawMonths } from '#src/render/month-chart.ts';

const month = (name: string, revenue: number, costs: number) => ({
  month: name,
  revenue,
  costs,
  result: revenue - costs,
});

test('everything drawn lies within the drawing, losses and refunds too', () => {
  const chart = drawMonths([
    month('2026-01', 100, 400),
    month('2026-02', -50, 20),
    month('2026-03', 1_000_000, 3),
  ]);
  for (const { revenue, costs, dot, x } of chart.months) {
    for (const bar of [revenue, costs]) {
      expect(bar.x).toBeGreaterThanOrEqual(chart.left);
      expect(bar.x + bar.width).toBeLessThanOrEqual(chart.right);
      expect(bar.y).toBeGreaterThanOrEqual(0);
      expect(bar.y + bar.height).toBeLessThanOrEqual(chart.height);
      expect(bar.height).toBeGreaterThanOrEqual(0);
    }
    expect(dot.y).toBeLessThanOrEqual(chart.height);
    expect(dot.x).toBe(x);
  }
});

test('bars grow from zero: revenue up, what was taken back down', () => {
  const { months, zero } = drawMonths([month('2026-01', 100, 0), month('2026-02', -100, 0)]);
  const [up, down] = months;
  expect((up?.revenue.y ?? 0) + (up?.revenue.height ?? 0)).toBeCloseTo(zero, 0);
  expect(down?.revenue.y).toBe(zero);
  expect(up?.revenue.height).toBeCloseTo(down?.revenue.height ?? 0, 0);
});

test('a single month where nothing happened has a scale and no number that is none', () => {
  const chart = drawMonths([month('2026-01', 0, 0)]);
  expect(JSON.stringify(chart)).not.toMatch(/null|NaN/);
  expect(chart.ticks.length).toBeGreaterThan(1);
});
