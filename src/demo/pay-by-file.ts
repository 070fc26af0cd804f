/** Files of payments that the example company has made: one that is paid, one that the bank has refused, and one on its way. */
import { addDays } from '../domain/basics/dates.ts';
import type { Payable } from '../domain/purchases/payables/payable.ts';
import { bookAsPaid } from '../purchases/payment-files/booking.ts';
import { listPayables } from '../purchases/payment-files/register.ts';
import { createPaymentFile, markSent, takeBankAnswer } from '../purchases/payment-files/service.ts';
import { findPaymentFile } from '../purchases/payment-files/store.ts';
import type { Books } from './books.ts';
import { workdayBefore } from './calendar.ts';

const paidDaysAgo = 8;
const refusedDaysAgo = 2;

/** The first due of them is left for the bank's row that pays it. */
export async function payByFile(books: Books, accountId: string): Promise<void> {
  const { tx, calendar, actors } = books;
  const { today } = calendar;
  const paidOn = workdayBefore(addDays(today, -paidDaysAgo));
  const owed = (await listPayables(tx, today))
    .filter(
      ({ kind, obstacle, payees }) => kind === 'invoice' && obstacle === null && payees.length > 0,
    )
    .slice(1);
  const [paid, refused, ...others] = owed;
  if (!paid || !refused) return;
  const settled = await sendFile(books, accountId, paidOn, [paid]);
  await bookAsPaid(tx, { fileId: settled.id, date: paidOn, today }, actors.bookkeeper);
  const refusedOn = workdayBefore(addDays(today, -refusedDaysAgo));
  const asked = await sendFile(books, accountId, refusedOn, [refused]);
  await takeBankAnswer(tx, refusalOf(asked.messageId, `${refusedOn}T09:00:00`), actors.bookkeeper);
  if (others.length > 0) await sendFile(books, accountId, today, others.slice(0, 3));
}

async function sendFile(
  { tx, actors: { bookkeeper } }: Books,
  accountId: string,
  day: string,
  payables: readonly Payable[],
): Promise<{ readonly id: string; readonly messageId: string }> {
  const rows = payables.map(({ key, openOre: amountOre }) => ({ key, amountOre, payee: null }));
  const now = new Date(`${day}T08:00:00Z`);
  const choices = { accountId, executionOn: null, today: day, now, rows };
  const { id } = await createPaymentFile(tx, choices, bookkeeper);
  await markSent(tx, id, bookkeeper);
  const file = await findPaymentFile(tx, { id });
  return { id, messageId: file?.message_id ?? '' };
}

/** What a bank answers when there is no such bankgiro. */
const refusalOf = (messageId: string, answeredAt: string): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
<GrpHdr><MsgId>NB-${messageId.slice(0, 30)}</MsgId><CreDtTm>${answeredAt}</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId><GrpSts>RJCT</GrpSts>
<StsRsnInf><Rsn><Cd>AC01</Cd></Rsn><AddtlInf>Bankgironumret saknas</AddtlInf></StsRsnInf></OrgnlGrpInfAndSts>
</CstmrPmtStsRpt></Document>
`);
