/**
 * The order of test files, in which no processor idles: processes that wait for one another first, beside each
 * other and whatever follows; last those whose files are all short.
 */
import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export const folders = ['process', 'browser', 'database', 'pages', 'http', 'workers', 'unit'];

/** What takes minutes of the processor, since it works and is killed for long: by its own command (`npm run test:slow`). */
export const slowFolder = 'slow';

/** What tries at random, which is run once more among what is slow, with more tries (`support/tries.ts`). */
export const triedMore = [
  ...[
    'backup',
    'bank-matching',
    'bank-orders',
    'bank-undoing',
    'ledger',
    'settlement',
    'sie-import',
  ].map((name) => `test/database/${name}.test.ts`),
  ...['orders', 'stats', 'surface', 'voucher-export', 'vouchers-post', 'vouchers-read'].map(
    (name) => `test/http/${name}.test.ts`,
  ),
  'test/pages/english.test.ts',
  'test/browser/hostile.test.ts',
  'test/process/crash-under-load.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number =>
  folders.indexOf(relative(import.meta.dirname, moduleId).split(sep)[0] ?? '');

export class InTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longestFirst = await super.sort(files);
    return longestFirst.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
