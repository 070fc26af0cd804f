/** The bank's files: sent, looked at, taken in by a worker, and what they became. */
import { z } from 'zod';
import {
  askForImport,
  choicesOf,
  keepFiles,
  sourcesOf,
} from '../../bank/statements/begun-imports.ts';
import { doubtText } from '../../bank/statements/doubt-words.ts';
import {
  type BankImport,
  type BankImportChoices,
  getBankImport,
  listBankImports,
} from '../../bank/statements/import-store.ts';
import { planImport, readFiles, reportOf, settled } from '../../bank/statements/importing.ts';
import {
  type BankImportReport,
  type ReportedStatement,
  type StatementOutcome,
  waitingIn,
} from '../../bank/statements/report.ts';
import { listBankAccounts } from '../../bank/store.ts';
import { mappingFormat } from '../../domain/ledger/bank-files/mapping.ts';
import { refuse } from '../../lib/errors.ts';
import { sentenceFor, sentenceOfKept } from '../../lib/sentences/say.ts';
import { type SourceFile, sourceOf } from '../../lib/source-file.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { amountText, count, moment } from '../format.ts';
import { choice, optional, ticked, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';

const home = '/bank/import';
const importsShown = 100;
const problemsShown = 100;
const doubtsShown = 10;
type OfImport = Visit<{ id: string }>;

export function registerBankImportPages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: (visit) => showHome(visit, nothingTyped) });
  pages.act({
    url: home,
    right: 'keep_books',
    show: showHome,
    perform: async (visit) => ({ to: `${home}/${await keepSent(visit)}` }),
  });
  const params = z.object({ id: uuid });
  const url = '/bank/import/:id';
  pages.show({ url, right: 'read', params, show: (visit) => showOne(visit, nothingTyped) });
  pages.act({
    url,
    right: 'keep_books',
    params,
    fields: z.object({
      konto: optional(uuid),
      sett: ticked,
      rader: optional(choice(['new', 'known'])),
    }),
    show: showOne,
    perform: async (visit, { konto: accountId, sett: isAccepted, rader: equalRows }) => {
      const { tx, person } = visit;
      const { id } = visit.params;
      const one = await getBankImport(tx, id);
      const choices = { accountId, isAccepted, equalRows };
      if (one.asked_at === null) requireSome(await planned(visit, one, choices), choices);
      await askForImport(tx, id, choices, person.actor);
      return { to: `${home}/${id}` };
    },
  });
  pages.show({
    url: '/bank/import/:id/lage',
    right: 'read',
    params,
    show: async ({ tx, params: { id } }) =>
      stateView(await getBankImport(tx, id), 'bank-import-state'),
  });
}

async function keepSent({ tx, files, person }: Visit): Promise<string> {
  const sources: SourceFile[] = [];
  const sent = files.filter(({ name, fileName }) => name === 'files' && fileName !== '');
  const empty = sent.find(({ size }) => size === 0);
  if (empty) {
    const message = `${empty.fileName} är tom. Hämta den igen från banken.`;
    throw refuse('invalid_request', [{ path: 'files', reason: 'file_empty', message }]);
  }
  for (const file of sent) {
    // Its place on the disk is let go of; what is kept is compressed.
    sources.push(
      await file.use(async (bytes) => {
        const open = async function* () {
          yield bytes;
        };
        const source = await sourceOf(open, file.fileName || 'utdrag');
        const gzip = await source.gzip();
        return { ...source, gzip: async () => gzip };
      }),
    );
  }
  if (sources.length === 0) {
    const message = 'Välj minst en fil från banken.';
    throw refuse('invalid_request', [{ path: 'files', reason: 'required', message }]);
  }
  return keepFiles(tx, sources, null, person.actor);
}

const planned = async (
  { tx, deps }: Pick<Visit, 'tx' | 'deps'>,
  one: BankImport,
  choices: BankImportChoices,
): Promise<BankImportReport> => {
  const files = await readFiles(tx, await sourcesOf(tx, one), deps.clock.today());
  return reportOf(await planImport(tx, files, choices));
};

/** Nothing is asked for of which nothing would come. */
function requireSome(report: BankImportReport, choices: BankImportChoices): void {
  if (report.taken > 0) return;
  const waiting = new Set(waitingIn(report).map(({ outcome }) => outcome));
  const problem = (path: string, message: string) =>
    refuse('unprocessable', [{ path, reason: 'required', message }]);
  if (waiting.has('account_unknown')) {
    throw problem('konto', 'Säg vilket bankkonto filen gäller.');
  }
  if (waiting.has('doubt') && !choices.isAccepted) {
    throw problem('sett', 'Se efter det tveksamma nedan, och säg att du har gjort det.');
  }
  if (waiting.has('contradicts')) {
    throw problem(
      'rader',
      'Ett av kontoutdragen är fel, eller av ett annat konto. Jämför med banken, och säg vad raderna är om det ändå ska in.',
    );
  }
  if (waiting.has('rows_in_doubt')) {
    throw problem('rader', 'Jämför raderna med banken, och säg om de är nya.');
  }
  throw problem('', 'Här finns inget nytt att läsa in; nedan står varför.');
}

async function showHome({ tx, deps, person }: Visit, input: FormInput): Promise<View> {
  const imports = await listBankImports(tx, importsShown);
  const { timeZone } = deps.config;
  return {
    template: 'bank-imports',
    title: person.may('keep_books') ? 'Läs in från banken' : 'Inlästa filer',
    values: {
      mayKeep: person.may('keep_books'),
      hasAccounts: (await listBankAccounts(tx)).some((one) => one.is_active),
      upload: { error: input.problems[0]?.message ?? null },
      imports: imports.map((one) => ({
        id: one.id,
        at: moment(one.created_at, timeZone),
        names: one.files.map(({ fileName }) => fileName).join(', ') || 'API',
        added: one.report === null ? '' : count(one.report.added),
        state: stateOf(one),
      })),
    },
  };
}

function stateOf({ finished_at, failed_at, asked_at, report }: BankImport) {
  if (finished_at !== null && report) {
    const isWhole = report.files.every(
      ({ verdict, statements }) =>
        verdict !== 'refused' &&
        statements.every(({ outcome }) => outcome === 'taken' || outcome === 'known'),
    );
    return isWhole
      ? { text: 'Inläst', chip: 'good' }
      : { text: report.taken > 0 ? 'Delvis inläst' : 'Inget inläst', chip: 'warn' };
  }
  if (failed_at !== null) return { text: 'Inte inläst', chip: 'bad' };
  return asked_at === null
    ? { text: 'Inte inläst än', chip: 'warn' }
    : { text: 'Läser in', chip: 'info' };
}

async function showOne(visit: OfImport, input: FormInput): Promise<View> {
  const { tx, params, person } = visit;
  const one = await getBankImport(tx, params.id);
  if (one.report) return { ...showReport(one.report), title: titleOf(one) };
  if (one.asked_at !== null && one.failed_at === null) return stateView(one, 'bank-import');
  const typed = choicesTyped(input);
  const report = await planned(visit, one, input.isSent ? typed : choicesOf(one));
  const waiting = new Set(waitingIn(report).map(({ outcome }) => outcome));
  const accounts = (await listBankAccounts(tx)).filter((account) => account.is_active);
  // The tax account's file says whose it is.
  const [only, ...others] = accounts.filter(({ kind }) => kind !== 'tax');
  const asks = {
    account: waiting.has('account_unknown') || typed.accountId !== null,
    // Whoever says which account it is says at once that the rest has been seen.
    doubt: waiting.has('doubt') || typed.isAccepted || willBeDoubted(report),
    rows: waiting.has('rows_in_doubt') || waiting.has('contradicts') || typed.equalRows !== null,
  };
  const columns = person.may('keep_books') ? `${home}/${one.id}/kolumner` : null;
  const shown = showReport(report, { columns, isPreview: true });
  return {
    ...shown,
    title: titleOf(one),
    values: {
      ...shown.values,
      isPreview: true,
      why: refusedBecause(one),
      canBeAsked: person.may('keep_books') && (report.taken > 0 || waiting.size > 0),
      asks,
      isReady: !Object.values(asks).includes(true),
      needsAccount: waiting.has('account_unknown') && accounts.length === 0,
      form: formOf(input, {
        konto: field(input, 'konto', 'Bankkonto för filer som inte säger det', {
          type: 'select',
          value: one.account_id ?? (others.length === 0 ? (only?.id ?? '') : ''),
          saysOptional: false,
          isFirst: asks.account && !input.isSent,
          options: [
            { value: '', label: 'Välj' },
            ...accounts.map(({ id, name, ledger_account }) => ({
              value: id,
              label: `${name} (${ledger_account})`,
            })),
          ],
          help: 'Står kontots nummer i filen är kontot känt nästa gång.',
        }),
        sett: field(input, 'sett', 'Jag har sett efter det tveksamma', { type: 'checkbox' }),
        rader: field(input, 'rader', 'Rader som kan vara inlästa förut', {
          type: 'select',
          saysOptional: false,
          options: [
            { value: '', label: 'Låt dem vänta' },
            { value: 'known', label: 'De finns redan' },
            { value: 'new', label: 'De är nya' },
          ],
          help: 'Jämför antalet med bankens egen lista för dagarna nedan.',
        }),
      }),
    },
  };
}

/** Whether something else of a file is in doubt than which account it is of. */
const willBeDoubted = ({ files }: BankImportReport): boolean =>
  files.some(
    ({ statements, problems }) =>
      statements.some(({ outcome }) => outcome === 'account_unknown') &&
      problems.some(
        ({ level, reason }) =>
          level === 'doubt' && reason !== 'file_unreadable' && !settled.has(reason),
      ),
  );

function choicesTyped({ fields }: FormInput): BankImportChoices {
  const [konto, rader] = [textOf(fields, 'konto'), textOf(fields, 'rader')];
  return {
    accountId: uuid.safeParse(konto).success ? konto : null,
    isAccepted: textOf(fields, 'sett') !== '',
    equalRows: rader === 'new' || rader === 'known' ? rader : null,
  };
}

const refusedBecause = ({ refusal }: BankImport): string | null =>
  refusal && sentenceOfKept(() => sentenceFor('page', refusal));

const titleOf = ({ files }: BankImport): string => {
  const [first] = files;
  if (!first) return 'Rader från ett program';
  return files.length === 1 ? first.fileName : `${count(files.length)} filer från banken`;
};

function stateView(one: BankImport, template: 'bank-import' | 'bank-import-state'): View {
  const { id, size, read_bytes: read, asked_at, failed_at, finished_at } = one;
  return {
    template,
    title: titleOf(one),
    values: {
      id,
      isState: true,
      isIn: finished_at !== null,
      isUnderWay: finished_at === null && asked_at !== null && failed_at === null,
      state: stateOf(one),
      ...(one.report && sumsOf(one.report)),
      why: refusedBecause(one),
      percent: size === 0n ? 0 : Number((read * 100n) / size),
      poll: `${home}/${id}/lage`,
      files: [],
    },
  };
}

const outcomes: Readonly<Record<StatementOutcome, { text: string; chip: string }>> = {
  taken: { text: 'Inläst', chip: 'good' },
  known: { text: 'Fanns redan', chip: 'good' },
  doubt: { text: 'Väntar: tveksamt', chip: 'warn' },
  rows_in_doubt: { text: 'Väntar: rader kan finnas redan', chip: 'warn' },
  contradicts: { text: 'Väntar: säger emot ett annat', chip: 'warn' },
  account_unknown: { text: 'Väntar: vilket konto?', chip: 'warn' },
  account_differs: { text: 'Gäller ett annat konto', chip: 'bad' },
  currency_not_supported: { text: 'Bara konton i SEK', chip: 'bad' },
  refused: { text: 'Går inte att läsa in', chip: 'bad' },
};
/** What would become of it. */
const outcomesBefore = { ...outcomes, taken: { text: 'Läses in', chip: 'info' } };
const levels = {
  refused: { text: 'Fel', chip: 'bad' },
  doubt: { text: 'Tveksamt', chip: 'warn' },
  note: { text: 'Att veta', chip: 'info' },
} as const;

const sumsOf = ({ taken, added, known }: BankImportReport) => ({
  taken: count(taken),
  added: `${count(added)} ${added === 1 ? 'ny rad' : 'nya rader'}`,
  known: count(known),
});

/** `columns` is where somebody says what columns are, of files that nobody could read otherwise. */
function showReport(
  report: BankImportReport,
  { columns = null, isPreview = false }: { columns?: string | null; isPreview?: boolean } = {},
) {
  return {
    template: 'bank-import',
    title: '',
    values: {
      ...sumsOf(report),
      files: report.files.map((file, index) => ({
        columns: columns && needsColumns(file) ? `${columns}/${index + 1}` : null,
        name: file.file,
        format: file.format ?? 'okänd form',
        statements: file.statements.map((one) =>
          shownStatement(one, isPreview ? outcomesBefore : outcomes),
        ),
        problems: file.problems.slice(0, problemsShown).map(({ line, path, level, message }) => ({
          place: [line === null ? '' : `rad ${line}`, path ?? ''].filter(Boolean).join(', '),
          level: levels[level],
          message,
        })),
      })),
    },
  };
}

/** A list of a form that nobody knows, or that somebody has told of and may tell better. */
const needsColumns = ({
  format,
  isUntoldList = false,
}: BankImportReport['files'][number]): boolean =>
  isUntoldList || format?.endsWith(`.${mappingFormat}`) === true;

const kr = (ore: string | null): string => (ore === null ? '' : amountText(BigInt(ore)));

const shownStatement = (statement: ReportedStatement, words: typeof outcomes) => ({
  account: statement.accountName ?? statement.account ?? 'Sägs inte',
  accountId: statement.accountId,
  span: [statement.from, statement.to].filter((day) => day !== null).join('–'),
  opening: kr(statement.opening),
  closing: kr(statement.closing),
  entries: count(statement.entries),
  added: count(statement.added),
  known: count(statement.known),
  isNotice: statement.isNotice,
  outcome: words[statement.outcome],
  doubts: statement.doubts.slice(0, doubtsShown).map(doubtText).join('. '),
});
