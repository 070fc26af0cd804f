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

const movingYear = (
  years: readonly string[],
  balances: readonly string[],
  vouchers: readonly string[],
) =>
  [
    '#FLAGGA 0',
    '#PROGRAM "Gamla programmet" 9.1',
    '#FORMAT PC8',
    '#GEN 20260701',
    '#SIETYP 4',
    '#ORGNR 556702-6934',
    '#FNAMN "Testbolaget AB"',
    ...years,
    '#KONTO 1510 "Kundfordringar"',
    '#KONTO 1930 "Bank"',
    '#KONTO 2081 "Aktiekapital"',
    '#KONTO 2099 "Årets resultat"',
    '#KONTO 2440 "Leverantörsskulder"',
    '#KONTO 2611 "Utgående moms 25 %"',
    '#KONTO 3001 "Försäljning 25 %"',
    '#KONTO 5010 "Lokalhyra"',
    '#KONTO 8999 "Årets resultat"',
    ...balances,
    ...vouchers,
    '',
  ].join('\n');

/** A company that moves in: its last year in the old program, closed there, and this one up to its middle. */
export const movingFiles: readonly [string, string] = [
  movingYear(
    ['#RAR 0 20250101 20251231'],
    [
      '#IB 0 1930 50000.00',
      '#IB 0 2081 -50000.00',
      '#UB 0 1930 51000.00',
      '#UB 0 2081 -50000.00',
      '#UB 0 2099 -1000.00',
      '#RES 0 3001 -1000.00',
      '#RES 0 8999 1000.00',
    ],
    [
      ...['#VER A 1 20250310 "Kontantförsäljning"', '{', '#TRANS 1930 {} 1000.00'],
      ...['#TRANS 3001 {} -1000.00', '}'],
      ...['#VER A 2 20251231 "Årets resultat"', '{', '#TRANS 8999 {} 1000.00'],
      ...['#TRANS 2099 {} -1000.00', '}'],
    ],
  ),
  movingYear(
    ['#RAR 0 20260101 20261231', '#RAR -1 20250101 20251231'],
    [
      '#IB 0 1930 51000.00',
      '#IB 0 2081 -50000.00',
      '#IB 0 2099 -1000.00',
      '#UB 0 1510 1250.00',
      '#UB 0 1930 51000.00',
      '#UB 0 2081 -50000.00',
      '#UB 0 2099 -1000.00',
      '#UB 0 2440 -400.00',
      '#UB 0 2611 -250.00',
      '#RES 0 3001 -1000.00',
      '#RES 0 5010 400.00',
    ],
    [
      ...['#VER B 1 20260620 "Kundfaktura 8"', '{', '#TRANS 1510 {} 1250.00'],
      ...['#TRANS 2611 {} -250.00', '#TRANS 3001 {} -1000.00', '}'],
      ...['#VER D 1 20260625 "Hyra juli"', '{', '#TRANS 5010 {} 400.00'],
      ...['#TRANS 2440 {} -400.00', '}'],
    ],
  ),
];
