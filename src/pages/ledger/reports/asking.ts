/** What the address of a report asks for. */
import { z } from 'zod';
import { type AskedReport, reportBy } from '../../../reports/books/reports.ts';
import type { BookReport, ReportOptions } from '../../../reports/books/table.ts';
import { type Fields, textOf } from '../../form-fields.ts';
import { addressOf } from '../../registers/lists.ts';

/** A report by its Swedish word; anything else is a page that does not exist. */
export const reportParams = z.object({
  report: z.string().transform((word, context): BookReport => {
    const report = reportBy(word);
    if (report?.word === word) return report;
    context.addIssue({ code: 'custom', message: 'Rapporten finns inte.' });
    return z.NEVER;
  }),
});

export type ReportParams = z.output<typeof reportParams>;

/** What each part that is asked for is called in addresses. */
export const queryNames: Readonly<Record<string, string>> = {
  from: 'fran',
  to: 'till',
  dimension: 'dimension',
  account: 'konto',
  by_month: 'manader',
};

export function askedOf(query: Fields): AskedReport {
  const given = (name: string): string | undefined => textOf(query, name).trim() || undefined;
  return {
    from: given('fran'),
    to: given('till'),
    dimension: given('dimension'),
    accounts: given('konto'),
    isByMonth: given('manader') !== undefined,
  };
}

/** Where the report stands, whole: what was left out is said, so that the address tells the same tomorrow. */
export function reportAddress(
  path: string,
  report: BookReport,
  { from, to, dimension, accounts, isByMonth }: ReportOptions,
): string {
  return addressOf(path, {
    fran: report.isOfDay ? '' : from,
    till: to,
    dimension: dimension ? `${dimension.kind}:${dimension.code}` : '',
    konto: accounts ? accountsText(accounts) : '',
    manader: isByMonth ? 'on' : '',
  });
}

export const accountsText = ({ first, last }: { readonly first: number; readonly last: number }) =>
  first === last ? String(first) : `${first}-${last}`;
