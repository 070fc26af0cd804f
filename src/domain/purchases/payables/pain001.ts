/**
 * A file of payments to a Swedish bank: pain.001.001.03 (ISO 20022), in kronor. One `PmtInf` for each day, and tax in
 * blocks of its own, so that a bank that books a block as one row books like with like. Which elements, in which order
 * and with which codes: docs/payments.md.
 */
import { absolute, type Ore, sum } from '../../basics/money.ts';
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
  const root = element('CstmrCdtTrfInitn', [
    element('GrpHdr', [
      element('MsgId', messageId),
      element('CreDtTm', createdAt),
      ...totals(orders),
      element('InitgPty', partyOf(payer)),
    ]),
    ...blocks.map(([blockId, some]) => block(blockId, some, payer)),
  ]);
  const lines = linesOf(root, 1).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">\n${lines}\n</Document>\n`;
}

type Payer = PaymentMessage['payer'];

function block(id: string, orders: readonly PaymentOrder[], payer: Payer): Element {
  const { kind, number } = payer.account;
  const account = kind === 'iban' ? [element('IBAN', number)] : [other(number, 'Prtry', 'BGNR')];
  return element('PmtInf', [
    element('PmtInfId', id),
    element('PmtMtd', 'TRF'),
    // A row in the statement for each payment; the bank's agreement may say otherwise.
    element('BtchBookg', 'false'),
    ...totals(orders),
    element('ReqdExctnDt', orders[0]?.executionOn ?? ''),
    element('Dbtr', partyOf(payer)),
    element('DbtrAcct', [element('Id', account), element('Ccy', 'SEK')]),
    element('DbtrAgt', [element('FinInstnId', [element('Othr', [element('Id', 'NOTPROVIDED')])])]),
    ...orders.map(transfer),
  ]);
}

const transfer = (order: PaymentOrder): Element =>
  element('CdtTrfTxInf', [
    element('PmtId', [element('EndToEndId', order.endToEndId)]),
    element('Amt', [element('InstdAmt', kronor(order.amountOre), [['Ccy', 'SEK']])]),
    ...creditorAgent(order.payee),
    element('Cdtr', [element('Nm', bankText(order.payeeName, nameMax))]),
    element('CdtrAcct', [element('Id', creditorAccount(order.payee))]),
    element('RmtInf', remittance(order)),
  ]);

/** SESBA is the Swedish clearing: 9900 bankgiro, 9960 plusgiro, else the first four digits of the account. */
function creditorAgent({ kind, number }: Payee): Element[] {
  if (kind === 'iban') return [];
  const member = { bankgiro: '9900', plusgiro: '9960', other: number.slice(0, clearingLength) };
  return [
    element('CdtrAgt', [
      element('FinInstnId', [
        element('ClrSysMmbId', [
          element('ClrSysId', [element('Cd', 'SESBA')]),
          element('MmbId', member[kind]),
        ]),
      ]),
    ]),
  ];
}

function creditorAccount({ kind, number }: Payee): Element[] {
  switch (kind) {
    case 'iban':
      return [element('IBAN', number)];
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

function remittance({ ocr, message, documents }: PaymentOrder): Element[] {
  if (ocr !== null) {
    const kind = element('Tp', [element('CdOrPrtry', [element('Cd', 'SCOR')])]);
    return [element('Strd', [element('CdtrRefInf', [kind, element('Ref', ocr)])])];
  }
  if (message !== null) return [element('Ustrd', bankText(message, messageMax))];
  return documents.map(({ number, amountOre }) => {
    const isCredit = amountOre < 0n;
    const kind = element('Tp', [element('CdOrPrtry', [element('Cd', isCredit ? 'CREN' : 'CINV')])]);
    const amount = element(isCredit ? 'CdtNoteAmt' : 'RmtdAmt', kronor(absolute(amountOre)), [
      ['Ccy', 'SEK'],
    ]);
    return element('Strd', [
      element('RfrdDocInf', [kind, element('Nb', bankText(number, numberMax))]),
      element('RfrdDocAmt', [amount]),
    ]);
  });
}

const totals = (orders: readonly PaymentOrder[]): Element[] => [
  element('NbOfTxs', String(orders.length)),
  element('CtrlSum', kronor(sum(orders.map(({ amountOre }) => amountOre)))),
];

const partyOf = ({ name, organizationNumber }: Payer): Element[] => [
  element('Nm', bankText(name, nameMax)),
  element('Id', [element('OrgId', [element('Othr', [element('Id', organizationNumber)])])]),
];

const other = (number: string, scheme: 'Cd' | 'Prtry', code: string): Element =>
  element('Othr', [element('Id', number), element('SchmeNm', [element(scheme, code)])]);

const clearingLength = 4;
/** Of Max140Text banks keep so much of a name, and of Max35Text all of a number. */
const nameMax = 70;
const numberMax = 35;

const kronor = (ore: Ore): string => `${ore / 100n}.${String(ore % 100n).padStart(2, '0')}`;

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

interface Element {
  readonly name: string;
  readonly content: string | readonly Element[];
  readonly attributes: readonly (readonly [string, string])[];
}

const element = (
  name: string,
  content: Element['content'],
  attributes: Element['attributes'] = [],
): Element => ({ name, content, attributes });

function linesOf({ name, content, attributes }: Element, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const tag = [name, ...attributes.map(([key, value]) => `${key}="${value}"`)].join(' ');
  if (typeof content === 'string') return [`${indent}<${tag}>${escaped(content)}</${name}>`];
  const within = content.flatMap((one) => linesOf(one, depth + 1));
  return [`${indent}<${tag}>`, ...within, `${indent}</${name}>`];
}

/** What `bankText` leaves and ids have needs none; said once more where it is written. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
