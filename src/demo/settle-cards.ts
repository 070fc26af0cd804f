/** A week's card sales of the example company: on the clearing account, settled by the card company, and the payout on its way. */
import { postedSettlement, settlementOf } from '../api/settlements/schemas.ts';
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
  const payoutOre = sold - back - kronor(260) - kronor(65) - kronor(600);
  const inKronor = (ore: Ore) => Number(ore) / 100;
  const body = {
    ...{ provider, settlementId: number, date: day, payout: inKronor(payoutOre) },
    lines: [
      { kind: 'sale', amount: inKronor(sold) },
      { kind: 'refund', amount: -inKronor(back) },
      { kind: 'fee', amount: -260 },
      { kind: 'fee_vat', amount: -65 },
      { kind: 'reserve', amount: -600, text: 'Säkerhet i 90 dagar' },
    ],
  };
  const settlement = settlementOf(postedSettlement.parse(body));
  const document = Buffer.from(JSON.stringify(body, null, 2));
  const by = { today: calendar.today, actor: actors.bookkeeper };
  await addSettlement(tx, { settlement, document }, by);
  return { amountOre: payoutOre, description: `${provider.toUpperCase()} ${number}` };
}
