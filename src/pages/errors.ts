/** What a person sees instead of an error body: the sentence, the code, the request id, and a way on. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isReading } from '../http/head.ts';
import { bearerOf } from '../http/headers.ts';
import type { AppError } from '../lib/errors.ts';
import { say, speaking, translated, worded } from '../lib/language.ts';
import { said } from '../lib/sentences/say.ts';
import { renderPage } from '../render/templates.ts';
import { answerView } from './frame.ts';
import { secureHeaders } from './headers.ts';
import { pageBehind } from './kept-form.ts';
import { pageLanguage } from './language.ts';
import { showCode, showLogin, showNewPassword } from './login-views.ts';
import { leaveNotice } from './notice.ts';
import { forgetSession, NotLoggedIn } from './person.ts';

/** A browser asks for a page; programs ask for anything, or for JSON, or with a key. */
const wantsPage = (request: FastifyRequest): boolean =>
  (request.headers.accept ?? '').includes('text/html') &&
  !request.url.startsWith('/api/') &&
  bearerOf(request) === undefined;

const titles = worded(
  (): Readonly<Record<number, string>> => ({
    400: say`Det gick inte att läsa`,
    401: say`Logga in`,
    403: say`Det här får du inte göra`,
    404: say`Sidan finns inte`,
    405: say`Sidan finns inte`,
    413: say`Det är för mycket på en gång`,
    422: say`Det gick inte`,
    429: say`För många försök`,
    503: say`Försök igen strax`,
  }),
);

/** For whoever opens the address from another computer; programs are told of their key. */
const inTheClear = () => ({
  title: say`Öppna sidan med https`,
  message: say`Sidan visas inte med http, där lösenord och bokföring går okrypterade över nätet. Skriv https:// i stället för http:// framför adressen. Hjälper inte det ska den som sköter installationen ge Huvudbok ett certifikat, eller sätta en proxy framför och skriva dess adress i TRUST_PROXY.`,
});

export function answerErrorPage(
  refusal: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (!wantsPage(request)) return undefined;
  secureHeaders(reply);
  if (refusal instanceof NotLoggedIn) return sendToLogin(refusal, request, reply);
  const isInTheClear = refusal.code === 'https_required';
  const values = speaking(pageLanguage(request), () => ({
    ...(isInTheClear
      ? inTheClear()
      : {
          title: titles()[refusal.status] ?? say`Något gick fel`,
          message: translated(said('page', refusal).message),
        }),
    // There is nowhere to go from here by the same way.
    hasHome: !isInTheClear,
    code: refusal.code,
    requestId: request.id,
  }));
  if (request.person) {
    const { title, ...shown } = values;
    return answerView(request, reply, {
      template: 'error',
      title,
      values: { ...shown, about: refusal.status === 422 ? aboutOf(request) : null },
      status: refusal.status,
    });
  }
  return reply.type('text/html; charset=utf-8').send(renderPage('error-outside', values));
}

/** The page of what was to be changed, which somebody else has perhaps booked meanwhile: `/kundfakturor/:id`. */
function aboutOf(request: FastifyRequest): string | null {
  const pattern = request.routeOptions.url?.split('/') ?? [];
  const length = pattern.findIndex((part) => part.startsWith(':')) + 1;
  const url = pattern.slice(0, length).join('/');
  const isElsewhere = length > 0 && length < pattern.length;
  if (!isElsewhere || !request.server.hasRoute({ method: 'GET', url })) return null;
  const [path = ''] = request.url.split('?');
  return path.split('/').slice(0, length).join('/');
}

const steps = {
  log_in: '/logga-in',
  second_factor: '/logga-in/kod',
  new_password: '/mitt-konto/losenord',
} as const;

const loggedOut = 'Du är inte inloggad längre, så inget gjordes. Logga in och försök igen.';
const nothingDone = {
  log_in: loggedOut,
  second_factor: loggedOut,
  new_password: 'Inget gjordes: välj ett eget lösenord först, och försök igen.',
} as const;

/** After logging in the person comes back to what they asked for, or to the form they had typed into. */
function sendToLogin(
  { step, person, kept }: NotLoggedIn,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (step === 'log_in') forgetSession(request, reply);
  if (step === 'log_in' && kept) return showLogin(request, reply, { kept });
  if (step === 'second_factor' && kept) return showCode(request, reply, { kept });
  if (person && kept) {
    request.person = person;
    return showNewPassword(request, reply, person, kept);
  }
  const isPage = isReading(request) && request.url !== '/';
  const till = isPage ? request.url : pageBehind(request);
  const query = till === undefined ? '' : `?till=${encodeURIComponent(till)}`;
  if (request.method === 'POST') leaveNotice(reply, nothingDone[step]);
  return reply.redirect(steps[step] + query, 303);
}
