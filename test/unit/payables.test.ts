/** What is to be paid and the file that asks the bank for it. The element table is read off docs/payments.md's sources, not off the writer. */
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { answeredPayouts } from '#src/domain/purchases/payables/bank-answer.ts';
import { dueChoices } from '#src/domain/purchases/payables/due-choices.ts';
import { bankText, pain001 } from '#src/domain/purchases/payables/pain001.ts';
import { byDueGroup, type Payable, type Payee } from '#src/domain/purchases/payables/payable.ts';
import { readPayee } from '#src/domain/purchases/payables/payees.ts';
import { type PayoutChoice, planPayouts } from '#src/domain/purchases/payables/payout-plan.ts';
import { openTaxClaims, payrollDueDate } from '#src/domain/purchases/payables/tax-claims.ts';
import { readBankAnswer } from '#src/purchases/payment-files/bank-answer-reader.ts';

const today = '2026-11-23';
const giro: Payee = { kind: 'bankgiro', number: '50501055' };
const payable = (key: string, openOre: number, more: Partial<Payable> = {}): Payable => ({
  ...{ key, kind: openOre < 0 ? 'credit_note' : 'invoice', number: key, dueOn: '2026-11-30' },
  party: { supplierId: 's1', laidOutBy: null, name: 'Granens Frakt AB' },
  ...{ openOre: BigInt(openOre), payees: [giro], reference: null, isOcr: false },
  ...{ obstacle: null, file: null, refusedIn: null },
  ...more,
});
const whole = (one: Payable, payee: Payee | null = one.payees[0] ?? null): PayoutChoice => ({
  payable: one,
  amountOre: one.openOre,
  payee,
});
const planned = (choices: PayoutChoice[], executionOn: string | null = null) => {
  const plan = planPayouts(choices, { executionOn, today });
  if ('problems' in plan) return plan.problems.map(({ path, reason }) => `${path} ${reason}`);
  return plan.payouts.map(
    ({ payee, executionOn: day, amountOre, ocr, message, parts }) =>
      `${payee.number} ${day} ${amountOre} ${ocr ?? message ?? 'documents'}: ${parts.map((part) => `${part.payable.key} ${part.amountOre}`).join(', ')}`,
  );
};

describe('what is to be paid', () => {
  test('stands by due day with sums; what has no day falls due at once, and credits lessen', () => {
    const some = [
      payable('late', 100, { dueOn: '2026-11-22' }),
      payable('today', 200, { dueOn: today }),
      payable('no day', -50, { dueOn: null }),
      payable('sunday', 400, { dueOn: '2026-11-29' }),
      payable('monday', 800, { dueOn: '2026-11-30' }),
    ];
    const told = byDueGroup(some, today).map(
      ({ group, payables, ore }) => `${group} ${ore}: ${payables.map(({ key }) => key).join(', ')}`,
    );
    expect(told).toEqual([
      'overdue 100: late',
      'this_week 550: no day, today, sunday',
      'later 800: monday',
    ]);
  });
  test('is tax as far as it is owed: what was paid was of what fell due first', () => {
    const claim = (key: string, dueOn: string, ore: bigint) => ({ key, dueOn, ore });
    const claims = [
      claim('vat 2026-09-30', '2026-11-12', 5_000n),
      claim('payroll 2026-10', '2026-11-12', 3_000n),
      claim('payroll 2026-11', '2026-12-14', 4_000n),
    ];
    const open = (owed: bigint) =>
      openTaxClaims(claims, owed).map(({ key, ore }) => `${key} ${ore}`);
    expect(open(12_000n)).toHaveLength(3);
    expect(open(5_000n)).toEqual(['vat 2026-09-30 1000', 'payroll 2026-11 4000']);
    expect(open(-1n)).toEqual([]);
    expect([
      payrollDueDate('2026-11'),
      payrollDueDate('2026-12'),
      payrollDueDate('2026-07'),
    ]).toEqual(['2026-12-14', '2027-01-18', '2026-08-17']);
  });
  test('is paid where people write it', () => {
    expect(readPayee('5050-1055')).toEqual(giro);
    expect(readPayee('8327-9, 123 456 789-0')).toEqual({
      kind: 'other',
      number: '832791234567890',
    });
    expect(readPayee('6000 123456789')).toEqual({ kind: 'other', number: '6000123456789' });
    expect(readPayee('4 10 54 68-5')).toEqual({ kind: 'plusgiro', number: '41054685' });
    expect(readPayee('5050-1056')).toBe(null);
  });
});

describe('a file is planned', () => {
  test('with one payment of each invoice, on the bank day when it falls due', () => {
    expect(
      planned([
        whole(payable('F1', 10_000, { reference: '1234566', isOcr: true, dueOn: '2026-11-28' })),
        whole(payable('F2', 20_000, { dueOn: '2026-11-01', reference: 'Kund 7' })),
      ]),
    ).toEqual([
      '50501055 2026-11-30 10000 1234566: F1 10000',
      '50501055 2026-11-23 20000 Kund 7: F2 20000',
    ]);
  });
  test('with credit notes set off against as few of the supplier’s invoices as bear them', () => {
    const some = [payable('F1', 10_000), payable('F2', 5_000), payable('K1', -9_000)];
    expect(planned(some.map((one) => whole(one)))).toEqual([
      '50501055 2026-11-30 1000 documents: F1 10000, K1 -9000',
      '50501055 2026-11-30 5000 F2: F2 5000',
    ]);
    expect(planned([payable('F1', 9_000), payable('K1', -9_000)].map((one) => whole(one)))).toEqual(
      ['rows[1].amount credits_exceed_payment'],
    );
    const another = payable('K1', -100, {
      party: { supplierId: 's2', laidOutBy: null, name: 'Y' },
    });
    expect(planned([whole(payable('F1', 9_000)), whole(another)])).toEqual([
      'rows[1].amount credits_exceed_payment',
    ]);
  });
  test('with all that a person laid out in one payment', () => {
    const party = { supplierId: null, laidOutBy: 'Åsa Ek', name: 'Åsa Ek' };
    const outlay = (key: string, ore: number) =>
      payable(key, ore, { kind: 'outlay', party, dueOn: null });
    expect(planned([outlay('U1', 100), outlay('U2', 250)].map((one) => whole(one)))).toEqual([
      '50501055 2026-11-23 350 Utlägg U1, U2: U1 100, U2 250',
    ]);
  });
  test('and says at each row what cannot be paid', () => {
    const wrong = [
      { ...whole(payable('F1', 10_000)), amountOre: 10_001n },
      { ...whole(payable('F2', 10_000)), amountOre: 0n },
      whole(payable('F3', 10_000), { kind: 'bankgiro', number: '50501056' }),
      whole(payable('F4', 10_000), { kind: 'iban', number: 'SE4550000000058398257467' }),
      whole(payable('F5', 10_000), { kind: 'iban', number: 'DE89370400440532013000' }),
      whole(payable('F6', 10_000), null),
      whole(payable('F7', 10_000, { reference: '1234567', isOcr: true })),
      whole(payable('F8', 10_000, { obstacle: 'in_file', file: { id: 'x', number: 3 } })),
      whole(payable('F9', 10_000, { obstacle: 'paid_otherwise' })),
      whole(payable('vat 2026-09-30', 10_000, { kind: 'tax', isOcr: true })),
      whole(payable('F11', 10_000, { obstacle: 'abroad' })),
    ];
    expect(planned(wrong, '2026-11-28')).toEqual([
      'executionOn not_a_bank_day',
      'rows[0].amount exceeds_payable',
      'rows[1].amount exceeds_payable',
      'rows[2].payee wrong_payee_account',
      'rows[3].payee wrong_payee_account',
      'rows[4].payee payee_abroad',
      'rows[5].payee payee_missing',
      'rows[6].payee wrong_ocr',
      'rows[7].amount in_payment_file',
      'rows[8].amount not_payable_paid_otherwise',
      'rows[9].payee tax_ocr_missing',
      'rows[10].amount not_payable_abroad',
    ]);
    expect(planned([whole(payable('F1', 1))], '2026-11-20')).toEqual([
      'executionOn payment_day_passed',
    ]);
    expect(planned([whole(payable('F1', 1))], '9999-12-31')).toEqual(['executionOn day_too_late']);
    expect(planned([])).toEqual(['rows nothing_chosen']);
  });

  const party = fc.integer({ min: 0, max: 2 });
  const chosen = fc.array(
    fc.record({ party, ore: fc.integer({ min: -5_000, max: 9_000 }), to: fc.boolean() }),
    {
      maxLength: 12,
    },
  );
  const giros: Payee[] = [giro, { kind: 'bankgiro', number: '9912346' }];
  const payables = (wishes: { party: number; ore: number; to: boolean }[]): Payable[] =>
    wishes
      .filter(({ ore }) => ore !== 0)
      .map(({ party: p, ore, to }, i) =>
        payable(`F${i}`, ore, {
          party: { supplierId: `s${p}`, laidOutBy: null, name: `S${p}` },
          payees: [giros[to ? 0 : 1] as Payee],
        }),
      );
  test('so that every payment is above zero, and everything chosen is paid once and no more', () => {
    fc.assert(
      fc.property(chosen, (wishes) => {
        const choices = payables(wishes).map((one) =>
          whole(one, one.openOre > 0n ? one.payees[0] : null),
        );
        const plan = planPayouts(choices, { executionOn: null, today });
        if ('problems' in plan) return;
        const parts = plan.payouts.flatMap((one) => one.parts);
        expect(parts.map(({ payable: { key } }) => key).sort()).toEqual(
          choices.map(({ payable: { key } }) => key).sort(),
        );
        for (const one of plan.payouts) {
          expect(one.amountOre).toBeGreaterThan(0n);
          expect(one.parts.reduce((sum, part) => sum + part.amountOre, 0n)).toBe(one.amountOre);
          expect(new Set(one.parts.map((part) => part.payable.party.supplierId)).size).toBe(1);
        }
      }),
    );
  });
  test('and all that is due can always be planned', () => {
    fc.assert(
      fc.property(chosen, (wishes) => {
        const { choices, left } = dueChoices(payables(wishes), '2026-12-31');
        expect(left).toEqual([]);
        if (choices.length === 0) return;
        expect(planPayouts(choices, { executionOn: null, today })).toHaveProperty('payouts');
      }),
    );
  });
});

/** `name: children`, each `?` at most once, `+` at least once and `*` any number of times; `#` is text. From the ISO 20022 guide of pain.001.001.03. */
const elements: Readonly<Record<string, string>> = {
  Document: 'CstmrCdtTrfInitn',
  CstmrCdtTrfInitn: 'GrpHdr PmtInf+',
  GrpHdr: 'MsgId CreDtTm NbOfTxs CtrlSum InitgPty',
  InitgPty: 'Nm Id',
  PmtInf:
    'PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum ReqdExctnDt Dbtr DbtrAcct DbtrAgt CdtTrfTxInf+',
  Dbtr: 'Nm Id',
  DbtrAcct: 'Id Ccy',
  DbtrAgt: 'FinInstnId',
  FinInstnId: 'ClrSysMmbId? Othr?',
  ClrSysMmbId: 'ClrSysId MmbId',
  ClrSysId: 'Cd',
  CdtTrfTxInf: 'PmtId Amt CdtrAgt? Cdtr CdtrAcct RmtInf',
  PmtId: 'EndToEndId',
  Amt: 'InstdAmt',
  CdtrAgt: 'FinInstnId',
  Cdtr: 'Nm',
  CdtrAcct: 'Id',
  Id: '#? IBAN? Othr? OrgId?',
  OrgId: 'Othr',
  Othr: 'Id SchmeNm?',
  SchmeNm: 'Cd? Prtry?',
  RmtInf: 'Ustrd? Strd*',
  Strd: 'RfrdDocInf? RfrdDocAmt? CdtrRefInf?',
  RfrdDocInf: 'Tp Nb',
  RfrdDocAmt: 'CdtNoteAmt? RmtdAmt?',
  CdtrRefInf: 'Tp Ref',
  Tp: 'CdOrPrtry',
  CdOrPrtry: 'Cd',
};

/** What stands in them: the guide's types, as far as our files go. Names and their place; else the name alone. */
const contents: Readonly<Record<string, RegExp>> = {
  MsgId: /^.{1,35}$/,
  CreDtTm: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  NbOfTxs: /^\d{1,15}$/,
  CtrlSum: /^(?=[\d.]{1,19}$)\d+\.\d\d$/,
  Nm: /^.{1,140}$/,
  PmtInfId: /^.{1,35}$/,
  PmtMtd: /^(CHK|TRF|TRA)$/,
  BtchBookg: /^(true|false)$/,
  ReqdExctnDt: /^\d{4}-\d\d-\d\d$/,
  IBAN: /^[A-Z]{2}\d\d[A-Za-z0-9]{1,30}$/,
  Ccy: /^[A-Z]{3}$/,
  MmbId: /^.{1,35}$/,
  EndToEndId: /^.{1,35}$/,
  InstdAmt: /^(?=[\d.]{1,19}$)\d+\.\d\d$/,
  CdtNoteAmt: /^(?=[\d.]{1,19}$)\d+\.\d\d$/,
  RmtdAmt: /^(?=[\d.]{1,19}$)\d+\.\d\d$/,
  Ustrd: /^.{1,140}$/,
  Nb: /^.{1,35}$/,
  Ref: /^.{1,35}$/,
  Prtry: /^.{1,35}$/,
  'Othr/Id': /^.{1,34}$/,
  'SchmeNm/Cd': /^.{1,4}$/,
  'ClrSysId/Cd': /^.{1,5}$/,
  'CdOrPrtry/Cd': /^(CINV|CREN|SCOR)$/,
};

interface Node {
  readonly name: string;
  readonly children: Node[];
  text: string;
}
function treeOf(xml: string): Node {
  const root: Node = { name: '', children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    const node = { name, children: [], text: '' };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (text) => {
    const node = open.at(-1);
    if (node) node.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return root.children[0] as Node;
}
function expectInTable({ name, children }: Node): void {
  const rule = (elements[name] ?? '#')
    .split(' ')
    .map((one) => one.replace(/^([^?*+]+)([?*+]?)$/, (_, child, times) => `(${child} )${times}`));
  expect(`${children.map((child) => `${child.name} `).join('')}`, name).toMatch(
    new RegExp(`^${rule.join('').replaceAll('(# )', '(?:)').replace('(?:)?', '')}$`),
  );
  for (const child of children) {
    expectInTable(child);
    if (child.children.length > 0) continue;
    const content = contents[`${name}/${child.name}`] ?? contents[child.name];
    expect(content, `${name}/${child.name}`).toBeDefined();
    expect(child.text, `${name}/${child.name}`).toMatch(content ?? /^/);
  }
}
const all = (node: Node, name: string): Node[] => [
  ...(node.name === name ? [node] : []),
  ...node.children.flatMap((child) => all(child, name)),
];

describe('the file to the bank', () => {
  const order = (id: string, amountOre: bigint, more: object = {}) => ({
    ...{ endToEndId: id, blockId: 'B-1', executionOn: '2026-11-30', amountOre, payee: giro },
    ...{ payeeName: 'Ångström & Søn "Frakt" <AB>', ocr: null, message: null, documents: [] },
    ...more,
  });
  const payer = {
    ...{ name: 'Exempelbolaget AB', organizationNumber: '5560360793' },
    account: { kind: 'iban', number: 'SE4550000000058398257466' },
  } as const;
  const head = { messageId: 'M1', createdAt: '2026-11-23T12:00:00Z', payer };
  const orders = [
    order('E1', 12_345n, { ocr: '1234566' }),
    order('E2', 100n, {
      message: 'Faktura 7 – maj',
      payee: { kind: 'plusgiro', number: '41054685' },
    }),
    order('E3', 5n, {
      payee: { kind: 'other', number: '832791234567890' },
      documents: [
        { number: 'F1', amountOre: 105n },
        { number: 'K1', amountOre: -100n },
      ],
    }),
    order('E4', 1_000_000n, {
      ...{ blockId: 'B-2', executionOn: '2026-12-01', message: 'x' },
      payee: { kind: 'iban', number: 'SE4550000000058398257466' },
    }),
  ];

  test('has every element where the table has it, and sums that add up', () => {
    const root = treeOf(pain001({ ...head, orders }));
    expectInTable(root);
    const texts = (name: string) => all(root, name).map(({ text }) => text);
    expect(texts('NbOfTxs')).toEqual(['4', '3', '1']);
    expect(texts('CtrlSum')).toEqual(['10124.50', '124.50', '10000.00']);
    expect(texts('EndToEndId')).toEqual(['E1', 'E2', 'E3', 'E4']);
    expect(texts('MmbId')).toEqual(['9900', '9960', '8327']);
    const accounts = all(root, 'CdtrAcct').map((one) =>
      [all(one, 'Id').at(-1)?.text, all(one, 'SchmeNm')[0]?.children[0]].map((each) =>
        typeof each === 'object' ? `${each.name} ${each.text}` : each,
      ),
    );
    expect(accounts.slice(0, 3)).toEqual([
      ['50501055', 'Prtry BGNR'],
      ['41054685', 'Cd BBAN'],
      ['91234567890', 'Cd BBAN'],
    ]);
    expect(texts('Ref')).toEqual(['1234566']);
    expect(texts('Ustrd')).toEqual(['Faktura 7 - maj', 'x']);
    expect(all(root, 'RfrdDocInf').map((one) => all(one, 'Cd')[0]?.text)).toEqual(['CINV', 'CREN']);
    expect(all(root, 'Cdtr')[0]?.children[0]?.text).toBe("Ångström + Sön 'Frakt' AB");
  });

  test('can be read whatever names are in it, with no more in it than banks take', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            name: fc.string({ unit: 'binary' }),
            message: fc.string(),
            ore: fc.bigInt({ min: 1n, max: 999_999_999_999n }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        (some) => {
          const root = treeOf(
            pain001({
              ...head,
              orders: some.map(({ name, message, ore }, i) =>
                order(`E${i}`, ore, { payeeName: name, message }),
              ),
            }),
          );
          expectInTable(root);
          const read = all(root, 'InstdAmt').map(({ text }) => BigInt(text.replace('.', '')));
          expect(read).toEqual(some.map(({ ore }) => ore));
          const sum = read.reduce((total, ore) => total + ore, 0n);
          expect(BigInt((all(root, 'CtrlSum')[0]?.text ?? '').replace('.', ''))).toBe(sum);
          for (const { text } of [...all(root, 'Nm'), ...all(root, 'Ustrd')]) {
            expect(text).toMatch(/^[A-Za-z0-9åäöÅÄÖ/\-?:().,'+ ]{1,140}$/);
          }
        },
      ),
      { numRuns: 30 },
    );
    expect(bankText('💸', 35)).toBe('-');
  });
});

describe('the bank’s answer', () => {
  const answer = (body: string) =>
    readBankAnswer(
      Buffer.from(`<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
        <GrpHdr><MsgId>BANK1</MsgId></GrpHdr>${body}</CstmrPmtStsRpt></Document>`),
    );
  const sent = ['E1', 'E2', 'E3'].map((endToEndId) => ({
    endToEndId,
    blockId: endToEndId === 'E3' ? 'B2' : 'B1',
  }));
  const told = (body: string): unknown => {
    const read = answer(body);
    if ('fault' in read) return read.fault.params;
    return answeredPayouts(read.answer, sent).map(({ endToEndId, outcome, refusal }) =>
      `${endToEndId} ${outcome} ${refusal ?? ''}`.trim(),
    );
  };
  const group = (status: string, more = '') =>
    `<OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId>${status && `<GrpSts>${status}</GrpSts>`}${more}</OrgnlGrpInfAndSts>`;
  const reason = (code: string, text: string) =>
    `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn><AddtlInf>${text}</AddtlInf></StsRsnInf>`;

  test('is read at the level that says it: payment, block, file', () => {
    expect(told(group('ACCP'))).toEqual(['E1 accepted', 'E2 accepted', 'E3 accepted']);
    expect(told(group('RJCT', reason('AM04', 'Täckning saknas')))).toEqual(
      ['E1', 'E2', 'E3'].map((id) => `${id} refused AM04: Täckning saknas`),
    );
    const part = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>B1</OrgnlPmtInfId><PmtInfSts>PART</PmtInfSts>
      <TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId><TxSts>RJCT</TxSts>${reason('AC01', '')}</TxInfAndSts>
      <TxInfAndSts><OrgnlEndToEndId>E2</OrgnlEndToEndId><TxSts>PDNG</TxSts></TxInfAndSts></OrgnlPmtInfAndSts>`;
    expect(told(group('PART') + part)).toEqual(['E1 refused AC01']);
    expect(told(group('ACCP') + part)).toEqual(['E1 refused AC01', 'E3 accepted']);
  });

  test('leaves what is pending, or said by a code that is not known, whatever its block and file are', () => {
    const of = (block: string, payment: string) =>
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>B1</OrgnlPmtInfId>${block && `<PmtInfSts>${block}</PmtInfSts>`}
        <TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId>${payment && `<TxSts>${payment}</TxSts>`}</TxInfAndSts></OrgnlPmtInfAndSts>`;
    for (const code of ['PDNG', 'CANC', 'PATC', 'BLCK', 'accp']) {
      for (const above of ['ACCP', 'RJCT']) {
        const others = above === 'ACCP' ? 'accepted' : 'refused RJCT';
        expect(told(group(above) + of(above, code))).toEqual([`E2 ${others}`, `E3 ${others}`]);
        expect(told(group(above) + of(code, ''))).toEqual([`E3 ${others}`]);
        expect(told(group(code) + of(above, ''))).toEqual([`E1 ${others}`, `E2 ${others}`]);
      }
    }
    for (const code of ['ACCC', 'ACFC', 'ACPD', 'ACWP', 'ACSC']) {
      expect(told(group('PART') + of('PART', code))).toEqual(['E1 accepted']);
    }
    expect(told(group('ACCP') + of('', ''))).toEqual(['E1 accepted', 'E2 accepted', 'E3 accepted']);
  });

  test('is refused when it is something else, or hostile', () => {
    const message = (bytes: string) => {
      const read = readBankAnswer(Buffer.from(bytes));
      return 'fault' in read ? read.fault.reason : 'read';
    };
    expect(message('<a/>')).toBe('bank_answer_unreadable');
    expect(message('not xml')).toBe('bank_answer_unreadable');
    expect(message('<!DOCTYPE a><Document/>')).toBe('bank_answer_unreadable');
    expect(message(`${'<a>'.repeat(40)}${'</a>'.repeat(40)}`)).toBe('bank_answer_unreadable');
    expect(told('')).toEqual({ message: 'Den säger inte vilken fil den svarar på.' });
  });
});
