/** Settlements of providers of payments: what each has said, and which voucher books what it pays out. */
import { z } from 'zod';
import { sayPaidOut } from '../../bank/provider-settlements/service.ts';
import {
  findSettlement,
  type ListedSettlement,
  listSettlements,
} from '../../bank/provider-settlements/store.ts';
import { isDate } from '../../domain/basics/dates.ts';
import type { SettlementLineKind } from '../../domain/purchases/provider-settlement.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { amountText, kronor } from '../format.ts';
import { text, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { voucherOf } from './voucher-of.ts';

const home = '/bank/avrakningar';
const url = '/bank/avrakningar/:id';
const onPage = 100;
const params = z.object({ id: uuid });
type OfSettlement = Visit<{ id: string }>;

export function registerSettlementPages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: showList });
  pages.show({ url, right: 'read', params, show: (visit) => showOne(visit, nothingTyped) });
  pages.act({
    url,
    right: 'keep_books',
    params,
    fields: z.object({ voucher: text(50) }),
    show: showOne,
    perform: async ({ tx, person, params: { id } }, { voucher }) => {
      const { day } = await getSettlement(tx, id);
      const voucherId = await voucherOf(tx, voucher, day);
      await sayPaidOut(tx, { settlementId: id, voucherId }, person.actor);
      return { to: `${home}/${id}`, notice: 'Utbetalningen är bokförd.' };
    },
  });
}

const states = {
  waiting: { text: 'Väntar på banken', chip: 'warn' },
  paid: { text: 'Utbetald', chip: 'good' },
  nothing: { text: 'Inget att betala ut', chip: 'good' },
  takenBack: { text: 'Tillbakatagen', chip: '' },
} as const;

const stateOf = ({ is_taken_back, payout_voucher_id, payout_ore }: ListedSettlement) =>
  is_taken_back
    ? states.takenBack
    : payout_voucher_id !== null
      ? states.paid
      : payout_ore === 0n
        ? states.nothing
        : states.waiting;

async function showList({ tx, query }: Visit): Promise<View> {
  const [day = '', id = ''] = textOf(query, 'efter').split('~');
  const after = isDate(day) && uuid.safeParse(id).success ? { day, id } : null;
  const found = await listSettlements(tx, { limit: onPage + 1, after });
  const shown = found.slice(0, onPage);
  const last = shown.at(-1);
  return {
    template: 'settlements',
    title: 'Avräkningar',
    values: {
      settlements: shown.map((one) => ({
        id: one.id,
        date: one.day,
        provider: one.provider,
        number: one.number,
        amount: amountText(one.payout_ore),
        state: stateOf(one),
      })),
      pager: {
        next: found.length > onPage && last ? `${home}?efter=${last.day}~${last.id}` : null,
        first: after === null ? null : home,
      },
    },
  };
}

const kindNames: Readonly<Record<SettlementLineKind, string>> = {
  sale: 'Försäljning',
  refund: 'Återbetalning',
  fee: 'Avgift',
  fee_vat: 'Moms på avgift',
  adjustment: 'Justering',
  reserve: 'Innehållet eller släppt',
};

async function getSettlement(tx: Visit['tx'], id: string): Promise<ListedSettlement> {
  const found = await findSettlement(tx, id);
  if (!found) throw refuseWhole('not_found', 'no_settlement');
  return found;
}

async function showOne({ tx, params: { id } }: OfSettlement, input: FormInput): Promise<View> {
  const one = await getSettlement(tx, id);
  const state = stateOf(one);
  return {
    template: 'settlement',
    title: `Avräkning ${one.number}`,
    values: {
      id,
      state,
      provider: one.provider,
      country: one.country === 'SE' ? null : one.country,
      date: one.day,
      account: one.account,
      payout: kronor(one.payout_ore),
      reference: one.payout_reference,
      voucher: { href: `/verifikat/${one.voucher_id}`, label: one.voucher },
      payoutVoucher:
        one.payout_voucher_id === null
          ? null
          : { href: `/verifikat/${one.payout_voucher_id}`, label: one.payout_voucher ?? '' },
      lines: one.lines.map((line) => ({
        what: kindNames[line.kind],
        text: [line.reference, line.text].filter(Boolean).join(' '),
        account: line.account,
        vat:
          line.reverse_charge_vat_ore === null
            ? null
            : amountText(BigInt(line.reverse_charge_vat_ore)),
        amount: amountText(BigInt(line.amount_ore)),
      })),
      form:
        state === states.waiting
          ? formOf(input, {
              voucher: field(input, 'voucher', 'Verifikat', {
                isRequired: true,
                maxLength: 50,
                size: 12,
                help: 'Serie och nummer, t.ex. A12. Det ska ta utbetalningen från avräkningskontot.',
              }),
            })
          : null,
    },
  };
}
