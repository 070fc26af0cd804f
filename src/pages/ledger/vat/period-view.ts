/** What the page of a VAT period shows of its return, its controls, and what mends it. */
import type { Db } from '../../../db/pool.ts';
import { addMonths } from '../../../domain/basics/dates.ts';
import type { DateSpan } from '../../../domain/ledger/vat-deadlines.ts';
import { type VatReturn, vatReturnOf } from '../../../domain/ledger/vat-return.ts';
import { listMending } from '../../../ledger/vat-filings/assignment-store.ts';
import { controlsInWords, leftOutWords } from '../../../ledger/vat-filings/control-words.ts';
import type { ReadVatPeriod } from '../../../ledger/vat-filings/reading.ts';
import type { FrozenReturn } from '../../../ledger/vat-filings/return-store.ts';
import { amountText, wholeKronorText } from '../../format.ts';
import { shownVoucher } from './shown-voucher.ts';

/** Box by box; beside what was filed, where it is to be filed anew, what that would be. */
export function shownReturn(end: string, first: VatReturn, anew: VatReturn | null) {
  const kronorOf = ({ boxes }: VatReturn, box: string): bigint =>
    boxes.find((one) => one.box === box)?.kronor ?? 0n;
  // In the form's order, also where only one of the two has the box.
  const both = [...first.boxes, ...(anew?.boxes ?? [])];
  const known = new Map(both.map(({ box, name }) => [box, name]));
  return {
    hasNew: anew !== null,
    boxes: [...known].map(([box, name]) => ({
      box,
      name,
      href: `/moms/${end}/ruta/${box}`,
      amount: wholeKronorText(kronorOf(first, box)),
      anew: anew && wholeKronorText(kronorOf(anew, box)),
    })),
    box49: {
      name: (anew ?? first).toPay < 0n ? 'Moms att få tillbaka' : 'Moms att betala',
      amount: wholeKronorText(first.toPay),
      anew: anew && wholeKronorText(anew.toPay),
    },
  };
}

export function shownFiled(one: FrozenReturn, who: string) {
  const { end, number, filedOn, way, reference, note, withdrawnAt } = one;
  return {
    number,
    href: `/moms/${end}/lamnad/${number}/moms.xml`,
    on: filedOn,
    how: way === 'file' ? 'med filen' : `på annat sätt: ${reference}`,
    who,
    note,
    toPay: wholeKronorText(vatReturnOf(one.parts).toPay),
    isWithdrawn: withdrawnAt !== null,
  };
}

/** `year` is the fiscal year that the period ends in. */
export function shownControls(read: ReadVatPeriod, year: number | null) {
  const oneStopShop = read.controls.oneStopShopOre;
  return {
    controls: controlsInWords(read).map(({ holds, accounts, vouchers, ...one }) => ({
      ...one,
      chip: holds ? { tone: 'good', text: 'Stämmer' } : { tone: 'warn', text: 'Se efter' },
      links: holds
        ? []
        : [
            ...accounts.map((account) => ({
              href: `/kontoplan/${account}?ar=${year}&fran=${read.start.slice(0, 7)}&till=${read.end.slice(0, 7)}`,
              text: `Konto ${account}`,
            })),
            ...vouchers.map(({ id, label }) => ({ href: `/verifikat/${id}`, text: label })),
          ],
    })),
    oneStopShop: oneStopShop === 0n ? null : amountText(oneStopShop),
    leftOut: read.leftOut.map((one) => ({
      ...shownVoucher(one),
      why: leftOutWords[one.why],
      countsIn: one.countsIn && { href: `/moms/${one.countsIn}`, text: one.countsIn },
    })),
  };
}

export async function shownMending(db: Db, read: ReadVatPeriod) {
  const candidates = read.filing ? [...read.late, ...(await listMending(db, read))] : [];
  return {
    assigned: read.assigned.map((one) => ({
      ...shownVoucher(one),
      inReturn: one.returnNumber,
    })),
    candidates: candidates.map(shownVoucher),
  };
}

/** Where sales within the EU are told buyer by buyer: of each month, and the quarter where only services were sold. */
export function statementLinks({ start, end }: DateSpan, { boxes }: VatReturn) {
  const has = (box: string): boolean => boxes.some((one) => one.box === box);
  if (!has('35') && !has('38') && !has('39')) return [];
  const names: string[] = [];
  for (let month = start; month <= end; month = addMonths(`${month.slice(0, 7)}-01`, 1)) {
    names.push(month.slice(0, 7));
    const isLast = Number(month.slice(5, 7)) % 3 === 0;
    if (isLast) names.push(`${month.slice(0, 4)}-Q${Number(month.slice(5, 7)) / 3}`);
  }
  return names.map((name) => ({ text: name, href: `/moms/periodisk-sammanstallning/${name}` }));
}
