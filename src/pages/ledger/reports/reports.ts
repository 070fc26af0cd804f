/** Rapporter: the list of them, and each by its days. */
import { listDimensions } from '../../../ledger/dimensions/store.ts';
import { generalLedgerReport } from '../../../reports/books/listings.ts';
import { readOptions, reports } from '../../../reports/books/reports.ts';
import type {
  BookReport,
  Cell,
  Column,
  ReportLine,
  ReportOptions,
} from '../../../reports/books/table.ts';
import { daysText } from '../../../reports/books/table.ts';
import { field } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText } from '../../format.ts';
import { type Pages, problemsIn, refusalOf } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';
import { accountsText, askedOf, queryNames, reportAddress, reportParams } from './asking.ts';

/** Of a listing, on a page. */
const linesShown = 200;

const fileFormats = [
  { ending: 'xlsx', label: 'Excel' },
  { ending: 'pdf', label: 'PDF' },
  { ending: 'csv', label: 'CSV' },
] as const;

export function registerReportPages(pages: Pages): void {
  pages.show({ url: '/rapporter', right: 'read', show: showReports });
  pages.show({
    url: '/rapporter/:report',
    right: 'read',
    params: reportParams,
    show: showReport,
  });
}

const showReports = async (): Promise<View> => ({
  template: 'reports',
  title: 'Rapporter',
  values: {
    reports: reports.map(({ word, title, description }) => ({
      href: `/rapporter/${word}`,
      title,
      description,
    })),
  },
});

async function showReport(visit: Visit<{ report: BookReport }>): Promise<View> {
  const { tx, query, today, params, deps } = visit;
  const { report } = params;
  const day = { today, timeZone: deps.config.timeZone };
  const asked = askedOf(query);
  try {
    const options = await readOptions(tx, report, asked, day);
    const place = textOf(query, 'efter') || undefined;
    const { lines, next } = await report.read(tx, options, { place, limit: linesShown });
    const path = `/rapporter/${report.word}`;
    const address = (more: Readonly<Record<string, string>>) => {
      const whole = reportAddress(path, report, options);
      return `${whole}&${new URLSearchParams(more)}`;
    };
    const columns = report.columns(options);
    const shown = { fields: query, problems: [], isSent: false };
    return {
      ...reportView(report, await filterOf(visit, shown, options), {
        days: daysText(report, options),
        of: ofText(options),
        columns: columns.map(({ label, kind }) => ({ label, isNumber: kind === 'amount' })),
        lines: linesOf(report, options, columns, lines),
        files: fileFormats.map(({ ending, label }) => ({
          href: reportAddress(`${path}/rapport.${ending}`, report, options),
          label,
        })),
        pager: {
          next: next === null ? null : address({ efter: next }),
          first: place === undefined ? null : reportAddress(path, report, options),
        },
      }),
    };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.status !== 400 || textOf(query, 'efter') !== '') throw error;
    const problems = problemsIn(refusal).map((one) => ({
      ...one,
      path: queryNames[one.path] ?? one.path,
    }));
    const options = await readOptions(tx, report, {}, day);
    const filter = await filterOf(visit, { fields: query, problems, isSent: true }, options);
    // What the report has no field for is said above the form.
    const named = Object.values(filter).map((one) => one?.name);
    const above = problems.filter(({ path }) => !named.includes(path));
    const said = { above: above.map(({ message }) => message), faults: problems.length > 0 };
    return { ...reportView(report, filter, { said }), status: 400 };
  }
}

const reportView = (report: BookReport, filter: object, values: object): View => ({
  template: 'report',
  title: report.title,
  values: { word: report.word, description: report.description, filter, ...values },
});

const ofText = ({ dimension, accounts }: ReportOptions): string =>
  [
    dimension ? `${dimension.code} ${dimension.name}` : '',
    accounts ? `konto ${accountsText(accounts)}` : '',
  ]
    .filter(Boolean)
    .join(', ');

async function filterOf(
  { tx, params: { report } }: Visit<{ report: BookReport }>,
  input: FormInput,
  options: ReportOptions,
) {
  const plain = { saysOptional: false } as const;
  const { from, to, dimension, accounts, isByMonth } = options;
  const dimensions = await listDimensions(tx);
  return {
    from: report.isOfDay
      ? null
      : field(input, 'fran', 'Från', { ...plain, type: 'date', value: from }),
    to: field(input, 'till', report.isOfDay ? 'Dag' : 'Till och med', {
      ...plain,
      type: 'date',
      value: to,
    }),
    dimension:
      report.takes.includes('dimension') && dimensions.length > 0
        ? field(input, 'dimension', 'Dimension', {
            ...plain,
            type: 'select',
            value: dimension ? `${dimension.kind}:${dimension.code}` : '',
            options: [
              { value: '', label: 'Alla' },
              ...dimensions.map(({ kind, code, name }) => ({
                value: `${kind}:${code}`,
                label: `${code} ${name}`,
              })),
            ],
          })
        : null,
    accounts: report.takes.includes('accounts')
      ? field(input, 'konto', 'Konton', {
          ...plain,
          value: accounts ? accountsText(accounts) : '',
          placeholder: 'Alla',
          size: 10,
          maxLength: 20,
        })
      : null,
    months: report.takes.includes('months')
      ? field(input, 'manader', 'Månad för månad', {
          type: 'checkbox',
          value: isByMonth ? 'on' : '',
        })
      : null,
  };
}

const textIn = (cell: Cell): string => (typeof cell === 'bigint' ? amountText(cell) : (cell ?? ''));

/** What the lines before said of the same voucher or party is not said again. */
function linesOf(
  report: BookReport,
  options: ReportOptions,
  columns: readonly Column[],
  lines: readonly ReportLine[],
) {
  const hrefOf = hrefsOf(options);
  return lines.map((line, index) => {
    const before = lines[index - 1];
    const isSame = (place: number): boolean =>
      before !== undefined &&
      before.kind !== 'sum' &&
      line.kind !== 'heading' &&
      columns.every((column, at) => !column.isShared || before.cells[at] === line.cells[at]) &&
      before.cells[place] === line.cells[place];
    return {
      isHeading: line.kind === 'heading',
      isSum: line.kind === 'sum',
      cells: columns.map((column, place) => {
        const cell = line.cells[place] ?? null;
        const isHidden = column.isShared === true && isSame(place) && line.kind === 'row';
        return {
          text: isHidden ? '' : textIn(cell),
          isNumber: column.kind === 'amount',
          isDate: column.kind === 'date',
          href: isHidden || cell === null ? null : hrefOf(report, line, column),
        };
      }),
    };
  });
}

/** What is behind a figure: the account's rows of those days, the voucher, the invoice. */
const hrefsOf =
  (options: ReportOptions) =>
  (report: BookReport, { behind }: ReportLine, { key, kind, days }: Column): string | null => {
    switch (behind?.kind) {
      case 'accounts': {
        if (kind !== 'amount') return null;
        const from = report.isOfDay ? `${options.to.slice(0, 4)}-01-01` : options.from;
        const asked = { ...options, from, ...days, accounts: behind.accounts, isByMonth: false };
        return reportAddress(`/rapporter/${generalLedgerReport.word}`, generalLedgerReport, asked);
      }
      case 'voucher':
        return key === 'voucher' ? `/verifikat/${behind.id}` : null;
      case 'invoice':
        return key === 'number' ? `/kundfakturor/${behind.id}` : null;
      case 'purchase':
        return key === 'number' ? `/leverantorsinkorg/${behind.id}` : null;
      default:
        return null;
    }
  };
