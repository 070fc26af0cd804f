/** Invoices of the example company that recur: none is due today. */
import { addMonths, monthOf } from '../domain/basics/dates.ts';
import { createRecurring, type WrittenRecurring } from '../sales/recurring/service.ts';
import { article } from './articles.ts';
import type { Books } from './books.ts';

interface Agreement {
  readonly customer: string;
  readonly article: string;
  readonly text: string;
  readonly every: number;
  readonly becomes: WrittenRecurring['becomes'];
}

const agreements: readonly Agreement[] = [
  {
    customer: 'alvkanten',
    article: '2001',
    text: 'Serviceavtal {period}',
    every: 3,
    becomes: 'mailed',
  },
  {
    customer: 'roda-stugan',
    article: '2002',
    text: 'Hyra av espressomaskin, {månad}',
    every: 1,
    becomes: 'draft',
  },
];

export async function leaveRecurring({ tx, calendar, actors, customerIds }: Books): Promise<void> {
  const { today } = calendar;
  const anchor = `${monthOf(addMonths(today, 1))}-01`;
  for (const { customer, article: number, text, every, becomes } of agreements) {
    const { account, price } = article(number);
    const written: WrittenRecurring = {
      customerId: customerIds.get(customer) ?? '',
      recurrence: { anchor, unit: 'month', count: every },
      lastDate: null,
      becomes,
      paymentTermsDays: 30,
      yourReference: null,
      notes: null,
      isVatConfirmed: false,
      rows: [
        {
          articleNumber: number,
          description: text,
          quantityE4: 10_000n,
          unit: null,
          unitPriceE4: BigInt(price) * 10_000n,
          discountE2: 0n,
          vatRate: account === null ? 25 : null,
          account,
        },
      ],
    };
    await createRecurring(tx, written, { today, actor: actors.bookkeeper });
  }
}
