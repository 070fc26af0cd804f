/**
 * A SIE file on the first visit: its chart goes with the form, since a browser sends a file only once, and
 * what is in doubt is shown to be decided on.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { readSieChart, type SieChart } from '../../domain/ledger/sie/chart.ts';
import type { ChartDoubt, ChartFromSie } from '../../ledger/accounts/sie-chart.ts';
import { type ChartDecisions, keyOf } from '../../ledger/accounts/sie-decisions.ts';
import type { Problem } from '../../lib/errors.ts';
import { type FieldView, field } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import type { Upload } from '../uploads.ts';
import type { FormInput } from '../visit.ts';

/** Far more than any chart of accounts. */
const keptMaxBytes = 4 * 1024 * 1024;
const keptChart = z.strictObject({
  company: z.string().nullable(),
  organizationNumber: z.string().nullable(),
  fiscalYear: z.strictObject({ start: z.string(), end: z.string() }).nullable(),
  accounts: z.array(
    z.strictObject({
      number: z.string(),
      name: z.string(),
      kind: z.enum(['T', 'S', 'K', 'I']).nullable(),
      sru: z.string().nullable(),
    }),
  ),
});

/** The chart as a hidden field carries it. */
export const keepChart = (chart: SieChart): string =>
  deflateRawSync(JSON.stringify(chart)).toString('base64url');

function keptIn(text: string): SieChart | undefined {
  try {
    const bytes = Buffer.from(text, 'base64url');
    const json = inflateRawSync(bytes, { maxOutputLength: keptMaxBytes }).toString('utf8');
    return keptChart.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** The chart of the file that came, else of the one that came before. */
export async function readFile(
  fields: Fields,
  files: readonly Upload[],
  problems: Problem[],
): Promise<SieChart | undefined> {
  const refuseFile = (reason: string, message: string): undefined => {
    problems.push({ path: 'file', reason, message });
  };
  const file = files.find(({ name }) => name === 'file');
  const kept = textOf(fields, 'sie');
  if (!file && kept === '') return refuseFile('required', 'Välj en SIE-fil.');
  if (file?.size === 0) {
    return refuseFile(
      'file_empty',
      `${file.fileName} är tom. Exportera den igen ur det gamla programmet.`,
    );
  }
  const chart = file ? await file.use(async (bytes) => readSieChart(bytes)) : keptIn(kept);
  if (!chart) {
    const message = 'Det är ingen SIE-fil: den ska börja med #FLAGGA.';
    return refuseFile('not_sie', message);
  }
  return chart.accounts.some(({ number }) => /^[1-8]\d{3}$/.test(number))
    ? chart
    : refuseFile('no_accounts', 'Filen har inga konton (#KONTO) med fyra siffror.');
}

/** Types and SRU codes are many and alike: decided on together, as BAS has them or as the file. */
const together = {
  type: { name: 'types', label: 'Kontonas slag' },
  sru: { name: 'sruCodes', label: 'SRU-koder' },
} as const;

export function decisionsIn(fields: Fields, { doubts }: ChartFromSie): ChartDecisions {
  const decided = doubts.map((doubt): [string, string] => {
    if (doubt.about === 'vat') return [keyOf(doubt), textOf(fields, keyOf(doubt))];
    const chosen = textOf(fields, together[doubt.about].name);
    const usual = doubt.suggestion ?? '';
    const value = chosen === 'usual' ? usual : chosen === 'file' ? (doubt.inFile ?? usual) : '';
    return [keyOf(doubt), value];
  });
  return new Map(decided);
}

/** A sentence at each field that is left to decide on; one for those that are decided on together. */
export function problemsOf(undecided: readonly ChartDoubt[]): Problem[] {
  const paths = undecided.map((doubt) =>
    doubt.about === 'vat' ? keyOf(doubt) : together[doubt.about].name,
  );
  const message = 'Filen och BAS säger inte samma sak. Välj vad som gäller.';
  return [...new Set(paths)].map((path) => ({ path, reason: 'undecided', message }));
}

export interface DoubtViews {
  readonly vat: readonly FieldView[];
  readonly groups: readonly {
    readonly field: FieldView;
    readonly count: number;
    readonly accounts: readonly { readonly account: number; readonly text: string }[];
  }[];
}

/** What `problemsOf` asks for, as fields: the likely answer stands there, where there is one. */
export function doubtFields(input: FormInput, { doubts }: ChartFromSie): DoubtViews {
  const of = (about: ChartDoubt['about']) => doubts.filter((one) => one.about === about);
  return {
    vat: of('vat').map((doubt) => vatField(input, doubt)),
    groups: (['type', 'sru'] as const)
      .map((about) => ({ about, members: of(about) }))
      .filter(({ members }) => members.length > 0)
      .map(({ about, members }) => ({
        field: field(input, together[about].name, together[about].label, {
          type: 'radios',
          isRequired: true,
          options: [
            { value: 'usual', label: 'Som i BAS (brukar vara rätt)' },
            { value: 'file', label: 'Som i filen, där kontonumret tillåter det' },
          ],
        }),
        count: members.length,
        accounts: members.map(({ account, name, reason }) => ({
          account,
          text: `${name}: ${reason}`,
        })),
      })),
  };
}

function vatField(input: FormInput, doubt: ChartDoubt): FieldView {
  const { account, name, reason, choices, suggestion } = doubt;
  const unknown = suggestion === null ? [{ value: '', label: 'Välj' }] : [];
  const isNew = input.fields[keyOf(doubt)] === undefined;
  return field(isNew ? { ...input, isSent: false } : input, keyOf(doubt), `${account} ${name}`, {
    type: 'select',
    isRequired: true,
    value: suggestion ?? '',
    options: [...unknown, ...choices],
    help: reason,
  });
}
