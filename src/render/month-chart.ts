/** Revenue, costs and result a month, as shapes to draw: numbers only, colours are the style sheet's. */
import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

export interface ChartMonth {
  /** `YYYY-MM` */
  readonly month: string;
  readonly revenue: number;
  readonly costs: number;
  readonly result: number;
}

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface MonthChart {
  readonly width: number;
  readonly height: number;
  /** Where the months' names stand. */
  readonly baseline: number;
  readonly left: number;
  readonly right: number;
  /** The height of nothing. */
  readonly zero: number;
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
  readonly months: readonly {
    readonly month: string;
    readonly x: number;
    readonly revenue: Bar;
    readonly costs: Bar;
    readonly dot: { readonly x: number; readonly y: number };
  }[];
  /** The result, as an SVG path. */
  readonly path: string;
}

const width = 720;
const height = 272;
const margin = { top: 12, right: 8, bottom: 42, left: 74 } as const;
const tickCount = 5;
/** Of a month's place; the two bars share what the gaps leave. */
const gap = 0.3;

const round = (value: number): number => Math.round(value * 10) / 10;

export function drawMonths(months: readonly ChartMonth[]): MonthChart {
  const values = months.flatMap(({ revenue, costs, result }) => [revenue, costs, result]);
  const y = scaleLinear()
    .domain([Math.min(0, ...values), Math.max(0, ...values, 1)])
    .nice(tickCount)
    .range([height - margin.bottom, margin.top]);
  const x = scaleBand()
    .domain(months.map(({ month }) => month))
    .range([margin.left, width - margin.right])
    .paddingInner(gap)
    .paddingOuter(gap / 2);
  const half = x.bandwidth() / 2;
  const bar = (left: number, value: number): Bar => ({
    x: round(left),
    y: round(y(Math.max(0, value))),
    width: round(half),
    height: round(Math.abs(y(value) - y(0))),
  });
  const placed = months.map(({ month, revenue, costs, result }) => {
    const left = x(month) ?? margin.left;
    return {
      month,
      x: round(left + half),
      revenue: bar(left, revenue),
      costs: bar(left + half, costs),
      dot: { x: round(left + half), y: round(y(result)) },
    };
  });
  const path = line<(typeof placed)[number]>(
    ({ dot }) => dot.x,
    ({ dot }) => dot.y,
  )(placed);
  return {
    width,
    height,
    baseline: height - margin.bottom + 18,
    left: margin.left,
    right: width - margin.right,
    zero: round(y(0)),
    ticks: y.ticks(tickCount).map((value) => ({ value, y: round(y(value)) })),
    months: placed,
    path: path ?? '',
  };
}
