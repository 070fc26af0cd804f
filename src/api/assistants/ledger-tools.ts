/** Tools that read the ledger. */
import { z } from 'zod';
import { presentKey } from '../../access/keys/admission-store.ts';
import { type Tx, withTx } from '../../db/pool.ts';
import { addDays, isDate } from '../../domain/basics/dates.ts';
import { type Ore, oreToNumber, sum } from '../../domain/basics/money.ts';
import { nextVatDueDate, vatDueDate, vatPeriodsBefore } from '../../domain/ledger/vat-deadlines.ts';
import { vatReturnOf } from '../../domain/ledger/vat-return.ts';
import { checkVoucher, labelOf } from '../../domain/ledger/voucher.ts';
import { withKey } from '../../http/access.ts';
import { dateSchema, idSchema, textSchema } from '../../http/schemas.ts';
import { getInstallation, listFiscalYears } from '../../installation/meta/store.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { type ListedVoucher, listVouchers } from '../../ledger/vouchers/store.ts';
import { AppError, type Refusal, refuse } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { appVersion } from '../../lib/version.ts';
import { reports } from '../../reports/books/reports.ts';
import { everSince, listAccountSums } from '../../reports/books/sum-store.ts';
import { allLines } from '../../reports/books/table.ts';
import { requireOrder } from '../paging.ts';
import { payloads, proposedOf } from '../proposals/payloads.ts';
import {
  type Bound,
  cursorAt,
  fitPage,
  placeAt,
  refusalTold,
  untrusted,
  untrustedSchema,
} from './answers.ts';
import { findVoucherProblems, getMonthEnd, getVatReturn, listAccountRows } from './store.ts';
import {
  days,
  isoDate,
  kronor,
  listTool,
  nextCursor,
  paging,
  type ToolCall,
  tool,
} from './tool.ts';

const read = <T>({ deps, caller }: ToolCall, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withKey(deps.readers, caller, work);

const reportingOf = (installation: Awaited<ReturnType<typeof getInstallation>>) => ({
  period: installation.vat_period,
  largeTaxpayer: installation.vat_large_taxpayer,
  yearly: installation.vat_yearly,
  digital: installation.vat_digital,
});

const getInstallationTool = tool({
  name: 'get_installation',
  title: 'Installation and key',
  description:
    'What day it is, fiscal years, locks, the next VAT deadline, and what the key may do. Call it first.',
  scopes: [],
  input: z.strictObject({}),
  output: z.object({
    app_version: z.string(),
    today: isoDate,
    time_zone: z.string(),
    currency: z.literal('SEK'),
    scopes: z.array(z.string()),
    fiscal_years: z.array(
      z.object({ year: z.int(), start: isoDate, end: isoDate, status: z.string() }),
    ),
    period_locked_to: isoDate.nullable(),
    vat_locked_to: isoDate.nullable(),
    vat_due_date: isoDate,
    vouchers: z.int(),
    untrusted_text: untrustedSchema,
  }),
  run: (call) =>
    withKey(call.deps.quickReaders, call.caller, async (tx) => {
      const { clock, config } = call.deps;
      const years = await listFiscalYears(tx);
      const installation = await getInstallation(tx);
      const today = clock.today();
      return {
        app_version: appVersion,
        today,
        time_zone: config.timeZone,
        currency: 'SEK' as const,
        scopes: [...call.caller.scopes],
        fiscal_years: years.slice(-50),
        period_locked_to: installation.period_locked_to,
        vat_locked_to: installation.vat_locked_to,
        vat_due_date: nextVatDueDate(reportingOf(installation), years, today),
        vouchers: Number(installation.vouchers),
        untrusted_text: untrusted({ key_name: call.caller.keyName }),
      };
    }),
});

const voucherHead = {
  voucher_id: z.string(),
  label: z.string(),
  date: isoDate,
  source: z.string(),
  total: kronor,
  row_count: z.int(),
};
const rowShape = {
  row_no: z.int(),
  account: z.int(),
  debit: kronor,
  credit: kronor,
  vat_code: z.string().nullable(),
};
/** In a list; all of them are told by get_voucher. */
const rowsInList = 10;

const headOf = (voucher: ListedVoucher) => ({
  voucher_id: voucher.id,
  label: labelOf(voucher),
  date: voucher.date,
  source: voucher.source,
  total: oreToNumber(sum(voucher.rows.map(({ debit_ore: ore }) => BigInt(ore)))),
  row_count: voucher.rows.length,
});
const rowOf = (row: ListedVoucher['rows'][number]) => ({
  row_no: row.row_no,
  account: row.account,
  debit: oreToNumber(row.debit_ore),
  credit: oreToNumber(row.credit_ore),
  vat_code: row.vat_code,
});
const textsOf = ({
  description,
  counterparty,
}: Pick<ListedVoucher, 'description' | 'counterparty'>) => untrusted({ description, counterparty });

type VoucherParts = readonly [date: string, series: string, number: number];
const isVoucherPlace = (parts: readonly unknown[]): parts is VoucherParts =>
  typeof parts[0] === 'string' &&
  isDate(parts[0]) &&
  typeof parts[1] === 'string' &&
  !parts[1].includes('\0') &&
  Number.isInteger(parts[2]) &&
  Math.abs(Number(parts[2])) <= 2_147_483_647;

const listVouchersTool = listTool({
  name: 'list_vouchers',
  title: 'Vouchers by date',
  description: `Posted vouchers in the order of their dates, with their first ${rowsInList} rows.`,
  scopes: ['data:read'],
  asked: {
    ...days,
    series: textSchema(2, 1).optional(),
    account: z.int().min(1).max(999_999_999).optional().describe('With a row on it'),
  },
  items: 'vouchers',
  item: { ...voucherHead, rows: z.array(z.object(rowShape)), untrusted_text: untrustedSchema },
  isPlace: isVoucherPlace,
  read: (tx, { from, to, series: serie, account: konto }, { after, limit }) => {
    requireOrder(from, to);
    const place = after && { date: after[0], series: after[1], number: after[2] };
    return listVouchers(tx, { from, to, serie, konto, limit: limit + 1 }, place);
  },
  placeOf: ({ date, series, number }) => [date, series, number],
  isFollowed: (last) => last.has_more,
  answer: (voucher) => ({
    ...headOf(voucher),
    rows: voucher.rows.slice(0, rowsInList).map(rowOf),
    untrusted_text: textsOf(voucher),
  }),
});

const isRowNo = (parts: readonly unknown[]): parts is readonly [number] =>
  Number.isSafeInteger(parts[0]);

const getVoucherTool = tool({
  name: 'get_voucher',
  title: 'One voucher',
  description: 'A voucher with its rows and notes; many rows come with a cursor.',
  scopes: ['data:read'],
  input: z.strictObject({ voucher_id: idSchema, cursor: paging.cursor }),
  output: z.object({
    ...voucherHead,
    rows: z.array(z.object({ ...rowShape, untrusted_text: untrustedSchema })),
    untrusted_text: untrustedSchema,
    next_cursor: nextCursor,
  }),
  run: async (call, { voucher_id: id, cursor }) => {
    const bound: Bound = ['get_voucher', call.caller.keyId, { id }];
    const [after = 0] = placeAt(bound, cursor, isRowNo) ?? [];
    const [voucher] = await read(call, (tx) => listVouchers(tx, { id: [id], limit: 1 }, undefined));
    if (!voucher) throw missing('Verifikatet finns inte.');
    const about = { ...headOf(voucher), untrusted_text: textsOf(voucher) };
    const rows = voucher.rows.filter(({ row_no: no }) => no > after);
    const { items, next_cursor } = fitPage(rows, {
      around: about,
      answer: (row) => ({ ...rowOf(row), untrusted_text: untrusted({ note: row.note }) }),
      cursorOf: ({ row_no: no }) => cursorAt(bound, [no]),
    });
    return { ...about, rows: items, next_cursor };
  },
});

const missing = (message: string) => new AppError('not_found', message);

type AccountParts = readonly [date: string, id: string, rowNo: number];
const isAccountPlace = (parts: readonly unknown[]): parts is AccountParts =>
  typeof parts[0] === 'string' &&
  isDate(parts[0]) &&
  isUuid(parts[1]) &&
  Number.isInteger(parts[2]) &&
  Math.abs(Number(parts[2])) <= 2_147_483_647;

const listAccountRowsTool = listTool({
  name: 'list_account_rows',
  title: 'Rows on an account',
  description: 'What is posted on an account between two days, by day.',
  scopes: ['data:read'],
  asked: { account: z.int().min(1).max(999_999_999), from: dateSchema, to: dateSchema },
  items: 'rows',
  item: {
    voucher_id: z.string(),
    label: z.string(),
    date: isoDate,
    row_no: z.int(),
    debit: kronor,
    credit: kronor,
    vat_code: z.string().nullable(),
    untrusted_text: untrustedSchema,
  },
  isPlace: isAccountPlace,
  read: (tx, asked, { after: place, limit }) => {
    requireOrder(asked.from, asked.to);
    const after = place && { date: place[0], id: place[1], rowNo: place[2] };
    return listAccountRows(tx, { ...asked, after, limit: limit + 1 });
  },
  placeOf: ({ date, voucher_id: id, row_no: no }) => [date, id, no],
  answer: (row) => ({
    voucher_id: row.voucher_id,
    label: labelOf(row),
    date: row.date,
    row_no: row.row_no,
    debit: oreToNumber(row.debit_ore),
    credit: oreToNumber(row.credit_ore),
    vat_code: row.vat_code,
    untrusted_text: untrusted({
      description: row.description,
      counterparty: row.counterparty,
      note: row.note,
    }),
  }),
});

const getBalancesTool = listTool({
  name: 'get_balances',
  title: 'Balances of accounts',
  description:
    'Of each account that anything was posted on: what stood as the first day began, debit, credit, and what stands after the last. Debit is above zero.',
  scopes: ['data:read'],
  asked: {
    from: dateSchema,
    to: dateSchema,
    first_account: z.int().min(1).max(999_999_999).optional(),
    last_account: z.int().min(1).max(999_999_999).optional(),
  },
  items: 'balances',
  item: {
    account: z.int(),
    opening: kronor,
    debit: kronor,
    credit: kronor,
    closing: kronor,
    untrusted_text: untrustedSchema,
  },
  isPlace: isRowNo,
  read: async (
    tx,
    { from, to, first_account: first = 0, last_account: last = Infinity },
    { after: [after = 0] = [] },
  ) => {
    requireOrder(from, to);
    const sums = await listAccountSums(tx, { from, to }, { since: everSince });
    return sums.filter(({ account }) => account > after && account >= first && account <= last);
  },
  placeOf: ({ account }) => [account],
  answer: ({ account, name, openingOre, debitOre, creditOre }) => ({
    account,
    opening: oreToNumber(openingOre),
    debit: oreToNumber(debitOre),
    credit: oreToNumber(creditOre),
    closing: oreToNumber(openingOre + debitOre - creditOre),
    untrusted_text: untrusted({ name }),
  }),
});

const reportNames = ['balance-sheet', 'income-statement', 'trial-balance'] as const;

const getReportTool = tool({
  name: 'get_report',
  title: 'Balance sheet, income statement or trial balance',
  description:
    'A report of any days, line by line: headings, accounts and sums; amounts in the order of `columns`. All lines are counted in `line_count`; go on with next_cursor until it is null, or the report is a part.',
  scopes: ['data:read'],
  input: z.strictObject({
    report: z.enum(reportNames),
    from: dateSchema,
    to: dateSchema,
    ...paging,
  }),
  output: z.object({
    columns: z.array(z.string()),
    line_count: z.int().describe('Of the whole report'),
    lines: z.array(
      z.object({
        kind: z.enum(['heading', 'row', 'sum']),
        account: z.int().nullable().describe('Of a row'),
        amounts: z.array(kronor.nullable()),
        untrusted_text: untrustedSchema,
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async (call, { report: name, from, to, limit, cursor }) => {
    requireOrder(from, to);
    const report = reports.find((one) => one.name === name);
    if (!report) throw new Error(`there is no report ${name}`);
    const options = { from, to, timeZone: call.deps.config.timeZone };
    const bound: Bound = ['get_report', call.caller.keyId, { name, from, to }];
    const [after = 0] = placeAt(bound, cursor, isRowNo) ?? [];
    const portions = allLines((work) => read(call, work), report, options);
    const lines = (await Array.fromAsync(portions)).flat();
    const columns = report
      .columns(options)
      .slice(1)
      .map(({ key }) => key);
    const numbered = lines.map((line, index) => ({ ...line, no: index + 1 }));
    const { items, next_cursor } = fitPage(
      numbered.filter(({ no }) => no > after),
      {
        limit,
        around: { columns, line_count: numbered.length },
        answer: ({ kind, cells: [label, ...amounts], behind }) => ({
          kind,
          account: kind === 'row' && behind?.kind === 'accounts' ? behind.accounts.first : null,
          amounts: amounts.map((cell) =>
            typeof cell === 'bigint' ? oreToNumber(cell as Ore) : null,
          ),
          untrusted_text: untrusted({ label: String(label ?? '') }),
        }),
        cursorOf: ({ no }) => cursorAt(bound, [no]),
      },
    );
    return { columns, line_count: numbered.length, lines: items, next_cursor };
  },
});

const getVatReturnTool = tool({
  name: 'get_vat_return',
  title: 'VAT return of a period',
  description:
    'The boxes of the VAT period that a day lies in, in whole kronor as they would be returned now, and whether it is filed. Filing is for people.',
  scopes: ['data:read'],
  input: z.strictObject({ date: dateSchema.describe('A day of the period') }),
  output: z.object({
    start: isoDate,
    end: isoDate,
    due_on: isoDate,
    filed_on: isoDate.nullable(),
    boxes: z.array(z.object({ box: z.string(), name: z.string(), kronor: z.number() })),
    to_pay: z.number().describe('Box 49, whole kronor; below zero it comes back'),
  }),
  run: (call, { date }) =>
    read(call, async (tx) => {
      const reporting = reportingOf(await getInstallation(tx));
      const years = await listFiscalYears(tx);
      // Beyond the longest period that the day can lie in.
      const period = vatPeriodsBefore(reporting.period, years, addDays(date, 800)).find(
        ({ start, end }) => start <= date && date <= end,
      );
      if (!period) throw missing('Dagen ligger inte i någon av företagets momsperioder.');
      const { filed_on, parts } = await getVatReturn(tx, period);
      const told = vatReturnOf(parts.map(({ box, ore }) => ({ box, ore: BigInt(ore) })));
      return {
        start: period.start,
        end: period.end,
        due_on: vatDueDate(reporting, period),
        filed_on,
        boxes: told.boxes.map(({ box, name, kronor: whole }) => ({
          box,
          name,
          kronor: Number(whole),
        })),
        to_pay: Number(told.toPay),
      };
    }),
});

const getMonthEndTool = tool({
  name: 'get_month_end',
  title: 'Month end',
  description:
    'Whether a month is acknowledged, and the names of what stands in the way of it. What concerns the bank is told to keys with bank:read.',
  scopes: ['data:read'],
  input: z.strictObject({
    month: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
      .describe('YYYY-MM'),
  }),
  output: z.object({
    month: z.string(),
    is_acknowledged: z.boolean(),
    failing: z.array(z.string()),
    open_month: isoDate.nullable(),
    months_behind: z.int(),
  }),
  run: (call, { month }) =>
    read(call, async (tx) => {
      const { clock, config } = call.deps;
      const day = { today: clock.today(), timeZone: config.timeZone };
      return { month, ...(await getMonthEnd(tx, `${month}-01`, day)) };
    }),
});

const checkVoucherTool = tool({
  name: 'check_voucher',
  title: 'Would this voucher be posted?',
  description:
    'Tries a voucher against accounts, series, balance and locks, and writes nothing. The same input as the payload of propose_voucher.',
  scopes: ['data:read'],
  input: z.strictObject({ payload: payloads.voucher }),
  output: z.object({
    would_post: z.boolean(),
    error: z.string().nullable(),
    problems: z.array(
      z.object({ path: z.string(), reason: z.string(), untrusted_text: untrustedSchema }),
    ),
  }),
  takesRaw: true,
  run: async ({ deps, caller }, { payload }) => {
    const proposed = proposedOf('voucher', payload as object);
    if (proposed.kind !== 'voucher') throw new Error('a voucher is a voucher');
    const problems = checkVoucher(proposed.voucher.rows);
    if (problems.length > 0) return refusedBy(refuse('invalid_request', problems));
    const found = await withTx(deps.pool, async (tx) => {
      await presentKey(tx, caller.hash);
      return findVoucherProblems(tx, payload as object);
    });
    if (found === null) return { would_post: true, error: null, problems: [] };
    return refusedBy(ledgerRefusal(found.error, found.detail));
  },
});

function refusedBy(refusal: Refusal) {
  const { error, detail, untrusted_text } = refusalTold(refusal);
  const problems = detail.problems.map(({ path, reason, untrusted_text: words }) => ({
    path,
    reason,
    untrusted_text: words,
  }));
  return {
    would_post: false,
    error,
    problems: problems.length > 0 ? problems : [{ path: '', reason: error, untrusted_text }],
  };
}

export const ledgerTools = {
  getInstallationTool,
  listVouchersTool,
  getVoucherTool,
  listAccountRowsTool,
  getBalancesTool,
  getReportTool,
  getVatReturnTool,
  getMonthEndTool,
  checkVoucherTool,
};
