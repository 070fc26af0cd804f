/** What rows of the bank are held for: each kind of sign, and where nothing must be. Names and numbers are made up. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '#src/domain/basics/money.ts';
import type {
  Match,
  MatchDocument,
  MatchPayout,
  MatchVoucher,
  MatchWorld,
  RowPayment,
  UnmatchedRow,
} from '#src/domain/ledger/bank-matching/match.ts';
import { matchRows } from '#src/domain/ledger/bank-matching/matching.ts';
import { namesParty, wordsOf } from '#src/domain/ledger/bank-matching/names.ts';
import { onlySet } from '#src/domain/ledger/bank-matching/subset-sum.ts';

const row = (
  id: string,
  amountOre: number,
  text: string,
  more: Partial<UnmatchedRow> = {},
): UnmatchedRow => ({
  ...{ id, accountId: 'bank', ledgerAccount: 1930, accountKind: 'bank', day: '2026-11-09' },
  ...{ amountOre: BigInt(amountOre), text, code: null, isReversal: false, payments: [] },
  ...more,
});
const nobody = { name: null, account: null, accountKind: null };
const payment = (amountOre: number | null, more: Partial<RowPayment> = {}): RowPayment => ({
  amount: amountOre === null ? null : BigInt(amountOre),
  ...{ endToEndId: null, paymentBatchId: null, references: [], documents: [], texts: [] },
  returnReason: null,
  ...{ debtor: nobody, creditor: nobody },
  ...more,
});
const party = (name: string) => ({ id: name, name, accounts: [], phone: null });
const invoice = (
  number: number,
  openOre: number,
  more: Partial<MatchDocument> = {},
): MatchDocument => ({
  ...{ kind: 'invoice', id: `i${number}`, number: String(number), reference: `${number}41` },
  ...{ openOre: BigInt(openOre), totalOre: BigInt(openOre), issuedOn: '2026-10-01' },
  currency: 'SEK',
  ...{ dueOn: '2026-10-31', party: party('Café Ekbacken AB') },
  ...more,
});
const purchase = (
  number: string,
  owedOre: number,
  more: Partial<MatchDocument> = {},
): MatchDocument =>
  invoice(0, -owedOre, {
    ...{
      kind: 'purchase',
      id: `p${number}`,
      number,
      reference: null,
      party: party('Granens Frakt AB'),
    },
    ...more,
  });
const payout = (
  name: string,
  parts: Readonly<Record<string, number>>,
  more: Partial<MatchPayout> = {},
): MatchPayout => ({
  ...{ id: name, name, blockId: 'B', accountId: 'bank', executionOn: '2026-11-09', isSent: true },
  amountOre: BigInt(Object.values(parts).reduce((sum, ore) => sum + ore, 0)),
  parts: Object.entries(parts).map(([documentId, ore]) => {
    return { kind: 'purchase', documentId, amountOre: BigInt(ore) };
  }),
  ...more,
});
const world = (rows: UnmatchedRow[], more: Partial<MatchWorld> = {}): MatchWorld => ({
  rows,
  ...{
    documents: [],
    payouts: [],
    settlements: [],
    credits: [],
    vouchers: [],
    earlier: [],
    rules: [],
  },
  own: {
    accounts: [{ accountId: 'bank', numbers: ['9912346'] }],
    organizationNumber: '5560360793',
  },
  ...more,
});
function told(match: Match | undefined): string {
  if (!match) return 'nothing at all';
  if (match.certainty === 'none') return `none: ${match.reason}`;
  const { target } = match;
  const what =
    target.kind === 'documents'
      ? `${target.parts.map((part) => `${part.documentId} ${part.amountOre}`).join(', ')}${target.difference ? ` ${target.difference.kind} ${target.difference.amountOre}` : ''}`
      : target.kind === 'account'
        ? `account ${target.account}`
        : `${target.kind} ${Object.values(target)[1]}`;
  return `${match.certainty}: ${what}`;
}
const one = (asked: UnmatchedRow, more: Partial<MatchWorld>): string =>
  told(matchRows(world([asked], more)).get(asked.id));
const ocr = (...references: string[]) => payment(null, { references });

describe('a document in another currency', () => {
  const euro = { currency: 'EUR' };
  const documents = [
    invoice(1004, 1_123_450, euro),
    purchase('INV-77', 486_207, { ...euro, party: party('Muster Cloud GmbH') }),
  ];
  const paying = (ore: number) =>
    one(row('r', ore, 'Bankgiro', { payments: [ocr('100441')] }), { documents });
  const sending = (ore: number, text = 'Muster Cloud GmbH') =>
    one(row('r', ore, text, { code: 'PMNT/ICDT/ESCT' }), { documents });

  test('is paid whole by the kronor of another day, and the rest is exchange', () => {
    expect(paying(1_123_450)).toBe('exact: i1004 1123450');
    expect(paying(1_140_025)).toBe('likely: i1004 1123450 exchange 16575');
    expect(paying(1_123_400)).toBe('likely: i1004 1123450 exchange -50');
    expect(sending(-490_318)).toBe('likely: pINV-77 -486207 exchange -4111');
    expect(sending(-480_000)).toBe('likely: pINV-77 -486207 exchange 6207');
    expect(sending(-490_318, 'Utlandsbet INV-77 Muster')).toBe(
      'likely: pINV-77 -486207 exchange -4111',
    );
  });
  test('is paid in part, or by something else, where no rate has moved so far', () => {
    expect(paying(561_725)).toBe('likely: i1004 561725');
    expect(sending(-243_103)).toBe('none: nothing_fits');
    expect(sending(-600_000)).toBe('none: nothing_fits');
  });
  test('gives way to what comes to the amount without any rate, and is nothing when two fit', () => {
    const muster = { ...euro, party: party('Muster Cloud GmbH') };
    const others = [...documents, purchase('INV-78', 490_318, muster)];
    expect(one(row('r', -490_318, 'Muster Cloud'), { documents: others })).toBe(
      'likely: pINV-78 -490318',
    );
    expect(one(row('r', -488_000, 'Muster Cloud'), { documents: others })).toBe(
      'none: several_fit',
    );
  });
  test('in kronor is not paid by so much less', () => {
    const kronor = [purchase('INV-77', 486_207, { party: party('Muster Cloud GmbH') })];
    expect(one(row('r', -490_318, 'Muster Cloud'), { documents: kronor })).toBe(
      'none: nothing_fits',
    );
  });
});

describe('what a customer paid too much and gets back', () => {
  const credits = [
    { name: 'Hotell Älvkanten AB', amountOre: -125_000n },
    { name: 'Granens Kafé', amountOre: -50_000n },
  ];
  const back = (ore: number, text: string) => one(row('r', ore, text), { credits });
  test('is their credit, where they are named and all of it goes back', () => {
    expect(back(-125_000, 'Bg-bet. via internet Hotell Älvkanten')).toBe('likely: account 2420');
    expect(back(-125_000, 'Bg-bet. via internet Granens Kafé')).toBe('none: nothing_fits');
    expect(back(-125_000, 'Utbetalning')).toBe('none: nothing_fits');
    expect(back(-100_000, 'Hotell Älvkanten')).toBe('none: nothing_fits');
    expect(back(125_000, 'Hotell Älvkanten')).toBe('none: nothing_fits');
  });
  test('goes back once', () => {
    const rows = ['a', 'b'].map((id) => row(id, -50_000, 'Granens Kafé'));
    const matches = matchRows(world(rows, { credits }));
    expect(rows.map(({ id }) => told(matches.get(id)))).toEqual([
      'likely: account 2420',
      'none: nothing_fits',
    ]);
  });
});

describe('what agrees by chance', () => {
  const voucher = (text: string): MatchVoucher => ({
    ...{ id: 'v', accountId: 'bank', day: '2026-11-09', roomOre: -50_000n, text },
  });
  test('is not taken for the same: the month, or the year', () => {
    const asked = row('r', -50_000, 'Telia november 2026');
    expect(one(asked, { vouchers: [voucher('Hyra november 2026 Granen')] })).toBe(
      'none: nothing_fits',
    );
    expect(one(asked, { vouchers: [voucher('Telia november')] })).toBe('exact: voucher v');
  });
  test('is for a person: the number of another supplier’s invoice', () => {
    const named = (name: string) =>
      one(
        row('r', -50_000, 'Betalning', {
          payments: [
            payment(-50_000, {
              documents: [{ type: 'CINV', number: '1001', amount: null }] as never,
              creditor: { ...nobody, name },
            }),
          ],
        }),
        { documents: [purchase('1001', 50_000)] },
      );
    expect(named('Telia Sverige AB')).toBe('likely: p1001 -50000');
    expect(named('Granens Frakt AB')).toBe('exact: p1001 -50000');
  });
});

describe('what the payer named', () => {
  const documents = [invoice(1004, 1_250_000), invoice(1005, 1_250_000)];
  const paying = (ore: number, reference = '100441', more: Partial<UnmatchedRow> = {}) =>
    one(row('r', ore, 'Bankgiro', { payments: [ocr(reference)], ...more }), { documents });

  test('is booked by itself when it is the whole of one document', () => {
    expect(paying(1_250_000)).toBe('exact: i1004 1250000');
    expect(paying(1_250_000, '0000100541')).toBe('exact: i1005 1250000');
  });
  test('in parts, with öre, and too much is for a person', () => {
    expect(paying(1_200_000)).toBe('likely: i1004 1200000');
    expect(paying(1_250_050)).toBe('likely: i1004 1250000 rounding 50');
    expect(paying(1_300_000)).toBe('likely: i1004 1250000 credit 50000');
    expect(paying(2_500_000)).toBe('likely: i1004 1250000, i1005 1250000');
    const abroad = { code: 'PMNT/RCDT/XBCT' };
    expect(paying(1_235_000, '100441', abroad)).toBe('likely: i1004 1250000 bank_fee -15000');
  });
  test('is nothing when it is nobody’s', () => {
    expect(paying(1_250_000, '999999')).toBe('none: nothing_fits');
  });
  test('in a text that another open document’s number is read out of as well is for a person', () => {
    const alike = [invoice(1004, 99_900), invoice(100441, 99_900, { party: party('Norrvik HB') })];
    expect(one(row('r', 99_900, '100441'), { documents: alike })).toBe('likely: i1004 99900');
  });
  test('in the only detail of a row that is of another sum tells too little', () => {
    const payments = [payment(1_250_000, { references: ['100441'] })];
    expect(one(row('r', 1_300_000, 'Bankgiro', { payments }), { documents })).toBe(
      'none: partly_known',
    );
  });
  test('before the invoice’s day is for a person', () => {
    expect(paying(1_250_000, '100441', { day: '2026-09-30' })).toBe('likely: i1004 1250000');
  });
  test('twice is paid once, and the later row is the customer’s money', () => {
    const rows = [
      row('b', 1_250_000, 'Bankgiro', { day: '2026-11-12', payments: [ocr('100441')] }),
      row('a', 1_250_000, 'Bankgiro', { day: '2026-11-10', payments: [ocr('100441')] }),
    ];
    const matches = matchRows(world(rows, { documents }));
    expect(told(matches.get('a'))).toBe('exact: i1004 1250000');
    expect(told(matches.get('b'))).toBe('likely:  credit 1250000');
  });
  test('in details of a deposit is exact when all of them are known, and nothing when one is not', () => {
    const deposit = (last: string) =>
      one(
        row('r', 2_500_000, '9912346', {
          payments: [
            payment(1_250_000, { references: ['100441'] }),
            payment(1_250_000, { references: [last] }),
          ],
        }),
        { documents },
      );
    expect(deposit('100541')).toBe('exact: i1004 1250000, i1005 1250000');
    expect(deposit('777777')).toBe('none: partly_known');
    expect(deposit('100441')).toBe('likely: i1004 1250000 credit 1250000');
  });
  test('of a customer and a supplier in one deposit is for a person', () => {
    const both = [invoice(1004, 50_000), purchase('F1', -20_000, { reference: '7712349' })];
    const payments = [
      payment(50_000, { references: ['100441'] }),
      payment(20_000, { references: ['7712349'] }),
    ];
    expect(one(row('r', 70_000, 'Insättning', { payments }), { documents: both })).toBe(
      'none: partly_known',
    );
  });
  test('by our own name of the payment, of several suppliers at once', () => {
    const owed = [purchase('F1', 10_000), purchase('F2', 20_000)];
    const payouts = [payout('HB-1', { pF1: -10_000 }), payout('HB-2', { pF2: -20_000 })];
    const payments = [
      payment(-10_000, { endToEndId: 'HB-1' }),
      payment(-20_000, { endToEndId: 'HB-2' }),
    ];
    const paid = (last = 'HB-2') =>
      one(
        row('r', -30_000, 'Betalningar', {
          payments: payments.map((each, place) =>
            place === 1 ? { ...each, endToEndId: last } : each,
          ),
        }),
        { documents: owed, payouts },
      );
    expect(paid()).toBe('exact: pF1 -10000, pF2 -20000');
    expect(paid('X-9')).toBe('none: partly_known');
  });
});

describe('what a file has asked the bank for', () => {
  const documents = [
    purchase('F1', 100_000),
    purchase('F2', 80_000),
    purchase('K1', -20_000, { number: 'K1' }),
  ];
  const named = (ore: number, name: string, payouts: MatchPayout[]) =>
    one(row('r', ore, 'BG', { payments: [payment(ore, { endToEndId: name })] }), {
      documents,
      payouts,
    });
  test('is known by our name of it: in part, and with a credit note set off', () => {
    expect(named(-40_000, 'HB', [payout('HB', { pF1: -40_000 })])).toBe('exact: pF1 -40000');
    expect(named(-80_000, 'HB', [payout('HB', { pF1: -100_000, pK1: 20_000 })])).toBe(
      'exact: pF1 -100000, pK1 20000',
    );
  });
  test('is not that when the sum is another, or it is more than is open', () => {
    expect(named(-39_900, 'HB', [payout('HB', { pF1: -40_000 })])).toBe('none: nothing_fits');
    expect(named(-90_000, 'HB', [payout('HB', { pF2: -90_000 })])).toBe('none: nothing_fits');
  });
  test('goes to the tax account when it is tax', () => {
    const tax = payout('HB', {}, { amountOre: -55_000n });
    expect(named(-55_000, 'HB', [tax])).toBe('exact: account 1630');
  });
  test('is known by our name of the batch that the bank has made as one, when all of it is there', () => {
    const payouts = [payout('A', { pF1: -100_000 }), payout('B', { pF2: -80_000 })];
    const said = (ore: number, batch: string | null, more: Partial<MatchWorld> = {}) =>
      one(row('r', ore, 'BG', { payments: [payment(null, { paymentBatchId: batch })] }), {
        documents,
        payouts,
        ...more,
      });
    expect(said(-180_000, 'B')).toBe('exact: pF1 -100000, pF2 -80000');
    expect(said(-180_000, 'X')).not.toContain('exact');
    // Of one that the bank has refused, and that has been read, the rest is the batch.
    expect(said(-100_000, 'B', { payouts: payouts.slice(0, 1) })).toBe('exact: pF1 -100000');
    // One that has not been read of, or a payment of the account beside it, leaves it to a person.
    expect(said(-100_000, 'B')).not.toContain('exact');
    const closed = documents.map((each) => (each.id === 'pF2' ? { ...each, openOre: 0n } : each));
    expect(said(-180_000, 'B', { documents: closed })).not.toContain('exact');
    const elsewhere = payouts.map((each) => ({ ...each, accountId: 'other' }));
    expect(said(-180_000, 'B', { payouts: elsewhere })).not.toContain('exact');
  });
  test('of several taxes that the bank has made as one is all of them', () => {
    const taxes = ['VAT', 'PAYROLL'].map((name) => payout(name, {}, { amountOre: -20_000n }));
    const payments = ['VAT', 'PAYROLL'].map((name) => payment(-20_000, { endToEndId: name }));
    const paid = (ore: number, some = payments) =>
      one(row('r', ore, 'BG', { payments: some }), { documents, payouts: taxes });
    expect(paid(-40_000)).toBe('exact: account 1630');
    expect(
      paid(-40_000, [payment(-20_000, { endToEndId: 'VAT' }), payment(-20_000)]),
    ).not.toContain('exact');
  });
  test('is suggested by its sum where the bank says no name: one payment, or all of a block', () => {
    const payouts = [payout('A', { pF1: -100_000 }), payout('B', { pF2: -80_000 })];
    const said = (ore: number, more: Partial<UnmatchedRow> = {}, some = payouts) =>
      one(row('r', ore, 'Bankgirobetalning', more), { documents, payouts: some });
    expect(said(-100_000)).toBe('likely: pF1 -100000');
    expect(said(-180_000)).toBe('likely: pF1 -100000, pF2 -80000');
    expect(said(-180_000, { day: '2026-11-08' })).not.toContain('pF1 -100000, pF2 -80000');
    const unsent = payouts.map((each) => ({ ...each, isSent: false }));
    expect(said(-180_000, {}, unsent)).not.toContain('likely: pF1 -100000, pF2');
  });
});

describe('a credit note that is taken from what is paid', () => {
  const documents = [
    purchase('F1', 100_000),
    purchase('F2', 83_300),
    purchase('K1', -20_000),
    purchase('L1', 55_500, { party: party('Norrvik HB') }),
  ];
  const paid = (ore: number, text: string, some: readonly MatchDocument[] = documents) =>
    one(row('r', ore, text), { documents: some });
  test('is found where only the supplier is named: less of one invoice, or of several', () => {
    expect(paid(-80_000, 'Granens Frakt')).toBe('likely: pF1 -100000, pK1 20000');
    expect(paid(-163_300, 'Granens Frakt')).toBe('likely: pF1 -100000, pF2 -83300, pK1 20000');
  });
  test('is found beside the invoice that is named, before that is taken for paid in part', () => {
    const numbered = [purchase('7710245', 100_000), purchase('K1', -20_000)];
    expect(paid(-80_000, 'Granens Frakt 7710245', numbered)).toBe(
      'likely: p7710245 -100000, pK1 20000',
    );
    expect(paid(-70_000, 'Granens Frakt 7710245', numbered)).toBe('likely: p7710245 -70000');
    const more = [...numbered, purchase('F3', 50_000)];
    expect(paid(-130_000, 'Granens Frakt 7710245', more)).toBe(
      'likely: p7710245 -100000, pF3 -50000, pK1 20000',
    );
  });
  test('is a customer’s too', () => {
    const theirs = [invoice(1004, 125_000), invoice(1005, -25_000)];
    expect(paid(100_000, 'Cafe Ekbacken', theirs)).toBe('likely: i1004 125000, i1005 -25000');
  });
  test('leaves a payment alone that one document is, that two sets are, or of another day or party', () => {
    const twins = [...documents, purchase('F4', 80_000)];
    expect(paid(-80_000, 'Granens Frakt', twins)).toBe('likely: pF4 -80000');
    const two = [...documents, purchase('F5', 110_000), purchase('K2', -30_000)];
    expect(paid(-80_000, 'Granens Frakt', two)).toBe('none: several_fit');
    const later = [purchase('F1', 100_000), purchase('K1', -20_000, { issuedOn: '2026-11-20' })];
    expect(paid(-80_000, 'Granens Frakt', later)).toBe('none: nothing_fits');
    expect(paid(-35_500, 'Norrvik HB')).toBe('none: nothing_fits');
  });
});

describe('whom it is from, or the amount alone', () => {
  test('is a proposal, never booked by itself, and none when two fit', () => {
    const documents = [
      invoice(1004, 99_900),
      invoice(1005, 50_000),
      invoice(1006, 70_000, { party: party('Norrvik HB') }),
    ];
    expect(one(row('r', 99_900, 'CAFE EKBACKE'), { documents })).toBe('likely: i1004 99900');
    expect(one(row('r', 149_900, 'Cafe Ekbacken'), { documents })).toBe(
      'likely: i1004 99900, i1005 50000',
    );
    expect(one(row('r', 70_000, 'Cafe Ekbacken'), { documents })).toBe('none: nothing_fits');
    const twins = [invoice(1004, 99_900), invoice(1005, 99_900)];
    expect(one(row('r', 99_900, 'Cafe Ekbacken'), { documents: twins })).toBe('none: several_fit');
    expect(one(row('r', 99_900, 'Insättning'), { documents })).toBe('likely: i1004 99900');
    expect(one(row('r', 120_000, '9912346 Bankgiro inbetalning'), { documents })).toBe(
      'none: lump_without_details',
    );
    expect(one(row('r', 99_900, 'Kortköp LINDQVISTS BAGERI'), { documents })).toBe(
      'none: nothing_fits',
    );
  });
  test('of a customer with thousands that are open, each row is held against no more than tells that several fit', () => {
    let looked = 0;
    const documents = Array.from({ length: 3_000 }, (_, n) => {
      const { issuedOn, ...rest } = invoice(n, 10_000 + (n % 5) * 1_000);
      return {
        ...rest,
        get issuedOn() {
          looked += 1;
          return issuedOn;
        },
      };
    });
    const rows = Array.from({ length: 200 }, (_, n) =>
      row(`r${n}`, 10_000 + (n % 7) * 1_000, 'Cafe Ekbacken'),
    );
    const matches = matchRows(world(rows, { documents }));
    expect(new Set([...matches.values()].map(told))).toEqual(new Set(['none: several_fit']));
    // Once for each document, and a few for each row as often as it is tried.
    expect(looked).toBeLessThan(documents.length + rows.length * 200);
  });
  test('of a telephone is the customer’s who has it', () => {
    const documents = [
      invoice(1004, 125_000, { party: { ...party('Lena Holm'), phone: '070-174 06 05' } }),
    ];
    expect(one(row('r', 125_000, '46701740605'), { documents })).toBe('likely: i1004 125000');
  });
});

describe('what the books have already', () => {
  const voucher = (id: string, text: string, day = '2026-11-08'): MatchVoucher => ({
    ...{ id, accountId: 'bank', day, roomOre: -90_000n, text },
  });
  test('is its voucher, and two that nothing tells apart are none', () => {
    const rent = row('r', -90_000, 'Granens Fastigheter');
    expect(one(rent, { vouchers: [voucher('v', 'Hyra, Granens Fastigheter AB')] })).toBe(
      'exact: voucher v',
    );
    expect(one(rent, { vouchers: [voucher('v', 'Telefon, Linjen AB')] })).toBe(
      'none: nothing_fits',
    );
    const silent = row('r', -90_000, 'Bg-bet. via internet');
    expect(one(silent, { vouchers: [voucher('v', 'Hyra')] })).toBe('likely: voucher v');
    expect(one(silent, { vouchers: [voucher('v', 'Hyra'), voucher('w', 'El')] })).toBe(
      'none: several_fit',
    );
    expect(one(rent, { vouchers: [voucher('v', 'Granens Fastigheter', '2026-08-08')] })).toBe(
      'none: nothing_fits',
    );
  });
  test('keeps a payment by OCR from being booked by itself', () => {
    const documents = [purchase('F7', 90_000, { reference: '5512347' })];
    const paid = row('r', -90_000, 'Bg 5512347 LINJEN');
    expect(one(paid, { documents })).toBe('exact: pF7 -90000');
    expect(one(paid, { documents, vouchers: [voucher('v', 'Telefon Bolaget')] })).toBe(
      'likely: pF7 -90000',
    );
  });
});

describe('other rows', () => {
  test('of two accounts of ours meet when one says so', () => {
    const rows = [
      row('a', -100_000, 'Överföring till sparkonto'),
      row('b', 100_000, 'Insättning', {
        accountId: 'spar',
        ledgerAccount: 1940,
        day: '2026-11-10',
      }),
    ];
    const matches = matchRows(world(rows));
    expect([told(matches.get('a')), told(matches.get('b'))]).toEqual([
      'likely: transfer b',
      'likely: transfer a',
    ]);
    const more = [
      ...rows,
      row('c', 100_000, 'Insättning', { accountId: 'kassa', ledgerAccount: 1910 }),
    ];
    expect(told(matchRows(world(more)).get('a'))).toBe('none: several_fit');
  });
  test('of two accounts of ours that each would be booked against the other are booked once', () => {
    const tax = { accountId: 'skatt', accountKind: 'tax', ledgerAccount: 1630 } as const;
    const rows = [
      row('s', 1_344_800, 'Inbetalning bokförd 261109', tax),
      row('b', -1_344_800, 'Bg-bet. via internet', {
        payments: [payment(-1_344_800, { endToEndId: 'MOMS' })],
      }),
    ];
    const payouts = [payout('MOMS', {}, { amountOre: -1_344_800n })];
    const rule = { direction: null, isLearnt: true } as const;
    const rules = [{ ...rule, id: 'r1', text: 'Inbetalning bokförd', account: 1930 }];
    const matches = matchRows(world(rows, { payouts, rules }));
    expect([told(matches.get('b')), told(matches.get('s'))]).toEqual([
      'exact: account 1630',
      'none: booked_by_other',
    ]);
    // Once the bank's row is booked, the other has its voucher, whatever that is called.
    const voucher = {
      ...{ id: 'A81', accountId: 'skatt', day: '2026-11-09', roomOre: 1_344_800n },
      text: 'Moms till och med 2026-10-31 (betalfil 1) Skatteverket',
    };
    expect(one(rows[0] as UnmatchedRow, { rules, vouchers: [voucher] })).toBe(
      'likely: voucher A81',
    );
    // Alone the row of the tax account is booked as before.
    expect(one(rows[0] as UnmatchedRow, { rules })).toBe('likely: account 1930');
    const saving = [
      row('a', -50_000, 'Buffert'),
      row('c', 50_000, 'Buffert', { accountId: 'spar', ledgerAccount: 1940, day: '2026-11-10' }),
      row('d', 50_000, 'Buffert', { accountId: 'spar', ledgerAccount: 1940, day: '2026-11-25' }),
    ];
    const said = [
      { id: 'r2', text: 'Buffert', account: 1940, direction: 'out', isLearnt: true },
      { id: 'r3', text: 'Buffert', account: 1930, direction: 'in', isLearnt: true },
    ] as const;
    const of = matchRows(world(saving, { rules: said }));
    expect(['a', 'c', 'd'].map((id) => told(of.get(id)))).toEqual([
      'likely: account 1940',
      'none: booked_by_other',
      'likely: account 1930',
    ]);
  });
  test('come back to the row they take back', () => {
    const earlier = [
      {
        id: 'e',
        accountId: 'bank',
        day: '2026-11-02',
        amountOre: -39_900n,
        text: 'Autogiro LINJEN',
        endToEndIds: [],
        documentIds: ['p1'],
      },
    ];
    expect(one(row('r', 39_900, 'Autogiro LINJEN retur', { isReversal: true }), { earlier })).toBe(
      'likely: return e',
    );
    expect(one(row('r', 39_800, 'Autogiro LINJEN retur', { isReversal: true }), { earlier })).toBe(
      'none: nothing_fits',
    );
  });
  test.each([
    [
      'Inbetalning skat BG 0000050501055 Bg-bet. via internet',
      -5_811_800,
      'likely: account 1630',
      'bank',
    ],
    ['SKATTEVERKET', 199_700, 'likely: account 1630', 'bank'],
    ['Moms juli 2026 - sept 2026', -4_231_000, 'likely: account 2650', 'tax'],
    ['Arbetsgivaravgift okt 2026', -3_142_000, 'likely: account 2731', 'tax'],
    ['Avdragen skatt okt 2026', -2_669_800, 'likely: account 2710', 'tax'],
    ['BANKTJÄNSTER', -13_600, 'likely: account 6570', 'bank'],
    ['RÄNTA', 784, 'likely: account 8310', 'bank'],
    ['OPENAI *CHATGPT/26-11-02', -23_148, 'none: nothing_fits', 'bank'],
  ] as const)('%s means the same at every company', (text, ore, expected, accountKind) => {
    expect(one(row('r', ore, text, { accountKind }), {})).toBe(expected);
  });
  test.each([
    ['8112189876', 'Debiterad preliminärskatt', -150_000, 'likely: account 2012'],
    ['8112189876', 'Slutlig skatt', 45_000, 'likely: account 2012'],
    ['5560360793', 'Debiterad preliminärskatt', -150_000, 'likely: account 2518'],
    ['5560360793', 'Slutlig skatt', 45_000, 'none: nothing_fits'],
    ['9696651234', 'Debiterad preliminärskatt', -150_000, 'none: nothing_fits'],
  ])('income tax of %s: %s', (organizationNumber, text, ore, expected) => {
    const own = { accounts: [], organizationNumber };
    const tax = row('r', ore, text, { accountKind: 'tax', ledgerAccount: 1630 });
    expect(one(tax, { own })).toBe(expected);
    const learnt = {
      id: 'a',
      text: text.slice(0, 10),
      direction: null,
      account: 2510,
      isLearnt: true,
    };
    expect(one(tax, { own, rules: [learnt] })).toBe('likely: account 2510');
  });
  test('follow the longest rule, said before learnt', () => {
    const rule = (id: string, text: string, account: number, isLearnt = false) => ({
      id,
      text,
      direction: null,
      account,
      isLearnt,
    });
    const rules = [
      rule('a', 'autogiro', 4010),
      rule('b', 'Autogiro LINJEN', 6212),
      rule('c', 'Autogiro LINJEN', 5010, true),
    ];
    expect(one(row('r', -39_900, 'AUTOGIRO  LINJEN 26'), { rules })).toBe('likely: account 6212');
  });
});

test('a name that the bank has cut is known, and another that begins alike is not', () => {
  const said = (text: string, name: string) => namesParty(wordsOf(text), name);
  expect(said('CAFE EKBACKE', 'Café Ekbacken AB')).toBe(true);
  expect(said('Bg-bet. via internet GRANENS FRAK', 'Granens Frakt AB')).toBe(true);
  expect(said('CAFE EKEN', 'Café Ekbacken AB')).toBe(false);
  expect(said('CAFE', 'Café Ekbacken AB')).toBe(false);
  expect(said('Granens Bageri', 'Granens Frakt AB')).toBe(false);
});

test('a set is found when it is the only one, and never when there are two', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 9 }),
      fc.integer({ min: 2, max: 200 }),
      (amounts, sum) => {
        const sets: number[][] = [];
        for (let mask = 1; mask < 1 << amounts.length; mask += 1) {
          const set = amounts.flatMap((_, place) => (mask & (1 << place) ? [place] : []));
          const total = set.reduce((all, place) => all + (amounts[place] ?? 0), 0);
          if (set.length > 1 && set.length <= 8 && total === sum) sets.push(set);
        }
        const found = onlySet(amounts.map(BigInt), BigInt(sum));
        if (sets.length === 0) expect(found).toBeNull();
        else if (sets.length > 1) expect(found).toBe('several');
        else expect([...(found as readonly number[])].sort((a, b) => a - b)).toEqual(sets[0]);
      },
    ),
  );
});

test('of twenty that no two sets of come to the sum, the one of eight is found', () => {
  const amounts = Array.from({ length: 20 }, (_, n) =>
    BigInt(100_000 + (((n + 1) * 22 * 7919) % 899_981)),
  );
  const first = amounts.slice(0, 8);
  expect(onlySet(amounts, sum(first))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('no row is ever held for more or less than it is, and no document for more than is open', () => {
  const ore = fc.integer({ min: 1, max: 40 }).map((value) => value * 100);
  fc.assert(
    fc.property(
      fc.array(ore, { minLength: 1, maxLength: 8 }),
      fc.array(
        fc.record({
          ore,
          named: fc.array(fc.nat(7), { maxLength: 3 }),
          text: fc.constantFrom('Insättning', 'Cafe Ekbacken', 'Bankgiro'),
        }),
        { minLength: 1, maxLength: 10 },
      ),
      (open, rows) => {
        const documents = open.map((each, place) => invoice(1000 + place, each));
        const asked = rows.map(({ ore: amount, named, text }, place) =>
          row(`r${place}`, amount, text, {
            payments: [ocr(...named.map((nth) => `${1000 + nth}41`))],
          }),
        );
        const taken = new Map<string, bigint>();
        const matches = matchRows(world(asked, { documents }));
        for (const each of asked) {
          const match = matches.get(each.id);
          if (!match || match.certainty === 'none' || match.target.kind !== 'documents') continue;
          const { parts, difference } = match.target;
          const whole = parts.reduce(
            (sum, { amountOre }) => sum + amountOre,
            difference?.amountOre ?? 0n,
          );
          expect(whole).toBe(each.amountOre);
          for (const { documentId, amountOre } of parts) {
            taken.set(documentId, (taken.get(documentId) ?? 0n) + amountOre);
          }
        }
        for (const { id, openOre } of documents)
          expect((taken.get(id) ?? 0n) <= openOre).toBe(true);
      },
    ),
  );
});
