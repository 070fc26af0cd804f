import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseOrder } from '#src/domain/sales/order-shape.ts';
import { apiWords } from '../support/words.ts';

const valid = {
  externalId: 'A-1001',
  orderDate: '2026-11-20',
  currency: 'SEK',
  pricesIncludeVat: true,
  total: 199.0,
  customer: { name: 'Kund AB' },
  rows: [{ description: 'Mugg', quantity: 1, unitPrice: 199, vatRate: 25 }],
};
const [row] = valid.rows;

const faults = (json: unknown): string[] => {
  const parsed = parseOrder(json);
  return 'order' in parsed ? [] : parsed.problems.map(({ path, reason }) => `${path} ${reason}`);
};

describe('parseOrder', () => {
  it('reads an order, leaving what it does not know', () => {
    const customer = {
      name: 'Kund AB',
      email: '',
      orgNumber: null,
      countryCode: 'se',
      phone: '08',
      city: ' Umeå ',
      // What a shop has always sent by a name of ours is read past when it is something else.
      address: { street: 'Storgatan 1' },
    };
    const rows = [{ ...row, quantity: 1.5, unitPrice: 33.3333, sku: 'X' }];
    expect(parseOrder({ ...valid, customer, rows, shop: 'x' })).toEqual({
      order: {
        payments: null,
        externalId: 'A-1001',
        orderDate: '2026-11-20',
        deliveryDate: null,
        currency: 'SEK',
        pricesIncludeVat: true,
        totalOre: 19_900n,
        customer: {
          externalId: null,
          name: 'Kund AB',
          email: null,
          orgNumber: null,
          vatNumber: null,
          countryCode: 'se',
          address: null,
          postalCode: null,
          city: 'Umeå',
          phone: '08',
        },
        rows: [
          {
            articleNumber: null,
            description: 'Mugg',
            quantityE4: 15_000n,
            unit: null,
            unitPriceE4: 333_333n,
            discountE2: 0n,
            vatRate: 25,
          },
        ],
        warnings: [],
      },
    });
  });

  it('reads when it was delivered, and only warns when a shop means something else by it', () => {
    const delivered = (deliveryDate: unknown) => {
      const parsed = parseOrder({ ...valid, deliveryDate });
      if (!('order' in parsed)) throw new Error('refused');
      const { order } = parsed;
      return [order.deliveryDate, ...order.warnings.map(({ path, reason }) => `${path} ${reason}`)];
    };
    expect(delivered('2026-11-18')).toEqual(['2026-11-18']);
    expect(delivered('')).toEqual([null]);
    expect(delivered('inom 3 dagar')).toEqual([null, 'deliveryDate invalid_date']);
    expect(delivered({ from: 1 })).toEqual([null, 'deliveryDate wrong_type']);
  });

  it('reads the unit, and only warns when a shop means something else by it', () => {
    const counted = (unit: unknown) => {
      const parsed = parseOrder({ ...valid, rows: [row, { ...row, unit }] });
      if (!('order' in parsed)) throw new Error('refused');
      const { order } = parsed;
      return [
        order.rows[1]?.unit,
        ...order.warnings.map(({ path, reason }) => `${path} ${reason}`),
      ];
    };
    expect(counted('kg')).toEqual(['kg']);
    expect(counted(null)).toEqual([null]);
    expect(counted(' ')).toEqual([null]);
    expect(counted('x'.repeat(21))).toEqual([null, 'rows[1].unit too_long']);
    expect(counted('kg\nst')).toEqual([null, 'rows[1].unit control_character']);
    expect(counted({ code: 'KGM' })).toEqual([null, 'rows[1].unit wrong_type']);
  });

  it.each([
    [undefined, 0n],
    [null, 0n],
    ['', 0n],
    [0, 0n],
    [12.5, 1_250n],
    [100, 10_000n],
  ])('reads the discount %j as %i hundredths of a per cent', (discountPct, discountE2) => {
    expect(parseOrder({ ...valid, rows: [{ ...row, discountPct }] })).toMatchObject({
      order: { rows: [{ discountE2 }] },
    });
  });

  it.each([
    ['10', 'wrong_type'],
    [-1, 'out_of_range'],
    [100.01, 'out_of_range'],
    [33.333, 'too_many_decimals'],
  ])('takes no order whose discount %j nobody can count', (discountPct, reason) => {
    expect(faults({ ...valid, rows: [{ ...row, discountPct }] })).toEqual([
      `rows[0].discountPct ${reason}`,
    ]);
  });

  it('needs no total when prices are without VAT', () => {
    const { total, ...rest } = valid;
    expect(faults({ ...rest, pricesIncludeVat: false })).toEqual([]);
    expect(faults({ ...rest, pricesIncludeVat: false, total: null })).toEqual([]);
    expect(faults(rest)).toEqual(['total required']);
    expect(total).toBe(199);
  });

  it('takes the -0.0 that PHP writes for a free row or a discount of nothing', () => {
    const rows = [{ ...row, unitPrice: JSON.parse('-0.0') }];
    expect(faults({ ...valid, total: JSON.parse('-0'), rows })).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['no id', { externalId: undefined }, ['externalId required']],
    ['blank id', { externalId: '  ' }, ['externalId required']],
    ['long id', { externalId: 'x'.repeat(256) }, ['externalId too_long']],
    ['number as id', { externalId: 1001 }, ['externalId wrong_type']],
    ['unreal date', { orderDate: '2026-02-29' }, ['orderDate invalid_date']],
    ['timestamp', { orderDate: '2026-11-20T10:00:00Z' }, ['orderDate invalid_date']],
    ['no currency', { currency: null }, ['currency required']],
    ['text as boolean', { pricesIncludeVat: 'true' }, ['pricesIncludeVat wrong_type']],
    ['three decimals', { total: 199.005 }, ['total too_many_decimals']],
    ['text as total', { total: '199.00' }, ['total wrong_type']],
    ['huge total', { total: 10_000_000_000 }, ['total too_large']],
    ['endless total', { total: JSON.parse('1e999') }, ['total too_large']],
    ['no customer', { customer: null }, ['customer required']],
    ['list as customer', { customer: [] }, ['customer wrong_type']],
    ['nameless customer', { customer: {} }, ['customer.name required']],
    ['long name', { customer: { name: 'x'.repeat(201) } }, ['customer.name too_long']],
    [
      'long e-mail and unknown country',
      { customer: { name: 'K', email: `${'x'.repeat(320)}@`, countryCode: 'ZZ' } },
      ['customer.countryCode unknown_country', 'customer.email too_long'],
    ],
    ['no rows', { rows: [] }, ['rows too_few_rows']],
    ['object as rows', { rows: {} }, ['rows wrong_type']],
    ['too many rows', { rows: Array.from({ length: 10_001 }) }, ['rows too_many_rows']],
    ['null row', { rows: [row, null] }, ['rows[1] required']],
    ['zero quantity', { rows: [{ ...row, quantity: 0 }] }, ['rows[0].quantity zero']],
    ['missing quantity', { rows: [{ ...row, quantity: null }] }, ['rows[0].quantity required']],
    [
      'five decimals',
      { rows: [{ ...row, quantity: 0.00001, unitPrice: 0.00001 }] },
      ['rows[0].quantity too_many_decimals', 'rows[0].unitPrice too_many_decimals'],
    ],
    ['rate as text', { rows: [{ ...row, vatRate: '25' }] }, ['rows[0].vatRate wrong_type']],
    [
      'long description',
      { rows: [{ ...row, description: 'x'.repeat(501) }] },
      ['rows[0].description too_long'],
    ],
  ])('names the field: %s', (_, change, expected) => {
    expect(faults({ ...valid, ...change })).toEqual(expected);
  });

  it('counts characters as people do', () => {
    expect(faults({ ...valid, externalId: '😀'.repeat(255) })).toEqual([]);
  });

  it('tells all faults at once, and still which order it was', () => {
    const parsed = parseOrder({ externalId: 'A-1', rows: [{}] });
    if ('order' in parsed) throw new Error('was read');
    expect(parsed.externalId).toBe('A-1');
    expect(parsed.problems.map(({ path }) => path)).toEqual([
      'orderDate',
      'currency',
      'pricesIncludeVat',
      'customer',
      'rows[0].quantity',
      'rows[0].description',
      'rows[0].unitPrice',
      'rows[0].vatRate',
    ]);
    for (const fault of parsed.problems) expect(apiWords(fault)).toContain(fault.path);
  });

  it.each([[null], [[]], ['order'], [1], [true]])('refuses %j as an order', (json) => {
    expect(parseOrder(json)).toMatchObject({ externalId: null, problems: [{ path: '' }] });
  });

  it('does not answer with thousands of problems', () => {
    expect(faults({ ...valid, rows: Array.from({ length: 10_000 }, () => ({})) }).length).toBe(101);
  });

  it('never crashes, whatever JSON a shop sends', () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => parseOrder(json) !== null));
    const keys = Object.keys(valid);
    const anyOf = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
    fc.assert(fc.property(anyOf, (change) => parseOrder({ ...valid, ...change }) !== null));
    const anyRow = fc.dictionary(fc.constantFrom(...Object.keys(row ?? {})), fc.jsonValue());
    fc.assert(fc.property(anyRow, (one) => parseOrder({ ...valid, rows: [one] }) !== null));
  });
});
