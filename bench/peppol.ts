/**
 * Judging an e-invoice on one thread: decoding, reading, structure and every rule. Beside it the XML
 * parser alone on the same document, so that a slow machine shows in both.
 */
import { SaxesParser } from 'saxes';
import { validateEInvoice } from '#src/peppol/validate.ts';
import type { Figure } from './figure.ts';
import { hostileDocuments, plainInvoice } from './peppol-documents.ts';

const sizes = [
  { lines: 10, wanted_ms: 0.45 },
  { lines: 1000, wanted_ms: 30 },
  { lines: 5500, wanted_ms: 5.5 * 30 },
] as const;
const hostile_ms_max = 100;

export async function measurePeppol(seconds: number): Promise<Figure[]> {
  const documents = sizes.map((size) => ({ ...size, text: plainInvoice(size.lines) }));
  // All judging comes first: another user of the parser would make its calls slower for both.
  const judged = documents.map(({ text }) => judging(text, seconds / 4));
  const hostile = hostileDocuments().map(([what, text]) => hostility(what, text, seconds / 20));
  const parsed = documents.map(({ text }) => timesOf(() => parseOnly(text), seconds / 8));
  const figures = documents.map(({ lines, wanted_ms, text }, index): Figure => {
    const times = judged[index] ?? [];
    const p50_ms = quantile(times, 0.5);
    return {
      measurement: 'peppol',
      what: `judging ${lines} lines, ${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB`,
      p50_ms,
      p99_ms: quantile(times, 0.99),
      value: `${(p50_ms / quantile(parsed[index] ?? [], 0.5)).toFixed(2)} × the parser alone`,
      wanted: `p50 ≤ ${wanted_ms} ms`,
      is_met: p50_ms <= wanted_ms,
    };
  });
  return [...figures, ...hostile];
}

function judging(text: string, seconds: number): readonly number[] {
  const bytes = Buffer.from(text);
  const [finding] = validateEInvoice(bytes).findings;
  if (finding) throw new Error(`The invoice is not clean: ${finding.message}`);
  return timesOf(() => validateEInvoice(bytes), seconds);
}

function hostility(what: string, text: string, seconds: number): Figure {
  const bytes = Buffer.from(text);
  const p50_ms = quantile(
    timesOf(() => validateEInvoice(bytes), seconds),
    0.5,
  );
  return {
    measurement: 'peppol',
    what: `hostile: ${what}`,
    p50_ms,
    wanted: `p50 ≤ ${hostile_ms_max} ms`,
    is_met: p50_ms <= hostile_ms_max,
  };
}

function parseOnly(text: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', () => {});
  parser.on('closetag', () => {});
  parser.on('text', () => {});
  parser.write(text).close();
}

/** How long each run took, in milliseconds, after as long spent warming up. */
function timesOf(run: () => void, seconds: number): number[] {
  const warm = performance.now() + seconds * 1000;
  while (performance.now() < warm) run();
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end || times.length < 3) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
