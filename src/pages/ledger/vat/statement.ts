/** The recapitulative statement of a month or quarter: buyer by buyer, held against the VAT return. */
import { z } from 'zod';
import {
  contactFaults,
  type StatementColumn,
  statementPeriod,
  statementPhone,
} from '../../../domain/ledger/recapitulative-statement.ts';
import { findVatCompany } from '../../../ledger/vat-filings/company-store.ts';
import { readStatement, statementFile } from '../../../ledger/vat-filings/statement.ts';
import { pageProblem } from '../../../lib/sentences/say.ts';
import { field, formOf } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, dayInWords, wholeKronorText } from '../../format.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';
import { shownVoucher } from './shown-voucher.ts';

const params = z.object({
  period: z.string().refine((name) => statementPeriod(name) !== undefined),
});
type OfStatement = Visit<{ period: string }>;
const home = '/moms/periodisk-sammanstallning';

export function registerStatementPage(pages: Pages): void {
  pages.show({
    url: `${home}/:period`,
    right: 'read',
    params,
    show: (visit) => showStatement(visit, nothingTyped),
  });
  pages.show({
    url: `${home}/:period/skv574008.txt`,
    right: 'read',
    params,
    show: async (visit) => {
      const { tx, query } = visit;
      const contact = {
        name: textOf(query, 'name').trim(),
        phone: statementPhone(textOf(query, 'phone')),
        email: textOf(query, 'email').trim(),
      };
      const problems = contactFaults(contact).map(pageProblem);
      if (problems.length > 0) {
        return showStatement(visit, { fields: query, problems, isSent: true });
      }
      const { name, content } = await statementFile(
        tx,
        await readStatement(tx, visit.params.period),
        contact,
      );
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return { type: 'text/plain; charset=ISO-8859-1', content, headers };
    },
  });
}

const columnWords: Readonly<Record<StatementColumn, string>> = {
  goods: 'Varor',
  triangulation: 'Trepartshandel',
  services: 'Tjänster',
};

async function showStatement(
  { tx, person, params: { period: asked } }: OfStatement,
  input: FormInput,
): Promise<View> {
  const read = await readStatement(tx, asked);
  const company = await findVatCompany(tx);
  const { period, lines, comparison, unknown, unknownOre } = read;
  const whole = (kronor: bigint | null): string => (kronor === null ? '' : wholeKronorText(kronor));
  const isQuarter = period.code.includes('-');
  return {
    template: 'vat-statement',
    title: `Periodisk sammanställning ${period.name}`,
    values: {
      address: `${home}/${period.name}`,
      span: `${dayInWords(period.start)} – ${dayInWords(period.end)}`,
      dueOn: dayInWords(period.dueOn),
      // Goods are told monthly; by the quarter only services are (SFL 35 kap.).
      hasGoodsInQuarter:
        isQuarter &&
        lines.some(({ kronor }) => kronor.goods !== null || kronor.triangulation !== null),
      lines: lines.map(({ vatNumber, kronor }) => ({
        vatNumber,
        goods: whole(kronor.goods),
        triangulation: whole(kronor.triangulation),
        services: whole(kronor.services),
      })),
      comparison: comparison.map(({ column, box, kronor, inReturn, agrees }) => ({
        name: columnWords[column],
        box,
        kronor: whole(kronor),
        inReturn: whole(inReturn),
        chip: agrees ? { tone: 'good', text: 'Stämmer' } : { tone: 'warn', text: 'Skiljer' },
      })),
      unknownTotal: unknown.length === 0 ? null : amountText(unknownOre),
      unknown: unknown.map((one) => ({
        ...shownVoucher(one),
        amount: amountText(one.ore),
      })),
      form: formOf(input, {
        name: field(input, 'name', 'Ansvarig för uppgifterna', {
          isRequired: true,
          maxLength: 35,
          value: person.name,
        }),
        phone: field(input, 'phone', 'Telefon', {
          isRequired: true,
          maxLength: 30,
          value: company?.phone ?? '',
          help: 'Med bindestreck efter riktnumret, som 08-1234567, eller +46 först.',
        }),
        email: field(input, 'email', 'E-post', { type: 'email', value: company?.email ?? '' }),
      }),
    },
  };
}
