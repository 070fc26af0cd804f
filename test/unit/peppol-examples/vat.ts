/** Examples of the VAT categories' rules: ten that are alike in every family, and those that are not. */
import { type Change, changed, cleanDocument } from '../peppol-invoice.ts';
import type { Example, Examples } from './example.ts';

const clean = cleanDocument(1);

/** Where an invoice writes a VAT category, and what stands before it there. */
const spots = {
  line: '<cac:ClassifiedTaxCategory>',
  allowance: 'Rabatt[\\s\\S]*?<cac:TaxCategory>',
  charge: 'Frakt[\\s\\S]*?<cac:TaxCategory>',
  breakdown: '<cac:TaxSubtotal>[\\s\\S]*?<cac:TaxCategory>',
};
type Spot = keyof typeof spots;

const category = (code: string, rate: string | null, reason = ''): string =>
  `<cbc:ID>${code}</cbc:ID>${rate === null ? '' : `<cbc:Percent>${rate}</cbc:Percent>`}${reason}`;

const reason = '<cbc:TaxExemptionReason>Skäl</cbc:TaxExemptionReason>';
const standard = category('S', '25');
const exempt = category('E', '0');

const set = (spot: Spot, contents: string): Change => ({
  from: new RegExp(`(?<=${spots[spot]})<cbc:ID>.*?(?=<cac:TaxScheme>)`),
  to: contents,
});

/** The clean invoice with one category everywhere. */
const everywhere = (contents: string): string => clean.replaceAll(standard, () => contents);

const taxSchemeOf = (number: string): RegExp =>
  new RegExp(
    `<cac:PartyTaxScheme>\\s*<cbc:CompanyID>SE${number}01<[\\s\\S]*?</cac:PartyTaxScheme>`,
  );

const no_seller_number: Change = { from: taxSchemeOf('5566778899'), to: '' };
/** F-tax is a tax number of the seller (BT-32) too, but no VAT number. */
const only_f_tax: Change = {
  from: /<cbc:CompanyID>SE556677889901<[\s\S]*?<cbc:ID>VAT</,
  to: '<cbc:CompanyID>Godkänd för F-skatt</cbc:CompanyID><cac:TaxScheme><cbc:ID>TAX<',
};
const no_buyer_vat: Change = { from: taxSchemeOf('2021005489'), to: '' };
const no_buyer_legal: Change = {
  from: '<cbc:CompanyID schemeID="0007">2021005489</cbc:CompanyID>',
  to: '',
};

/** What tells the parties apart: as little as the family needs, and one thing less (for O more). */
interface Identification {
  readonly enough: readonly Change[];
  readonly wrong: readonly Change[];
}

const any_seller_number: Identification = {
  enough: [only_f_tax, no_buyer_vat],
  wrong: [no_seller_number, no_buyer_vat],
};
const seller_and_buyer: Identification = {
  enough: [only_f_tax, no_buyer_vat],
  wrong: [only_f_tax, no_buyer_vat, no_buyer_legal],
};
const both_vat_numbers: Identification = { enough: [], wrong: [no_buyer_vat] };
const seller_vat_number: Identification = {
  enough: [no_buyer_vat],
  wrong: [only_f_tax, no_buyer_vat],
};
const no_vat_number: Identification = {
  enough: [only_f_tax, no_buyer_vat],
  wrong: [only_f_tax],
};

interface Family {
  readonly code: string;
  readonly rate: string | null;
  /** Another rate that is as right, unless there is none, and one that is wrong. */
  readonly right_rate: string | null;
  readonly wrong_rate: string;
  readonly reason: boolean;
  readonly identification: Identification;
}

const taxed = {
  rate: '25',
  right_rate: '0',
  wrong_rate: '-1',
  reason: false,
  identification: any_seller_number,
};
const untaxed = {
  rate: '0',
  right_rate: '0.00',
  wrong_rate: '25',
  reason: true,
  identification: any_seller_number,
};

const families = {
  S: { ...taxed, code: 'S', right_rate: '6', wrong_rate: '0' },
  AF: { ...taxed, code: 'L' },
  AG: { ...taxed, code: 'M' },
  Z: { ...untaxed, code: 'Z', reason: false },
  E: { ...untaxed, code: 'E' },
  AE: { ...untaxed, code: 'AE', identification: seller_and_buyer },
  IC: { ...untaxed, code: 'K', identification: both_vat_numbers },
  G: { ...untaxed, code: 'G', identification: seller_vat_number },
  O: {
    ...untaxed,
    code: 'O',
    rate: null,
    right_rate: null,
    wrong_rate: '0',
    identification: no_vat_number,
  },
} satisfies Readonly<Record<string, Family>>;

const isTaxed = (family: Family): boolean => family.rate === taxed.rate;

const taxable_amount = /(?<=TaxableAmount currencyID="SEK">)190\.00/;
const tax_amount = /(?<=<cac:TaxSubtotal>[\s\S]*?<cbc:TaxAmount currencyID="SEK">)[\d.]+/;

/** An invoice with everything in one family's category, that breaks no rule at all. */
function wholeInvoice(family: Family): string {
  const contents = category(family.code, family.rate);
  const document = changed(everywhere(contents), ...family.identification.enough);
  if (isTaxed(family)) return document;
  const without_tax = changed(
    document,
    { from: '>47.50</cbc:TaxAmount>', to: '>0.00</cbc:TaxAmount>' },
    { from: '>47.50</cbc:TaxAmount>', to: '>0.00</cbc:TaxAmount>' },
    { from: '>237.50</cbc:TaxInclusiveAmount>', to: '>190.00</cbc:TaxInclusiveAmount>' },
    { from: '>138.00</cbc:PayableAmount>', to: '>90.50</cbc:PayableAmount>' },
  );
  if (!family.reason) return without_tax;
  return changed(without_tax, set('breakdown', `${contents}${reason}`));
}

/** -02, -03, -04: one place only has the category, and somebody is not identified as it needs. */
function identification({ code, rate, identification }: Family, spot: Spot): Example {
  const elsewhere = everywhere(code === 'S' ? exempt : standard);
  const document = changed(elsewhere, set(spot, category(code, rate)));
  return {
    breaks: changed(document, ...identification.wrong),
    holds: changed(document, ...identification.enough),
  };
}

/** -05, -06, -07: the rate in one place. */
function rate(family: Family, spot: Spot): Example {
  const document = wholeInvoice(family);
  const { code, right_rate, wrong_rate } = family;
  return {
    breaks: changed(document, set(spot, category(code, wrong_rate))),
    // Where no other rate is right, the invoice has it already.
    holds:
      right_rate === family.rate
        ? document
        : changed(document, set(spot, category(code, right_rate))),
  };
}

/** -08, -09: an amount of the breakdown, exact in the untaxed, less than 1 off in the taxed. */
function amount(family: Family, from: RegExp, off: string, near?: string): Example {
  const document = wholeInvoice(family);
  return {
    breaks: changed(document, { from, to: off }),
    holds: near === undefined ? document : changed(document, { from, to: near }),
  };
}

/** -10: a reason why there is no tax, where it must be and nowhere else. */
function exemptionReason(family: Family): Example {
  const holds = wholeInvoice(family);
  const { code, rate } = family;
  const breaks = changed(
    holds,
    set('breakdown', category(code, rate, family.reason ? '' : reason)),
  );
  return { breaks, holds };
}

function familyExamples([name, family]: readonly [string, Family]): Examples {
  const other = family.code === 'E' ? category('Z', '0') : exempt;
  const whole = wholeInvoice(family);
  return {
    [`BR-${name}-01`]: { breaks: changed(whole, set('breakdown', other)), holds: whole },
    [`BR-${name}-02`]: identification(family, 'line'),
    [`BR-${name}-03`]: identification(family, 'allowance'),
    [`BR-${name}-04`]: identification(family, 'charge'),
    [`BR-${name}-05`]: rate(family, 'line'),
    [`BR-${name}-06`]: rate(family, 'allowance'),
    [`BR-${name}-07`]: rate(family, 'charge'),
    [`BR-${name}-08`]: isTaxed(family)
      ? amount(family, taxable_amount, '191.00', '190.99')
      : amount(family, taxable_amount, '190.01'),
    [`BR-${name}-09`]: isTaxed(family)
      ? amount(family, tax_amount, '48.50', '48.49')
      : amount(family, tax_amount, '0.01'),
    [`BR-${name}-10`]: exemptionReason(family),
  };
}

const inside_eu = wholeInvoice(families.IC);
const undated = changed(inside_eu, { from: /<cbc:ActualDeliveryDate>.*/, to: '' });

const intra_community_examples: Examples = {
  'BR-IC-11': {
    // The line's own period is no substitute for the invoice's.
    breaks: changed(undated, { from: /<cac:InvoicePeriod>.*/, to: '' }),
    holds: undated,
  },
  'BR-IC-12': {
    breaks: changed(inside_eu, { from: /<cac:DeliveryLocation>.*/, to: '' }),
    holds: inside_eu,
  },
};

const outside_scope = wholeInvoice(families.O);
const another_row = `<cac:TaxSubtotal>
      <cbc:TaxableAmount currencyID="SEK">0.00</cbc:TaxableAmount>
      <cbc:TaxAmount currencyID="SEK">0.00</cbc:TaxAmount>
      <cac:TaxCategory>${exempt}${reason}<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory>
    </cac:TaxSubtotal>`;
const withAnother = (change: Change): Example => ({
  breaks: changed(outside_scope, change),
  holds: outside_scope,
});

const outside_scope_examples: Examples = {
  'BR-O-11': withAnother({ from: '<cac:TaxSubtotal>', to: `${another_row}<cac:TaxSubtotal>` }),
  'BR-O-12': withAnother(set('line', exempt)),
  'BR-O-13': withAnother(set('allowance', exempt)),
  'BR-O-14': withAnother(set('charge', exempt)),
};

const split_payment = everywhere(category('B', '25'));
const swedish_country = '<cbc:IdentificationCode>SE<';
const italian_country = '<cbc:IdentificationCode>IT<';
const in_italy = split_payment.replaceAll(swedish_country, italian_country);

const split_payment_examples: Examples = {
  'BR-B-01': {
    breaks: changed(in_italy, { from: italian_country, to: swedish_country }),
    holds: in_italy,
  },
  'BR-B-02': { breaks: changed(in_italy, set('charge', standard)), holds: in_italy },
};

export const examples: Examples = Object.assign(
  {},
  ...Object.entries(families).map(familyExamples),
  intra_community_examples,
  outside_scope_examples,
  split_payment_examples,
);
