/** A file of payments: what it asks the bank for, what became of each, and what may be done with it now. */
import { z } from 'zod';
import { listActorNames } from '../../audit/actors.ts';
import { findRestoring } from '../../audit/store.ts';
import { payoutState } from '../../domain/purchases/payables/file-state.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { bookAsPaid } from '../../purchases/payment-files/booking.ts';
import { taxName } from '../../purchases/payment-files/register.ts';
import {
  approvePaymentFile,
  cancelPaymentFile,
  fetchPaymentFile,
  markSent,
} from '../../purchases/payment-files/service.ts';
import {
  findPaymentFile,
  listBankAnswers,
  listPayouts,
  type PaymentFile,
  type Payout,
  readBankAnswerOf,
} from '../../purchases/payment-files/store.ts';
import { field, problemsAbove } from '../fields.ts';
import { amountText, count, kronor, moment } from '../format.ts';
import { downloadOf } from '../headers.ts';
import { day, optionalText, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { fileChip, payeeText, payoutChips } from './payment-words.ts';
import { home } from './payments.ts';

const params = z.object({ id: uuid });
type OfFile = Visit<{ id: string }>;
const pageOf = (id: string): string => `${home}/${id}`;

export function registerPaymentFilePages(pages: Pages): void {
  pages.show({
    url: `${home}/:id`,
    right: 'read',
    params,
    show: (visit) => showFile(visit, nothingTyped),
  });
  pages.show({
    url: `${home}/:id/betalfil.xml`,
    right: 'keep_books',
    params,
    show: async ({ tx, person, params: { id } }) => {
      const { number, content } = await fetchPaymentFile(tx, id, person.actor);
      return { type: 'application/xml', content, headers: downloadOf(`betalfil-${number}.xml`) };
    },
  });
  pages.show({
    url: `${home}/:id/svar/:sha256`,
    right: 'read',
    params: params.extend({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    show: async ({ tx, params: { id, sha256 } }) => {
      const content = await readBankAnswerOf(tx, id, sha256);
      const headers = downloadOf(`bankens-svar-${sha256.slice(0, 8)}.xml`);
      return { type: 'application/xml', content, headers };
    },
  });
  const act = (action: string) =>
    ({ url: `${home}/:id/${action}`, right: 'keep_books', params, show: showFile }) as const;
  pages.act({
    ...act('godkann'),
    perform: async ({ tx, person, params: { id } }: OfFile) => {
      await approvePaymentFile(tx, id, person.actor);
      return { to: pageOf(id), notice: 'Betalfilen är godkänd och kan sändas.' };
    },
  });
  pages.act({
    ...act('sand'),
    perform: async ({ tx, person, params: { id } }: OfFile) => {
      await markSent(tx, id, person.actor);
      return {
        to: pageOf(id),
        notice: 'Betalfilen är markerad som sänd. Bankens rader stänger den.',
      };
    },
  });
  pages.act({
    ...act('avbryt'),
    fields: z.object({ reason: optionalText(500) }),
    perform: async ({ tx, person, params: { id } }: OfFile, { reason }) => {
      await cancelPaymentFile(tx, id, reason, person.actor);
      return {
        to: pageOf(id),
        notice: 'Betalfilen är avbruten, och det som stod i den kan betalas på annat sätt.',
      };
    },
  });
  pages.act({
    ...act('betald'),
    fields: z.object({ date: day }),
    perform: async ({ tx, person, today, params: { id } }: OfFile, { date }) => {
      const booked = await bookAsPaid(tx, { fileId: id, date, today }, person.actor);
      const words =
        booked === 1 ? '1 betalning är bokförd' : `${count(booked)} betalningar är bokförda`;
      return { to: pageOf(id), notice: `${words} den ${date}.` };
    },
  });
}

async function showFile(
  { tx, params: { id }, person, deps, today }: OfFile,
  input: FormInput,
): Promise<View> {
  const file = await findPaymentFile(tx, { id });
  if (!file) throw refuseWhole('not_found', 'no_payment_file', { id });
  const payouts = await listPayouts(tx, id);
  const answers = await listBankAnswers(tx, id);
  const said = [
    ...answers.map((one) => one.created_by),
    file.created_by,
    file.approved_by,
    file.sent_by,
    file.cancelled_by,
  ];
  const nameOf = await listActorNames(
    tx,
    said.filter((actor) => actor !== null),
  );
  const { timeZone } = deps.config;
  const told = (at: Date | null, actor: string | null): string | null =>
    at === null || actor === null ? null : `${moment(at, timeZone)}, ${nameOf(actor)}`;
  const forms = formsOf(file, input, today);
  const waiting = waitingOf(file, payouts, { actor: person.actor, today });
  const restoring = waiting.maySend ? await findRestoring(tx) : undefined;
  return {
    template: 'payment-file',
    title: `Betalfil ${file.number}`,
    values: {
      id,
      number: file.number,
      chip: fileChip(file),
      total: kronor(file.total_ore),
      count: file.payouts === 1 ? '1 betalning' : `${count(file.payouts)} betalningar`,
      account: file.account,
      ledgerAccount: file.ledger_account,
      created: told(file.created_at, file.created_by),
      approved: told(file.approved_at, file.approved_by),
      sent: told(file.sent_at, file.sent_by),
      cancelled: told(file.cancelled_at, file.cancelled_by),
      reason: file.cancel_reason,
      answers: answers.map(({ sha256, created_at, created_by }) => ({
        sha256,
        told: told(created_at, created_by),
      })),
      sha256: file.sha256.toString('hex'),
      payouts: payouts.map((payout) => payoutRow(payout, file)),
      ...waiting,
      // Whether it was sent, the books that went back do not know.
      restored: restoring && file.created_at < restoring.at ? moment(restoring.at, timeZone) : null,
      ...forms,
      above: problemsAbove(input, [forms.cancel.name, forms.paidOn.name]),
    },
  };
}

/** What may be done now. */
function waitingOf(
  file: PaymentFile,
  payouts: readonly Payout[],
  { actor, today }: { readonly actor: string; readonly today: string },
) {
  const isLive = file.cancelled_at === null;
  const waitsForYes = isLive && file.needs_second_person && file.approved_at === null;
  const isOpen = file.paid + file.refused < file.payouts;
  return {
    hasChanged:
      isLive &&
      payouts.some(
        ({ is_payee_changed, voucher_id, refused_at }) =>
          is_payee_changed && voucher_id === null && refused_at === null,
      ),
    waitsForYes,
    isOwn: file.created_by === actor,
    mayFetch: isLive && !waitsForYes,
    maySend: isLive && !waitsForYes && file.sent_at === null,
    mayCancel: isLive && file.paid === 0 && isOpen,
    mayBook: isLive && file.sent_at !== null && isOpen && file.first_day <= today,
    isSent: file.sent_at !== null,
  };
}

function formsOf(file: PaymentFile, input: FormInput, today: string) {
  return {
    cancel: field(input, 'reason', 'Varför', {
      type: 'textarea',
      maxLength: 500,
      isRequired: file.sent_at !== null,
      help: file.sent_at === null ? '' : 'Stoppa filen hos banken först.',
    }),
    paidOn: field(input, 'date', 'Dag då banken betalade', {
      type: 'date',
      isRequired: true,
      value: file.last_day < today ? file.last_day : today,
    }),
  };
}

function payoutRow(payout: Payout, file: PaymentFile) {
  const state = payoutState({
    isCancelled: file.cancelled_at !== null,
    isRefused: payout.refused_at !== null,
    isPaid: payout.voucher_id !== null,
    isAccepted: payout.accepted_at !== null,
  });
  return {
    name: payout.payee_name,
    payee: payeeText({ kind: payout.payee_kind, number: payout.payee_number }),
    told: payout.ocr === null ? payout.message : `OCR ${payout.ocr}`,
    isChanged: payout.is_payee_changed,
    day: payout.execution_on,
    amount: amountText(payout.amount_ore),
    chip: payoutChips[state],
    refusal: payout.refusal,
    voucher: payout.voucher,
    voucherHref: `/verifikat/${payout.voucher_id ?? ''}`,
    parts: payout.parts.map(({ invoiceId, tax, number, amountOre }) => ({
      href: invoiceId === null ? null : `/leverantorsinkorg/${invoiceId}`,
      name: number ?? taxName(tax ?? ''),
      amount: payout.parts.length > 1 ? amountText(BigInt(amountOre)) : null,
    })),
  };
}
