/** Logging in and out. Which addresses exist is never told, in words or in time. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withTx } from '../../db/pool.ts';
import { addressOf } from '../../http/transport.ts';
import { hashOfSecret } from '../../keys/secrets.ts';
import { logIn } from '../../sessions/service.ts';
import { deleteSession } from '../../sessions/store.ts';
import { textOf } from '../form-fields.ts';
import { answerView } from '../frame.ts';
import { leaveNotice } from '../notice.ts';
import { fieldsOf, type Pages } from '../page.ts';
import { forgetSession, keepSession, requireFormToken, sessionOf } from '../person.ts';

export function registerLogin({ app, deps }: Pages): void {
  app.get('/logga-in', { schema: { hide: true } }, async (request, reply) => {
    const { till = '' } = request.query as { till?: string };
    return showLogin(request, reply, { email: '', goTo: till, error: null });
  });

  app.post('/logga-in', { schema: { hide: true } }, async (request, reply) => {
    const fields = fieldsOf(request);
    requireFormToken(request, textOf(fields, '_csrf'));
    const email = textOf(fields, 'email').trim();
    const goTo = textOf(fields, 'till');
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
      return showLogin(request, reply, { email, goTo, error: waitingText(login.secondsLeft) });
    }
    if (login.outcome === 'refused') {
      reply.code(401);
      const error = 'E-postadressen eller lösenordet stämmer inte.';
      return showLogin(request, reply, { email, goTo, error });
    }
    keepSession(reply, login.token);
    const next = ownPath(goTo);
    return login.outcome === 'logged_in'
      ? reply.redirect(next, 303)
      : reply.redirect(`/logga-in/kod?till=${encodeURIComponent(next)}`, 303);
  });

  app.post('/logga-ut', { schema: { hide: true } }, async (request, reply) => {
    requireFormToken(request, textOf(fieldsOf(request), '_csrf'));
    const token = sessionOf(request);
    if (token !== undefined) {
      await withTx(deps.appPool, (tx) => deleteSession(tx, hashOfSecret(token)));
    }
    forgetSession(reply);
    leaveNotice(reply, 'Du är utloggad.');
    return reply.redirect('/logga-in', 303);
  });
}

export function waitingText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `För många försök. Vänta ${minutes} ${minutes === 1 ? 'minut' : 'minuter'} och försök igen.`;
}

/** A page of ours to go to, as browsers write addresses; never another site's. Else the overview. */
export const ownPath = (path: string): string =>
  /^\/(?![/\\])[!-[\]-~]*$/.test(path) ? path : '/oversikt';

function showLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  values: { readonly email: string; readonly goTo: string; readonly error: string | null },
) {
  return answerView(request, reply, {
    template: 'login',
    title: 'Logga in',
    values,
    status: reply.statusCode,
  });
}
