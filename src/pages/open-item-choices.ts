/** Open items of an account as a page lists them to be ticked, and as its form sends those that are. */
import { z } from 'zod';
import type { OpenItem } from '../domain/ledger/open-items.ts';
import type { ChosenItem } from '../ledger/open-items/service.ts';
import type { AccountItem } from '../ledger/open-items/store.ts';
import { type Fields, textsOf } from './form-fields.ts';
import { amountText } from './format.ts';

/** On one page. */
export const itemsShown = 500;

/** `<voucher>.<row>~<öre open>`, as the page showed it. */
const itemForm = /^([0-9a-f-]{36})\.(\d{1,9})~(-?\d{1,15})$/;

/** At least so many, or the sentence. */
export const tickedItems = (least: number, sentence: string) =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())], { error: sentence })
    .pipe(
      z
        .array(z.string().regex(itemForm, 'Markera poster i listan.'))
        .min(least, sentence)
        .max(itemsShown),
    )
    .transform((some): ChosenItem[] =>
      some.map((one) => {
        const [, voucherId = '', rowNo = '', ore = ''] = itemForm.exec(one) ?? [];
        return { voucherId, rowNo: Number(rowNo), openOre: BigInt(ore) };
      }),
    );

/** The oldest of them, each with what ticks it. */
export function itemChoices(open: readonly OpenItem<AccountItem>[], fields: Fields) {
  const ticked = new Set(textsOf(fields, 'item'));
  return open.slice(0, itemsShown).map((one) => {
    const value = `${one.voucherId}.${one.rowNo}~${one.openOre}`;
    return {
      value,
      isTicked: ticked.has(value),
      date: one.day,
      voucherId: one.voucherId,
      voucher: one.label,
      text: one.text,
      booked: one.amountOre === one.openOre ? null : amountText(one.amountOre),
      open: amountText(one.openOre),
      ore: String(one.openOre),
    };
  });
}
