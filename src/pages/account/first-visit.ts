/**
 * The first visit: company, fiscal year, chart of accounts and first owner on one page, opened by the
 * token that only the operator has seen. It ends with a key that works and the owner logged in.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBasBaseChart } from '../../accounts/bas-base-chart.ts';
import { db, type Pool } from '../../db/pool.ts';
import { type AppError, refuse } from '../../errors.ts';
import { addressOf } from '../../http/transport.ts';
import { hashOfSecret } from '../../keys/secrets.ts';
import { hasUsers } from '../../sessions/store.ts';
import { setUpFirst } from '../../setup/service.ts';
import { findCompanyName, isSetupToken } from '../../setup/store.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { answerView } from '../frame.ts';
import { leaveNotice } from '../notice.ts';
import {
  type FormInput,
  type PageDeps,
  type Pages,
  problemsIn,
  readForm,
  refusalOf,
} from '../page.ts';
import { cookieOptions, keepSession, wrongToken } from '../person.ts';
import { readAnswers, type SieSummary } from './first-visit-answers.ts';
import { companyFields, noCompanyFields, ownerFields } from './first-visit-fields.ts';

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
      reply.setCookie(setupCookie, given, cookieOptions);
      return reply.redirect(url, 303);
    }
    if (!(await findToken(pool, request))) return turnAway(pool, request, reply, false);
    const input = { fields: {}, problems: [], isSent: false };
    return showForm(deps, request, reply, input, fran === 'sie' ? 'sie' : 'bas');
  });

  app.post(url, { schema: { hide: true } }, async (request, reply) => {
    // Before the form is read: nobody else gets to send files.
    const token = await findToken(pool, request);
    if (!token) return turnAway(pool, request, reply, true);
    const { fields, files, isOfThisLogin } = await readForm(request);
    if (!isOfThisLogin) throw wrongToken();
    try {
      const { company, owner, sie } = readAnswers(fields, files, {
        asksCompany: (await findCompanyName(db(pool))) === undefined,
        bas: await readBasBaseChart(),
        today: deps.clock.today(),
      });
      const done = await setUpFirst(pool, {
        token,
        company,
        owner,
        address: addressOf(request),
        agent: request.headers['user-agent'] ?? '',
        requestId: request.id,
      });
      if (!done) return turnAway(pool, request, reply, true);
      reply.clearCookie(setupCookie, cookieOptions);
      keepSession(request, reply, done.session);
      return showDone(deps, request, reply, { key: done.key.key, sie });
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      reply.code(refusal.status);
      const problems = problemsIn(withFileAgain(refusal, files.length > 0));
      const chart = textOf(fields, 'chart') === 'sie' ? 'sie' : 'bas';
      return showForm(deps, request, reply, { fields, problems, isSent: true }, chart);
    }
  });
}

/** The hash of the token the browser keeps, when it opens the set-up. */
async function findToken(pool: Pool, request: FastifyRequest): Promise<Buffer | undefined> {
  const given = request.cookies[setupCookie] ?? '';
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
  reply.clearCookie(setupCookie, cookieOptions);
  if (await hasUsers(db(pool))) {
    leaveNotice(reply, 'Huvudbok är redan uppsatt. Logga in för att fortsätta.');
    return reply.redirect('/logga-in', 303);
  }
  return answerView(request, reply, {
    template: 'first-visit-closed',
    title: 'Det första besöket',
    values: { wasGiven },
    status: 403,
  });
}

async function showForm(
  { appPool, clock }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  input: FormInput,
  chart: 'bas' | 'sie',
) {
  const companyName = await findCompanyName(db(appPool));
  return answerView(request, reply, {
    template: 'first-visit',
    title: 'Kom igång',
    status: reply.statusCode,
    values: {
      companyName: companyName ?? null,
      isSie: companyName === undefined && chart === 'sie',
      form: formOf(input, {
        chart: field(input, 'chart', '', { type: 'hidden', value: chart }),
        ...(companyName === undefined
          ? companyFields(input, chart === 'sie', clock.today().slice(0, 4))
          : noCompanyFields(input)),
        ...ownerFields(input),
      }),
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

/** A browser never sends a file again by itself. */
function withFileAgain(refusal: AppError, hadFile: boolean): AppError {
  const problems = problemsIn(refusal);
  if (!hadFile || problems.some(({ path }) => path === 'file')) return refusal;
  const message = 'Filen gick att läsa. Välj den igen: webbläsaren skickar den bara en gång.';
  return refuse('invalid_request', [...problems, { path: 'file', reason: 'again', message }]);
}
