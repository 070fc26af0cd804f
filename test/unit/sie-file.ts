/** Small SIE files for the tests, written here: none is anybody's. */
import { encodePc8 } from '#src/domain/ledger/sie/code-page.ts';
import { SieEncodingScan, type SieLetters } from '#src/domain/ledger/sie/encoding.ts';

const head = [
  '#FLAGGA 0',
  '#PROGRAM "Prov" 1.0',
  '#FORMAT PC8',
  '#GEN 20260131',
  '#SIETYP 4',
  '#FNAMN "Åkeriet Öst AB"',
];
const chart = ['#KONTO 1930 "Bank"', '#KONTO 2081 "Aktiekapital"', '#KONTO 3001 "Försäljning"'];

export interface FileParts {
  readonly head?: readonly string[];
  readonly years?: readonly string[];
  readonly chart?: readonly string[];
  readonly balances?: readonly string[];
  readonly vouchers?: readonly string[];
}

/** A year of one voucher of 100 kronor, in which all adds up; a test changes what it is about. */
export const yearParts: Required<FileParts> = {
  head,
  years: ['#RAR 0 20260101 20261231', '#RAR -1 20250101 20251231'],
  chart,
  balances: [
    '#IB 0 1930 50000.00',
    '#IB 0 2081 -50000.00',
    '#UB 0 1930 50100.00',
    '#UB 0 2081 -50000.00',
    '#RES 0 3001 -100.00',
  ],
  vouchers: voucher('A 1 20260115 "Såld vara"', '1930 {} 100.00', '3001 {} -100.00'),
};

/** What a check tells of that year, but for its amounts. */
export const yearFacts = {
  verdict: 'ok',
  type: '4E',
  encoding: 'CP437',
  program: 'Prov 1.0',
  company: 'Åkeriet Öst AB',
  years: [
    { start: '2026-01-01', end: '2026-12-31' },
    { start: '2025-01-01', end: '2025-12-31' },
  ],
  accounts: 3,
  vouchers: 1,
  rows: 2,
} as const;

/** A transfer: vouchers alone. */
export const transferParts: Required<FileParts> = { ...yearParts, years: [], balances: [] };

/** The lines of a voucher; rows are TRANS unless they begin with a hash. */
export function voucher(ver: string, ...rows: readonly string[]): string[] {
  const lines = rows.map((row) => (row.startsWith('#') ? row : `#TRANS ${row}`));
  return [`#VER ${ver}`, '{', ...lines, '}'];
}

export const sieText = (parts: Required<FileParts>): string =>
  `${[parts.head, parts.years, parts.chart, parts.balances, parts.vouchers].flat().join('\n')}\n`;

/** In code page 437, as the format asks. */
export const sieBytes = (text: string): Uint8Array => encodePc8(text);

export function lettersOf(bytes: Uint8Array): SieLetters {
  const scan = new SieEncodingScan();
  scan.read(bytes);
  return scan.end();
}

/** The bytes in pieces of so many. */
export const inChunks = (bytes: Uint8Array, length: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, nth) =>
    bytes.subarray(nth * length, (nth + 1) * length),
  );
