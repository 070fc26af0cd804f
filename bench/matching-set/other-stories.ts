/** Vouchers, own transfers, tax, the bank's own rows and rules. */
import type { Story } from './stories.ts';

export const otherStories: Readonly<Record<string, Story>> = {
  voucher_name(t) {
    const party = t.party();
    const amount = t.variant % 2 ? t.sum() : -t.sum();
    t.voucher('v', amount, -2, `Betalning ${party.name}`);
    t.row({ amount, text: t.cut(party.name) });
  },
  voucher_name_of_two(t) {
    const party = t.party();
    const amount = -t.sum();
    t.voucher('other', amount, 0, `Betalning ${t.party().name}`);
    t.voucher('v', amount, -3, `Betalning ${party.name}`);
    t.row({ amount, text: t.cut(party.name) });
  },
  voucher_number(t) {
    const number = t.draft.nextNumber();
    const amount = t.sum();
    t.voucher('v', amount, 1, `Inbetalning faktura ${number}`);
    t.row({ amount, text: `Faktura ${number}` });
  },
  voucher_salaries(t) {
    const amount = -t.sum(20_000);
    t.voucher('v', amount, -1, 'Lön oktober nettolöner');
    t.row({ amount, text: 'Löneutbetalning', code: 'PMNT/ICDT/SALA' });
  },
  transfer_two_accounts(t) {
    const amount = t.sum(5000);
    t.row({ amount: -amount, text: 'Överföring till sparkonto' });
    t.row({ amount, at: 'savings', after: t.variant % 2, text: 'Överföring från företagskonto' });
  },
  transfer_ambiguous(t) {
    const amount = t.sum(5000);
    t.row({ amount: -amount, text: 'Överföring via internet' });
    t.row({ amount, at: 'savings', text: 'Överföring via internet' });
    t.row({ amount, at: 'savings', text: 'Överföring via internet' });
  },
  transfer_no_counterpart(t) {
    t.row({ amount: -t.sum(5000), text: 'Överföring inom banken' });
  },
  tax_payment(t) {
    const amount = -t.sum(3000);
    t.purchase('same_sum', { open: -amount });
    const inText = t.variant % 2 === 1;
    t.row({
      amount,
      text: inText ? 'Inbetalning skat BG 0000050501055 Bg-bet. via internet' : 'BG-betalning',
      payments: inText
        ? []
        : [
            {
              references: ['1655667788990'],
              creditor: { name: 'Skatteverket', account: '5050-1055', accountKind: 'BGNR' },
            },
          ],
    });
  },
  tax_refund(t) {
    const amount = t.sum();
    t.invoice('same_sum', { open: amount });
    t.row({ amount, text: 'SKATTEVERKET' });
  },
  tax_rows(t) {
    const month = ['juli', 'aug', 'sept', 'okt'][t.variant % 4];
    t.row({ at: 'tax', amount: -t.sum(3000), text: `Moms ${month} 2026` });
    t.row({ at: 'tax', amount: -t.sum(3000), text: `Arbetsgivaravgift ${month} 2026` });
    t.row({ at: 'tax', amount: -t.sum(3000), text: `Avdragen skatt ${month} 2026` });
    t.row({ at: 'tax', amount: BigInt(2100 + t.variant * 100), text: 'Intäktsränta' });
    t.row({ at: 'tax', amount: -BigInt(3100 + t.variant * 100), text: 'Kostnadsränta' });
  },
  bank_fee(t) {
    const words = ['BANKTJÄNSTER', 'PRIS NYCKELKUND', 'Pris betalning', 'Årsavgift', 'Avgift'];
    t.row({
      amount: -BigInt(5100 + t.variant * 311),
      text: words[t.variant % words.length] as string,
    });
  },
  bank_interest(t) {
    t.row({ amount: BigInt(784 + t.variant * 13), text: t.variant % 2 ? 'RÄNTA' : 'Ränta' });
  },
  rule_said(t) {
    const name = t.draft.party().name.split(' ')[0] as string;
    t.rule('r', `${name} hyra`, 5010, false);
    t.row({ amount: -t.sum(), text: `${name.toUpperCase()}  Hyra okt` });
  },
  rule_learnt(t) {
    const name = t.draft.party().name.split(' ')[0] as string;
    t.rule('r', name, 6540, true);
    t.row({ amount: -t.sum(400, 3000), text: `${name} 2610` });
  },
  rule_other_direction(t) {
    const name = t.draft.party().name.split(' ')[0] as string;
    t.rule('r', name, 6540, false);
    t.row({ amount: t.sum(400, 3000), text: `${name} återköp` });
  },
};
