/** The example company's bank: two years of its statements, taken in as anybody's are, and which vouchers book their rows. */
import { createBankAccount } from '../bank/service.ts';
import { keepFiles, takeIn } from '../bank/statements/begun-imports.ts';
import { addDays, lastDayOfMonth, monthOf } from '../domain/basics/dates.ts';
import { type Ore, sum } from '../domain/basics/money.ts';
import { sourceOf } from '../lib/source-file.ts';
import { type BankLine, type BankMonth, bankFileText } from './bank-file.ts';
import { type Books, kronor } from './books.ts';
import { type Calendar, monthBefore, workdayBefore, workdayIn } from './calendar.ts';
import { company } from './company.ts';
import { payByFile } from './pay-by-file.ts';
import { type CardPayout, settleCards } from './settle-cards.ts';
import {
  getBalanceAt,
  listOnAccount,
  listOpenInvoices,
  listOpenPurchases,
  listTransactionIds,
  matchAll,
  type OnAccount,
} from './store.ts';

const ledgerAccount = 1930;

/** Rows of which each has its voucher, and some that nobody knows yet; the bank has told of all days but this. */
export async function connectBank(books: Books): Promise<void> {
  const { tx, calendar, actors } = books;
  const { iban } = company;
  const { id: accountId } = await createBankAccount(
    tx,
    { name: 'Norrlandsbanken, företagskonto', ledgerAccount, iban },
    actors.administrator,
  );
  const number = company.organizationNumber.replace(/\D/g, '');
  await createBankAccount(
    tx,
    { name: 'Skattekonto', kind: 'tax', ledgerAccount: 1630, number },
    actors.administrator,
  );
  await payByFile(books, accountId);
  const yesterday = addDays(calendar.today, -1);
  const booked = (await listOnAccount(tx, ledgerAccount, calendar.firstDay)).filter(
    ({ date }) => date <= yesterday,
  );
  const cards = await settleCards(books);
  const unknown = [
    ...unknownLines(calendar),
    ...(await paidLines(books)),
    payoutLine(books, cards),
  ];
  const lines = [...booked.map(lineOf), ...unknown]
    .filter(({ bookedOn }) => bookedOn >= calendar.firstDay && bookedOn <= yesterday)
    .toSorted((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));
  await takeStatements(books, lines, sum(unknown.map(({ amountOre }) => amountOre)));
  const ids = await listTransactionIds(tx, accountId);
  const matches = booked.flatMap((one) => {
    const transactionId = ids.get(lineOf(one).reference);
    return transactionId === undefined ? [] : { transactionId, voucherId: one.id };
  });
  await matchAll(tx, matches, actors.bookkeeper);
}

/** A file a year, a statement a month. */
async function takeStatements(
  { tx, calendar, actors }: Books,
  lines: readonly BankLine[],
  unknownOre: Ore,
): Promise<void> {
  const yesterday = addDays(calendar.today, -1);
  const closing = (await getBalanceAt(tx, ledgerAccount, yesterday)) + unknownOre;
  let opening = closing - sum(lines.map(({ amountOre }) => amountOre));
  const months: BankMonth[] = [];
  for (const month of calendar.months.filter((one) => one <= monthOf(yesterday))) {
    const [first, end] = [`${month}-01`, lastDayOfMonth(month)];
    const isOver = end < yesterday;
    const ofMonth = lines.filter(({ bookedOn }) => monthOf(bookedOn) === month);
    months.push({ first, last: isOver ? end : yesterday, opening, lines: ofMonth });
    opening += sum(ofMonth.map(({ amountOre }) => amountOre));
  }
  const choices = { accountId: null, isAccepted: false, equalRows: null };
  for (const [year, ofYear] of Map.groupBy(months, ({ first }) => first.slice(0, 4))) {
    const bytes = Buffer.from(bankFileText(company.iban, ofYear));
    const source = await sourceOf(async function* () {
      yield bytes;
    }, `Norrlandsbanken ${year}.xml`);
    const id = await keepFiles(tx, [source], null, actors.bookkeeper);
    await takeIn(tx, { id, sources: [source], choices, today: calendar.today }, actors.bookkeeper);
  }
}

const lineOf = ({ label, date, ore, description, counterparty }: OnAccount): BankLine => ({
  reference: `NB${date.replaceAll('-', '')}-${label}`,
  bookedOn: date,
  amountOre: ore,
  description: counterparty === null ? description : `${counterparty}, ${description}`,
});

/** What the bank knows of and the books do not: in the month that is next to be closed, and this one. */
function unknownLines({ today }: Calendar): BankLine[] {
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

/** What the card company has said that it pays out. */
function payoutLine({ calendar: { today } }: Books, payout: CardPayout): BankLine {
  const bookedOn = workdayBefore(addDays(today, -1));
  return { ...payout, bookedOn, reference: `NB${bookedOn.replaceAll('-', '')}-K1` };
}

/** Payments that came since the books were looked at last: of customers by OCR, one of them with öre too much, and of a supplier. */
async function paidLines({ tx, calendar: { today } }: Books): Promise<BankLine[]> {
  const day = workdayBefore(addDays(today, -1));
  const reference = (index: number): string => `NB${day.replaceAll('-', '')}-P${index}`;
  const [first, second, third] = await listOpenInvoices(tx, day);
  const [purchase] = await listOpenPurchases(tx, day);
  const line = (index: number, amountOre: Ore, description: string): BankLine => ({
    reference: reference(index),
    bookedOn: day,
    amountOre,
    description,
  });
  return [
    ...(first ? [line(1, first.open_ore, `Bankgiroinbetalning ${first.ocr}`)] : []),
    ...(second ? [line(2, second.open_ore, `Bankgiroinbetalning ${second.ocr}`)] : []),
    ...(third ? [line(3, third.open_ore + 50n, `Bankgiroinbetalning ${third.ocr}`)] : []),
    ...(purchase ? [line(4, -purchase.open_ore, `Bg-bet. via internet ${purchase.name}`)] : []),
    line(5, -kronor(136), 'BANKTJÄNSTER'),
  ];
}
