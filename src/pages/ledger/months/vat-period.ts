/** A VAT period: what its accounts hold, the voucher that settles it, and that its return is filed. */
import { z } from 'zod';
import { listActorNames } from '../../../audit/actors.ts';
import { isDate } from '../../../domain/basics/dates.ts';
import { sum } from '../../../domain/basics/money.ts';
import { type VatReturn, vatReturnOf } from '../../../domain/ledger/vat-return.ts';
import {
  unsettledVat,
  vatSettlementRows,
  vatToPay,
} from '../../../domain/ledger/vat-settlement.ts';
import { listAccountNames } from '../../../ledger/fiscal-years/store.ts';
import { getLocks } from '../../../ledger/locks/store.ts';
import {
  fileVatReturn,
  findVatPeriod,
  settleVat,
  withdrawVatFiling,
} from '../../../ledger/vat-filings/service.ts';
import {
  earliestOpenForVat,
  findFiling,
  listSettlements,
  listVatOfPeriod,
  listVatSums,
} from '../../../ledger/vat-filings/store.ts';
import { AppError } from '../../../lib/errors.ts';
import { field, formOf } from '../../fields.ts';
import { amountText, dayInWords, e4Text, kronor, monthInWords } from '../../format.ts';
import { text } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';

type OfPeriod = Visit<{ end: string }>;
const params = z.object({ end: z.string().refine(isDate) });
const addressOf = (end: string): string => `/moms/${end}`;

export function registerVatPeriodPages(pages: Pages): void {
  const place = { params, show: showPeriod } as const;
  pages.show({
    url: '/moms/:end',
    right: 'read',
    params,
    show: (visit) => showPeriod(visit, nothingTyped),
  });
  pages.act({
    ...place,
    url: '/moms/:end/omforing',
    right: 'keep_books',
    perform: async ({ tx, person, today, params: { end } }) => {
      const { voucher } = await settleVat(tx, { end, today }, person.actor);
      return voucher
        ? {
            to: addressOf(end),
            notice: `Momsen är bokad till 2650 med ${voucher.series}${voucher.number}.`,
          }
        : { to: addressOf(end), notice: 'Momskontona är redan tömda för perioden.' };
    },
  });
  pages.act({
    ...place,
    url: '/moms/:end/lamnad',
    right: 'keep_books',
    perform: async ({ tx, person, today, params: { end } }) => {
      const filed = await fileVatReturn(tx, { end, today }, person.actor);
      const { vat_locked_to: to, unfiledBefore } = filed;
      const locked = to === null ? '' : ` Momsen är låst till och med ${dayInWords(to)}.`;
      const unfiled =
        unfiledBefore.length === 0
          ? ''
          : ` Tidigare perioder som inte är antecknade: ${unfiledBefore.map((one) => `${one.start} – ${one.end}`).join(', ')}.`;
      const notice = `Deklarationen är antecknad som lämnad.${locked}${unfiled}`;
      return { to: addressOf(end), notice };
    },
  });
  pages.act({
    ...place,
    url: '/moms/:end/inte-lamnad',
    right: 'keep_books',
    fields: z.object({ reason: text(500) }),
    perform: async ({ tx, person, params: { end } }, { reason }) => {
      await withdrawVatFiling(tx, { end, reason }, person.actor);
      const notice =
        'Deklarationen är inte längre antecknad som lämnad. Momslåset står kvar tills en administratör flyttar det.';
      return { to: addressOf(end), notice };
    },
  });
}

async function showPeriod(visit: OfPeriod, input: FormInput): Promise<View> {
  const { tx, today, params } = visit;
  const period = await findVatPeriod(tx, params.end);
  if (!period) throw new AppError('not_found', `Ingen momsperiod slutar ${params.end}.`);
  const vat = await listVatOfPeriod(tx, period);
  const unsettled = unsettledVat(vat);
  const names = await listAccountNames(
    tx,
    unsettled.map(({ account }) => account),
  );
  const filing = await findFiling(tx, period.end);
  const settleOn = await earliestOpenForVat(tx, period.end);
  const { vat_locked_to: lockedTo } = await getLocks(tx);
  const nameOf = await listActorNames(tx, filing ? [filing.filed_by] : []);
  const toPay = vatToPay(vatSettlementRows(vat));
  const filed = vatReturnOf(await listVatSums(tx, period));
  const reason = field(input, 'reason', 'Varför anteckningen tas tillbaka', {
    isRequired: true,
    maxLength: 500,
  });
  return {
    template: 'vat-period',
    title: `Moms ${period.start} – ${period.end}`,
    values: {
      end: period.end,
      month: {
        href: `/manadsavslut/${period.end.slice(0, 7)}`,
        text: monthInWords(period.end),
      },
      span: `${dayInWords(period.start)} – ${dayInWords(period.end)}`,
      hasEnded: period.end < today,
      ...shownReturn(filed),
      unsettled: unsettled.map(({ account, box, ore }) => ({
        account,
        name: names.get(account) ?? '',
        box: box ?? '–',
        amount: amountText(-ore),
      })),
      total: amountText(-sum(unsettled.map(({ ore }) => ore))),
      toPay: toPay < 0n ? `${kronor(-toPay)} att få tillbaka` : `${kronor(toPay)} att betala`,
      settleOn: settleOn === period.end ? null : dayInWords(settleOn),
      settlements: (await listSettlements(tx, period.end)).map((one) => ({
        href: `/verifikat/${one.id}`,
        label: `${one.series}${one.number}`,
        date: one.verification_date,
      })),
      filing: filing ? { on: dayInWords(filing.filed_on), who: nameOf(filing.filed_by) } : null,
      lockedTo: lockedTo === null ? null : dayInWords(lockedTo),
      isLocked: lockedTo !== null && lockedTo >= period.end,
      reason,
      form: formOf(input, { reason }),
    },
  };
}

const wholeText = (whole: bigint): string => e4Text(whole * 10_000n);

const shownReturn = ({ boxes, toPay }: VatReturn) => ({
  boxes: boxes.map(({ box, name, kronor: written }) => ({
    box,
    name,
    amount: wholeText(written),
  })),
  box49: {
    name: toPay < 0n ? 'Moms att få tillbaka' : 'Moms att betala',
    amount: wholeText(toPay),
  },
});
