/** Moving in from another program, step by step, to balances that agree with its report. */
import { z } from 'zod';
import { readReport } from '../../../installation/moving-in/report-csv.ts';
import {
  beginMove,
  compareBalances,
  finishMove,
  getMove,
  type LegalForm,
} from '../../../installation/moving-in/service.ts';
import { listYears } from '../../../ledger/fiscal-years/store.ts';
import { getLocks } from '../../../ledger/locks/store.ts';
import { listImports } from '../../../ledger/sie/undo-store.ts';
import { equityMovedText, lackedText, nothingTakenIn } from '../../../ledger/sie/wordings.ts';
import { getOpeningStanding } from '../../../sales/opening-items/service.ts';
import { field, formOf } from '../../fields.ts';
import { amountText, count, dayInWords, kronor } from '../../format.ts';
import { choice, day, ticked } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';

const url = '/flytta-in';
const methods = ['invoice', 'cash'] as const;
const legalForms = ['limited_company', 'sole_trader', 'other'] as const;
const importsShown = 20;

export function registerMovingIn(pages: Pages): void {
  pages.show({ url, right: 'read', show: (visit) => showMove(visit, nothingTyped) });
  pages.act({
    url,
    right: 'administer',
    fields: z.object({ method: choice(methods), legalForm: choice(legalForms), day }),
    show: showMove,
    perform: async ({ tx, person, today }, ground) => {
      await beginMove(tx, ground, today, person.actor);
      return { to: `${url}#sie`, notice: `Sista dagen i det gamla programmet är ${ground.day}.` };
    },
  });
  pages.show({
    url: `${url}/saldon`,
    right: 'read',
    show: (visit) => showBalances(visit, nothingTyped, null),
  });
  pages.act({
    url: `${url}/saldon`,
    right: 'read',
    fields: z.object({ report: z.string().default('') }),
    show: (visit, input) => showBalances(visit, input, null),
    perform: async (visit, { report }) => ({
      to: `${url}/saldon`,
      view: await showBalances(
        visit,
        { fields: { report }, problems: [], isSent: false },
        await readReport(report),
      ),
    }),
  });
  pages.act({
    url: `${url}/klar`,
    right: 'administer',
    fields: z.object({ closes: ticked }),
    show: (visit, input) => showMove(visit, nothingTyped, input),
    perform: async ({ tx, person, today }, { closes: closesYears }) => {
      const { day: lockedTo, closed } = await finishMove(tx, { closesYears, today }, person.actor);
      const shut = closed.length === 0 ? '' : ` Stängda år: ${closed.join(', ')}.`;
      return {
        to: url,
        notice: `Flytten är klar, och böckerna är låsta till och med ${lockedTo}.${shut}`,
      };
    },
  });
}

async function showMove(
  { tx, today }: Visit,
  input: FormInput,
  end: FormInput = nothingTyped,
): Promise<View> {
  const move = await getMove(tx, today);
  const { day: movedOn, legalForm, advised } = move;
  const years = await listYears(tx);
  const imports = (await listImports(tx, importsShown)).filter(
    ({ undone_at }) => undone_at === null,
  );
  const locks = await getLocks(tx);
  const hasYear = years.some(
    ({ start, end: last }) => movedOn && start <= movedOn && movedOn <= last,
  );
  const ended = years.filter(
    ({ end: last, status }) => movedOn && last <= movedOn && status === 'open',
  );
  const isDone = movedOn !== null && (locks.period_locked_to ?? '') >= movedOn;
  const sides = hasYear ? await sidesOf(tx) : [];
  const isLeft = !isDone || ended.length > 0;
  return {
    template: 'moving-in',
    title: 'Flytta in från ett annat program',
    values: {
      movedOn: movedOn && dayInWords(movedOn),
      splitsVatPeriod: movedOn !== null && !move.isVatPeriodEnd,
      isUnsupported: legalForm === 'other',
      imports: imports.map(({ id, file_name: name, report }) => ({
        id,
        name,
        year: report.year ?? '',
        vouchers: count(report.vouchers),
      })),
      sides,
      apart: hasYear && isLeft ? await listApart(tx, sides) : [],
      hasYear,
      isDone,
      isLeft,
      ended: ended.map(({ year }) => year).join(', '),
      form: formOf(input, {
        method: field(input, 'method', 'Bokföringsmetod', {
          type: 'radios',
          isRequired: true,
          value: movedOn === null ? '' : 'invoice',
          options: [
            {
              value: 'invoice',
              label: 'Faktureringsmetoden',
              help: 'Fakturor bokförs när de kommer eller skickas.',
            },
            {
              value: 'cash',
              label: 'Kontantmetoden (bokslutsmetoden)',
              help: 'Fakturor bokförs när de betalas.',
            },
          ],
        }),
        legalForm: field(input, 'legalForm', 'Företagsform', {
          type: 'radios',
          isRequired: true,
          value: movedOn === null ? '' : legalForm,
          options: legalFormOptions,
        }),
        day: field(input, 'day', 'Sista dagen i det gamla programmet', {
          type: 'date',
          isRequired: true,
          value: movedOn ?? advised[0] ?? '',
          help: `Dagen efter bokförs här. Ta slutet på en momsperiod, så att ingen period delas mellan två program${advised.length > 0 ? `, t.ex. ${advised.join(', ')}` : ''}.`,
        }),
      }),
      end: formOf(end, {
        closes: field(end, 'closes', 'Bokslutet är klart: stäng de år som är slut', {
          type: 'checkbox',
          help: 'Annars låses de bara, och bokslutet bokförs här när låset har flyttats.',
        }),
      }),
    },
  };
}

const legalFormOptions: readonly { value: LegalForm; label: string; help: string }[] = [
  { value: 'limited_company', label: 'Aktiebolag', help: 'Årets resultat förs till 2099.' },
  { value: 'sole_trader', label: 'Enskild firma', help: 'Eget kapital på 2010–2019.' },
  { value: 'other', label: 'Annan', help: 'Handelsbolag, förening eller stiftelse.' },
];

async function sidesOf(tx: Visit['tx']) {
  return [
    { name: 'Kundfakturor', side: 'kunder', ...(await standingOf(tx, 'customers')) },
    { name: 'Leverantörsfakturor', side: 'leverantorer', ...(await standingOf(tx, 'suppliers')) },
  ];
}

/** What does not agree with the old program yet, said before the books are locked. */
async function listApart(
  tx: Visit['tx'],
  sides: Awaited<ReturnType<typeof sidesOf>>,
): Promise<string[]> {
  const { report, differing, accounts } = await compareBalances(tx, null);
  return [
    ...(accounts.length === 0 ? [nothingTakenIn] : []),
    ...sides
      .filter(({ agrees }) => !agrees)
      .map(({ name, difference }) => `${name} skiljer ${difference} från kontot.`),
    ...(report && differing > 0 ? [`${accountsDiffer(differing)} från ${report.fileName}.`] : []),
  ];
}

const accountsDiffer = (number: number): string =>
  number === 1 ? '1 konto skiljer' : `${count(number)} konton skiljer`;

async function standingOf(tx: Visit['tx'], side: 'customers' | 'suppliers') {
  const { balanceOre, itemsOre, differenceOre } = await getOpeningStanding(tx, side);
  return {
    balance: kronor(balanceOre),
    items: kronor(itemsOre),
    difference: kronor(differenceOre),
    agrees: differenceOre === 0n,
  };
}

async function showBalances(
  { tx }: Visit,
  input: FormInput,
  reported: Parameters<typeof compareBalances>[1],
): Promise<View> {
  const {
    day: at,
    report,
    accounts,
    differing,
    equity,
    explained,
  } = await compareBalances(tx, reported);
  return {
    template: 'moving-in-balances',
    title: 'Saldon vid flytten',
    values: {
      day: dayInWords(at),
      fileName: report?.fileName ?? null,
      isCompared: report !== null,
      agrees: report !== null && differing === 0,
      differing: accountsDiffer(differing),
      equity: equity && equityMovedText(equity),
      explained: explained.map(lackedText),
      accounts: accounts.map(({ account, name, booksOre, reportOre, differenceOre }) => ({
        account,
        name,
        books: amountText(booksOre),
        report: reportOre === null ? '' : amountText(reportOre),
        difference: differenceOre === 0n || report === null ? '' : amountText(differenceOre),
      })),
      form: formOf(input, {
        report: field(input, 'report', 'Saldon ur det gamla programmets rapport', {
          type: 'textarea',
          isRequired: true,
          placeholder: '1510;Kundfordringar;12 500,00\n2440;Leverantörsskulder;-3 000,00',
          help: 'Kontot först och saldot sist på varje rad, ur ett kalkylark eller med semikolon. Debet över noll, kredit under, som programmen skriver det. Inget sparas.',
        }),
      }),
    },
  };
}
