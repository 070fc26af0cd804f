/** The old program's report as lines of text: an account and its balance on each, out of a spreadsheet. */
import { parseString } from 'fast-csv';
import { type Ore, readKronor } from '../../domain/basics/money.ts';
import { type Fault, refuse } from '../../lib/errors.ts';

const linesMax = 10_000;
/** In characters. */
const textMax = 1_000_000;

/**
 * The first column of a line is the account, the last that is filled in its balance: debit above zero, credit below
 * it, as programs print it. Lines without an account, headings and sums, say nothing. Throws `unprocessable`
 * with every line whose balance cannot be read.
 */
export async function readReport(text: string): Promise<ReadonlyMap<number, Ore>> {
  const faults: Fault[] = [];
  if (text.length > textMax)
    throw refuse('unprocessable', [{ path: 'report', reason: 'report_too_long' }]);
  const plain = text.replace(/^\ufeff/, '').trim();
  const delimiter = plain.includes('\t') ? '\t' : ';';
  const options = { headers: false, delimiter, trim: true, maxRows: linesMax } as const;
  const table: AsyncIterable<string[]> = parseString(plain, options);
  const balances = new Map<number, Ore>();
  let lineNo = 0;
  try {
    for await (const row of table) {
      lineNo += 1;
      const [account = '', ...rest] = row;
      if (!/^[1-9]\d{3}$/.test(account)) continue;
      const typed = rest.filter((cell) => cell !== '').at(-1) ?? '';
      const ore = readKronor(typed);
      if (ore === undefined) {
        faults.push({
          path: 'report',
          reason: 'report_line_unreadable',
          params: { lineNo, account },
        });
      } else balances.set(Number(account), (balances.get(Number(account)) ?? 0n) + ore);
    }
  } catch (cause) {
    throw refuse('unprocessable', [{ path: 'report', reason: 'report_unreadable' }], { cause });
  }
  if (faults.length === 0 && balances.size === 0) {
    faults.push({ path: 'report', reason: 'report_unreadable' });
  }
  if (faults.length > 0) throw refuse('unprocessable', faults);
  return balances;
}
