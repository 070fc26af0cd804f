/** A chart of accounts out of a SIE file at a terminal, with the decisions on what is in doubt in a file. */
import { access } from 'node:fs/promises';
import { parseString } from 'fast-csv';
import { readSieChart } from '../domain/ledger/sie/chart.ts';
import type { BasAccount } from '../ledger/accounts/bas-base-chart.ts';
import { type ChartDoubt, chartFromSie, readChartGround } from '../ledger/accounts/sie-chart.ts';
import {
  type ChartDecisions,
  decideChart,
  keyOf,
  nameOf,
} from '../ledger/accounts/sie-decisions.ts';
import { textCell, writeCsv } from '../lib/csv.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { readWhole } from './context.ts';
import { writeBytes } from './whole-file.ts';

const columns = ['konto', 'namn', 'gäller', 'oklart', 'val', 'beslut'];
const abouts = { moms: 'vat', slag: 'type', sru: 'sru' } as const;
const words = { vat: 'moms', type: 'slag', sru: 'sru' } as const;
const undecidedShown = 10;

/**
 * The accounts, once every doubt is decided on. Throws an OperatorError otherwise: the first time the doubts
 * are written to `decisions`, with what is likely filled in, for a person to look through.
 */
export async function readSetupChart(
  file: string,
  decisions: string | undefined,
  organizationNumber: string,
): Promise<readonly BasAccount[]> {
  const sie = readSieChart(await readWhole(file));
  if (!sie) throw new OperatorError(`${file} är ingen SIE-fil: den ska börja med #FLAGGA.`);
  if (!sie.accounts.some(({ number }) => /^[1-8]\d{3}$/.test(number))) {
    throw new OperatorError(`${file} har inga konton (#KONTO) med fyra siffror.`);
  }
  const ground = await readChartGround(organizationNumber);
  const chart = chartFromSie(sie, ground);
  if (chart.doubts.length === 0) return chart.accounts;
  const count = `${chart.doubts.length} ${chart.doubts.length === 1 ? 'sak' : 'saker'} i filens kontoplan är oklara`;
  if (decisions === undefined) {
    throw new OperatorError(
      `${count}, till exempel ${chart.doubts.slice(0, 3).map(nameOf).join(', ')}. Ange var besluten ska stå: --decisions beslut.csv`,
    );
  }
  if (!(await exists(decisions))) {
    await writeBytes(await writeCsv([columns, ...chart.doubts.map(rowOf)]), decisions);
    throw new OperatorError(
      `${count}. De står i ${decisions}: fyll i kolumnen beslut, se igenom de förslag som redan står där och kör samma kommando igen.`,
    );
  }
  const { accounts, undecided } = decideChart(chart, await readDecisions(decisions), ground.bas);
  if (undecided.length > 0) {
    const listed = undecided.slice(0, undecidedShown).map(nameOf).join(', ');
    const more = undecided.length > undecidedShown ? ' med flera' : '';
    throw new OperatorError(
      `Beslut saknas i ${decisions}, eller är inget av valen, för ${listed}${more}.`,
    );
  }
  return accounts;
}

const rowOf = ({ account, name, about, reason, choices, suggestion }: ChartDoubt): string[] => [
  String(account),
  textCell(name),
  words[about],
  reason,
  choices.map(({ value, label }) => (value === label ? value : `${value} = ${label}`)).join(' | '),
  suggestion ?? '',
];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function readDecisions(path: string): Promise<ChartDecisions> {
  const text = (await readWhole(path)).toString('utf8').replace(/^\ufeff/, '');
  const decided = new Map<string, string>();
  const rows: AsyncIterable<Record<string, string>> = parseString(text, {
    headers: true,
    // A spreadsheet may have saved it with commas.
    delimiter: text.startsWith('konto,') ? ',' : ';',
    ignoreEmpty: true,
  });
  try {
    for await (const row of rows) {
      const about = abouts[row['gäller'] as keyof typeof abouts];
      const value = row['beslut']?.trim() ?? '';
      if (about) decided.set(keyOf({ about, account: Number(row['konto']) }), value);
    }
  } catch (cause) {
    const message = `${path} går inte att läsa som CSV med kolumnerna ${columns.join(';')}.`;
    throw new OperatorError(message, { cause });
  }
  return decided;
}
