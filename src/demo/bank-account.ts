/** The example company's bank: what it says happened on the account, and which vouchers book it. */
import { createBankAccount, matchTransaction } from '../bank/service.ts';
import {
  type BankTransaction,
  insertTransactions,
  upsertStatement,
} from '../bank/transaction-store.ts';
import { addDays, lastDayOfMonth, monthOf } from '../domain/basics/dates.ts';
import { type Ore, sum } from '../domain/basics/money.ts';
import { type Books, kronor } from './books.ts';
import { type Calendar, monthBefore, workdayBefore, workdayIn } from './calendar.ts';
import { company } from './company.ts';
import { getBalanceAt, listOnAccount, listTransactionIds, type OnAccount } from './store.ts';

const ledgerAccount = 1930;
/** Since when the bank has been connected, in months before this one. */
const connectedMonths = 8;

/** Lines of which each has its voucher, and some that nobody knows yet. */
export async function connectBank(books: Books): Promise<void> {
  const { tx, calendar, actors } = books;
  const { id: accountId } = await createBankAccount(
    tx,
    { name: 'Norrlandsbanken, företagskonto', ledgerAccount: ledgerAccount, iban: company.iban },
    actors.administrator,
  );
  const since = `${monthBefore(calendar.today, connectedMonths)}-01`;
  const from = since > calendar.firstDay ? since : calendar.firstDay;
  const booked = await listOnAccount(tx, ledgerAccount, from);
  const lines = booked.map(lineOf);
  const unknown = unknownLines(calendar);
  await insertTransactions(tx, accountId, [...lines, ...unknown]);
  const ids = await listTransactionIds(tx, accountId);
  for (const [index, { id: voucherId }] of booked.entries()) {
    const transactionId = ids.get(lines[index]?.reference ?? '') ?? '';
    await matchTransaction(tx, { transactionId, voucherId }, actors.bookkeeper);
  }
  await stateBalances(books, accountId, from, unknown);
}

const lineOf = ({ label, date, ore, description, counterparty }: OnAccount): BankTransaction => ({
  reference: `NB${date.replaceAll('-', '')}-${label}`,
  bookedOn: date,
  amountOre: ore,
  description: counterparty === null ? description : `${counterparty}, ${description}`,
});

/** What the bank knows of and the books do not: in the month that is next to be closed, and this one. */
function unknownLines({ today }: Calendar): BankTransaction[] {
  const lastMonth = monthBefore(today, 1);
  const recently = (days: number): string => workdayBefore(addDays(today, -days));
  const line = (index: number, bookedOn: string, amountOre: Ore, description: string) => ({
    reference: `NB${bookedOn.replaceAll('-', '')}-U${index}`,
    bookedOn,
    amountOre,
    description,
  });
  return [
    line(1, workdayIn(lastMonth, 17), kronor(1_250), 'Swish 070-555 01 33'),
    line(2, workdayIn(lastMonth, 22), -kronor(489), 'Kortköp MACKEN I TEG'),
    line(3, workdayIn(lastMonth, 26), kronor(12_400), 'Inbetalning GYMKEDJAN STARK, OCR saknas'),
    line(4, recently(1), kronor(318), 'Swish 073-555 01 90'),
    line(5, recently(1), -kronor(2_112), 'Autogiro LEASINGBOLAGET NORD'),
    line(6, recently(2), kronor(40_000), 'Inbetalning okänd avsändare'),
  ];
}

/** The bank's balance at the end of each month and yesterday: the ledger's and what is unknown to it. */
async function stateBalances(
  { tx, calendar }: Books,
  accountId: string,
  from: string,
  unknown: readonly BankTransaction[],
): Promise<void> {
  const yesterday = addDays(calendar.today, -1);
  const ends = calendar.months
    .filter((month) => month >= monthOf(from))
    .map((month) => lastDayOfMonth(month))
    .filter((end) => end < yesterday);
  for (const closingDate of [...ends, yesterday]) {
    const ledgerOre = await getBalanceAt(tx, ledgerAccount, closingDate);
    const beyond = unknown
      .filter(({ bookedOn }) => bookedOn <= closingDate)
      .map(({ amountOre }) => amountOre);
    const balanceOre = ledgerOre + sum(beyond);
    await upsertStatement(tx, { accountId, closingDate, balanceOre });
  }
}
