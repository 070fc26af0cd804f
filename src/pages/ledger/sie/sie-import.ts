/** SIE: a file is sent, looked at, and taken into the books; what it became; and taken back. */
import { z } from 'zod';
import { listActorNames } from '../../../audit/actors.ts';
import { askForImport } from '../../../ledger/sie/begun-imports.ts';
import { findBegunImport, findImportUnderWay } from '../../../ledger/sie/begun-store.ts';
import { insertSieFile } from '../../../ledger/sie/import-store.ts';
import { type ImportReport, isStopped, reportOf } from '../../../ledger/sie/importing.ts';
import { type ImportPlan, planImport } from '../../../ledger/sie/planning.ts';
import { keptSource } from '../../../ledger/sie/sources.ts';
import { getImport } from '../../../ledger/sie/undo-store.ts';
import { undoImport } from '../../../ledger/sie/undoing.ts';
import { refuse } from '../../../lib/errors.ts';
import { sentenceFor, sentenceOfKept } from '../../../lib/sentences/say.ts';
import { sourceOf } from '../../../lib/source-file.ts';
import { field, formOf } from '../../fields.ts';
import { type Fields, textOf } from '../../form-fields.ts';
import { amountText, count, moment } from '../../format.ts';
import { integer, optional, ticked, uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';
import { showSie } from './sie-export.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
type OfFile = Visit<{ sha256: string }>;
type OfImport = Visit<{ id: string }>;
const accountsShown = 500;
const problemsShown = 200;

const choices = z.object({ konto: optional(integer(2000, 2099)), sett: ticked });

export function registerSieImport(pages: Pages): void {
  pages.act({
    url: '/sie/import',
    right: 'administer',
    show: (visit, input) => showSie(visit, nothingTyped, input),
    perform: async (visit) => ({ to: `/sie/import/${await keepFile(visit)}` }),
  });
  pages.form({
    url: '/sie/import/:sha256',
    right: 'administer',
    params: z.object({ sha256 }),
    fields: choices,
    show: showPlan,
    perform: async (visit, { konto: differenceAccount, sett: isAccepted }) => {
      const { tx, person, params, deps } = visit;
      // Sent from a preview of before, as from another tab.
      const underWay = await findImportUnderWay(tx, params.sha256);
      if (underWay) return { to: `/sie/importer/${underWay.id}` };
      const { timeZone } = deps.config;
      const source = await keptSource(tx, params.sha256);
      const plan = await planImport(tx, source, { differenceAccount, timeZone });
      if (isStopped(plan, isAccepted)) throw refusalOfPlan(plan);
      const asked = {
        sha256: params.sha256,
        difference_account: differenceAccount,
        is_accepted: isAccepted,
      };
      return { to: `/sie/importer/${await askForImport(tx, asked, person.actor)}` };
    },
  });
  const params = z.object({ id: uuid });
  pages.show({
    url: '/sie/importer/:id',
    right: 'read',
    params,
    show: async (visit) => (await showBegun(visit, 'sie-begun')) ?? showImport(visit),
  });
  pages.show({
    url: '/sie/importer/:id/lage',
    right: 'read',
    params,
    show: async (visit) =>
      (await showBegun(visit, 'sie-begun-state')) ?? {
        template: 'sie-begun-state',
        title: 'Inläst',
        values: { id: (await getImport(visit.tx, visit.params.id)).id, isIn: true },
      },
  });
  pages.act({
    url: '/sie/importer/:id/angra',
    right: 'administer',
    params,
    show: showImport,
    perform: async ({ tx, person, params: { id } }) => {
      const { vouchers } = await undoImport(tx, id, person.actor);
      const notice = `Importen är ångrad: ${count(vouchers)} verifikat är tillbakatagna med var sitt.`;
      return { to: `/sie/importer/${id}`, notice };
    },
  });
}

async function keepFile({ tx, files, person }: Visit): Promise<string> {
  const file = files.find(({ name }) => name === 'file');
  if (!file) {
    const message = 'Välj en SIE-fil.';
    throw refuse('invalid_request', [{ path: 'file', reason: 'required', message }]);
  }
  if (file.size === 0) {
    const message = `${file.fileName} är tom. Exportera den igen ur det gamla programmet.`;
    throw refuse('invalid_request', [{ path: 'file', reason: 'file_empty', message }]);
  }
  return file.use(async (bytes) => {
    const source = await sourceOf(async function* () {
      yield bytes;
    }, file.fileName || 'fil.se');
    const { sha256: hash, fileName, size } = source;
    const kept = { sha256: hash, fileName, size, gzip: await source.gzip() };
    await insertSieFile(tx, kept, person.actor);
    return hash;
  });
}

function refusalOfPlan({ verdict, problems }: ImportPlan) {
  if (problems.some(({ rule }) => rule === 'opening_needs_account')) {
    const message = 'Säg var det som fattas i ingående balanser ska stå.';
    return refuse('unprocessable', [{ path: 'konto', reason: 'required', message }]);
  }
  if (verdict === 'doubt') {
    const message = 'Se efter det tveksamma nedan, och säg att du har gjort det.';
    return refuse('unprocessable', [{ path: 'sett', reason: 'required', message }]);
  }
  const message = 'Filen går inte att läsa in; nedan står varför.';
  return refuse('unprocessable', [{ path: '', reason: 'sie_refused', message }]);
}

async function showPlan({ tx, params, deps }: OfFile, input: FormInput): Promise<View> {
  const source = await keptSource(tx, params.sha256);
  const underWay = await findImportUnderWay(tx, params.sha256);
  const typed = Number(textOf(input.fields, 'konto'));
  const differenceAccount = typed >= 2000 && typed <= 2099 ? typed : null;
  const { timeZone } = deps.config;
  const plan = await planImport(tx, source, { differenceAccount, timeZone });
  const needsAccount = plan.problems.some(({ rule }) => rule.startsWith('opening_account'));
  const lacksAccount = plan.problems.some(({ rule }) => rule === 'opening_needs_account');
  const others = plan.problems.filter(({ rule }) => rule !== 'opening_needs_account');
  const report = reportOf(plan);
  const isRefused =
    plan.verdict === 'refused' &&
    (!lacksAccount ||
      reportOf({ ...plan, problems: others, more: [] }).problems.some(
        ({ level }) => level === 'refused',
      ));
  return {
    template: 'sie-import',
    title: `Läs in ${source.fileName}`,
    values: {
      canBeTaken: !isRefused,
      underWay: underWay && `/sie/importer/${underWay.id}`,
      isInDoubt: report.problems.some(({ level }) => level === 'doubt'),
      form: formOf(input, {
        konto: field(input, 'konto', 'Konto för det som fattas i ingående balanser', {
          type: lacksAccount || needsAccount || differenceAccount !== null ? 'text' : 'hidden',
          size: 6,
          maxLength: 4,
          isRequired: lacksAccount,
          help: 'För det mesta resultatet från året före: 2099 i ett aktiebolag, 2019 i en enskild firma.',
        }),
        sett: field(input, 'sett', 'Jag har sett efter det tveksamma', { type: 'checkbox' }),
      }),
      ...reportValues(report, {}),
    },
  };
}

/** Undefined of one that is in the books, or never was asked for. */
async function showBegun(
  { tx, params }: OfImport,
  template: 'sie-begun' | 'sie-begun-state',
): Promise<View | undefined> {
  const begun = await findBegunImport(tx, params.id);
  if (!begun) return undefined;
  const { id, sha256: hash, file_name: fileName, size, posted_bytes: posted, refusal } = begun;
  return {
    template,
    title: `Läser in ${fileName}`,
    values: {
      id,
      sha256: hash,
      why: refusal && sentenceOfKept(() => sentenceFor('page', refusal)),
      isUnderWay: begun.failed_at === null,
      percent: size === 0n ? 0 : Number((posted * 100n) / size),
      poll: `/sie/importer/${id}/lage`,
    },
  };
}

async function showImport({ tx, params, query, deps, person }: OfImport): Promise<View> {
  const one = await getImport(tx, params.id);
  const who = await listActorNames(tx, [one.created_by]);
  const { timeZone } = deps.config;
  return {
    template: 'sie-imported',
    title: `Import av ${one.file_name}`,
    values: {
      id: one.id,
      at: moment(one.created_at, timeZone),
      who: who(one.created_by),
      sha256: one.sha256,
      emptiedAt: one.emptied_at && moment(one.emptied_at, timeZone),
      undoneAt: one.undone_at && moment(one.undone_at, timeZone),
      canBeUndone: one.undone_at === null && person.may('administer'),
      filter: textOf(query, 'konto').trim(),
      ...reportValues(one.report, query),
    },
  };
}

const levelWords = { refused: 'Fel', doubt: 'Tveksamt', note: 'Att veta' } as const;
const chips = { refused: 'bad', doubt: 'warn', note: 'info' } as const;
const openingWords = {
  posted: 'Bokförs som ingående balans',
  compared: 'Jämförs med böckernas, som gäller',
  none: 'Inga',
} as const;

/** `konto` of the query is the beginning of an account's number, or part of its name. */
function reportValues(report: ImportReport, query: Fields) {
  const wanted = textOf(query, 'konto').trim().toLowerCase();
  const accounts = report.accounts.filter(
    ({ account, name }) => account.startsWith(wanted) || name.toLowerCase().includes(wanted),
  );
  const kr = (ore: string | null): string => (ore === null ? '' : amountText(BigInt(ore)));
  return {
    facts: {
      what: `SIE ${report.type ?? '?'}, ${report.encoding}`,
      program: report.program ?? '',
      company: report.company ?? '',
      year: report.year === null ? '' : String(report.year),
      vouchers: count(report.vouchers),
      rows: count(report.rows),
      opening: openingWords[report.opening.way],
      newYears: report.new_years.map(({ start, end }) => `${start}–${end}`).join(', '),
      newAccounts: count(report.new_accounts.length),
      objects: report.objects.map(({ code, name }) => `${code} ${name}`).join(', '),
    },
    series: report.series.map(({ code, count: vouchers, to, is_kept: isKept }) => ({
      code: code === '' ? 'Utan namn' : code,
      vouchers: count(vouchers),
      to: isKept ? 'Behåller kod och nummer' : `Nya nummer i ${to}`,
    })),
    problems: report.problems.slice(0, problemsShown).map(({ line, level, rule, message }) => ({
      line: line === null ? '' : count(line),
      level: levelWords[level],
      chip: chips[level],
      rule,
      message,
    })),
    accounts: accounts.slice(0, accountsShown).map((one) => ({
      account: one.account,
      name: one.name,
      rows: count(one.rows),
      opening: kr(one.opening),
      moved: kr(one.moved),
      closing: kr(one.closing),
      booked: kr(one.booked),
      differs: one.closing !== null && one.booked !== null && one.closing !== one.booked,
    })),
    isFiltered: wanted !== '',
    hasMore: accounts.length > accountsShown,
  };
}
