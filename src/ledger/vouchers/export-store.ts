/**
 * Vouchers of one moment of the ledger, however long it takes to read them. Vouchers never change and the numbers of a
 * series have no gaps, so what stood at a moment is, for ever, every voucher up to the number that its series had come
 * to: a snapshot that holds no transaction and that can be asked for again. Lines are written by PostgreSQL, which is
 * what keeps an export near its own COPY.
 */
import type { Db } from '../../db/pool.ts';
import { join, prepared, type Sql, sql } from '../../db/sql.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import type { VoucherPlace, VouchersAsked } from './cursor.ts';
import { pageRowsMax, vouchersOf, wholePageOf } from './store.ts';

/** How far a series had come. */
export interface SeriesMark {
  id: string;
  /** The fiscal year's number. */
  year: number;
  code: string;
  last_number: number;
  /** The seal of the voucher with that number, and so of all before it (docs/sealed-vouchers.md). */
  hash: Buffer;
}

/** How far every series has come that has a voucher: one statement, so one moment. */
export const listSeriesMarks = (db: Db): Promise<SeriesMark[]> =>
  db.query(sql`select s.id, y.year, s.code, s.last_number, s.last_hash as hash
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where s.last_number > 0 order by y.start_date, s.code`);

type AskedMark = Pick<SeriesMark, 'year' | 'code' | 'last_number'>;

/** The same of vouchers that are there now, in the order asked for; fewer than asked for when some are not. */
export const findSeriesMarks = (db: Db, asked: readonly AskedMark[]): Promise<SeriesMark[]> =>
  db.query(sql`select s.id, y.year, s.code, v.number as last_number, v.hash
    from unnest(${asked.map(({ year }) => year)}::integer[], ${asked.map(({ code }) => code)}::text[],
      ${asked.map((mark) => mark.last_number)}::integer[]) with ordinality as m (year, code, number, place)
    join ledger.fiscal_years y on y.year = m.year
    join ledger.series s on s.fiscal_year_id = y.id and s.code = m.code
    join ledger.vouchers v on v.series_id = s.id and v.number = m.number
    order by m.place`);

/** Where a voucher stands in the reading order, when it is one of the moment's. */
export async function findPlace(
  db: Db,
  marks: readonly SeriesMark[],
  id: string,
): Promise<VoucherPlace | undefined> {
  const [found] = await db.query<VoucherPlace>(
    sql`select v.verification_date as date, v.series, v.number
        from ledger.vouchers v join ${upTo(marks)} where v.id = ${id}::uuid`,
  );
  return found;
}

/** What is asked for of a moment. */
export interface ExportAsked {
  readonly filter: VouchersAsked;
  readonly marks: readonly SeriesMark[];
  /** Rows as lines of CSV, or a voucher with its rows as a line of JSON. */
  readonly format: 'csv' | 'ndjson';
  readonly withNames: boolean;
  readonly withDimensions: boolean;
}

/** How much there is of it after the place. */
export async function countExport(
  db: Db,
  { filter, marks }: Pick<ExportAsked, 'filter' | 'marks'>,
  place: VoucherPlace | undefined,
): Promise<{ vouchers: number; rows: number }> {
  const [counted] = await db.query<{ vouchers: number; rows: bigint }>(
    sql`select count(*)::integer as vouchers, coalesce(sum(v.row_count), 0)::bigint as rows
        from (${vouchersOf(filter, place)}) as v join ${upTo(marks)}`,
  );
  return { vouchers: counted?.vouchers ?? 0, rows: Number(counted?.rows ?? 0n) };
}

export interface ExportPage {
  /** Whole lines, in pieces of some hundred rows: a text as long as a page would cost more in garbage than to read it. */
  readonly texts: readonly string[];
  readonly vouchers: number;
  readonly rows: number;
  readonly totalOre: Ore;
  /** The last voucher looked at, when others may follow. */
  readonly next: VoucherPlace | undefined;
}

interface ExportPiece extends VoucherPlace {
  text: string;
  vouchers: number;
  rows: number;
  total_ore: Ore;
  has_more: boolean;
}

/** Of three rows, as most are, they are nearly a page: some 800 kB, and 10 MB where each has a note as long as it may be. */
const pageVouchers = 1_500;
/** Some 50 kB. */
const pieceRows = 300;

/** The next vouchers after the place, in the order of `listVouchers`: so many that a page fits in memory. */
export async function readExportPage(
  db: Db,
  { filter, marks, format, withNames, withDimensions }: ExportAsked,
  place: VoucherPlace | undefined,
): Promise<ExportPage> {
  const { name, page } = wholePageOf(filter, place, pageVouchers + 1);
  const line = { csv: csvLines, ndjson: jsonLine }[format]({ withNames, withDimensions });
  const pieces = await db.query<ExportPiece>(
    prepared(
      `export ${format} ${withNames} ${withDimensions} by ${name}`,
      sql`with page as materialized (
            select v.*, row_number() over later as place, sum(v.row_count) over later - v.row_count as rows_before
            from (${page}) as v
            window later as (order by v.verification_date, v.series, v.number
              rows between unbounded preceding and current row)
          ), told as materialized (
            select v.*, m.id is not null as is_in, v.rows_before / ${pieceRows} as piece
            from page v left join ${upTo(marks)}
            where v.place <= ${pageVouchers} and v.rows_before < ${pageRowsMax}
          )
          select t.text, t.vouchers, t.rows, t.total_ore, t.last < (select count(*) from page) as has_more,
            l.verification_date as date, l.series, l.number
          from (
            select coalesce(string_agg(${line}, '' order by v.place) filter (where v.is_in), '') as text,
              (count(*) filter (where v.is_in))::integer as vouchers,
              coalesce(sum(v.row_count) filter (where v.is_in), 0)::integer as rows,
              coalesce(sum(v.total_ore) filter (where v.is_in), 0)::bigint as total_ore,
              max(v.place) as last
            from told v group by v.piece
          ) as t
          join told l on l.place = t.last
          order by t.last`,
    ),
  );
  const last = pieces.at(-1);
  const count = (read: (piece: ExportPiece) => number) =>
    pieces.reduce((total, piece) => total + read(piece), 0);
  return {
    texts: pieces.flatMap(({ text }) => (text === '' ? [] : [text])),
    vouchers: count(({ vouchers }) => vouchers),
    rows: count(({ rows }) => rows),
    totalOre: sum(pieces.map(({ total_ore }) => total_ore)),
    next: last?.has_more
      ? { date: last.date, series: last.series, number: last.number }
      : undefined,
  };
}

/** What voucher `v` is joined with when it is one of the moment's, `m`. */
const upTo = (marks: readonly SeriesMark[]): Sql =>
  sql`unnest(${marks.map(({ id }) => id)}::uuid[], ${marks.map((mark) => mark.last_number)}::integer[])
    as m (id, last_number) on m.id = v.series_id and v.number <= m.last_number`;

type More = Pick<ExportAsked, 'withNames' | 'withDimensions'>;

const none = sql``;
/** What rows `r` are told with. */
const joined = ({ withNames, withDimensions }: More): Sql => sql`
  ${withNames ? sql`join ledger.accounts a on a.number = r.account` : none}
  ${
    withDimensions
      ? sql`left join ledger.dimensions c on c.id = r.cost_center_id left join ledger.dimensions j on j.id = r.project_id`
      : none
  }`;

const externalId = sql`(select e.external_id from ledger.external_ids e where e.voucher_id = v.id)`;
/** Put together: `||` of texts takes three quarters of what `concat` does (measured), and is null when one of them is. */
const put = (...parts: readonly Sql[]): Sql => join(parts, sql` || `);
/** Öre as kronor, written as JSON.stringify writes the number: 125, 0.5, 1234.05. */
const kronor = (ore: Sql): Sql =>
  sql`case when ${ore} = 0 then '0' else trim_scale(${ore} * 0.01)::text end`;
const json = (value: Sql): Sql => sql`coalesce(to_json(${value})::text, 'null')`;

/** As the list has it (`voucher` of src/api/vouchers/schemas.ts): a test holds the one to the other. */
function jsonLine({ withNames, withDimensions }: More): Sql {
  const row = put(
    sql`'{"row_no":' || r.row_no::text || ',"account":' || r.account::text`,
    ...(withNames ? [sql`',"account_name":' || ${json(sql`a.name`)}`] : []),
    sql`',"debit":' || ${kronor(sql`r.debit_ore`)} || ',"credit":' || ${kronor(sql`r.credit_ore`)}`,
    sql`',"note":' || ${json(sql`r.note`)} || ',"vat_code":' || ${json(sql`r.vat_code`)}`,
    ...(withDimensions
      ? [
          sql`',"cost_center":' || ${json(sql`r.cost_center_id`)} || ',"cost_center_code":' || ${json(sql`c.code`)}`,
          sql`',"cost_center_name":' || ${json(sql`c.name`)} || ',"project":' || ${json(sql`r.project_id`)}`,
          sql`',"project_code":' || ${json(sql`j.code`)} || ',"project_name":' || ${json(sql`j.name`)}`,
        ]
      : []),
    sql`'}'`,
  );
  return put(
    sql`'{"id":"' || v.id::text || '","number":' || v.number::text || ',"series":' || ${json(sql`v.series`)}`,
    sql`',"verification_date":' || ${json(sql`v.verification_date`)}`,
    sql`',"description":' || ${json(sql`v.description`)} || ',"counterparty":' || ${json(sql`v.counterparty`)}`,
    sql`',"source":' || ${json(sql`v.source`)} || ',"external_id":' || ${json(externalId)} || ',"rows":['`,
    sql`(select string_agg(${row}, ',' order by r.row_no) from ledger.voucher_rows r
      ${joined({ withNames, withDimensions })} where r.voucher_id = v.id)`,
    sql`']}' || chr(10)`,
  );
}

/** RFC 4180: text in quotes, nothing where there is none. */
const quoted = (text: Sql): Sql => sql`coalesce('"' || replace(${text}, '"', '""') || '"', '')`;

/** The columns of CSV, in their order. */
export const csvColumns = ({ withNames, withDimensions }: More): readonly string[] => [
  ...['line', 'voucher_id', 'series', 'number', 'verification_date', 'description', 'counterparty'],
  ...['source', 'external_id', 'row_count', 'row_no', 'account'],
  ...(withNames ? ['account_name'] : []),
  ...['debit', 'credit', 'note', 'vat_code'],
  ...(withDimensions
    ? [
        ...['cost_center', 'cost_center_code', 'cost_center_name'],
        ...['project', 'project_code', 'project_name'],
      ]
    : []),
];

function csvLines({ withNames, withDimensions }: More): Sql {
  const ofVoucher = [
    ...[sql`'row'`, sql`v.id::text`, quoted(sql`v.series`), sql`v.number::text`],
    ...[sql`to_char(v.verification_date, 'YYYY-MM-DD')`, quoted(sql`v.description`)],
    ...[quoted(sql`v.counterparty`), quoted(sql`v.source`), quoted(externalId)],
    sql`v.row_count::text`,
  ];
  const ofRow = [
    ...[sql`r.row_no::text`, sql`r.account::text`, ...(withNames ? [quoted(sql`a.name`)] : [])],
    ...[kronor(sql`r.debit_ore`), kronor(sql`r.credit_ore`)],
    ...[quoted(sql`r.note`), quoted(sql`r.vat_code`)],
    ...(withDimensions
      ? [
          ...[sql`coalesce(r.cost_center_id::text, '')`, quoted(sql`c.code`), quoted(sql`c.name`)],
          ...[sql`coalesce(r.project_id::text, '')`, quoted(sql`j.code`), quoted(sql`j.name`)],
        ]
      : []),
  ];
  const comma = sql` || ',' || `;
  return sql`(select string_agg(h.head || ${join(ofRow, comma)} || chr(13) || chr(10), '' order by r.row_no)
    from (select ${join(ofVoucher, comma)} || ',' as head offset 0) as h
    cross join ledger.voucher_rows r ${joined({ withNames, withDimensions })}
    where r.voucher_id = v.id)`;
}
