import { describe, expect, it } from 'vitest';
import { format } from '#src/peppol/decimal.ts';
import type { CurrencyAmount } from '#src/peppol/model.ts';
import { validateEInvoice } from '#src/peppol/validate.ts';
import { changed, cleanDocument } from './peppol-invoice.ts';

const modelOf = (document: string) => {
  const { model } = validateEInvoice(Buffer.from(document));
  if (!model) throw new Error('The document could not be read.');
  return model;
};

const written = (amount: CurrencyAmount | null): string | null =>
  amount && `${format(amount.value)} ${amount.currency}`;

describe('the invoice as a model', () => {
  const model = modelOf(cleanDocument());

  it('has the document’s own terms', () => {
    expect(model).toMatchObject({
      kind: 'invoice',
      number: 'F-1001',
      issue_date: '2026-03-31',
      due_date: '2026-04-30',
      type_code: '380',
      notes: ['Tack för köpet'],
      currency: 'SEK',
      tax_currency: null,
      buyer_reference: 'Anna Svensson',
      order_number: 'O-7',
      period: { start: '2026-03-01', end: '2026-03-31' },
      preceding: [{ number: 'F-900', issue_date: null }],
      payee: null,
      payment_terms: '30 dagar netto',
      delivery: { date: '2026-03-15', name: null },
    });
  });

  it('has the parties', () => {
    expect(model.seller).toMatchObject({
      name: 'Rosteriet AB',
      trading_name: 'Rosteriet',
      endpoint: { value: '5566778899', scheme: '0007' },
      legal_id: { value: '5566778899', scheme: '0007' },
      vat_number: 'SE556677889901',
      tax_registration: null,
      address: { lines: ['Storgatan 1'], city: 'Umeå', postal_code: '90326', country: 'SE' },
      contact: null,
    });
    expect(model.buyer?.name).toBe('Kontoret AB');
  });

  it('has how to pay, and what is attached', () => {
    expect(model.payment_means).toMatchObject([
      {
        code: '30',
        payment_id: '1001036',
        account: '9912346',
        branch: 'SE:BANKGIRO',
        mandate: null,
      },
    ]);
    expect(model.documents).toMatchObject([
      {
        id: { value: 'bilaga' },
        file: { name: 'bilaga.pdf', mime_type: 'application/pdf', base64: 'JVBERi0x' },
      },
    ]);
  });

  it('has the amounts as written', () => {
    const { totals, vat } = model;
    expect(Object.values(totals).map(written)).toEqual([
      '390 SEK',
      '10 SEK',
      '5 SEK',
      '385 SEK',
      '96.25 SEK',
      null,
      '481.25 SEK',
      '100 SEK',
      '0.5 SEK',
      '381.75 SEK',
    ]);
    expect(vat.map((row) => [written(row.taxable), written(row.tax), row.category.code])).toEqual([
      ['385 SEK', '96.25 SEK', 'S'],
    ]);
    expect(
      model.allowances_and_charges.map(({ is_charge, reason }) => [is_charge, reason]),
    ).toEqual([
      [false, 'Rabatt'],
      [true, 'Frakt'],
    ]);
  });

  it('has the lines', () => {
    expect(model.lines).toHaveLength(2);
    const [line] = model.lines;
    expect(line).toMatchObject({
      id: '1',
      unit: 'H87',
      name: 'Kaffe 1',
      standard_item_id: { value: '7310000000000', scheme: '0160' },
      category: { code: 'S' },
      properties: [{ name: 'Rost', value: 'Mörk' }],
    });
    expect([
      line?.quantity && format(line.quantity),
      written(line?.net ?? null),
      written(line?.price ?? null),
    ]).toEqual(['2', '195 SEK', '100 SEK']);
  });

  it('reads a credit note into the same shape', () => {
    const due = {
      from: '<cbc:PaymentID>',
      to: '<cbc:PaymentDueDate>2026-04-30</cbc:PaymentDueDate><cbc:PaymentID>',
    };
    const credit = modelOf(changed(cleanDocument(2, 'CreditNote'), due));
    expect(credit).toMatchObject({ kind: 'credit_note', type_code: '381', due_date: '2026-04-30' });
    expect(credit.lines.map(({ quantity }) => quantity && format(quantity))).toEqual(['2', '2']);
  });

  it('leaves null for what is missing or is no number', () => {
    const spoilt = modelOf(
      changed(
        cleanDocument(1),
        { from: '<cbc:ID>F-1001</cbc:ID>', to: '<cbc:ID> </cbc:ID>' },
        { from: '<cbc:IssueDate>2026-03-31', to: '<cbc:IssueDate>31/3' },
        {
          from: /<cbc:PayableAmount.*<\/cbc:PayableAmount>/,
          to: '<cbc:PayableAmount currencyID="SEK">mycket</cbc:PayableAmount>',
        },
        { from: /<cac:AccountingCustomerParty>[\s\S]*<\/cac:AccountingCustomerParty>/, to: '' },
      ),
    );
    expect([spoilt.number, spoilt.issue_date, spoilt.totals.payable, spoilt.buyer]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
