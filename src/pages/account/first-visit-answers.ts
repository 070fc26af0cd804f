/** What the form of the first visit says, with what a SIE file fills in. Every fault at its field. */
import { z } from 'zod';
import type { BasAccount } from '../../accounts/bas-base-chart.ts';
import { chartFromSie } from '../../accounts/sie-chart.ts';
import { firstYearProblems } from '../../domain/fiscal-year.ts';
import { readSieChart, type SieChart } from '../../domain/sie.ts';
import { type Problem, refuse } from '../../errors.ts';
import type { FirstVisit } from '../../setup/service.ts';
import { passwordProblem } from '../../users/passwords.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { email, formProblems, optional, organizationNumber, text } from '../inputs.ts';
import type { Upload } from '../uploads.ts';

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
  readonly bas: readonly BasAccount[];
  readonly today: string;
}

const ownerSchema = z.object({ ownerName: text(200), email, password: z.string() });
const companySchema = z.object({
  company: optional(text(200)),
  organizationNumber: optional(organizationNumber),
});
const leftOutShown = 10;

/** Throws 400 `invalid_request` with every problem at once. */
export function readAnswers(fields: Fields, files: readonly Upload[], ground: Ground): Answers {
  const problems: Problem[] = [];
  const owner = readOwner(fields, problems);
  const { company, sie } = ground.asksCompany
    ? readCompany(fields, files, ground, problems)
    : { company: null, sie: null };
  if (problems.length > 0 || !owner || company === undefined) {
    throw refuse('invalid_request', problems);
  }
  return { owner, company, sie };
}

function readOwner(fields: Fields, problems: Problem[]): FirstVisit['owner'] | undefined {
  const password = textOf(fields, 'password');
  const weakness = passwordProblem(password);
  if (weakness) problems.push({ path: 'password', reason: 'too_weak', message: weakness });
  else if (textOf(fields, 'passwordAgain') !== password) {
    const message = 'De två lösenorden är inte lika.';
    problems.push({ path: 'passwordAgain', reason: 'not_same', message });
  }
  const read = ownerSchema.safeParse({ ...fields, password });
  if (!read.success) {
    problems.push(...formProblems(read.error.issues));
    return undefined;
  }
  return { name: read.data.ownerName, email: read.data.email, password };
}

function readCompany(
  fields: Fields,
  files: readonly Upload[],
  { bas, today }: Ground,
  problems: Problem[],
): { company: FirstVisit['company'] | undefined; sie: SieSummary | null } {
  const file = textOf(fields, 'chart') === 'sie' ? readFile(files, problems) : undefined;
  const read = companySchema.safeParse(fields);
  if (!read.success) problems.push(...formProblems(read.error.issues));
  const typed = read.data;
  const name = typed?.company ?? file?.company;
  const number = typed?.organizationNumber ?? file?.organizationNumber;
  const missing = (path: string) =>
    problems.push({
      path,
      reason: 'required',
      message: file ? 'Fyll i fältet: filen säger det inte.' : 'Fyll i fältet.',
    });
  if (read.success && !name) missing('company');
  if (read.success && !number) missing('organizationNumber');
  const fiscalYear = readYear(fields, file, today, number ?? null, problems);
  const chart = file && chartFromSie(file, bas);
  const isWhole = name && number && fiscalYear;
  return {
    company: isWhole
      ? {
          name: [...name].slice(0, 200).join(''),
          organizationNumber: number,
          fiscalYear,
          accounts: chart?.accounts ?? bas,
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

function readFile(files: readonly Upload[], problems: Problem[]): SieChart | undefined {
  const file = files.find(({ name }) => name === 'file');
  const refuseFile = (reason: string, message: string) => {
    problems.push({ path: 'file', reason, message });
    return undefined;
  };
  if (!file) return refuseFile('required', 'Välj en SIE-fil.');
  const chart = readSieChart(file.bytes);
  if (!chart) {
    const message = 'Det är ingen SIE-fil: den ska börja med #FLAGGA.';
    return refuseFile('not_sie', message);
  }
  return chart.accounts.some(({ number }) => /^[1-9]\d{3}$/.test(number))
    ? chart
    : refuseFile('no_accounts', 'Filen har inga konton (#KONTO) med fyra siffror.');
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
  problems.push(...found.map((one) => ({ ...one, path: paths[one.path as 'start' | 'end'] })));
  return found.length > 0 ? undefined : { ...span, year: Number(span.end.slice(0, 4)) };
}
