/** EN 16931: the document as a whole, its references and periods. */
import { codeLists } from '../data/code-lists.ts';
import { date, lengthOf, textAt } from '../xpath.ts';
import { filled, nothing, present } from './checks.ts';
import { root } from './places.ts';
import { at, type Check, type Family, fatal } from './rule.ts';

/** The start and end of a period: xs:date(EndDate) >= xs:date(StartDate) when both are there. */
export const endsAfterStart: Check = (period) => {
  const start = period.valueOf('cbc:StartDate');
  const end = period.valueOf('cbc:EndDate');
  if (start === undefined || end === undefined) return true;
  return date(end) >= date(start) || `${start} till ${end}`;
};

/** What stands between a note's first two # is read as its subject (BT-21) when it is three characters. */
export function hasNoWrongSubject(note: string): boolean {
  const code = /^[^#]*#([^#]*)#/.exec(note)?.[1];
  return code === undefined || lengthOf(code) !== 3 || subjectCodes.includes(code);
}

export const documentRules: Family = [
  [
    at('cac:AdditionalDocumentReference'),
    fatal(
      'BR-52',
      'En hänvisning till ett underlag (BG-24) ska ha ett id (BT-122).',
      filled('cbc:ID'),
    ),
  ],
  [
    root,
    fatal(
      'BR-01',
      'Specifikationen (CustomizationID, BT-24) ska anges.',
      filled('cbc:CustomizationID'),
    ),
    fatal('BR-02', 'Fakturan ska ha ett nummer (BT-1).', filled('cbc:ID')),
    fatal('BR-03', 'Fakturan ska ha ett datum (BT-2).', filled('cbc:IssueDate')),
    fatal('BR-04', 'Fakturan ska ha en typkod (BT-3).', (e) => {
      const codes = ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'];
      return codes.some((path) => textAt(e, path) !== '') || nothing;
    }),
    fatal('BR-05', 'Fakturans valuta (BT-5) ska anges.', filled('cbc:DocumentCurrencyCode')),
    fatal(
      'BR-16',
      'Fakturan ska ha minst en rad (BG-25).',
      present('cac:InvoiceLine', 'cac:CreditNoteLine'),
    ),
    fatal(
      'BR-CO-03',
      'Momsdatum (BT-7) och kod för momsdatum (BT-8) utesluter varandra.',
      (e) =>
        !(e.has('cbc:TaxPointDate') && e.has('cac:InvoicePeriod/cbc:DescriptionCode')) || 'båda',
    ),
  ],
  [
    at('cac:InvoicePeriod'),
    fatal('BR-29', 'Faktureringsperioden (BG-14) ska inte sluta innan den börjar.', endsAfterStart),
    fatal(
      'BR-CO-19',
      'Faktureringsperioden (BG-14) ska ha en början, ett slut eller en kod.',
      present('cbc:StartDate', 'cbc:EndDate', 'cbc:DescriptionCode'),
    ),
  ],
  [
    at('/*/cbc:Note'),
    fatal('BR-CL-08', 'Ämneskoden i anmärkningen (#…#, BT-21) ska finnas i UNCL4451.', (e) =>
      hasNoWrongSubject(e.value),
    ),
  ],
  [
    at('cac:BillingReference'),
    fatal(
      'BR-55',
      'En hänvisning till en tidigare faktura (BG-3) ska ha dess nummer (BT-25).',
      present('cac:InvoiceDocumentReference/cbc:ID'),
    ),
  ],
];

// The official test looks for the three characters anywhere in the list as one string.
const subjectCodes = ` ${[...codeLists.UNCL4451].join(' ')} `;
