/** How many files and connections a process may have open, which whoever starts it decides (`ulimit -n`). */
import { readFile } from 'node:fs/promises';
import { OperatorError } from '../lib/operator-error.ts';

/** PostgreSQL starts with 64, but cannot be made anew with so few, as a backup does when it is proved. */
const openFilesMin = 96;

const wayOut = 'höj gränsen, t.ex. med ulimit -n 1024 (LimitNOFILE i systemd)';

/** Throws an OperatorError where so few may be open that the program stops half-way. Told on Linux alone. */
export async function refuseFewFiles(): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, most = ''] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  if (most === '' || Number(most) >= openFilesMin) return;
  throw new OperatorError(
    `Högst ${most} filer får vara öppna samtidigt här, och Huvudbok behöver ${openFilesMin}: ${wayOut}.`,
  );
}
