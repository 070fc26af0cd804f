/** EN 16931: invoice and credit note lines. */
import { hasVatScheme } from '../facts.ts';
import { anyDouble } from '../xpath.ts';
import { filled, nothing, present, quoteElement, withAttribute } from './checks.ts';
import { endsAfterStart } from './document.ts';
import { line } from './places.ts';
import { at, type Family, fatal } from './rule.ts';

const onLines = (path: string): readonly string[] => [
  `cac:InvoiceLine/${path}`,
  `cac:CreditNoteLine/${path}`,
];

export const lineRules: Family = [
  [
    line,
    fatal('BR-21', 'En rad ska ha ett id (BT-126).', filled('cbc:ID')),
    fatal(
      'BR-22',
      'En rad ska ha ett antal (BT-129).',
      present('cbc:InvoicedQuantity', 'cbc:CreditedQuantity'),
    ),
    fatal('BR-23', 'En rads antal ska ha en enhet (BT-130).', (e) => {
      const quantities = [...e.all('cbc:InvoicedQuantity'), ...e.all('cbc:CreditedQuantity')];
      return quantities.some((quantity) => quantity.hasAttribute('unitCode')) || nothing;
    }),
    fatal('BR-24', 'En rad ska ha ett belopp (BT-131).', present('cbc:LineExtensionAmount')),
    fatal('BR-25', 'En rads artikel ska ha ett namn (BT-153).', filled('cac:Item/cbc:Name')),
    fatal('BR-26', 'En rad ska ha ett pris (BT-146).', present('cac:Price/cbc:PriceAmount')),
    fatal('BR-27', 'En rads pris (BT-146) ska inte vara negativt.', (e) => {
      const prices = e.all('cac:Price/cbc:PriceAmount');
      return anyDouble(prices, (price) => price >= 0) || quoteElement(prices[0]);
    }),
    fatal('BR-28', 'En rads bruttopris (BT-148) ska inte vara negativt.', (e) => {
      const prices = e.all('cac:Price/cac:AllowanceCharge/cbc:BaseAmount');
      const isFine = prices.length === 0 || anyDouble(prices, (price) => price >= 0);
      return isFine || quoteElement(prices[0]);
    }),
    fatal(
      'BR-CO-04',
      'En rad ska ha en momskategori (BT-151).',
      (e) =>
        e
          .all('cac:Item/cac:ClassifiedTaxCategory')
          .some((one) => hasVatScheme(one) && one.has('cbc:ID')) || nothing,
    ),
  ],
  [
    at(onLines('cac:InvoicePeriod')),
    fatal('BR-30', 'En rads period (BG-26) ska inte sluta innan den börjar.', endsAfterStart),
    fatal(
      'BR-CO-20',
      'En rads period (BG-26) ska ha en början eller ett slut.',
      present('cbc:StartDate', 'cbc:EndDate'),
    ),
  ],
  [
    at('cac:AdditionalItemProperty'),
    fatal(
      'BR-54',
      'En artikels egenskap (BG-32) ska ha både namn (BT-160) och värde (BT-161).',
      (e) => (e.has('cbc:Name') && e.has('cbc:Value')) || 'inte båda',
    ),
  ],
  [
    at(onLines('cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode')),
    fatal(
      'BR-65',
      'En artikels klassificering (BT-158) ska ha ett listID.',
      withAttribute('listID'),
    ),
  ],
  [
    at(onLines('cac:Item/cac:StandardItemIdentification/cbc:ID')),
    fatal(
      'BR-64',
      'En artikels standardnummer (BT-157) ska ha ett schemeID.',
      withAttribute('schemeID'),
    ),
  ],
];
