/** Taking back what was booked in one act: all rows that were said yes to together. */
import { z } from 'zod';
import { bookedTogether, undoBookings, undoneAtOnce } from '../../bank/matching/undoing.ts';
import { problemsAbove } from '../fields.ts';
import { amountText, count } from '../format.ts';
import { uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { undoingWords } from './undoing-words.ts';

const params = z.object({ id: uuid });
type OfRow = Visit<{ id: string }>;

const choiceForm = /^([0-9a-f-]{36})~([0-9a-f-]{36})$/;

/** Rows with the voucher that booked each when the page was shown. */
const choices = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .pipe(z.array(z.string().regex(choiceForm, 'Markera minst en bankrad.')).min(1).max(undoneAtOnce))
  .transform((some) =>
    some.map((one) => {
      const [, rowId = '', voucherId = ''] = choiceForm.exec(one) ?? [];
      return { rowId, voucherId };
    }),
  );

export function registerBankUndoing(pages: Pages): void {
  pages.form({
    url: '/bank/:id/angra-flera',
    right: 'keep_books',
    params,
    fields: z.object({ row: choices }),
    show: showTogether,
    perform: async ({ tx, person }, { row }) => {
      const vouchers = await undoBookings(tx, row, person.actor);
      const are =
        vouchers === 1
          ? '1 verifikat är tillbakataget'
          : `${count(vouchers)} verifikat är tillbakatagna`;
      return { to: '/bank', notice: `${are}, och bankraderna väntar igen.` };
    },
  });
}

async function showTogether({ tx, params }: OfRow, input: FormInput): Promise<View> {
  const together = await bookedTogether(tx, params.id);
  const rows = together.map(({ row, undoing }) => {
    const words = undoing && undoingWords(undoing);
    const isOpen = words !== null && words.paidBack === null;
    return {
      id: row.id,
      date: row.booked_on,
      text: row.description || 'Utan text',
      amount: amountText(row.amount_ore),
      undoing: words,
      choice: isOpen ? `${row.id}~${row.voucher_id}` : null,
    };
  });
  const open = rows.filter(({ choice }) => choice !== null);
  return {
    template: 'bank-undo',
    title: open.length === 1 ? 'Ångra en bankrad' : `Ångra ${count(open.length)} bankrader`,
    scripts: ['inbox'],
    values: {
      id: params.id,
      rows,
      mayUndo: open.length > 0,
      form: { above: problemsAbove(input, []), faults: input.problems.length },
    },
  };
}
