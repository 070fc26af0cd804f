import { describe, expect, test } from 'vitest';
import type {
  InvoiceSeller,
  PayeeAccount,
  ReceivedInvoice,
} from '#src/domain/purchases/received-invoice.ts';
import { type InboxSurroundings, inboxWarnings } from '#src/domain/purchases/supplier-inbox.ts';
import { matchSupplier } from '#src/domain/purchases/supplier-match.ts';
import { isAddressedTo, partyIdOf } from '#src/domain/sales/receiver.ts';

const company = {
  organizationNumber: '5567026934',
  vatNumber: 'SE556702693401',
  receiverIds: ['0088:7300010000001'],
};

describe('a document is addressed to the company', () => {
  test.each([
    ['0007', '5567026934'],
    ['0007', '556702-6934'],
    ['0007', '165567026934'],
    ['9955', 'SE556702693401'],
    [null, 'SE556702693401'],
    [null, 'se 556702-6934 01'],
    [null, '556702-6934'],
    ['0088', '7300010000001'],
    [null, '7300010000001'],
  ])('by %s %s', (scheme, number) => {
    expect(isAddressedTo([{ scheme, number }], company)).toBe(true);
  });

  test.each([
    ['0007', '5560360793'],
    ['0088', '7300010000002'],
    [null, 'SE556036079301'],
    [null, ''],
    ['0192', '556702693'],
  ])('not by %s %s', (scheme, number) => {
    expect(isAddressedTo([{ scheme, number }], company)).toBe(false);
  });

  test('by any one of several numbers', () => {
    const ids = ['0088:7300010000009', '0007:5567026934'].map(partyIdOf);
    expect(isAddressedTo(ids, company)).toBe(true);
    expect(isAddressedTo([], company)).toBe(false);
  });
});

const seller: InvoiceSeller = {
  name: 'Pappersbruket AB',
  organizationNumber: '5560360793',
  vatNumber: 'SE556036079301',
  endpoint: '0007:5560360793',
  countryCode: 'SE',
};
const bankgiro: PayeeAccount = { kind: 'bankgiro', number: '50501055', bic: null };
const supplier = { ...seller, accounts: [bankgiro] };

describe('the supplier is found', () => {
  const other = {
    organizationNumber: null,
    vatNumber: 'DE123456789',
    endpoint: null,
    accounts: [{ ...bankgiro, number: '1234567' }],
  };

  test.each<[string, Partial<InvoiceSeller>, PayeeAccount[]]>([
    ['legal number', { vatNumber: null, endpoint: null }, []],
    ['VAT number', { organizationNumber: null, endpoint: null }, []],
    ['electronic address', { organizationNumber: null, vatNumber: null }, []],
    ['bankgiro', { organizationNumber: null, vatNumber: null, endpoint: null }, [bankgiro]],
  ])('by its %s', (_name, changed, accounts) => {
    expect(matchSupplier({ ...seller, ...changed }, accounts, [other, supplier])).toBe(supplier);
  });

  test('never by a bankgiro when the legal number is another’s', () => {
    const stranger = {
      ...seller,
      organizationNumber: '5567026934',
      vatNumber: null,
      endpoint: null,
    };
    expect(matchSupplier(stranger, [bankgiro], [supplier])).toBeNull();
  });

  test('never by an address or account when the VAT number is another’s', () => {
    const stranger = { ...seller, organizationNumber: null, vatNumber: 'DE123456789' };
    expect(matchSupplier(stranger, [bankgiro], [supplier])).toBeNull();
    const group = { ...seller, vatNumber: 'SE556036079302' };
    expect(matchSupplier(group, [bankgiro], [supplier])).toBe(supplier);
  });

  test('never by a sign that two share', () => {
    const unnamed = { ...seller, organizationNumber: null, vatNumber: null, endpoint: null };
    const twin = { ...supplier, organizationNumber: '5567026934' };
    expect(matchSupplier(unnamed, [bankgiro], [supplier, twin])).toBeNull();
  });
});

const invoice: ReceivedInvoice = {
  kind: 'invoice',
  isCreditNote: false,
  isPrepayment: false,
  preceding: [],
  invoiceNumber: '17',
  issueDate: '2026-03-31',
  dueDate: '2026-04-30',
  currency: 'SEK',
  seller,
  buyerIds: [],
  totals: {
    shares: [],
    netOre: 0n,
    vatOre: 0n,
    roundingOre: 0n,
    prepaidOre: 0n,
    payableOre: 0n,
  },
  payment: {
    accounts: [bankgiro],
    reference: null,
    isOcr: false,
    payee: null,
    isPaidOtherwise: false,
  },
  files: [],
  isSelfBilling: false,
  isPeppolBis: true,
};
const calm: InboxSurroundings = {
  supplier: { name: 'Pappersbruket AB', accounts: [bankgiro] },
  isForUs: true,
  isNumberKnown: false,
  doubts: [],
};
const rulesOf = (changed: Partial<ReceivedInvoice>, around: Partial<InboxSurroundings> = {}) =>
  inboxWarnings({ ...invoice, ...changed }, { ...calm, ...around }).map(({ rule }) => rule);

describe('a person is warned', () => {
  test('of nothing when all is as usual', () => {
    expect(rulesOf({})).toEqual([]);
  });

  test('of a supplier that is new, without calling its account changed', () => {
    expect(rulesOf({}, { supplier: null })).toEqual(['HB-SUPPLIER-UNKNOWN']);
  });

  test('of money that is to go where it has not gone before', () => {
    const payment = { ...invoice.payment, accounts: [{ ...bankgiro, number: '99999999' }] };
    expect(rulesOf({ payment })).toEqual(['HB-PAYMENT-CHANGED']);
    const both = { ...invoice.payment, accounts: [bankgiro, ...payment.accounts] };
    expect(rulesOf({ payment: both })).toEqual(['HB-PAYMENT-CHANGED']);
    expect(rulesOf({ payment }, { supplier: { name: 'x', accounts: [] } })).toEqual([]);
  });

  test.each<[string, Partial<ReceivedInvoice>, Partial<InboxSurroundings>]>([
    ['HB-CREDIT-NOTE', { kind: 'credit_note' }, {}],
    ['HB-CREDIT-NOTE', { isCreditNote: true }, {}],
    ['HB-RECEIVER', {}, { isForUs: false }],
    ['HB-NUMBER-TWICE', {}, { isNumberKnown: true }],
    ['HB-FOREIGN-CURRENCY', { currency: 'EUR' }, {}],
    ['HB-NOT-PEPPOL-BIS', { isPeppolBis: false }, {}],
    ['HB-SELF-BILLING', { isSelfBilling: true }, {}],
    ['HB-PAYEE-DIFFERS', { payment: { ...invoice.payment, payee: 'Factoring AB' } }, {}],
    ['HB-PAID-OTHERWISE', { payment: { ...invoice.payment, isPaidOtherwise: true } }, {}],
    ['HB-REVERSE-CHARGE', {}, { doubts: ['reverse_charge'] }],
    ['HB-TOTALS', {}, { doubts: ['totals_do_not_add_up'] }],
  ])('%s', (rule, changed, around) => {
    expect(rulesOf(changed, around)).toEqual([rule]);
  });
});
