/**
 * The first visit: company, fiscal year, chart of accounts and first owner on one page, opened by the
 * token that only the operator has seen. It ends with a key that works and the owner logged in.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashOfSecret } from '../../access/keys/secrets.ts';
import { hasUsers } from '../../access/sessions/store.ts';
import { db, type Pool } from '../../db/pool.ts';
import type { SieChart } from '../../domain/ledger/sie/chart.ts';
import { cookieAt } from '../../http/headers.ts';
import { addressOf } from '../../http/transport.ts';
import { setUpFirst } from '../../installation/setup/service.ts';
import { findCompanyName, isSetupToken } from '../../installation/setup/store.ts';
import { chartFromSie, readChartGround } from '../../ledger/accounts/sie-chart.ts';
import type { Problem } from '../../lib/errors.ts';
import { programName } from '../../lib/program-name.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { answerView } from '../frame.ts';
import { leaveNotice } from '../notice.ts';
import { type Pages, problemsIn, readForm, refusalOf } from '../page.ts';
import {
  cookieOptions,
  isLoggedIn,
  keepSession,
  requireOwnBrowser,
  wrongToken,
} from '../person.ts';
import type { FormInput, PageDeps } from '../visit.ts';
import { numberIn, readAnswers, type SieSummary } from './first-visit-answers.ts';
import { companyFields, fileField, noCompanyFields, ownerFields } from './first-visit-fields.ts';
import { doubtFields, keepChart, readFile } from './first-visit-sie.ts';

const setupCookie = '__Host-huvudbok-setup';
const tokenForm = /^[\w-]{43}$/;
const url = '/kom-igang';

export function registerFirstVisit({ app, deps }: Pages): void {
  const pool = deps.appPool;

  app.get(url, { schema: { hide: true } }, async (request, reply) => {
    const { nyckel, fran } = request.query as { nyckel?: unknown; fran?: unknown };
    if (nyckel !== undefined) {
      const given = String(nyckel);
      const isOpen = tokenForm.test(given) && (await isSetupToken(db(pool), hashOfSecret(given)));
      if (!isOpen) return turnAway(pool, request, reply, true);
      // Out of the address, where it would be seen and kept.
      reply.setCookie(cookieAt(request, setupCookie), given, cookieOptions);
      return reply.redirect(url, 303);
    }
    if (!(await findToken(pool, request))) return turnAway(pool, request, reply, false);
    return showStart(deps, request, reply, fran === 'sie');
  });

  // Before a byte of the form is read: nobody else gets to send files.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!(await findToken(pool, request))) return turnAway(pool, request, reply, true);
    requireOwnBrowser(request);
    return undefined;
  };

  app.post(url, { schema: { hide: true }, onRequest }, async (request, reply) => {
    const token = await findToken(pool, request);
    if (!token) return turnAway(pool, request, reply, true);
    const asksCompany = (await findCompanyName(db(pool))) === undefined;
    const { fields, isSie, file, problems } = await readSent(request, asksCompany);
    const today = deps.clock.today();
    try {
      if (isSie && (!file || textOf(fields, 'step') === 'file')) {
        if (!file) reply.code(400);
        return showForm(
          deps,
          request,
          reply,
          { fields: {}, problems, isSent: false },
          { isSie, file },
        );
      }
      const ground = { asksCompany, today, sie: file };
      const { company, owner, sie } = await readAnswers(fields, ground, problems);
      const done = await setUpFirst(pool, {
        token,
        company,
        owner,
        address: addressOf(request),
        agent: request.headers['user-agent'] ?? '',
        requestId: request.id,
      });
      if (!done) return turnAway(pool, request, reply, true);
      reply.clearCookie(cookieAt(request, setupCookie), cookieOptions);
      keepSession(request, reply, done.session);
      return showDone(deps, request, reply, { key: done.key.key, sie });
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      reply.code(refusal.status);
      const input = { fields, problems: problemsIn(refusal), isSent: true };
      return showForm(deps, request, reply, input, { isSie, file });
    }
  });
}

/** The form, and the chart in its file; what is wrong with the file stands at it. */
async function readSent(request: FastifyRequest, asksCompany: boolean) {
  const { fields, files, isOfThisLogin, refusal, release } = await readForm(request, true);
  try {
    if (!isOfThisLogin) throw wrongToken();
    const isSie = asksCompany && textOf(fields, 'chart') === 'sie';
    const problems: Problem[] = refusal ? [...problemsIn(refusal)] : [];
    const file = isSie ? await readFile(fields, files, problems) : undefined;
    return { fields, isSie, file, problems };
  } finally {
    await release();
  }
}

const showStart = (deps: PageDeps, request: FastifyRequest, reply: FastifyReply, isSie: boolean) =>
  showForm(
    deps,
    request,
    reply,
    { fields: {}, problems: [], isSent: false },
    { isSie, file: undefined },
  );

/** The hash of the token the browser keeps, when it opens the set-up. */
async function findToken(pool: Pool, request: FastifyRequest): Promise<Buffer | undefined> {
  const given = request.cookies[cookieAt(request, setupCookie)] ?? '';
  if (!tokenForm.test(given)) return undefined;
  const hash = hashOfSecret(given);
  return (await isSetupToken(db(pool), hash)) ? hash : undefined;
}

async function turnAway(
  pool: Pool,
  request: FastifyRequest,
  reply: FastifyReply,
  wasGiven: boolean,
) {
  reply.clearCookie(cookieAt(request, setupCookie), cookieOptions);
  if (await hasUsers(db(pool))) {
    const isIn = await isLoggedIn(pool, request);
    leaveNotice(
      reply,
      isIn
        ? 'Huvudbok är redan uppsatt. Nyckeln visas bara en gång; en ny skapas under Inställningar.'
        : 'Huvudbok är redan uppsatt. Logga in för att fortsätta.',
    );
    return reply.redirect(isIn ? '/oversikt' : '/logga-in', 303);
  }
  return answerView(request, reply, {
    template: 'first-visit-closed',
    title: 'Det första besöket',
    values: { wasGiven, programName },
    status: 403,
  });
}

interface ChartSource {
  /** The chart is to come out of a SIE file: this one, once it is there. */
  readonly isSie: boolean;
  readonly file: SieChart | undefined;
}

async function showForm(
  { appPool, clock }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  input: FormInput,
  { isSie: wantsSie, file }: ChartSource,
) {
  const companyName = await findCompanyName(db(appPool));
  const isSie = companyName === undefined && wantsSie;
  const hidden = (name: string, value: string) =>
    field({ ...input, isSent: false }, name, '', { type: 'hidden', value });
  const asksFile = isSie && !file;
  const doubts =
    isSie && file
      ? doubtFields(input, chartFromSie(file, await readChartGround(numberIn(input.fields, file))))
      : { vat: [], groups: [] };
  const common = {
    chart: hidden('chart', isSie ? 'sie' : 'bas'),
    step: hidden('step', asksFile ? 'file' : ''),
    sie: hidden('sie', file ? keepChart(file) : ''),
  };
  const shown = { ...common, ...ownerFields(input) };
  const year = clock.today().slice(0, 4);
  const all =
    companyName === undefined
      ? { ...shown, ...companyFields(input, file, year) }
      : { ...shown, ...noCompanyFields(input) };
  const loose = Object.fromEntries(
    [...doubts.vat, ...doubts.groups.map((group) => group.field)].map((one) => [one.name, one]),
  );
  return answerView(request, reply, {
    template: asksFile ? 'first-visit-file' : 'first-visit',
    title: 'Kom igång',
    status: reply.statusCode,
    values: {
      companyName: companyName ?? null,
      isSie,
      hasDoubts: Object.keys(loose).length > 0,
      doubts,
      form: asksFile
        ? formOf(input, { ...common, file: fileField(input) })
        : formOf(input, { ...loose, ...all }),
    },
  });
}

function showDone(
  { config }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, sie }: { readonly key: string; readonly sie: SieSummary | null },
) {
  const curl = `curl -s ${config.baseUrl}/api/v1/meta -H 'Authorization: Bearer ${key}'`;
  return answerView(request, reply, {
    template: 'first-visit-done',
    title: 'Allt är klart',
    values: { key, curl, sie },
  });
}
