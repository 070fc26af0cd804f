/** A printer that prints for long. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { collectionCase } from '#src/domain/sales/collection-case.ts';
import { PdfPrinter } from '#src/render/printer.ts';
import { loadTemplate } from '#src/render/templates.ts';
import { caseView } from '#src/sales/collection/view.ts';
import { collectionFacts } from '../support/documents.ts';
import { childrenOf } from '../support/processes.ts';

const browsers = (): number[] => childrenOf(process.pid);

/** Megabytes that these processes and all they have started take, shared memory counted once. */
function memoryOf(pids: readonly number[]): number {
  const own = (pid: number): number => {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
      return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024 + memoryOf(childrenOf(pid));
    } catch {
      return 0; // It has ended meanwhile.
    }
  };
  return pids.reduce((sum, pid) => sum + own(pid), 0);
}

const collectionPage = loadTemplate('documents/collection');

test('a printer takes no more memory the more it prints', async () => {
  const own = new PdfPrinter(undefined);
  onTestFinished(() => own.close());
  const before = browsers();
  const html = collectionPage(
    caseView(collectionCase(collectionFacts(5), '2026-06-30', '2026-06-30T12:00:00Z'), '', 'UTC'),
  );
  const print = async (count: number) => {
    for (let n = 0; n < count; n += 1) await own.print(html);
  };
  await print(40);
  const mine = browsers().filter((pid) => !before.includes(pid));
  const first_mb = memoryOf(mine);
  await print(100);
  // 300 MB when nobody collects the garbage.
  expect(memoryOf(mine) - first_mb).toBeLessThan(120);
});
