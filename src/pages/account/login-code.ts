/** The second step of logging in: a code from the device, or a recovery code. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../../http/transport.ts';
import { hashOfSecret } from '../../keys/secrets.ts';
import { findWaiting, logInWithCode } from '../../sessions/service.ts';
import { textOf } from '../form-fields.ts';
import { answerView } from '../frame.ts';
import { leaveNotice } from '../notice.ts';
import { fieldsOf, type Pages } from '../page.ts';
import { forgetSession, keepSession, requireFormToken, sessionOf } from '../person.ts';
import { ownPath, waitingText } from './login.ts';

export function registerLoginCode({ app, deps }: Pages): void {
  app.get('/logga-in/kod', { schema: { hide: true } }, async (request, reply) => {
    const { till = '' } = request.query as { till?: string };
    const token = sessionOf(request);
    const session =
      token === undefined
        ? undefined
        : await findWaiting(deps.appPool, hashOfSecret(token), request.id);
    if (!session) return beginAgain(reply, till);
    if (session.is_complete) return reply.redirect(ownPath(till), 303);
    return showCode(request, reply, till, null);
  });

  app.post('/logga-in/kod', { schema: { hide: true } }, async (request, reply) => {
    const fields = fieldsOf(request);
    requireFormToken(request, textOf(fields, '_csrf'));
    const goTo = textOf(fields, 'till');
    const token = sessionOf(request);
    if (token === undefined) return beginAgain(reply, goTo);
    const answer = await logInWithCode(deps.appPool, {
      session: hashOfSecret(token),
      code: textOf(fields, 'code'),
      now: deps.clock.now(),
      address: addressOf(request),
      agent: request.headers['user-agent'] ?? '',
      requestId: request.id,
    });
    switch (answer.outcome) {
      case 'not_waiting':
        return beginAgain(reply, goTo);
      case 'throttled': {
        reply.code(429).header('retry-after', String(answer.secondsLeft));
        return showCode(request, reply, goTo, waitingText(answer.secondsLeft));
      }
      case 'refused':
        reply.code(401);
        return showCode(request, reply, goTo, wrongCode);
      case 'logged_in':
        keepSession(reply, answer.token);
        if (answer.usedRecoveryCode) {
          leaveNotice(
            reply,
            'Återställningskoden är förbrukad. Skapa nya under Mitt konto när de börjar ta slut.',
          );
        }
        return reply.redirect(ownPath(goTo), 303);
      default:
        return answer satisfies never;
    }
  });
}

/** What is said of a code that does not open, whichever way it failed. */
export const wrongCode =
  'Koden stämmer inte, eller är redan använd. Vänta på nästa kod i appen och försök igen.';

function beginAgain(reply: FastifyReply, goTo: string): FastifyReply {
  forgetSession(reply);
  leaveNotice(reply, 'Det gick för lång tid. Logga in med lösenordet igen.');
  return reply.redirect(`/logga-in?till=${encodeURIComponent(ownPath(goTo))}`, 303);
}

function showCode(
  request: FastifyRequest,
  reply: FastifyReply,
  goTo: string,
  error: string | null,
): FastifyReply {
  return answerView(request, reply, {
    template: 'login-code',
    title: 'Ange koden',
    values: { goTo, error },
    status: reply.statusCode,
  });
}
