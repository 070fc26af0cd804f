/** A payment reminder as the debtor reads it. Pure. */

import { addDays, daysBetween } from '../../domain/basics/dates.ts';
import { divideRounded, type Ore, sum } from '../../domain/basics/money.ts';
import { type CollectionFacts, feeOn, interestOn } from '../../domain/sales/collection-case.ts';
import type { InterestSegment } from '../../domain/sales/default-interest.ts';
import { reminderTermDays } from '../../domain/sales/reminding.ts';
import { decimalText, formatKronor } from '../../lib/swedish.ts';
import { facts, orgNumberText, runningTexts } from '../../render/wording.ts';
import { buyerView, paymentCodes, paymentFacts, sellerView } from './document-view.ts';
import type { PrintedSeller } from './printing-store.ts';

export type SentReminder = CollectionFacts['reminders'][number];

/**
 * The reminder as of the day it was sent: what had been paid and credited by then, and the fees until then.
 * Interest is told apart: the books claim it first when it is collected, and what is asked for here is what
 * the invoice has open.
 */
export function reminderView(
  subject: CollectionFacts,
  { reminderNo, sentDate }: SentReminder,
  seller: PrintedSeller,
) {
  const { invoice, debtor } = subject;
  const payments = subject.payments.filter(({ date, ownDate = date }) => ownDate <= sentDate);
  const reminders = subject.reminders.filter((one) => one.reminderNo <= reminderNo);
  const paidOre = sum(payments.map(({ amountOre }) => amountOre));
  const feesOre = sum(reminders.map((one) => feeOn(one, sentDate)));
  const interest = interestOn({ ...subject, payments }, sentDate);
  const daysLate = daysBetween(invoice.dueDate, sentDate);
  const lastDay = addDays(sentDate, reminderTermDays);
  const title = `Betalningspåminnelse ${reminderNo}, faktura ${invoice.number ?? ''}`;
  const totalOre = invoice.totalOre - paidOre + feesOre;
  const total = formatKronor(totalOre);
  return {
    title,
    heading: 'Betalningspåminnelse',
    isDraft: false,
    ...runningTexts(title, seller),
    seller: sellerView(seller),
    buyer: buyerView({ ...debtor, countryCode: debtor.country }),
    facts: facts([
      ['Påminnelse', String(reminderNo)],
      ['Datum', sentDate],
      ['Fakturanummer', String(invoice.number ?? '')],
      ['Fakturadatum', invoice.invoiceDate],
      ['Förföll', `${invoice.dueDate}, ${daysLate} ${daysLate === 1 ? 'dag' : 'dagar'} sen`],
      ['Er referens', debtor.yourReference],
      ['Kundens org.nr', orgNumberText(debtor.orgNumber)],
    ]),
    message: `Vi har inte sett full betalning för faktura ${invoice.number ?? ''}, som förföll ${invoice.dueDate}. Betala ${total} senast ${lastDay}. Har ni redan betalat kan ni bortse från påminnelsen; är något fel på fakturan, hör av er till oss.`,
    totalLabel: 'Att betala',
    total,
    summary: paymentFacts(seller, invoice.ocr, lastDay),
    codes: paymentCodes(seller, {
      amountOre: totalOre,
      reference: invoice.ocr,
      invoiceDate: invoice.invoiceDate,
      dueDate: lastDay,
    }),
    items: facts([
      [`Faktura ${invoice.number ?? ''}, ${invoice.invoiceDate}`, formatKronor(invoice.totalOre)],
      ...payments.map(
        ({ date, ownDate = date, amountOre }) =>
          [`Betalt eller krediterat ${ownDate}`, formatKronor(-amountOre)] as const,
      ),
      ...reminders
        .filter((one) => feeOn(one, sentDate) > 0n)
        .map(
          (one) =>
            [`Påminnelseavgift ${one.sentDate} (lag 1981:739)`, formatKronor(one.feeOre)] as const,
        ),
    ]),
    interest:
      interest.law === null ? '' : interestText(interest.amountOre, interest.segments, sentDate),
  };
}

function interestText(amountOre: Ore, segments: readonly InterestSegment[], to: string): string {
  const last = segments.at(-1);
  if (!last) return 'Dröjsmålsränta löper på det obetalda beloppet enligt räntelagen.';
  const perDay = divideRounded(last.balanceOre * last.rateE2, 10_000n * 365n);
  return `Dröjsmålsränta till och med ${to}: ${formatKronor(amountOre)}. Den är ${decimalText(last.rateE2 * 100n)} % om året på ${formatKronor(last.balanceOre)}, ${formatKronor(perDay)} om dagen, och löper tills allt är betalt. Räntan ingår inte i beloppet ovan; den kan krävas särskilt.`;
}
