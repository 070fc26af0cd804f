/** SIE files as tests look at them: judged by the program's own check, and added up by hand. */

import { type Pool, withTx } from '#src/db/pool.ts';
import { decodePc8 } from '#src/domain/ledger/sie/code-page.ts';
import { checkSie } from '#src/ledger/sie/checking.ts';
import {
  beginExport,
  type SieExportOptions,
  type SieExportReport,
} from '#src/ledger/sie/exporting.ts';

export interface WrittenFile {
  readonly bytes: Buffer;
  readonly text: string;
  readonly lines: readonly string[];
  readonly report: SieExportReport;
  readonly fileName: string;
}

type Wanted = Partial<SieExportOptions>;

/** The file of the books; `between` happens after it is begun and before it is read. */
export async function exportBooks(
  owner: Pool,
  wanted: Wanted = {},
  between: () => Promise<unknown> = async () => undefined,
): Promise<WrittenFile> {
  const begun = await beginExport((work) => withTx(owner, work), {
    year: 2026,
    type: '4E',
    timeZone: 'Europe/Stockholm',
    ...wanted,
  });
  await between();
  const bytes = Buffer.concat(await Array.fromAsync(begun.content));
  const text = decodePc8(bytes);
  const lines = text.split('\r\n').filter((line) => line !== '');
  return { bytes, text, lines, report: begun.report(), fileName: begun.fileName };
}

/** What `huvudbok sie check` says of the bytes. */
export function judge(bytes: Uint8Array, extension = '.se') {
  return checkSie(async function* () {
    yield bytes;
  }, extension);
}

/** Öre of `-12.50`. */
const oreOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** Counted from the lines alone: IB + #TRANS = UB and #TRANS = RES, for every account; what is not so. */
export function faultsInSums(lines: readonly string[]): string[] {
  const sums = new Map<string, bigint>();
  const add = (key: string, ore: bigint) => sums.set(key, (sums.get(key) ?? 0n) + ore);
  const accounts = new Set<string>();
  for (const line of lines) {
    const [, label, account = '', amount = ''] =
      /^#(IB|UB|RES) 0 (\d+) (\S+)$/.exec(line) ??
      /^#(TRANS) (\d+) \{[^}]*\} (-?\d+\.\d\d)( |$)/.exec(line) ??
      [];
    if (label === undefined) continue;
    accounts.add(account);
    add(`${label} ${account}`, oreOf(amount));
  }
  const of = (label: string, account: string): bigint => sums.get(`${label} ${account}`) ?? 0n;
  return [...accounts].filter((account) =>
    account < '3000'
      ? of('IB', account) + of('TRANS', account) !== of('UB', account)
      : of('TRANS', account) !== of('RES', account),
  );
}
