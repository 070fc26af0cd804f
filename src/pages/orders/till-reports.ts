/** Tills' Z reports: what has come, what stopped and why, and which voucher each is. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listActorNames } from '../../audit/actors.ts';
import { listLatestEvents } from '../../audit/store.ts';
import { indentJson } from '../../domain/basics/json.ts';
import { sum } from '../../domain/basics/money.ts';
import { decideTillReport } from '../../domain/sales/till-posting.ts';
import { type TillReport, tillRateSums } from '../../domain/sales/till-report.ts';
import { dismissTillReports, retryTillReports } from '../../intake/till-reports/inbox.ts';
import {
  findTillReport,
  type ListedTillReport,
  listMissingNumbers,
  listStopped,
  listTillReports,
  listUnjudged,
  type MissingNumbers,
  type ShownTillReport,
  type TillTab,
} from '../../intake/till-reports/inbox-store.ts';
import { readTillReport, tillContextOf } from '../../intake/till-reports/service.ts';
import { getTillRules } from '../../intake/till-reports/store.ts';
import { AppError, refuseWhole } from '../../lib/errors.ts';
import { say, sayOf, worded } from '../../lib/language.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { amountText, count, kronor, moment } from '../format.ts';
import { downloadOf } from '../headers.ts';
import { text, uuid } from '../inputs.ts';
import { shownProblems } from '../order-problems.ts';
import type { PagePlace, Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { tillChip, tillRejectionWords, tillSentence } from './till-words.ts';

const home = '/dagskassor';
const url = '/dagskassor/:id';
const pageSize = 50;
const missingShown = 20;
const retriedMax = 500;
const rawShownMax = 32 * 1024;
/** What a person waits for the worker. */
const waitMsMax = 4_000;
const params = z.object({ id: uuid });
type OfReport = Visit<{ id: string }>;

export function registerTillReportPages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: showList });
  pages.act({
    url: `${home}/forsok-igen`,
    right: 'keep_books',
    perform: async ({ tx, person }) => {
      const again = await retryTillReports(tx, await listStopped(tx, retriedMax), person.actor);
      const notice =
        again.length === 0
          ? say`Ingen dagskassa väntade på att prövas igen.`
          : say`${count(again.length)} ${again.length === 1 ? say`dagskassa` : say`dagskassor`} prövas igen; ladda om sidan strax.`;
      return { to: home, notice };
    },
  });
  const place = { url, right: 'read', params } as const;
  pages.answer(place, async (request) => {
    await waitForRetried(pages, request, place);
    return pages.visit(request, place, (visit) => showOne(visit, nothingTyped));
  });
  pages.show({
    url: `${url}/original`,
    right: 'read',
    params,
    show: async ({ tx, params: { id } }) => {
      const { raw } = await getReport(tx, id);
      // As text, whatever it holds: nothing that was sent is to run or be shown as a page.
      return {
        type: 'text/plain; charset=utf-8',
        content: raw,
        headers: downloadOf(`dagskassa-${id}.json`),
      };
    },
  });
  pages.act({
    url: `${url}/forsok-igen`,
    right: 'keep_books',
    params,
    show: showOne,
    perform: async ({ tx, person, params: { id } }) => {
      const { status } = await getReport(tx, id);
      const again = await retryTillReports(tx, [id], person.actor);
      const to = `${home}/${id}`;
      if (again.length > 0) return { to: `${to}?provas=1` };
      return {
        to,
        notice:
          status === 'received'
            ? say`Någon annan har just låtit pröva dagskassan igen.`
            : say`Dagskassan är redan bokförd.`,
      };
    },
  });
  pages.act({
    url: `${url}/avvisa`,
    right: 'keep_books',
    params,
    fields: z.object({ reason: text(500) }),
    show: showOne,
    perform: async ({ tx, person, params: { id } }, { reason }) => {
      await getReport(tx, id);
      if ((await dismissTillReports(tx, [id], reason, person.actor)) === 0) {
        throw refuseWhole('unprocessable', 'till_report_not_stopped');
      }
      return { to: home, notice: say`Dagskassan är avvisad och väntar inte längre på någon.` };
    },
  });
}

/** Waits a little, outside any transaction, for the worker to judge one that was just tried again. */
async function waitForRetried(
  pages: Pages,
  request: FastifyRequest,
  place: PagePlace<{ id: string }>,
): Promise<void> {
  if (new URLSearchParams(request.url.split('?', 2)[1] ?? '').get('provas') === null) return;
  const { decisions, config } = pages.deps;
  const read = () =>
    pages.visit(request, place, ({ tx, params: { id } }) => listUnjudged(tx, [id]));
  const [id] = await read();
  if (id === undefined) return;
  const timeoutMs = Math.min(config.intakeWaitMs, waitMsMax);
  await decisions.wait(id, { timeoutMs }, read, (left) => left.length === 0);
}

async function getReport(tx: Visit['tx'], id: string): Promise<ShownTillReport> {
  const found = await findTillReport(tx, id);
  if (!found) throw refuseWhole('not_found', 'no_till_report');
  return found;
}

const tabs = worded(
  () =>
    [
      { tab: 'stopped', name: 'atgard', label: say`Kräver åtgärd` },
      { tab: 'all', name: 'alla', label: say`Alla` },
    ] as const satisfies readonly { tab: TillTab; name: string; label: string }[],
);

async function showList({ tx, query, deps }: Visit): Promise<View> {
  const tab = tabs().find(({ name }) => name === textOf(query, 'flik')) ?? tabs()[0];
  const given = textOf(query, 'efter');
  const before = uuid.safeParse(given).success ? given : null;
  const found = await listTillReports(tx, { tab: tab.tab, before, limit: pageSize });
  const shown = found.slice(0, pageSize);
  const last = shown.at(-1);
  const missing = await listMissingNumbers(tx, missingShown);
  const address = tab === tabs()[0] ? home : `${home}?flik=${tab.name}`;
  return {
    template: 'till-reports',
    title: say`Dagskassor`,
    values: {
      tabs: tabs().map((one) => ({
        href: one === tabs()[0] ? home : `${home}?flik=${one.name}`,
        label: one.label,
        isCurrent: one === tab,
      })),
      tab: { label: tab.label, isStopped: tab.tab === 'stopped' },
      missing: missing.map(missingWords),
      reports: shown.map((one) => listed(one, deps.config.timeZone)),
      pager: {
        next:
          found.length > pageSize && last
            ? `${address}${tab === tabs()[0] ? '?' : '&'}efter=${last.id}`
            : null,
        first: before === null ? null : address,
      },
    },
  };
}

/** `Z 412`, on one line. */
const zText = (number: bigint): string => `Z\u00a0${number}`;

const missingWords = ({ till, first, last }: MissingNumbers): string =>
  first === last ? `${till}: ${zText(first)}` : `${till}: ${zText(first)}–${last}`;

function nameOf({ till, z_number: number }: Pick<ListedTillReport, 'till' | 'z_number'>): string {
  const which = number === null ? say`utan nummer` : zText(number);
  return `${till?.trim() ?? say`Okänd kassa`}, ${which}`;
}

function listed(one: ListedTillReport, timeZone: string) {
  const read = one.raw === null ? null : readAnyway(one.raw);
  return {
    id: one.id,
    name: nameOf(one),
    day: one.day ?? '–',
    sold: read === null ? '' : amountText(soldOf(read)),
    chip: tillChip(one),
    sentence: tillSentence(one),
    dismissal: one.dismissal,
    voucher: one.voucher_id && { href: `/verifikat/${one.voucher_id}`, label: one.voucher },
    received: moment(one.received_at, timeZone),
  };
}

/** Sales less returns, with VAT. */
const soldOf = (report: TillReport) => sum(tillRateSums(report).map(({ grossOre }) => grossOre));

/** Null when it cannot be read, or its sums differ. */
function readAnyway(raw: Buffer): TillReport | null {
  try {
    const read = readTillReport(raw);
    return 'report' in read ? read.report : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function showOne(
  { tx, params: { id }, today, deps }: OfReport,
  input: FormInput,
): Promise<View> {
  const one = await getReport(tx, id);
  const { timeZone } = deps.config;
  const report = readAnyway(one.raw);
  const isStopped = one.status === 'stopped';
  const words = tillRejectionWords(one.reason ?? '');
  const json = one.raw.length <= rawShownMax ? indentJson(one.raw.toString('utf8')) : null;
  return {
    template: 'till-report',
    title: say`Dagskassa ${nameOf(one)}`,
    values: {
      id,
      name: nameOf(one),
      chip: tillChip(one),
      sentence: tillSentence(one),
      day: one.day ?? '–',
      received: moment(one.received_at, timeZone),
      sender: one.sender ?? say`Kommandoraden`,
      sha256: one.sha256,
      size: say`${count(one.raw.length)} byte`,
      json,
      receipts: report?.receiptCount == null ? null : count(report.receiptCount),
      voucher: one.voucher_id && { href: `/verifikat/${one.voucher_id}`, label: one.voucher },
      other: one.booked_id && `${home}/${one.booked_id}`,
      dismissal: one.dismissal,
      stopped: isStopped
        ? {
            ...words,
            code: one.reason,
            problems: shownProblems(one.detail?.problems),
            isOfAccounts: one.reason === 'means_unknown' || one.reason === 'account_missing',
          }
        : null,
      may: {
        retry:
          isStopped || one.is_stuck || (one.status === 'dismissed' && one.reason !== 'replaced'),
        dismiss: isStopped,
      },
      ...(report && (await sumsOf(tx, report, today))),
      dismissForm: formOf(input, {
        reason: field(input, 'reason', say`Varför`, { isRequired: true, maxLength: 500 }),
      }),
      history: await historyOf(tx, id, timeZone),
    },
  };
}

/** Its sums as the till has them, and the rows that they come to as the accounts are now. */
async function sumsOf(tx: Visit['tx'], report: TillReport, today: string) {
  const rates = tillRateSums(report);
  const decision = decideTillReport(report, tillContextOf(await getTillRules(tx), today));
  const others = [
    [say`Sålda presentkort`, report.giftCardsSoldOre],
    [say`Dricks`, report.tipsOre],
    [say`Öresavrundning`, report.roundingOre],
  ] as const;
  return {
    rates: rates.map(({ vatRate, grossOre, vatOre }) => ({
      rate: vatRate,
      net: amountText(grossOre - vatOre),
      vat: amountText(vatOre),
      gross: amountText(grossOre),
    })),
    others: others
      .filter(([, ore]) => ore !== 0n)
      .map(([label, ore]) => ({ label, amount: amountText(ore) })),
    payments: report.payments.map(({ method, amountOre }) => ({
      method,
      amount: amountText(amountOre),
    })),
    movements: report.movements.map(({ kind, amountOre, text: said }) => ({
      kind,
      text: said ?? '',
      amount: amountText(amountOre),
    })),
    paid: kronor(sum(report.payments.map(({ amountOre }) => amountOre))),
    rows:
      decision.kind === 'post'
        ? decision.rows.map(({ account, debitOre, creditOre, note }) => ({
            account,
            note: note ?? '',
            debit: debitOre === 0n ? '' : amountText(debitOre),
            credit: creditOre === 0n ? '' : amountText(creditOre),
          }))
        : null,
  };
}

const actions = worded(() => ({
  'till_report.booked': say`Bokförd`,
  'till_report.retried': say`Prövad igen`,
  'till_report.dismissed': sayOf('order')`Avvisad`,
}));
const historyShown = 50;

async function historyOf(tx: Visit['tx'], id: string, timeZone: string) {
  const events = await listLatestEvents(tx, Object.keys(actions()), historyShown, id);
  const nameOfActor = await listActorNames(
    tx,
    events.map(({ actor }) => actor),
  );
  return events.map(({ occurred_at: at, actor, action, detail }) => ({
    at: moment(at, timeZone),
    what: actions()[action as keyof ReturnType<typeof actions>],
    who: nameOfActor(actor),
    why: action === 'till_report.dismissed' ? String(detail['reason'] ?? '') : '',
  }));
}
