/** /moms: the company's VAT periods, and imported vouchers that nobody has said what they are. */
import { z } from 'zod';
import { addMonths, isDate } from '../../../domain/basics/dates.ts';
import { quarterOf } from '../../../domain/ledger/oss-return.ts';
import type { DateSpan } from '../../../domain/ledger/vat-deadlines.ts';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import { listYears } from '../../../ledger/fiscal-years/store.ts';
import { judgeImported, takeBackJudgement } from '../../../ledger/vat-filings/imported.ts';
import { listJudged, listSettlementProposals } from '../../../ledger/vat-filings/imported-store.ts';
import { hasOneStopShop } from '../../../ledger/vat-filings/oss-store.ts';
import { listVatPeriods, type VatPeriodInBrief } from '../../../ledger/vat-filings/reading.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, kronor } from '../../format.ts';
import { uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { View, Visit } from '../../visit.ts';
import { shownVoucher } from './shown-voucher.ts';

const home = '/moms';
const voucher = z.object({ id: uuid });

export function registerVatPages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: showPeriods });
  pages.act({
    url: `${home}/importerade/:id`,
    right: 'keep_books',
    params: voucher,
    // Empty: it settles no VAT.
    fields: z.object({ end: z.string().refine((end) => end === '' || isDate(end)) }),
    perform: async ({ tx, person, params: { id } }, { end }) => {
      const said = { voucher: { id }, end: end === '' ? null : end };
      const judged = await judgeImported(tx, said, person.actor);
      const words =
        end === '' ? 'räknas som andra verifikat' : `redovisar momsen till och med ${end}`;
      return { to: home, notice: `${labelOf(judged)} ${words}.` };
    },
  });
  pages.act({
    url: `${home}/importerade/:id/ta-tillbaka`,
    right: 'keep_books',
    params: voucher,
    perform: async ({ tx, person, params: { id } }) => {
      const judged = await takeBackJudgement(tx, { id }, person.actor);
      return { to: home, notice: `${labelOf(judged)} frågas det om igen.` };
    },
  });
}

async function showPeriods({ tx, query, today }: Visit): Promise<View> {
  const years = await listYears(tx);
  const begun = years.filter(({ start }) => start <= today);
  const asked = Number(textOf(query, 'ar'));
  const year = begun.find((one) => one.year === asked) ?? begun[0];
  const periods = year ? await listVatPeriods(tx, { from: year.start, to: year.end, today }) : [];
  const proposals = await listSettlementProposals(tx);
  const ends = proposals.length === 0 ? [] : await listEnds(tx, years, today);
  return {
    template: 'vat-periods',
    title: 'Moms',
    values: {
      years: begun.map((one) => ({
        text: String(one.year),
        href: `${home}?ar=${one.year}`,
        isCurrent: one === year,
      })),
      oss: (await hasOneStopShop(tx)) && year ? ossQuarters(year, today) : [],
      periods: periods.map((one) => shown(one, today)),
      proposals: proposals.map((one) => ({
        ...shownVoucher(one),
        amount: amountText(one.ore),
        ends: ends.map((end) => ({ end, isChosen: end === one.end })),
      })),
      judged: (await listJudged(tx)).map((one) => ({
        ...shownVoucher(one),
        end: one.end,
      })),
    },
  };
}

/** The quarters of the year that have begun, whatever periods the ordinary return has. */
function ossQuarters({ start, end }: DateSpan, today: string) {
  const names: string[] = [];
  for (let month = start; month <= end && month <= today; month = addMonths(month, 1)) {
    const name = quarterOf(month);
    if (!names.includes(name)) names.push(name);
  }
  return names.map((name) => ({ text: name, href: `${home}/oss/${name}` }));
}

/** The last days of all periods there have been, the latest first. */
async function listEnds(
  tx: Visit['tx'],
  years: readonly DateSpan[],
  today: string,
): Promise<string[]> {
  const [from, to] = [years.at(-1)?.start ?? '', years.at(0)?.end ?? ''];
  return (await listVatPeriods(tx, { from, to, today })).map(({ end }) => end);
}

function shown(one: VatPeriodInBrief, today: string) {
  const { start, end, dueOn, filing, filedOtherwise, filedThrough, toPay, isMended } = one;
  return {
    href: `${home}/${end}`,
    span: `${start} – ${end}`,
    dueOn,
    toPay: toPay < 0n ? `${kronor(-toPay * 100n)} tillbaka` : kronor(toPay * 100n),
    chip: filing
      ? isMended
        ? { tone: 'warn', text: 'Rättad, lämna på nytt' }
        : { tone: 'good', text: `Lämnad ${filing.filed_on}` }
      : filedOtherwise
        ? { tone: '', text: `Lämnad i ${filedOtherwise.start} – ${filedOtherwise.end}` }
        : filedThrough
          ? { tone: 'warn', text: `Lämnad till och med ${filedThrough}` }
          : end >= today
            ? { tone: '', text: 'Pågår' }
            : dueOn < today
              ? { tone: 'bad', text: 'Skulle ha lämnats' }
              : { tone: 'warn', text: 'Att lämna' },
  };
}
