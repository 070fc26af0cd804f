/** Money to suppliers, and back from them. */
import type { MatchDocument } from '../../src/domain/ledger/bank-matching/match.ts';
import type { Story } from './stories.ts';
import type { Teller } from './world.ts';

const giroOut = 'PMNT/ICDT/ATXN';
const tied = (t: Teller, key: string) => {
  const tie = t.tie();
  return { tie, document: t.purchase(key, { tie }) };
};
const ocr = (document: MatchDocument) => [document.reference as string];

export const supplierStories: Readonly<Record<string, Story>> = {
  tie_single(t) {
    const { tie, document } = tied(t, 'a');
    t.purchase('same_sum', { open: -document.openOre });
    t.row({
      amount: document.openOre,
      text: t.cut(document.party.name),
      code: giroOut,
      payments: [{ endToEndId: tie }],
    });
  },
  tie_several(t) {
    const paid = ['a', 'b', 'c', 'd', 'e', 'f']
      .slice(0, 2 + (t.variant % 5))
      .map((key) => tied(t, key));
    const amount = paid.reduce((all, one) => all + one.document.openOre, 0n);
    t.row({
      amount,
      text: 'BG-betalning',
      code: giroOut,
      payments: paid.map((one) => ({ amount: one.document.openOre, endToEndId: one.tie })),
    });
  },
  tie_against_name(t) {
    const { tie, document } = tied(t, 'a');
    const other = t.purchase('other', { open: -document.openOre });
    t.row({
      amount: document.openOre,
      text: t.cut(other.party.name),
      code: giroOut,
      payments: [{ endToEndId: tie }],
    });
  },
  supplier_ocr_in_reference(t) {
    const a = t.purchase('a');
    t.row({
      amount: a.openOre,
      text: 'Bg-bet. via internet',
      code: giroOut,
      payments: [
        { references: ocr(a), creditor: { name: a.party.name, account: null, accountKind: null } },
      ],
    });
  },
  supplier_ocr_in_text(t) {
    const a = t.purchase('a');
    t.purchase('same_sum', { open: -a.openOre });
    t.row({ amount: a.openOre, text: `${a.reference} Bg-bet. via internet` });
  },
  supplier_number_in_text(t) {
    const a = t.purchase('a');
    t.purchase('same_sum', { open: -a.openOre });
    t.row({ amount: a.openOre, text: `${a.number} BG-betalning` });
  },
  same_ocr_account_tells(t) {
    const account = t.draft.giro();
    const a = t.purchase('a', { party: t.party({ accounts: [account] }) });
    t.purchase('b', { open: -a.openOre, reference: a.reference });
    t.row({
      amount: a.openOre,
      text: 'BG-betalning',
      code: giroOut,
      payments: [
        { references: ocr(a), creditor: { name: a.party.name, account, accountKind: 'BGNR' } },
      ],
    });
  },
  autogiro_name(t) {
    const a = t.purchase('a', { open: t.sum(400, 3000) });
    t.purchase('same_sum', { open: -a.openOre });
    t.row({ amount: a.openOre, text: `Autogiro ${a.party.name}`, code: 'PMNT/RDDT/PMDD' });
  },
  autogiro_other_sum(t) {
    const a = t.purchase('a', { open: t.sum(1000, 3000) });
    t.row({
      amount: a.openOre + 15_700n,
      text: `Autogiro ${a.party.name}`,
      code: 'PMNT/RDDT/PMDD',
    });
  },
  supplier_part_by_ocr(t) {
    const a = t.purchase('a', { open: t.sum(5000) });
    t.row({
      amount: a.openOre / 2n,
      text: 'BG-betalning',
      code: giroOut,
      payments: [{ references: ocr(a) }],
    });
  },
  supplier_name_and_sum(t) {
    const a = t.purchase('a');
    t.row({ amount: a.openOre, text: t.cut(a.party.name), payments: [] });
  },
  supplier_credit_paid_back(t) {
    const a = t.purchase('a', { open: -t.sum() });
    t.row({
      amount: a.openOre,
      text: t.cut(a.party.name),
      code: 'PMNT/RCDT/ATXN',
      payments: [
        { references: ocr(a), debtor: { name: a.party.name, account: null, accountKind: null } },
      ],
    });
  },
  returned_with_tie(t) {
    const { tie, document } = tied(t, 'a');
    t.earlier('e', {
      amount: document.openOre,
      text: 'BG-betalning',
      ties: [tie],
      paid: [document.id],
    });
    t.earlier('same_sum', { amount: document.openOre, text: 'BG-betalning' });
    t.row({
      amount: -document.openOre,
      text: 'Retur',
      isReversal: t.variant % 2 === 0,
      payments: [{ endToEndId: tie, returnReason: 'AC04' }],
    });
  },
  returned_autogiro(t) {
    const party = t.party();
    const amount = -t.sum(400, 3000);
    t.earlier('e', { amount, text: `Autogiro ${party.name}` });
    t.invoice('same_sum', { open: -amount });
    t.row({ amount: -amount, text: `Autogiro ${party.name}`, isReversal: true });
  },
  returned_two_alike(t) {
    const amount = -t.sum();
    t.earlier('e', { amount, text: 'BG-betalning' });
    t.earlier('f', { amount, text: 'BG-betalning' });
    t.row({ amount: -amount, text: 'Returnerad betalning', isReversal: true });
  },
};
