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
  const figures: Figure[] = [];
  for (const { lines, wanted_ms } of sizes) {
    const text = plainInvoice(lines);
    const bytes = Buffer.from(text);
    const { findings } = validateEInvoice(bytes);
    if (findings.length > 0) throw new Error(`The invoice is not clean: ${findings[0]?.message}`);
    const parser = timesOf(() => parseOnly(text), seconds / 4);
    const judged = timesOf(() => validateEInvoice(bytes), seconds / 4);
    const p50_ms = quantile(judged, 0.5);
    figures.push({
      measurement: 'peppol',
      what: `judging ${lines} lines, ${(bytes.length / 1e6).toFixed(2)} MB`,
      per_second: 1000 / p50_ms,
      p50_ms,
      p99_ms: quantile(judged, 0.99),
      value: `${(p50_ms / quantile(parser, 0.5)).toFixed(2)} × the parser alone`,
      wanted: `p50 ≤ ${wanted_ms} ms`,
      is_met: p50_ms <= wanted_ms,
    });
  }
  for (const [what, document] of hostileDocuments()) {
    const bytes = Buffer.from(document);
    const times = timesOf(() => validateEInvoice(bytes), Math.min(1, seconds / 10));
    const p50_ms = quantile(times, 0.5);
    figures.push({
      measurement: 'peppol',
      what: `hostile: ${what}`,
      p50_ms,
      wanted: `p50 ≤ ${hostile_ms_max} ms`,
      is_met: p50_ms <= hostile_ms_max,
    });
  }
  return figures;
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
