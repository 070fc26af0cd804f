/**
 * A file of payments to a Swedish bank: pain.001.001.03 (ISO 20022), in kronor. One `PmtInf` for each day, and tax in
 * blocks of its own, so that a bank that books a block as one row books like with like. Which elements, in which order
 * and with which codes: docs/payments.md.
 */
import { absolute, type Ore, sum } from '../../basics/money.ts';
import { decimal, node, type XmlNode, xmlLines } from '../../basics/xml.ts';
import type { Payee } from './payable.ts';
import { messageMax } from './payout-plan.ts';

export interface PaymentOrder {
  readonly endToEndId: string;
  readonly blockId: string;
  readonly executionOn: string;
  readonly amountOre: Ore;
  readonly payeeName: string;
  readonly payee: Payee;
  readonly ocr: string | null;
  readonly message: string | null;
  /** What is paid when neither tells; a credit note is below zero. */
  readonly documents: readonly { readonly number: string; readonly amountOre: Ore }[];
}

export interface PaymentMessage {
  readonly messageId: string;
  /** ISO 8601, to the second. */
  readonly createdAt: string;
  readonly payer: {
    readonly name: string;
    readonly organizationNumber: string;
    /** Where it is paid from: an IBAN, else the company's own bankgiro. */
    readonly account: { readonly kind: 'iban' | 'bankgiro'; readonly number: string };
  };
  readonly orders: readonly PaymentOrder[];
}

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03';

export function pain001({ messageId, createdAt, payer, orders }: PaymentMessage): string {
  const blocks = [...Map.groupBy(orders, ({ blockId }) => blockId)];
  const root = node('CstmrCdtTrfInitn', [
    node('GrpHdr', [
      node('MsgId', messageId),
      node('CreDtTm', createdAt),
      ...totals(orders),
      node('InitgPty', partyOf(payer)),
    ]),
    ...blocks.map(([blockId, some]) => block(blockId, some, payer)),
  ]);
  const lines = xmlLines(root, 1).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">\n${lines}\n</Document>\n`;
}

type Payer = PaymentMessage['payer'];

function block(id: string, orders: readonly PaymentOrder[], payer: Payer): XmlNode {
  const { kind, number } = payer.account;
  const account = kind === 'iban' ? [node('IBAN', number)] : [other(number, 'Prtry', 'BGNR')];
  return node('PmtInf', [
    node('PmtInfId', id),
    node('PmtMtd', 'TRF'),
    // A row in the statement for each payment; the bank's agreement may say otherwise.
    node('BtchBookg', 'false'),
    ...totals(orders),
    node('ReqdExctnDt', orders[0]?.executionOn ?? ''),
    node('Dbtr', partyOf(payer)),
    node('DbtrAcct', [node('Id', account), node('Ccy', 'SEK')]),
    node('DbtrAgt', [node('FinInstnId', [node('Othr', [node('Id', 'NOTPROVIDED')])])]),
    ...orders.map(transfer),
  ]);
}

const transfer = (order: PaymentOrder): XmlNode =>
  node('CdtTrfTxInf', [
    node('PmtId', [node('EndToEndId', order.endToEndId)]),
    node('Amt', [node('InstdAmt', kronor(order.amountOre), [['Ccy', 'SEK']])]),
    ...creditorAgent(order.payee),
    node('Cdtr', [node('Nm', bankText(order.payeeName, nameMax))]),
    node('CdtrAcct', [node('Id', creditorAccount(order.payee))]),
    node('RmtInf', remittance(order)),
  ]);

/** SESBA is the Swedish clearing: 9900 bankgiro, 9960 plusgiro, else the first four digits of the account. */
function creditorAgent({ kind, number }: Payee): XmlNode[] {
  if (kind === 'iban') return [];
  const member = { bankgiro: '9900', plusgiro: '9960', other: number.slice(0, clearingLength) };
  return [
    node('CdtrAgt', [
      node('FinInstnId', [
        node('ClrSysMmbId', [node('ClrSysId', [node('Cd', 'SESBA')]), node('MmbId', member[kind])]),
      ]),
    ]),
  ];
}

function creditorAccount({ kind, number }: Payee): XmlNode[] {
  switch (kind) {
    case 'iban':
      return [node('IBAN', number)];
    case 'bankgiro':
      return [other(number, 'Prtry', 'BGNR')];
    case 'plusgiro':
      return [other(number, 'Cd', 'BBAN')];
    case 'other':
      // Of a clearing number of five digits (Swedbank, 8xxx-y) the fifth begins the account.
      return [other(number.slice(clearingLength), 'Cd', 'BBAN')];
    default:
      return kind satisfies never;
  }
}

function remittance({ ocr, message, documents }: PaymentOrder): XmlNode[] {
  if (ocr !== null) {
    const kind = node('Tp', [node('CdOrPrtry', [node('Cd', 'SCOR')])]);
    return [node('Strd', [node('CdtrRefInf', [kind, node('Ref', ocr)])])];
  }
  if (message !== null) return [node('Ustrd', bankText(message, messageMax))];
  return documents.map(({ number, amountOre }) => {
    const isCredit = amountOre < 0n;
    const kind = node('Tp', [node('CdOrPrtry', [node('Cd', isCredit ? 'CREN' : 'CINV')])]);
    const amount = node(isCredit ? 'CdtNoteAmt' : 'RmtdAmt', kronor(absolute(amountOre)), [
      ['Ccy', 'SEK'],
    ]);
    return node('Strd', [
      node('RfrdDocInf', [kind, node('Nb', bankText(number, numberMax))]),
      node('RfrdDocAmt', [amount]),
    ]);
  });
}

const totals = (orders: readonly PaymentOrder[]): XmlNode[] => [
  node('NbOfTxs', String(orders.length)),
  node('CtrlSum', kronor(sum(orders.map(({ amountOre }) => amountOre)))),
];

const partyOf = ({ name, organizationNumber }: Payer): XmlNode[] => [
  node('Nm', bankText(name, nameMax)),
  node('Id', [node('OrgId', [node('Othr', [node('Id', organizationNumber)])])]),
];

const other = (number: string, scheme: 'Cd' | 'Prtry', code: string): XmlNode =>
  node('Othr', [node('Id', number), node('SchmeNm', [node(scheme, code)])]);

const clearingLength = 4;
/** Of Max140Text banks keep so much of a name, and of Max35Text all of a number. */
const nameMax = 70;
const numberMax = 35;

const kronor = (ore: Ore): string => decimal(ore, 2, 2);

const replacements: Readonly<Record<string, string>> = {
  '&': '+',
  '"': "'",
  '’': "'",
  '”': "'",
  '–': '-',
  _: '-',
  æ: 'ä',
  Æ: 'Ä',
  ø: 'ö',
  Ø: 'Ö',
  ß: 'ss',
};

/**
 * Only what every bank takes: letters, digits, `/-?:().,'+`, blanks, and å ä ö. Anything else is replaced by what is
 * nearest, never refused.
 */
export function bankText(text: string, max: number): string {
  const plain = [...text.normalize('NFC')]
    .map((one) => replacements[one] ?? one)
    .map((one) => (/[åäöÅÄÖ]/.test(one) ? one : one.normalize('NFD').replace(/\p{M}/gu, '')))
    .join('')
    .replace(/[^A-Za-z0-9åäöÅÄÖ/\-?:().,'+ ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, max)
    .trim();
  return plain === '' ? '-' : plain;
}
