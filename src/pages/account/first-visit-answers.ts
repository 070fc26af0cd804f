/** What the form of the first visit says, with what a SIE file fills in. Every fault at its field. */
import { z } from 'zod';
import { passwordProblem } from '../../access/users/passwords.ts';
import { firstYearProblems } from '../../domain/ledger/fiscal-year.ts';
import type { SieChart } from '../../domain/ledger/sie/chart.ts';
import type { FirstVisit } from '../../installation/setup/service.ts';
import { chartFromSie, readChartGround } from '../../ledger/accounts/sie-chart.ts';
import { decideChart } from '../../ledger/accounts/sie-decisions.ts';
import { type Problem, refuse } from '../../lib/errors.ts';
import { pageProblem } from '../../lib/sentences/say.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { email, formProblems, optional, organizationNumber, readTyped, text } from '../inputs.ts';
import { decisionsIn, problemsOf } from './first-visit-sie.ts';

/** What became of a SIE file, for the person who sent it. */
export interface SieSummary {
  readonly accounts: number;
  readonly added: number;
  /** Numbers that are no accounts here. */
  readonly leftOut: string;
}

export interface Answers extends Pick<FirstVisit, 'company' | 'owner'> {
  readonly sie: SieSummary | null;
}

interface Ground {
  /** False when the command line has set the company up: only the owner is asked for. */
  readonly asksCompany: boolean;
  readonly today: string;
  /** Of the SIE file that the chart is to come out of. */
  readonly sie: SieChart | undefined;
}

const ownerSchema = z.object({ ownerName: text(200), email, password: z.string() });
const companySchema = z.object({
  company: optional(text(200)),
  organizationNumber: optional(organizationNumber),
});
const leftOutShown = 10;

/** Throws 400 `invalid_request` with every problem at once, those that were found before among them. */
export async function readAnswers(
  fields: Fields,
  ground: Ground,
  found: readonly Problem[],
): Promise<Answers> {
  const problems = [...found];
  const owner = readOwner(fields, problems);
  const { company, sie } = ground.asksCompany
    ? await readCompany(fields, ground, problems)
    : { company: null, sie: null };
  if (problems.length > 0 || !owner || company === undefined) {
    throw refuse('invalid_request', problems);
  }
  return { owner, company, sie };
}

/** The company's number as typed, else as the file has it; empty when neither tells. */
export function numberIn(fields: Fields, sie: SieChart | undefined): string {
  const typed = companySchema.safeParse(fields).data?.organizationNumber;
  return typed ?? sie?.organizationNumber ?? '';
}

function readOwner(fields: Fields, problems: Problem[]): FirstVisit['owner'] | undefined {
  const password = textOf(fields, 'password');
  const names = ['ownerName', 'email', 'company'].map((name) => textOf(fields, name));
  const weakness = passwordProblem(password, names);
  if (weakness) problems.push(pageProblem({ path: 'password', ...weakness }));
  else if (textOf(fields, 'passwordAgain') !== password) {
    const message = 'De två lösenorden är inte lika.';
    problems.push({ path: 'passwordAgain', reason: 'not_same', message });
  }
  const read = readTyped(ownerSchema, { ...fields, password });
  if (!read.success) {
    problems.push(...formProblems(read.error.issues));
    return undefined;
  }
  return { name: read.data.ownerName, email: read.data.email, password };
}

async function readCompany(
  fields: Fields,
  { today, sie: file }: Ground,
  problems: Problem[],
): Promise<{ company: FirstVisit['company'] | undefined; sie: SieSummary | null }> {
  const read = readTyped(companySchema, fields);
  if (!read.success) problems.push(...formProblems(read.error.issues));
  const name = read.data?.company ?? file?.company;
  const number = numberIn(fields, file);
  const missing = (path: string) =>
    problems.push({
      path,
      reason: 'required',
      message: file ? 'Fyll i fältet: filen säger det inte.' : 'Fyll i fältet.',
    });
  if (textOf(fields, 'method') === 'cash') {
    problems.push(pageProblem({ path: 'method', reason: 'cash_method_unbuilt' }));
  }
  if (read.success && !name) missing('company');
  if (read.success && number === '') missing('organizationNumber');
  const fiscalYear = readYear(fields, file, today, number || null, problems);
  const { bas, ...ground } = await readChartGround(number);
  const chart = file && chartFromSie(file, { bas, ...ground });
  const decided = chart && decideChart(chart, decisionsIn(fields, chart), bas);
  problems.push(...problemsOf(decided?.undecided ?? []));
  const isWhole = name && number !== '' && fiscalYear;
  return {
    company: isWhole
      ? {
          name: [...name].slice(0, 200).join(''),
          organizationNumber: number,
          fiscalYear,
          accounts: decided?.accounts ?? bas,
        }
      : undefined,
    sie: chart
      ? {
          accounts: chart.accounts.length - chart.added.length,
          added: chart.added.length,
          leftOut: chart.leftOut.slice(0, leftOutShown).join(', '),
        }
      : null,
  };
}

/** What was typed, else what the file says, else the calendar year. */
function readYear(
  fields: Fields,
  file: SieChart | undefined,
  today: string,
  organization: string | null,
  problems: Problem[],
) {
  const typed = {
    start: textOf(fields, 'yearStart').trim(),
    end: textOf(fields, 'yearEnd').trim(),
  };
  const thisYear = today.slice(0, 4);
  const isTyped = typed.start !== '' || typed.end !== '';
  const span = isTyped
    ? typed
    : (file?.fiscalYear ?? { start: `${thisYear}-01-01`, end: `${thisYear}-12-31` });
  const found = firstYearProblems(span, organization);
  const paths = { start: 'yearStart', end: 'yearEnd' } as const;
  problems.push(
    ...found.map((one) => pageProblem({ ...one, path: paths[one.path as 'start' | 'end'] })),
  );
  return found.length > 0 ? undefined : { ...span, year: Number(span.end.slice(0, 4)) };
}
