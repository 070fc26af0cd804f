/** Logging in and out. Which addresses exist is never told, in words or in time. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashOfSecret } from '../../access/keys/secrets.ts';
import { logIn } from '../../access/sessions/service.ts';
import { deleteSession } from '../../access/sessions/store.ts';
import { withTx } from '../../db/pool.ts';
import { holderOf } from '../../http/shedding.ts';
import { addressOf } from '../../http/transport.ts';
import type { KeptForm } from '../form-fields.ts';
import { textOf } from '../form-fields.ts';
import { answerView } from '../frame.ts';
import { keptIn, wayBack } from '../kept-form.ts';
import { showCode, showLogin } from '../login-views.ts';
import { leaveNotice } from '../notice.ts';
import { ownPath } from '../own-path.ts';
import { fieldsOf, type Pages } from '../page.ts';
import {
  forgetSession,
  isLoggedIn,
  isOfThisLogin,
  keepSession,
  requireFormToken,
  requireOwnBrowser,
  sessionOf,
} from '../person.ts';

export function registerLogin({ app, deps }: Pages): void {
  app.get('/logga-in', { schema: { hide: true } }, async (request, reply) => {
    const { till = '' } = request.query as { till?: string };
    const isIn = await deps.appReaders.run(holderOf(request), (pool) => isLoggedIn(pool, request));
    return isIn ? reply.redirect(ownPath(till), 303) : showLogin(request, reply, { goTo: till });
  });

  // Before a byte of the form is read.
  const onRequest = async (request: FastifyRequest) => requireOwnBrowser(request);

  app.post('/logga-in', { schema: { hide: true }, onRequest }, async (request, reply) => {
    const fields = fieldsOf(request);
    const email = textOf(fields, 'email').trim();
    const goTo = textOf(fields, 'till');
    const kept = keptIn(fields);
    // Logged in meanwhile, in another tab: this one goes on as that one did.
    if (!isOfThisLogin(request, textOf(fields, '_csrf'))) return goOn(request, reply, goTo, kept);
    const login = await logIn(deps.appPool, {
      email,
      password: textOf(fields, 'password'),
      address: addressOf(request),
      agent: request.headers['user-agent'] ?? '',
      requestId: request.id,
      previous: sessionOf(request),
    });
    if (login.outcome === 'throttled') {
      reply.code(429).header('retry-after', String(login.secondsLeft));
      const error = waitingText(login.secondsLeft);
      return showLogin(request, reply, { email, goTo, error, kept });
    }
    if (login.outcome === 'refused') {
      reply.code(401);
      const error = 'E-postadressen eller lösenordet stämmer inte.';
      return showLogin(request, reply, { email, goTo, error, kept });
    }
    keepSession(request, reply, login.token);
    const next = ownPath(goTo);
    if (login.outcome === 'second_factor') {
      return kept
        ? showCode(request, reply, { goTo: next, kept })
        : reply.redirect(`/logga-in/kod?till=${encodeURIComponent(next)}`, 303);
    }
    return goOn(request, reply, goTo, kept);
  });

  app.post('/logga-ut', { schema: { hide: true }, onRequest }, async (request, reply) => {
    requireFormToken(request, textOf(fieldsOf(request), '_csrf'));
    const token = sessionOf(request);
    if (token !== undefined) {
      await withTx(deps.appPool, (tx) => deleteSession(tx, hashOfSecret(token)));
    }
    forgetSession(request, reply);
    leaveNotice(reply, 'Du är utloggad.');
    return reply.redirect('/logga-in', 303);
  });
}

/** To where the person was going, or back into what they were typing. */
export function goOn(
  request: FastifyRequest,
  reply: FastifyReply,
  goTo: string,
  kept: KeptForm | undefined,
): FastifyReply {
  return kept ? answerView(request, reply, wayBack(kept)) : reply.redirect(ownPath(goTo), 303);
}

export function waitingText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `För många försök. Vänta ${minutes} ${minutes === 1 ? 'minut' : 'minuter'} och försök igen.`;
}
