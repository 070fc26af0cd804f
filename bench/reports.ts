/**
 * (m) The reports among a million vouchers, straight through the code that pages and commands call: sums of a year, of
 * days within months and of a dimension, the first page of each listing, a whole listing as CSV, and as many lines of it
 * as a workbook and a PDF have room for, with the processor's time and the memory each takes.
 */
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { linesMax, reportCsv } from '#src/reports/books/files.ts';
import { reportPdf } from '#src/reports/books/pdf.ts';
import { type AskedReport, readOptions, reports } from '#src/reports/books/reports.ts';
import { allLines, type BookReport, type ReportLine } from '#src/reports/books/table.ts';
import { reportWorkbook } from '#src/reports/books/workbook.ts';
import type { Figure } from './figure.ts';
import { seed } from './seed.ts';
import { percentile } from './statistics.ts';
import type { System } from './system.ts';

const reads = 7;
const page_lines = 200;
const sums_ms_wanted = 300;
const dimension_ms_wanted = 1000;
const listing_ms_wanted = 200;
const day = { today: '2026-11-20', timeZone: 'Europe/Stockholm' };
const year = { from: '2026-01-01', to: '2026-12-31' };
/** Begins and ends in the middle of months: the most rows that are read one by one. */
const crooked = { from: '2025-05-16', to: '2026-10-15' };
const month = { from: '2026-11-01', to: '2026-11-30' };

export async function measureReports(
  system: System,
  options: { vouchers: number; note: (line: string) => void },
): Promise<Figure[]> {
  await seed(system, options.vouchers, options.note);
  await carryProject(system);
  const figures: Figure[] = [];
  for (const report of reports) {
    const isListing = report.isListing === true;
    const wanted = isListing ? listing_ms_wanted : sums_ms_wanted;
    for (const asked of [year, crooked, month]) {
      figures.push(await measureOne(system, report, asked, wanted));
    }
    if (report.takes.includes('dimension')) {
      const asked = { ...crooked, dimension: 'project:BENCH' };
      figures.push(await measureOne(system, report, asked, dimension_ms_wanted));
    }
    if (report.takes.includes('months')) {
      figures.push(await measureOne(system, report, { ...year, isByMonth: true }, wanted));
    }
  }
  for (const [format, max] of Object.entries(files)) {
    figures.push(await measureFile(system, format as keyof typeof files, max));
  }
  return figures;
}

/** The rows of every fiftieth voucher are of one project, put there once, past the triggers that let nobody change a row. */
async function carryProject({ owner }: System): Promise<void> {
  const [known] = await db(owner).query(
    sql`select 1 from ledger.dimensions where kind = 'project' and code = 'BENCH'`,
  );
  if (known) return;
  await withTx(owner, async (tx) => {
    const { id } = await insertDimension(tx, { kind: 'project', code: 'BENCH', name: 'Mätning' });
    await tx.query(sql`alter table ledger.voucher_rows disable trigger user`);
    await tx.query(
      sql`update ledger.voucher_rows set project_id = ${id}::uuid where number % 50 = 0`,
    );
    await tx.query(sql`alter table ledger.voucher_rows enable trigger user`);
  });
}

async function measureOne(
  { owner }: System,
  report: BookReport,
  asked: AskedReport,
  wanted: number,
): Promise<Figure> {
  const times: number[] = [];
  for (let read = 0; read < reads; read += 1) {
    const begun = performance.now();
    const options = await readOptions(db(owner), report, asked, day);
    await report.read(db(owner), options, { limit: page_lines });
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  const p50_ms = percentile(times, 0.5);
  const of = [
    `${asked.from} to ${asked.to}`,
    ...(asked.dimension ? ['a project with a fiftieth of the rows'] : []),
    ...(asked.isByMonth ? ['month by month'] : []),
  ];
  return {
    measurement: 'reports',
    what: `${report.name}, ${of.join(', ')}`,
    p50_ms,
    p99_ms: percentile(times, 0.99),
    wanted: `≤ ${wanted} ms`,
    is_met: p50_ms <= wanted,
  };
}

/** How many lines of each: all, or what it has room for. */
const files = { csv: Number.POSITIVE_INFINITY, xlsx: linesMax.xlsx, pdf: linesMax.pdf } as const;

async function* firstLines(
  portions: AsyncIterable<readonly ReportLine[]>,
  max: number,
): AsyncGenerator<readonly ReportLine[]> {
  let left = max;
  for await (const lines of portions) {
    yield lines.slice(0, left);
    left -= lines.length;
    if (left <= 0) return;
  }
}

async function measureFile(
  { owner }: System,
  format: keyof typeof files,
  max: number,
): Promise<Figure> {
  const report = reports.find(({ name }) => name === 'general-ledger');
  if (!report) throw new Error('there is no general ledger');
  const options = await readOptions(db(owner), report, year, day);
  const columns = report.columns(options);
  const lines = firstLines(
    allLines((work) => work(db(owner)), report, options),
    max,
  );
  const company = { name: 'Mätning AB', orgNumber: null };
  const made: Readonly<Record<keyof typeof files, () => AsyncIterable<string | Buffer>>> = {
    csv: () => reportCsv(columns, lines),
    xlsx: () => reportWorkbook(report.title, columns, lines),
    pdf: () => reportPdf({ report, options, company, lines: max }, lines),
  };
  const begun = performance.now();
  const [cpu, before] = [process.cpuUsage(), process.memoryUsage().rss];
  let [bytes, highest] = [0, before];
  for await (const chunk of made[format]()) {
    bytes += Buffer.byteLength(chunk);
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  const mb = (size: number): string => `${Math.round(size / 1_000_000)} MB`;
  const seconds = (performance.now() - begun) / 1000;
  const used = process.cpuUsage(cpu);
  const processor = (used.user + used.system) / 1_000_000;
  const of = Number.isFinite(max) ? `the first ${max} lines of the ` : '';
  return {
    measurement: 'reports',
    what: `${of}general-ledger of ${year.from} to ${year.to} as ${format.toUpperCase()}, ${mb(bytes)}`,
    value: `${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of this process's processor time, ${mb(highest - before)} more memory`,
  };
}
