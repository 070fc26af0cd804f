/** What providers of payments pay out, batches that the bank makes as one, and names that look like others'. */
import type { Story } from './stories.ts';
import type { Teller } from './world.ts';

const number = (t: Teller): string => `AVR-${t.draft.nextNumber()}-${4100 + t.variant}`;

export const providerStories: Readonly<Record<string, Story>> = {
  settlement_named(t) {
    const named = number(t);
    const amount = t.sum(3000);
    t.settlement('s', { provider: 'Kortbolaget', number: named, amountOre: amount });
    t.invoice('same_sum', { open: amount });
    t.row({ amount, text: `KORTBOLAGET ${named}` });
  },
  settlement_by_reference(t) {
    const amount = t.sum(3000);
    const reference = `68768${t.draft.nextNumber()}-20260${1 + (t.variant % 9)}04`;
    t.settlement('s', { provider: 'Inlösaren', number: number(t), reference, amountOre: amount });
    t.row({ amount, text: reference });
  },
  settlement_by_provider(t) {
    const amount = t.sum(3000);
    t.settlement('s', { provider: 'Fakturaköparen', number: number(t), amountOre: amount });
    t.row({ amount, text: 'FAKTURAKÖPAREN AB' });
  },
  settlement_of_other_sum(t) {
    const named = number(t);
    const amount = t.sum(3000);
    t.settlement('s', { provider: 'Kortbolaget', number: named, amountOre: amount });
    t.row({ amount: amount - 5_00n, text: `KORTBOLAGET ${named}` });
  },
  settlements_alike(t) {
    const amount = t.sum(3000);
    for (const key of ['s', 'other']) {
      t.settlement(key, { provider: 'Kortbolaget', number: number(t), amountOre: amount });
    }
    t.row({ amount, text: 'KORTBOLAGET' });
  },
  provider_named_like_a_customer(t) {
    const a = t.invoice('a', { party: t.party({ name: 'Kortbodas Grossist AB' }) });
    t.row({ amount: a.openOre + t.sum(100, 900), text: 'KORTBOLAGET UTBETALNING' });
  },
  tie_of_what_is_paid(t) {
    const tie = t.tie();
    const paid = t.sum();
    const a = t.purchase('a', { open: paid, tie });
    t.draft.documents.splice(t.draft.documents.indexOf(a), 1, { ...a, openOre: 0n });
    t.row({ amount: -paid, text: 'Bg-bet. via internet', payments: [{ endToEndId: tie }] });
  },
  tie_of_more_than_is_open(t) {
    const tie = t.tie();
    const owed = t.sum(4000);
    const a = t.purchase('a', { open: owed, tie });
    t.draft.documents.splice(t.draft.documents.indexOf(a), 1, { ...a, openOre: -owed / 2n });
    t.row({ amount: -owed, text: 'Bg-bet. via internet', payments: [{ endToEndId: tie }] });
  },
  batch_named(t) {
    const batch = t.tie();
    const some = ['a', 'b', 'c'].map((key) => t.purchase(key, { tie: t.tie(), batch }));
    const amount = some.reduce((all, { openOre }) => all + openOre, 0n);
    t.row({ amount, text: 'Betalningar', payments: [{ paymentBatchId: batch }] });
  },
  batch_that_lacks_one(t) {
    const batch = t.tie();
    const [a, b] = ['a', 'b', 'c'].map((key) => t.purchase(key, { tie: t.tie(), batch }));
    const amount = (a?.openOre ?? 0n) + (b?.openOre ?? 0n);
    t.row({ amount, text: 'Betalningar', payments: [{ paymentBatchId: batch }] });
  },
  ocr_within_a_longer_number(t) {
    const a = t.invoice('a');
    t.row({ amount: a.openOre + t.sum(100, 900), text: `REF 88${a.reference}41 9` });
  },
  ocr_in_an_opaque_name(t) {
    const a = t.invoice('a');
    t.invoice('b', { open: a.openOre });
    t.row({ amount: a.openOre, text: `PO_${a.reference}XKQ` });
  },
  cash_brought_to_the_bank(t) {
    const amount = BigInt(20 + t.variant) * 100_00n;
    t.invoice('same_sum', { open: amount });
    t.row({ amount, text: 'Insättning servicebox dagskassa' });
  },
};
