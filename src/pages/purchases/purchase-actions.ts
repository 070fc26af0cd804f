/** What is done with a supplier's invoice: matched, coded, booked, rejected, paid. */

import { z } from 'zod';
import type { Tx } from '../../db/pool.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import { AppError, movingFaults } from '../../lib/errors.ts';
import { say } from '../../lib/language.ts';
import { suggestAnew } from '../../purchases/e-invoices/service.ts';
import { bytesOf, findPurchase, listPostingAccounts } from '../../purchases/inbox/inbox-store.ts';
import { payPurchase } from '../../purchases/inbox/payments.ts';
import {
  bookPurchases,
  createSupplierOf,
  matchToSupplier,
  rejectPurchase,
  requireAccounts,
  setRows,
} from '../../purchases/inbox/service.ts';
import { setOffCreditNote } from '../../purchases/inbox/set-off.ts';
import { markSupplier } from '../../purchases/suppliers/service.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { remaining } from '../format.ts';
import {
  account,
  amount,
  choice,
  day,
  exchangeRate,
  optional,
  optionalText,
  parseTyped,
  text,
  ticked,
  uuid,
} from '../inputs.ts';
import { readForm } from '../ledger/vouchers/voucher-form.ts';
import { askForAccount } from '../new-account.ts';
import type { Pages } from '../page.ts';
import { markFields } from '../registers/supply-mark.ts';
import type { Goto } from '../visit.ts';
import { purchaseParams as params } from './purchase.ts';
import { showPurchase } from './purchase-view.ts';

const place = (action: string) =>
  ({ url: `/leverantorsinkorg/:id/${action}`, right: 'keep_books', params }) as const;
const pageOf = (id: string): string => `/leverantorsinkorg/${id}`;

const cell = z.string().max(100).default('');

/** A row as typed: null when nothing was. */
const typedRow = z
  .object({ account: cell, debit: cell, credit: cell, note: optionalText(500) })
  .transform((row, context): PostingRow | null => {
    const { account, debit, credit, note } = row;
    if ([account, debit, credit].every((typed) => typed.trim() === '')) return null;
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { reason: 'invalid' } });
    const number = /^\s*(\d{4})(?!\d)/.exec(account)?.[1];
    if (number === undefined) refuse('account', say`Skriv ett konto med fyra siffror.`);
    const debitOre = oreOf(debit);
    const creditOre = oreOf(credit);
    const sentence = say`Skriv ett belopp över noll, t.ex. 1 234,50.`;
    if (debitOre === null) refuse('debit', sentence);
    if (creditOre === null) refuse('credit', sentence);
    if (debitOre === 0n && creditOre === 0n) refuse('debit', say`Skriv debet eller kredit.`);
    if (debitOre && creditOre) refuse('credit', say`Skriv debet eller kredit, inte båda.`);
    if (context.issues.length > 0) return z.NEVER;
    return { account: Number(number), debitOre: debitOre ?? 0n, creditOre: creditOre ?? 0n, note };
  });

/** Öre of what was typed; null when it is no amount. Nothing is zero. */
function oreOf(typed: string): bigint | null {
  if (typed.trim() === '') return 0n;
  const ore = parseTyped(typed, 2);
  return ore === undefined || ore < 0n ? null : ore;
}

const codingFields = z.object({
  rows: z.array(typedRow).max(500).default([]),
  date: day,
  gor: choice(['spara', 'bokfor']),
});

/** What the supplier sells is asked only where it matters. */
const suggestionFields = z.object({ ...markFields, rate: optional(exchangeRate) });

export function registerPurchaseActions(pages: Pages): void {
  registerMatching(pages);

  pages.act({
    ...place('kontering'),
    changesStored: true,
    fields: z.custom<Fields>((value) => typeof value === 'object' && value !== null),
    show: (visit, input) => showPurchase(visit, { coding: input }),
    perform: async ({ tx, person, params: { id } }, fields) => {
      if (textOf(fields, 'gor') === 'nytt_konto') {
        return askForAccount(fields, await listPostingAccounts(tx), pageOf(id));
      }
      const { rows, date, gor } = readForm(codingFields, fields);
      const isChanged = await saveRows(tx, id, rows, person.actor);
      if (gor === 'bokfor') return book(tx, id, date, person.actor);
      return {
        to: pageOf(id),
        notice: isChanged ? say`Raderna är sparade.` : say`Inget var ändrat.`,
      };
    },
  });

  pages.act({
    ...place('avvisa'),
    fields: z.object({ reason: text(500) }),
    show: (visit, input) => showPurchase(visit, { rejection: input }),
    perform: async ({ tx, person, params: { id } }, { reason }) => {
      await requirePurchase(tx, id);
      await rejectPurchase(tx, id, reason, person.actor);
      return { to: '/leverantorsinkorg', notice: say`Fakturan är avvisad och bokförs aldrig.` };
    },
  });

  pages.act({
    ...place('betalning'),
    fields: z.object({
      date: day,
      amount,
      account,
      rounding: optional(amount),
      bank_fee: optional(amount),
      isWhole: ticked,
      currencyPart: optional(amount),
      // How much was open as the form was made, in öre.
      seenOpen: z
        .string()
        .regex(/^-?\d{1,15}$/)
        .optional(),
    }),
    show: (visit, input) => showPurchase(visit, { payment: input }),
    perform: async ({ tx, person, params: { id }, today }, { amount: amountOre, ...values }) => {
      await requirePurchase(tx, id);
      const { rounding, bank_fee, seenOpen, ...rest } = values;
      const seenOpenOre = seenOpen === undefined ? null : BigInt(seenOpen);
      const differences = { rounding: rounding ?? 0n, bank_fee: bank_fee ?? 0n };
      const paid = { ...rest, purchaseId: id, today, amountOre, differences, seenOpenOre };
      const { openOre } = await payPurchase(tx, paid, person.actor);
      return { to: pageOf(id), notice: say`Betalningen är bokförd. ${remains(openOre)}` };
    },
  });

  pages.act({
    ...place('kvittning'),
    // The payment's form beside it has an amount and a date of its own.
    fields: z.object({ other: uuid, setOffAmount: amount, setOffDate: day }),
    show: (visit, input) => showPurchase(visit, { setOff: input }),
    perform: async ({ tx, person, params: { id }, today }, values) => {
      await requirePurchase(tx, id);
      const { other: otherId, setOffAmount: amountOre, setOffDate: date } = values;
      const act = { purchaseId: id, otherId, date, today, amountOre };
      const { openOre } = await setOffCreditNote(tx, act, person.actor).catch((error: unknown) => {
        throw movingFaults(error, ({ path }) => setOffPlaces[path] ?? path);
      });
      return { to: pageOf(id), notice: say`Kvittningen är bokförd. ${remains(openOre)}` };
    },
  });
}

function remains(openOre: bigint): string {
  const { label, amount: left } = remaining(openOre, 'få tillbaka');
  return openOre === 0n ? say`Inget återstår.` : `${label}: ${left}.`;
}

const setOffPlaces: Readonly<Record<string, string>> = {
  amount: 'setOffAmount',
  date: 'setOffDate',
};

function registerMatching(pages: Pages): void {
  pages.act({
    ...place('leverantor'),
    fields: z.object({ supplier: uuid }),
    show: (visit, input) => showPurchase(visit, { matching: input }),
    perform: async ({ tx, person, params: { id } }, { supplier: supplierId }) => {
      await requirePurchase(tx, id);
      await matchToSupplier(tx, { purchaseId: id, supplierId }, person.actor);
      return { to: pageOf(id), notice: say`Fakturan är kopplad till leverantören.` };
    },
  });

  pages.act({
    ...place('ny-leverantor'),
    show: (visit, input) => showPurchase(visit, { matching: input }),
    perform: async ({ tx, person, params: { id } }) => {
      await requirePurchase(tx, id);
      const { name } = await createSupplierOf(tx, id, person.actor);
      return { to: pageOf(id), notice: say`${name} är upplagd, och fakturan kopplad dit.` };
    },
  });

  pages.act({
    ...place('forslag'),
    fields: suggestionFields,
    show: (visit, input) => showPurchase(visit, { suggestion: input }),
    perform: async ({ tx, person, params: { id } }, { supply, reverseChargeRate, rate }) => {
      const purchase = await requirePurchase(tx, id);
      if (supply !== null && purchase.supplier_id !== null) {
        const mark = { supply, rate: reverseChargeRate };
        await markSupplier(tx, purchase.supplier_id, mark, person.actor);
      }
      await suggestAnew(tx, { ...purchase, raw: bytesOf(purchase) }, rate, person.actor);
      return { to: pageOf(id), notice: say`Raderna är föreslagna på nytt.` };
    },
  });
}

async function requirePurchase(tx: Tx, id: string) {
  const purchase = await findPurchase(tx, id);
  if (!purchase) throw new AppError('not_found', say`Leverantörsfakturan finns inte.`);
  return purchase;
}

/** Keeps the rows when they are others than those kept; whether they were. */
async function saveRows(
  tx: Tx,
  id: string,
  typed: readonly (PostingRow | null)[],
  actor: string,
): Promise<boolean> {
  const purchase = await requirePurchase(tx, id);
  const rows = typed.filter((row) => row !== null);
  const said = rows.map((row) => [row.account, row.debitOre, row.creditOre, row.note].join('\t'));
  const kept = purchase.rows.map((row) =>
    [row.account, row.debit, row.credit, row.note].join('\t'),
  );
  if (said.join('\n') === kept.join('\n')) return false;
  await requireAccounts(
    tx,
    typed.flatMap((row, index) =>
      row === null ? [] : [{ account: row.account, path: `rows[${index}].account` }],
    ),
  );
  await setRows(tx, id, rows, actor);
  return true;
}

/** A refusal is kept with the invoice, and stands on its page. */
async function book(tx: Tx, id: string, date: string, actor: string): Promise<Goto> {
  const [outcome] = await bookPurchases(tx, [id], actor, date);
  if (outcome?.refusal) {
    const { status } = await requirePurchase(tx, id);
    // Somebody rejected it meanwhile: then nothing is kept, and it is said at once.
    if (status === 'rejected') throw outcome.refusal;
    return { to: `${pageOf(id)}#vagran` };
  }
  return {
    to: pageOf(id),
    notice: outcome?.wasBooked
      ? say`Fakturan var redan bokförd. Inget nytt är bokfört.`
      : say`Fakturan är bokförd.`,
  };
}
