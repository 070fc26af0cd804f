/** A quarter's return in the one stop shop, from the books. */
import type { Db } from '../../db/pool.ts';
import { oreToNumber } from '../../domain/basics/money.ts';
import {
  type EuroRates,
  type OssQuarter,
  type OssReturn,
  ossQuarter,
  ossReturn,
} from '../../domain/ledger/oss-return.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { type OssBooks, readOssBooks } from './oss-store.ts';

export interface ReadOss extends OssReturn {
  readonly quarter: OssQuarter;
  /** What has been posted on 2670 in the quarter, and what of it no invoice explains. */
  readonly postedOre: bigint;
  readonly otherOre: bigint;
}

const euro = (cent: bigint | null): number | null => (cent === null ? null : oreToNumber(cent));

/** As the API and the command line tell it, in kronor, in what was sold in, and in euro. */
export const ossFacts = (read: ReadOss) => ({
  quarter: read.quarter.name,
  from: read.quarter.start,
  to: read.quarter.end,
  due_date: read.quarter.dueOn,
  lines: read.lines.map((line) => ({
    country: line.country,
    vat_rate: line.rateE2 / 100,
    supply: line.supply,
    net_amount: oreToNumber(line.netOre),
    vat_amount: oreToNumber(line.vatOre),
    net_eur: euro(line.netCent),
    vat_eur: euro(line.vatCent),
    sold: line.sold.map(({ currency, net, vat }) => ({
      currency,
      net: oreToNumber(net),
      vat: oreToNumber(vat),
    })),
  })),
  corrections: read.corrections.map((one) => ({
    quarter: one.quarter,
    country: one.country,
    vat_amount: oreToNumber(one.vatOre),
    vat_eur: euro(one.vatCent),
  })),
  vat_amount: oreToNumber(read.vatOre),
  vat_eur: euro(read.vatCent),
  posted_amount: oreToNumber(read.postedOre),
  currencies: [...read.currencies],
});

/** Throws 422 for what is no quarter. `read` reads the books, as whoever asks may. */
export async function readOss(
  db: Db,
  name: string,
  rates: EuroRates,
  read: (db: Db, quarter: OssQuarter) => Promise<OssBooks> = readOssBooks,
): Promise<ReadOss> {
  const quarter = ossQuarter(name);
  if (!quarter) throw refuseWhole('unprocessable', 'no_oss_quarter', { period: name });
  const { sales, postedOre } = await read(db, quarter);
  const told = ossReturn(quarter, sales, rates);
  return { ...told, quarter, postedOre, otherOre: postedOre - told.vatOre };
}
