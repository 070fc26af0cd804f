/** Rows that look as if they met something. */
import type { Story } from './stories.ts';
import { ocrOf } from './world.ts';

const giroIn = 'PMNT/RCDT/ATXN';

export const emptyStories: Readonly<Record<string, Story>> = {
  two_equal_sums(t) {
    const a = t.invoice('a');
    t.invoice('b', { open: a.openOre });
    t.row({ amount: a.openOre, text: 'Inbetalning' });
  },
  same_customer_two_equal(t) {
    const a = t.invoice('a');
    t.invoice('b', { party: a.party, open: a.openOre });
    t.row({ amount: a.openOre, text: t.cut(a.party.name) });
  },
  lump_without_details(t) {
    const a = t.invoice('a');
    const b = t.invoice('b');
    t.invoice('number_is_serial', { number: `${142 + t.variant}` });
    t.row({ amount: a.openOre + b.openOre, text: `991-2346 00${142 + t.variant}`, code: giroIn });
  },
  lump_equals_one_and_two(t) {
    const a = t.invoice('a');
    const b = t.invoice('b');
    t.invoice('c', { open: a.openOre + b.openOre });
    t.row({ amount: a.openOre + b.openOre, text: 'Bankgiro inbetalning 9912346', code: giroIn });
  },
  lump_one_unknown(t) {
    const a = t.invoice('a');
    const b = t.invoice('b');
    const rest = t.sum();
    const unknown = ocrOf(`99${t.draft.nextNumber()}`);
    t.row({
      amount: a.openOre + b.openOre + rest,
      text: 'BG-insättning',
      code: giroIn,
      payments: [
        { amount: a.openOre, references: [a.reference as string] },
        { amount: b.openOre, references: [b.reference as string] },
        { amount: rest, references: [unknown] },
      ],
    });
  },
  ocr_of_nobody(t) {
    const a = t.invoice('a');
    t.row({
      amount: a.openOre,
      text: 'BG-insättning',
      code: giroIn,
      payments: [{ references: [ocrOf(`88${a.number}`)] }],
    });
  },
  ocr_typo_hits_settled(t) {
    const paid = t.invoice('paid', { open: 0n, totalOre: t.sum() });
    const a = t.invoice('a');
    t.row({
      amount: a.openOre,
      text: 'BG-insättning',
      code: giroIn,
      payments: [{ references: [paid.reference as string] }],
    });
  },
  stranger_with_anothers_sum(t) {
    const a = t.invoice('a');
    t.row({ amount: a.openOre, text: t.cut(t.party().name) });
  },
  stranger_as_debtor(t) {
    const a = t.invoice('a');
    t.row({
      amount: a.openOre,
      text: 'Inbetalning',
      payments: [{ debtor: { name: t.party().name, account: null, accountKind: null } }],
    });
  },
  card_purchase(t) {
    const shops = ['ICKEKAFFET KORSEN', 'MOLNSKRIPT *ABO', 'TANKSTUGAN 12', 'PRYLBODEN.EXAMPLE'];
    const shop = shops[t.variant % shops.length] as string;
    const text =
      t.variant % 2
        ? `${shop}/26-10-${10 + (t.variant % 18)}`
        : `${t.cut(shop)} Kortköp 2610${10 + (t.variant % 18)}`;
    t.invoice('number_is_day', { number: `2610${10 + (t.variant % 18)}` });
    t.row({ amount: -t.sum(400, 2000), text, code: 'PMNT/CCRD/POSD' });
  },
  card_equals_supplier_sum(t) {
    const a = t.purchase('a', { open: t.sum(400, 2000) });
    t.row({ amount: a.openOre, text: 'PRYLBODEN.EXAMPLE Kortköp/uttag', code: 'PMNT/CCRD/POSD' });
  },
  phone_like_number(t) {
    const digits = String(1740610 + t.variant);
    t.invoice('a', { number: `70${digits}` });
    t.row({ amount: t.sum(400, 3000), text: `Swish från +4670${digits}`, code: 'PMNT/RCDT/DMCT' });
  },
  giro_like_number(t) {
    t.invoice('a', { number: '9912346' });
    t.row({ amount: t.sum(), text: 'Bankgiro inbetalning 9912346', code: giroIn });
  },
  two_sets_give_the_sum(t) {
    const party = t.party();
    const [x, y] = [t.sum(2000, 9000), t.sum(10_000, 20_000)];
    const shift = 40_000n;
    t.invoice('a', { party, open: x });
    t.invoice('b', { party, open: y });
    t.invoice('c', { party, open: x + shift });
    t.invoice('d', { party, open: y - shift });
    t.row({ amount: x + y, text: t.cut(party.name) });
  },
  tie_unknown(t) {
    const a = t.purchase('a');
    t.row({
      amount: a.openOre,
      text: 'BG-betalning',
      code: 'PMNT/ICDT/ATXN',
      payments: [{ endToEndId: `ZZ${t.tie()}` }],
    });
  },
  tie_one_unknown_of_three(t) {
    const [one, two] = [t.tie(), t.tie()];
    const a = t.purchase('a', { tie: one });
    const b = t.purchase('b', { tie: two });
    const c = t.sum();
    t.row({
      amount: a.openOre + b.openOre - c,
      text: 'BG-betalning',
      code: 'PMNT/ICDT/ATXN',
      payments: [
        { amount: a.openOre, endToEndId: one },
        { amount: b.openOre, endToEndId: two },
        { amount: -c, endToEndId: `ZZ${t.tie()}` },
      ],
    });
  },
  same_ocr_two_suppliers(t) {
    const a = t.purchase('a');
    t.purchase('b', { open: -a.openOre, reference: a.reference });
    t.row({
      amount: a.openOre,
      text: 'BG-betalning',
      code: 'PMNT/ICDT/ATXN',
      payments: [{ references: [a.reference as string] }],
    });
  },
  two_vouchers_alike(t) {
    const amount = -t.sum();
    t.voucher('v', amount, -1, 'Utbetalning');
    t.voucher('w', amount, 1, 'Utbetalning');
    t.row({ amount, text: 'Betalning' });
  },
  voucher_ten_weeks_away(t) {
    const party = t.party();
    const amount = -t.sum();
    t.voucher('v', amount, -70, `Betalning ${party.name}`);
    t.row({ amount, text: t.cut(party.name) });
  },
  wrong_way(t) {
    const a = t.invoice('a');
    t.row({ amount: -a.openOre, text: t.cut(a.party.name) });
  },
  swish_phone_of_nobody(t) {
    const a = t.invoice('a', { party: t.party({ phone: '070-1740605' }), open: t.sum(400, 4000) });
    t.row({
      amount: a.openOre,
      text: `Swish från +46701740${690 + (t.variant % 9)}`,
      code: 'PMNT/RCDT/DMCT',
    });
  },
  swish_phone_with_two_equal(t) {
    const phone = `070-17406${50 + (t.variant % 40)}`;
    const party = t.party({ phone });
    const a = t.invoice('a', { party, open: t.sum(400, 4000) });
    t.invoice('b', { party, open: a.openOre });
    t.row({
      amount: a.openOre,
      text: `46${phone.replace(/\D/g, '').slice(1)}`,
      code: 'PMNT/RCDT/DMCT',
    });
  },
};
