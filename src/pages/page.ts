import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { z } from 'zod';
import { hashOfSecret } from '../access/keys/secrets.ts';
import { claimForm, noteFormWent } from '../access/sessions/store.ts';
import { type PasswordTry, tryOwnPassword } from '../access/users/account.ts';
import type { Right } from '../access/users/roles.ts';
import type { Pool, Tx } from '../db/pool.ts';
import type { App } from '../http/fastify.ts';
import { hangUpOf } from '../http/hanging-up.ts';
import { isReading } from '../http/head.ts';
import { holderOf } from '../http/shedding.ts';
import { AppError, type Problem, Refusal, refuse } from '../lib/errors.ts';
import { say, speaking, translated } from '../lib/language.ts';
import { pageProblem, said } from '../lib/sentences/say.ts';
import { printPdf } from '../render/print.ts';
import { countInboxes } from '../reports/overview/store.ts';
import { afterForm, begunInput, keepRefused, withBegun } from './begun-form.ts';
import { ChangedMeanwhile, refuseUnseen, withSeen } from './changed-meanwhile.ts';
import { type Fields, readFields, textOf } from './form-fields.ts';
import { answerView } from './frame.ts';
import { formProblems, readTyped, uuid } from './inputs.ts';
import { comesBack, keepForm, notSentYet } from './kept-form.ts';
import { pageLanguage } from './language.ts';
import { leaveNotice } from './notice.ts';
import {
  asPerson,
  isCarried,
  isOfThisLogin,
  NotLoggedIn,
  type Person,
  requireOwnBrowser,
  requireStill,
  sessionOf,
  wrongToken,
} from './person.ts';
import { readUploads, type SentForm, uploadMaxBytes } from './uploads.ts';
import {
  type FileAnswer,
  type FormInput,
  type Goto,
  nothingTyped,
  type PageDeps,
  type View,
  type Visit,
} from './visit.ts';

export interface PagePlace<Params> {
  readonly url: string;
  readonly right: Right;
  /** What the address must be like; anything else is a page that does not exist. */
  readonly params?: z.ZodType<Params>;
  readonly allowsTemporaryPassword?: boolean;
  /** For the few that OpenAPI describes; pages are otherwise hidden from it. Described, not checked. */
  readonly schema?: FastifySchema;
  /** Its form changes what is there already: what others have saved meanwhile is told before it is overwritten. */
  readonly changesStored?: boolean;
}

export interface ShownPage<Params> extends PagePlace<Params> {
  readonly show: (visit: Visit<Params>) => Promise<View | Goto | FileAnswer>;
}

export interface FormPage<Params, Values> extends PagePlace<Params> {
  /** What the form must hold; its problems are shown beside the fields. */
  readonly fields: z.ZodType<Values>;
  readonly show: (visit: Visit<Params>, input: FormInput) => Promise<View>;
  readonly shownPassword?: (values: Values) => string | undefined;
  readonly perform: (visit: Visit<Params>, values: Values) => Promise<Goto>;
}

export interface Action<Params, Values> extends PagePlace<Params> {
  readonly fields?: z.ZodType<Values>;
  /** The page the button stands on, to show what was wrong; an error page when there is none. */
  readonly show?: (visit: Visit<Params>, input: FormInput) => Promise<View>;
  /**
   * The password by which the person shows that they are still themselves, for a form that asks for it;
   * undefined when it need not be tried. It is tried before the form's own transaction, so that it is
   * counted whatever becomes of that.
   */
  readonly shownPassword?: (values: Values) => string | undefined;
  readonly perform: (visit: Visit<Params>, values: Values) => Promise<Goto>;
}

export class Pages {
  /** The room that pages live in, for the few that are open to strangers. */
  readonly app: App;
  readonly deps: PageDeps;
  /** By the route of a page that is shown. */
  readonly #rights = new Map<string, Right>();

  constructor(app: App, deps: PageDeps) {
    this.app = app;
    this.deps = deps;
  }

  /** Whether there is a page of this route, and the person is let in to it. */
  mayOpen(url: string, person: Person): boolean {
    const right = this.#rights.get(url);
    return right !== undefined && person.may(right);
  }

  /** GET a page. */
  show<Params = Record<string, string>>(page: ShownPage<Params>): void {
    this.#route('GET', page, async (request, reply) => {
      const answer = await this.visit(request, page, async (visit) => {
        const shown = await page.show(visit);
        if (!isView(shown)) return shown;
        return withBegun(visit, page.changesStored ? await withSeenFirst(visit, shown) : shown);
      });
      return send(request, reply, answer);
    });
  }

  /** GET a form, and POST it to the same address. */
  form<Values, Params = Record<string, string>>(page: FormPage<Params, Values>): void {
    this.show({
      ...page,
      show: async (visit) => page.show(visit, await begunInput(visit, nothingTyped)),
    });
    this.act(page);
  }

  /** POST what a button or form asks for. Sent twice, it is done once. */
  act<Values = unknown, Params = Record<string, string>>(action: Action<Params, Values>): void {
    this.#route('POST', action, async (request, reply) => {
      const sent = await readForm(request);
      try {
        return await this.#perform(request, reply, action, sent);
      } finally {
        await sent.release();
      }
    });
  }

  async #perform<Values, Params>(
    request: FastifyRequest,
    reply: FastifyReply,
    action: Action<Params, Values>,
    { fields, files, isOfThisLogin, refusal: refusedFiles }: ReadForm,
  ): Promise<FastifyReply> {
    if (!isOfThisLogin || comesBack(fields)) return this.#showAgain(request, reply, action, fields);
    try {
      if (refusedFiles) throw refusedFiles;
      const passwordTry = await this.#tryPassword(request, action, fields);
      const answer = await this.visit(request, action, (visit) =>
        once({ ...visit, files, passwordTry }, fields, action),
      );
      return await send(request, reply, await withAfterwards(answer));
    } catch (error) {
      if (error instanceof NotLoggedIn) throw keeping(error, request, action, fields);
      const refusal = refusalOf(error);
      if (!refusal || !action.show) throw error;
      const { show } = action;
      const typed = refusal instanceof ChangedMeanwhile ? refusal.fields : fields;
      const problems = speaking(pageLanguage(request), () => problemsIn(refusal));
      const address = this.app.hasRoute({ method: 'GET', url: action.url })
        ? request.url
        : undefined;
      const view = await this.visit(request, action, async (visit) =>
        keepRefused(
          visit,
          await showAs(visit, { ...action, show }, { fields: typed, problems, isSent: true }),
          { fields: typed, address },
        ),
      );
      request.refusal = refusal;
      reply.headers(refusal.headers ?? {});
      const said = problems.map(({ message }) => message);
      return send(request, reply, { refused: said, ...view, status: refusal.status });
    }
  }

  /**
   * Who may is asked before the first byte of a form is read. Of somebody who is no longer logged in so much
   * is read as can follow them through the log-in.
   */
  #letIn<Params>(place: PagePlace<Params>) {
    return async (request: FastifyRequest): Promise<void> => {
      requireOwnBrowser(request);
      if (Number(request.headers['content-length']) > uploadMaxBytes) throw tooLarge();
      try {
        await asPerson(this.deps.appPool, request, place, async () => undefined);
      } catch (error) {
        if (!(error instanceof NotLoggedIn) || !isCarried(request)) throw error;
      }
    };
  }

  async #tryPassword<Values, Params>(
    request: FastifyRequest,
    { fields: schema, shownPassword }: Action<Params, Values>,
    fields: Fields,
  ): Promise<PasswordTry | undefined> {
    const token = sessionOf(request);
    const read = schema?.safeParse(fields);
    const password = read?.success ? shownPassword?.(read.data) : undefined;
    if (password === undefined || token === undefined) return undefined;
    return tryOwnPassword(this.deps.appPool, hashOfSecret(token), password, request.id);
  }

  /** A form made before the person logged in anew: shown with what was typed, and nothing done. */
  async #showAgain<Values, Params>(
    request: FastifyRequest,
    reply: FastifyReply,
    action: Action<Params, Values>,
    fields: Fields,
  ): Promise<FastifyReply> {
    const view = await this.visit(request, action, async (visit) => {
      const input = { fields, problems: notSentYet(fields), isSent: true };
      const { show } = action;
      const shown = show && (await showAs(visit, { ...action, show }, input));
      return shown && withBegun(visit, shown, fields);
    }).catch((error) => {
      throw error instanceof NotLoggedIn ? keeping(error, request, action, fields) : error;
    });
    if (!view) throw wrongToken();
    return send(request, reply, view);
  }

  /** A visit for a handler that must also do something outside the transaction, such as wait. */
  async visit<T, Params>(
    request: FastifyRequest,
    place: PagePlace<Params>,
    work: (visit: Visit<Params>) => Promise<T>,
  ): Promise<T> {
    const params = paramsOf(request, place);
    const { appPool, appReaders } = this.deps;
    const visiting = (pool: Pool): Promise<T> => asPerson(pool, request, place, enter);
    const enter = async (tx: Tx, person: Person): Promise<T> => {
      const answer = await work({
        tx,
        person,
        params,
        path: request.url.split('?', 1)[0] ?? '/',
        query: queryFields(request),
        today: this.deps.clock.today(),
        deps: this.deps,
        files: [],
        requestId: request.id,
      });
      if (isView(answer)) request.inboxes = await countInboxes(tx);
      return answer;
    };
    return isReading(request)
      ? appReaders.run(holderOf(request), visiting, hangUpOf(request))
      : visiting(appPool);
  }

  /** The PDF of a page that the person has been shown, asked for as them. */
  print<Params>(request: FastifyRequest, place: PagePlace<Params>, html: string): Promise<Buffer> {
    const { appPool: pool, decisions } = this.deps;
    return printPdf({ pool, decisions, ask: (work) => asPerson(pool, request, place, work) }, html);
  }

  /** GET whose handler decides itself what runs in a transaction (`visit`) and what outside. */
  answer<Params>(
    place: PagePlace<Params>,
    handle: (request: FastifyRequest) => Promise<View | Goto | FileAnswer>,
  ): void {
    this.#route('GET', place, async (request, reply) =>
      send(request, reply, await handle(request)),
    );
  }

  #route<Params>(
    method: 'GET' | 'POST',
    place: PagePlace<Params>,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void {
    const { url, schema = { hide: true } } = place;
    // Who asks comes before what they ask for, so a handler checks it itself.
    const validatorCompiler = () => () => true;
    const onRequest = method === 'POST' ? [this.#letIn(place)] : [];
    const config = { right: place.right };
    if (method === 'GET' && place.right) this.#rights.set(url, place.right);
    this.app.route({ method, url, config, schema, validatorCompiler, onRequest, handler });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a person needs to be let in; every page has one (test/pages/roles.test.ts). */
    right?: Right;
  }
}

/** The way to the login, with what was typed when there is a form for it to come back into. */
const keeping = <Params, Values>(
  { step, person }: NotLoggedIn,
  request: FastifyRequest,
  { show }: Action<Params, Values>,
  fields: Fields,
): NotLoggedIn => new NotLoggedIn(step, { person, kept: show && keepForm(request.url, fields) });

/** Whether it is shown in the frame, whose navigation tells what waits. */
const isView = (answer: unknown): answer is View =>
  typeof answer === 'object' && answer !== null && 'template' in answer;

/** Does what a form asks, unless the same form has been answered already. */
async function once<Params, Values>(
  visit: Visit<Params>,
  fields: Fields,
  { fields: schema, right, perform, show, changesStored }: Action<Params, Values>,
): Promise<Goto> {
  const id = textOf(fields, '_once');
  const isNamed = uuid.safeParse(id).success;
  if (isNamed) {
    const location = await claimForm(visit.tx, id);
    if (location)
      return {
        to: location,
        notice: say`Det var redan gjort. Har du ändrat något sedan dess är det inte sparat.`,
      };
    if (location === '') throw new AppError('forbidden', say`Formuläret är redan skickat.`);
  }
  if (changesStored && show) await refuseUnseen(visit, fields, show);
  const done = await perform(visit, valuesOf(schema, fields));
  if (!done.hasGivenUp) await requireStill(visit.tx, right);
  const goto = await afterForm(visit, fields, done);
  if (isNamed) await noteFormWent(visit.tx, id, goto.to);
  if (!goto.view) return goto;
  const seen = textOf(fields, '_seen');
  const view = seen === '' ? goto.view : { ...goto.view, seen };
  return { ...goto, view: await withBegun(visit, view, fields) };
}

/** What was done outside once the transaction had been committed. */
async function withAfterwards(done: Goto): Promise<Goto> {
  if (!done.afterwards || !done.view) return done;
  const values = { ...done.view.values, ...(await done.afterwards()) };
  return { ...done, view: { ...done.view, values } };
}

/** A page that is come to: what was begun on it may have been begun when something else was stored. */
async function withSeenFirst<Params>(visit: Visit<Params>, view: View): Promise<View> {
  const { fields } = await begunInput(visit, nothingTyped);
  return withSeen(view, fields, async () => view);
}

/** A form that is sent and shown again. */
async function showAs<Params>(
  visit: Visit<Params>,
  { show, changesStored }: Required<Pick<Action<Params, unknown>, 'show'>> & PagePlace<Params>,
  input: FormInput,
): Promise<View> {
  const view = await show(visit, input);
  if (!changesStored) return view;
  return withSeen(view, input.fields, () => show(visit, nothingTyped));
}

function valuesOf<Values>(schema: z.ZodType<Values> | undefined, fields: Fields): Values {
  if (!schema) return undefined as Values;
  const result = readTyped(schema, fields);
  if (result.success) return result.data;
  throw refuse('invalid_request', formProblems(result.error.issues));
}

function paramsOf<Params>(request: FastifyRequest, { params }: PagePlace<Params>): Params {
  if (!params) return request.params as Params;
  const result = params.safeParse(request.params);
  if (result.success) return result.data;
  throw new AppError('not_found', 'Sidan finns inte.');
}

/** The query of the address, as texts. */
export const queryFields = (request: FastifyRequest): Fields =>
  readFields(new URLSearchParams(request.url.split('?', 2)[1] ?? ''));

export const fieldsOf = (request: FastifyRequest): Fields =>
  typeof request.body === 'object' && request.body !== null && !Buffer.isBuffer(request.body)
    ? (request.body as Fields)
    : {};

export interface ReadForm extends SentForm {
  readonly isOfThisLogin: boolean;
}

const nothingToRelease = async (): Promise<void> => undefined;
const tooLarge = () =>
  new AppError(
    'payload_too_large',
    'Formuläret är för stort: högst tio filer på 10 MiB åt gången.',
  );

/** What was sent, once it is known to come from a form of ours; of another login, without its files. */
export async function readForm(
  request: FastifyRequest,
  maySendFiles = request.person !== null,
): Promise<ReadForm> {
  const isOfThis = (fields: Fields) => isOfThisLogin(request, textOf(fields, '_csrf'));
  const sent = request.isMultipart()
    ? await readUploads(request, holderOf(request), (fields) => isOfThis(fields) && maySendFiles)
    : {
        fields: fieldsOf(request),
        files: [],
        refusal: undefined,
        release: nothingToRelease,
      };
  try {
    return { ...sent, isOfThisLogin: isOfThis(sent.fields) };
  } catch (error) {
    await sent.release();
    throw error;
  }
}

/** What a person did wrong, or what the rules refuse; undefined is our own fault. */
export function refusalOf(error: unknown): AppError | undefined {
  if (!(error instanceof AppError)) return undefined;
  const isShown = [400, 409, 413, 422].includes(error.status) || error.code === 'overloaded';
  return isShown ? error : undefined;
}

/** What a refusal says at each field; one that names no field stands above the form. */
export function problemsIn(refusal: AppError): Problem[] {
  return refusal instanceof Refusal && refusal.faults.length > 0
    ? refusal.faults.map(pageProblem)
    : [{ path: '', reason: refusal.code, message: translated(said('page', refusal).message) }];
}

export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: View | Goto | FileAnswer,
): Promise<FastifyReply> {
  if ('content' in answer) {
    return reply
      .headers(answer.headers ?? {})
      .type(answer.type)
      .send(answer.content);
  }
  if ('to' in answer && !answer.view) {
    const { notice, noticeLanguage = pageLanguage(request) } = answer;
    if (notice) leaveNotice(reply, notice, noticeLanguage);
    return reply.redirect(answer.to, 303);
  }
  return answerView(request, reply, 'to' in answer ? (answer.view as View) : answer);
}
