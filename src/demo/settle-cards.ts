/** A week's card sales of the example company: on the clearing account, settled by the card company, and the payout on its way. */
import { addSettlement } from '../bank/provider-settlements/service.ts';
import { addDays } from '../domain/basics/dates.ts';
import type { Ore } from '../domain/basics/money.ts';
import { type Books, kronor, post } from './books.ts';
import { workdayBefore } from './calendar.ts';
import { against, sale, voucher } from './voucher-parts.ts';

const clearing = 1686;
const provider = 'Kortbolaget';

/** A payout that is said to come. */
export interface CardPayout {
  readonly amountOre: Ore;
  readonly description: string;
}

/** The bank has it the day after. */
export async function settleCards(books: Books): Promise<CardPayout> {
  const { tx, calendar, actors } = books;
  const day = workdayBefore(addDays(calendar.today, -3));
  const [sold, back] = [kronor(12_500), kronor(500)];
  const rows = against(clearing, sale(3001, kronor(10_000), 25, '10'));
  const returned = against(clearing, sale(3001, -kronor(400), 25, '10'));
  await post(books, [
    voucher(day, 'Kortförsäljning i butiken', rows, { document: 'note' }),
    voucher(day, 'Återköp i butiken', returned, { document: 'note' }),
  ]);
  const number = `KB-${day.replaceAll('-', '')}`;
  const line = { account: null, reverseChargeVatOre: null, text: null, reference: null };
  const payoutOre = sold - back - kronor(260) - kronor(65) - kronor(600);
  await addSettlement(
    tx,
    {
      ...{ provider, number, day, account: clearing, payoutOre, payoutReference: null },
      country: 'SE',
      lines: [
        { ...line, kind: 'sale', amountOre: sold },
        { ...line, kind: 'refund', amountOre: -back },
        { ...line, kind: 'fee', amountOre: -kronor(260) },
        { ...line, kind: 'fee_vat', amountOre: -kronor(65) },
        { ...line, kind: 'reserve', amountOre: -kronor(600), text: 'Säkerhet i 90 dagar' },
      ],
    },
    { today: calendar.today, actor: actors.bookkeeper },
  );
  return { amountOre: payoutOre, description: `${provider.toUpperCase()} ${number}` };
}
