/** The company and the chart of accounts that a SIE file describes, for the setup of new books. */
import { normalizeOrganizationNumber } from '../../basics/identifiers.ts';
import { SieEncodingScan } from './encoding.ts';
import type { SiePost } from './posts.ts';
import { SieProblems } from './problems.ts';
import { SieReader } from './reading.ts';

/** SIE's own types: tillgång, skuld (equity too), kostnad, intäkt. */
export type SieKind = 'T' | 'S' | 'K' | 'I';

export interface SieAccount {
  readonly number: string;
  readonly name: string;
  /** Null when the file does not say. */
  readonly kind: SieKind | null;
  /** The first SRU code given, null without one. */
  readonly sru: string | null;
}

export interface SieChart {
  readonly company: string | null;
  /** Ten digits; null when missing or wrong. */
  readonly organizationNumber: string | null;
  /** The current fiscal year (`#RAR 0`). */
  readonly fiscalYear: { readonly start: string; readonly end: string } | null;
  readonly accounts: readonly SieAccount[];
}

/** So much is read at once: vouchers, which no chart needs, are gone before the next come. */
const chunkBytes = 65_536;

/** The company and chart a file describes; undefined when it is no SIE file. */
export function readSieChart(bytes: Uint8Array): SieChart | undefined {
  const scan = new SieEncodingScan();
  scan.read(bytes);
  const problems = new SieProblems();
  const reader = new SieReader(scan.end(), problems);
  const posts: SiePost[] = [];
  const keep = (read: ReturnType<SieReader['end']>): void => {
    for (const { post } of read) if (chartLabels.has(post.label)) posts.push(post);
  };
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    keep(reader.read(bytes.subarray(from, from + chunkBytes)));
  }
  keep(reader.end());
  const isSie = !(['not_sie', 'utf16', 'flag_late'] as const).some((rule) => problems.has(rule));
  return isSie ? chartOf(posts) : undefined;
}

const chartLabels: ReadonlySet<string> = new Set(['FNAMN', 'ORGNR', 'RAR', 'KONTO', 'KTYP', 'SRU']);

function chartOf(posts: readonly SiePost[]): SieChart {
  let company: string | null = null;
  let number: string | null = null;
  let fiscalYear: SieChart['fiscalYear'] = null;
  for (const post of posts) {
    if (post.label === 'FNAMN') company ??= post.name.trim() || null;
    if (post.label === 'ORGNR') number ??= post.number.trim();
    if (post.label === 'RAR' && post.year === 0 && post.start !== null && post.end !== null) {
      fiscalYear ??= { start: post.start, end: post.end };
    }
  }
  return {
    company,
    organizationNumber: normalizeOrganizationNumber(number ?? ''),
    fiscalYear,
    accounts: accountsOf(posts),
  };
}

function accountsOf(posts: readonly SiePost[]): SieAccount[] {
  const accounts = new Map<string, SieAccount>();
  const change = (number: string, part: Partial<SieAccount>) => {
    const account = accounts.get(number);
    if (account) accounts.set(number, { ...account, ...part });
  };
  for (const post of posts) {
    if (post.label !== 'KONTO' || accounts.has(post.account)) continue;
    const name = post.name.trim();
    accounts.set(post.account, { number: post.account, name, kind: null, sru: null });
  }
  // KTYP and SRU should follow their KONTO; some programs write them elsewhere.
  for (const post of posts) {
    if (post.label === 'KTYP' && /^[TSKI]$/i.test(post.kind)) {
      change(post.account, { kind: post.kind.toUpperCase() as SieKind });
    }
    const isFirst = post.label === 'SRU' && accounts.get(post.account)?.sru === null;
    if (isFirst) change(post.account, { sru: post.sru });
  }
  return [...accounts.values()];
}
