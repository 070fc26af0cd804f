/** The vouchers behind a box of a VAT return, row by row. */
import { z } from 'zod';
import { isDate } from '../../../domain/basics/dates.ts';
import { sum } from '../../../domain/basics/money.ts';
import { boxName, signOf, vatReturnOf } from '../../../domain/ledger/vat-return.ts';
import {
  type BoxRow,
  type BoxRowPlace,
  listBoxRows,
} from '../../../ledger/vat-filings/control-store.ts';
import { getVatPeriod } from '../../../ledger/vat-filings/service.ts';
import { listVatSums } from '../../../ledger/vat-filings/store.ts';
import { AppError } from '../../../lib/errors.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, dayInWords, wholeKronorText } from '../../format.ts';
import type { Pages } from '../../page.ts';
import type { View, Visit } from '../../visit.ts';
import { shownVoucher } from './shown-voucher.ts';

const params = z.object({ end: z.string().refine(isDate), box: z.string().regex(/^\d{2}$/) });
const rowsShown = 200;

export function registerVatBoxPage(pages: Pages): void {
  pages.show({ url: '/moms/:end/ruta/:box', right: 'read', params, show: showBox });
}

async function showBox(visit: Visit<z.output<typeof params>>): Promise<View> {
  const {
    tx,
    params: { end, box },
    query,
  } = visit;
  const name = boxName(box);
  if (name === undefined)
    throw new AppError('not_found', `Momsdeklarationen har ingen ruta ${box}.`);
  const period = await getVatPeriod(tx, end);
  const after = placeOf(textOf(query, 'efter'));
  const found = await listBoxRows(tx, { ...period, box }, { after, limit: rowsShown + 1 });
  const rows = found.slice(0, rowsShown);
  const sums = (await listVatSums(tx, period)).filter((one) => one.box === box);
  const { boxes } = vatReturnOf(sums);
  const sign = signOf(box);
  const address = `/moms/${end}/ruta/${box}`;
  const last = rows.at(-1);
  return {
    template: 'vat-box',
    title: `Ruta ${box}`,
    values: {
      end,
      name,
      span: `${dayInWords(period.start)} – ${dayInWords(period.end)}`,
      accounts: sums.map(({ account, vatCode, ore }) => ({
        account,
        vatCode: vatCode ?? '',
        amount: amountText(sign * ore),
      })),
      total: amountText(sign * sum(sums.map(({ ore }) => ore))),
      written: wholeKronorText(boxes[0]?.kronor ?? 0n),
      rows: rows.map((row) => ({
        ...shownVoucher(row),
        account: row.account,
        accountName: row.accountName,
        vatCode: row.vatCode ?? '',
        amount: amountText(sign * row.ore),
      })),
      first: after ? address : null,
      next: found.length > rowsShown && last ? `${address}?efter=${placeText(last)}` : null,
    },
  };
}

const placeText = ({ date, series, number, rowNo }: BoxRow): string =>
  encodeURIComponent(`${date}.${series}.${number}.${rowNo}`);

/** Null at the beginning, and for what no page of ours says. */
function placeOf(text: string): BoxRowPlace | null {
  const [, date = '', series = '', number, rowNo] =
    /^(\d{4}-\d{2}-\d{2})\.(.{1,2})\.(\d{1,9})\.(\d{1,9})$/su.exec(text) ?? [];
  return isDate(date) ? { date, series, number: Number(number), rowNo: Number(rowNo) } : null;
}
