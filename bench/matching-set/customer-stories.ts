/** Money from customers, and back to them. */
import type { MatchDocument } from '../../src/domain/ledger/bank-matching/match.ts';
import type { Story } from './stories.ts';
import type { Teller } from './world.ts';

const giroIn = 'PMNT/RCDT/ATXN';
const ocr = (document: MatchDocument) => [document.reference as string];
const payer = (name: string, account: string | null = null) => ({
  name,
  account,
  accountKind: account ? 'BGNR' : null,
});
const lumpText = (t: Teller) => t.cut(`Bankgiro inbetalning 991-2346 00${142 + t.variant}`);

export const customerStories: Readonly<Record<string, Story>> = {
  ocr_exact(t) {
    const a = t.invoice('a');
    t.invoice('same_customer', { party: a.party });
    t.invoice('same_sum', { open: a.openOre });
    t.row({
      amount: a.openOre,
      text: lumpText(t),
      code: giroIn,
      payments: [{ references: ocr(a), debtor: payer(a.party.name) }],
    });
  },
  ocr_with_zeros_and_blanks(t) {
    const a = t.invoice('a');
    const given =
      t.variant % 2
        ? `000000${a.reference}`
        : `${a.reference?.slice(0, 2)} ${a.reference?.slice(2)}`;
    t.row({
      amount: a.openOre,
      text: lumpText(t),
      code: giroIn,
      payments: [{ references: [given] }],
    });
  },
  ocr_exact_payer_is_another(t) {
    const a = t.invoice('a');
    const b = t.invoice('b', { open: a.openOre });
    t.row({
      amount: a.openOre,
      text: t.cut(b.party.name),
      payments: [{ references: ocr(a), debtor: payer(b.party.name) }],
    });
  },
  ocr_part_payment(t) {
    const a = t.invoice('a');
    const amount = (a.openOre * BigInt(40 + (t.variant % 5) * 10)) / 100n;
    t.invoice('sum_of_the_part', { open: amount });
    t.row({ amount, text: lumpText(t), code: giroIn, payments: [{ references: ocr(a) }] });
  },
  ocr_rounded(t) {
    const a = t.invoice('a');
    const off = [50n, -50n, 99n, -99n, 1n, -37n, 12n, -1n][t.variant % 8] as bigint;
    t.row({
      amount: a.openOre + off,
      text: lumpText(t),
      code: giroIn,
      payments: [{ references: ocr(a) }],
    });
  },
  ocr_paid_too_much(t) {
    const a = t.invoice('a');
    t.row({
      amount: a.openOre + t.sum(400, 6000),
      text: lumpText(t),
      code: giroIn,
      payments: [{ references: ocr(a) }],
    });
  },
  ocr_paid_twice(t) {
    const a = t.invoice('a');
    for (const after of [0, 2 + (t.variant % 4)]) {
      t.row({
        amount: a.openOre,
        after,
        text: lumpText(t),
        code: giroIn,
        payments: [{ references: ocr(a), debtor: payer(a.party.name) }],
      });
    }
  },
  ocr_of_settled_whole_again(t) {
    const total = t.sum();
    const a = t.invoice('a', { open: 0n, totalOre: total });
    t.invoice('same_sum', { open: total });
    t.row({
      amount: total,
      text: lumpText(t),
      code: giroIn,
      payments: [{ references: ocr(a), debtor: payer(a.party.name) }],
    });
  },
  ocr_of_settled_named_payer(t) {
    const paid = t.invoice('paid', { open: 0n, totalOre: t.sum() });
    const a = t.invoice('a');
    t.row({
      amount: a.openOre,
      text: lumpText(t),
      code: giroIn,
      payments: [{ references: ocr(paid), debtor: payer(a.party.name) }],
    });
  },
  ocr_without_tie(t) {
    const a = t.invoice('a');
    const endToEndId = t.variant % 2 ? 'NOTPROVIDED' : 'NOT PROVIDED';
    t.row({
      amount: a.openOre,
      text: lumpText(t),
      code: giroIn,
      payments: [{ endToEndId, references: ocr(a) }],
    });
  },
  ocr_rest_of_part_paid(t) {
    const total = t.sum(8000);
    const a = t.invoice('a', { open: total / 4n, totalOre: total });
    t.row({
      amount: a.openOre,
      text: lumpText(t),
      code: giroIn,
      payments: [{ references: ocr(a) }],
    });
  },
  one_payment_many_references(t) {
    const party = t.party();
    const paid = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
      .slice(0, 2 + (t.variant % 7))
      .map((key) => t.invoice(key, { party }));
    t.invoice('not_paid', { party });
    const amount = paid.reduce((all, one) => all + one.openOre, 0n);
    t.row({
      amount,
      text: t.cut(party.name),
      code: giroIn,
      payments: [{ references: paid.flatMap(ocr), debtor: payer(party.name) }],
    });
  },
  one_payment_invoice_and_credit(t) {
    const party = t.party();
    const a = t.invoice('a', { party, open: t.sum(9000) });
    const credit = t.invoice('credit', { party, open: -t.sum(400, 5000) });
    t.row({
      amount: a.openOre + credit.openOre,
      text: t.cut(party.name),
      code: giroIn,
      payments: [
        {
          documents: [
            { number: a.number, kind: 'CINV' },
            { number: credit.number, kind: 'CREN' },
          ],
          debtor: payer(party.name),
        },
      ],
    });
  },
  numbers_of_two_in_text(t) {
    const party = t.party();
    const a = t.invoice('a', { party });
    const b = t.invoice('b', { party });
    t.row({
      amount: a.openOre + b.openOre,
      text: t.cut('Inbetalning'),
      payments: [{ texts: [`Faktura ${a.number}, ${b.number}`], debtor: payer(party.name) }],
    });
  },
  lump_all_known(t) {
    const paid = ['a', 'b', 'c', 'd', 'e']
      .slice(0, 3 + (t.variant % 3))
      .map((key) => t.invoice(key));
    const amount = paid.reduce((all, one) => all + one.openOre, 0n);
    t.invoice('whole_lump', { open: amount });
    t.row({
      amount,
      text: lumpText(t),
      code: giroIn,
      payments: paid.map((one) => ({ amount: one.openOre, references: ocr(one) })),
    });
  },
  lump_one_in_part(t) {
    const a = t.invoice('a');
    const b = t.invoice('b');
    const part = b.openOre / 2n;
    t.row({
      amount: a.openOre + part,
      text: lumpText(t),
      code: giroIn,
      payments: [
        { amount: a.openOre, references: ocr(a) },
        { amount: part, references: ocr(b) },
      ],
    });
  },
  number_named_cinv(t) {
    const a = t.invoice('a');
    t.invoice('same_sum', { open: a.openOre });
    t.row({
      amount: a.openOre,
      text: t.cut(a.party.name),
      code: giroIn,
      payments: [
        {
          documents: [{ number: t.variant % 2 ? `${a.number}/` : a.number, kind: 'CINV' }],
          debtor: payer(a.party.name),
        },
      ],
    });
  },
  number_in_text(t) {
    const a = t.invoice('a');
    t.invoice('same_sum', { open: a.openOre });
    t.row({
      amount: a.openOre,
      text: [`Faktura ${a.number}`, `Fakt ${a.number}`, a.number][t.variant % 3] as string,
    });
  },
  payer_account_and_sum(t) {
    const account = t.draft.giro();
    const party = t.party({ accounts: [account] });
    const a = t.invoice('a', { party });
    t.invoice('same_sum', { open: a.openOre });
    t.row({
      amount: a.openOre,
      text: lumpText(t),
      code: giroIn,
      payments: [
        {
          debtor: {
            name: null,
            account: `${account.slice(0, 4)}-${account.slice(4)}`,
            accountKind: 'BGNR',
          },
        },
      ],
    });
  },
  payer_name_and_sum(t) {
    const a = t.invoice('a');
    t.invoice('same_customer', { party: a.party });
    t.row({ amount: a.openOre, text: t.cut(a.party.name) });
  },
  payer_name_chooses_of_equal_sums(t) {
    const a = t.invoice('a');
    t.invoice('same_sum', { open: a.openOre });
    t.row({
      amount: a.openOre,
      text: t.cut(a.party.name),
      payments: [{ debtor: payer(a.party.name.toUpperCase()) }],
    });
  },
  neutral_text_one_sum(t) {
    const a = t.invoice('a');
    t.row({
      amount: a.openOre,
      text: ['Inbetalning', 'Insättning', 'Betalning'][t.variant % 3] as string,
    });
  },
  swish_known_phone(t) {
    const digits = String(1740605 + ((t.variant * 11 + 3) % 95));
    const a = t.invoice('a', {
      party: t.party({ phone: `070-${digits}` }),
      open: t.sum(400, 4000),
    });
    const text = t.variant % 2 ? `4670${digits}` : `Swish från +4670${digits}`;
    t.row({ amount: a.openOre, text, code: 'PMNT/RCDT/DMCT' });
  },
  foreign_fee_deducted(t) {
    const a = t.invoice('a', { open: t.sum(9000, 40_000) });
    const fee = BigInt(80 + ((t.variant * 29) % 220)) * 100n;
    t.row({
      amount: a.openOre - fee,
      text: 'ANK Utland Normal',
      code: 'PMNT/RCDT/XBCT',
      payments: [{ texts: [`Invoice ${a.number}`], debtor: payer(a.party.name) }],
    });
  },
  foreign_far_too_little(t) {
    const a = t.invoice('a', { open: t.sum(9000, 40_000) });
    t.row({
      amount: a.openOre / 2n,
      text: 'ANK Utland Normal',
      code: 'PMNT/RCDT/XBCT',
      payments: [{ references: ocr(a), debtor: payer(a.party.name) }],
    });
  },
  refund_to_customer(t) {
    const a = t.invoice('a', { open: -t.sum() });
    t.row({
      amount: a.openOre,
      text: t.cut(`Återbet ${a.number}`),
      payments: [{ texts: [`Återbet. faktura ${a.number}`], creditor: payer(a.party.name) }],
    });
  },
  refund_with_our_tie(t) {
    const tie = t.tie();
    const a = t.invoice('a', { open: -t.sum(), tie });
    t.row({
      amount: a.openOre,
      text: 'BG-betalning',
      code: 'PMNT/ICDT/ATXN',
      payments: [{ endToEndId: tie }],
    });
  },
};
