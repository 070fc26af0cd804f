/** The second step of logging in: a code from the device, or a recovery code. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashOfSecret } from '../../access/keys/secrets.ts';
import { findWaiting, logInWithCode } from '../../access/sessions/service.ts';
import { holderOf } from '../../http/shedding.ts';
import { addressOf } from '../../http/transport.ts';
import type { KeptForm } from '../form-fields.ts';
import { textOf } from '../form-fields.ts';
import { keptIn } from '../kept-form.ts';
import { showCode, showLogin } from '../login-views.ts';
import { leaveNotice } from '../notice.ts';
import { ownPath } from '../own-path.ts';
import { fieldsOf, type Pages } from '../page.ts';
import {
  forgetSession,
  isOfThisLogin,
  keepSession,
  requireOwnBrowser,
  sessionOf,
} from '../person.ts';
import { goOn, waitingText } from './login.ts';

export function registerLoginCode({ app, deps }: Pages): void {
  app.get('/logga-in/kod', { schema: { hide: true } }, async (request, reply) => {
    const { till = '' } = request.query as { till?: string };
    const token = sessionOf(request);
    const session =
      token === undefined
        ? undefined
        : await deps.appReaders.run(holderOf(request), (pool) =>
            findWaiting(pool, hashOfSecret(token), request.id),
          );
    if (!session) return beginAgain(request, reply, till);
    if (session.is_complete) return reply.redirect(ownPath(till), 303);
    return showCode(request, reply, { goTo: till });
  });

  // Before a byte of the form is read.
  const onRequest = async (request: FastifyRequest) => requireOwnBrowser(request);

  app.post('/logga-in/kod', { schema: { hide: true }, onRequest }, async (request, reply) => {
    const fields = fieldsOf(request);
    const goTo = textOf(fields, 'till');
    const kept = keptIn(fields);
    // Logged in meanwhile, in another tab: this one goes on as that one did.
    if (!isOfThisLogin(request, textOf(fields, '_csrf'))) return goOn(request, reply, goTo, kept);
    const token = sessionOf(request);
    if (token === undefined) return beginAgain(request, reply, goTo, kept);
    const answer = await logInWithCode(deps.appPool, {
      session: hashOfSecret(token),
      keyring: deps.config.keyring,
      code: textOf(fields, 'code'),
      now: deps.clock.now(),
      address: addressOf(request),
      agent: request.headers['user-agent'] ?? '',
      requestId: request.id,
    });
    switch (answer.outcome) {
      case 'not_waiting':
        return beginAgain(request, reply, goTo, kept);
      case 'throttled': {
        reply.code(429).header('retry-after', String(answer.secondsLeft));
        const error = waitingText(answer.secondsLeft);
        return showCode(request, reply, { goTo, error, kept });
      }
      case 'refused':
        reply.code(401);
        return showCode(request, reply, { goTo, error: wrongCode, kept });
      case 'unreadable':
        reply.code(503);
        return showCode(request, reply, { goTo, error: unreadableSecret, kept });
      case 'logged_in':
        keepSession(request, reply, answer.token);
        if (answer.usedRecoveryCode) {
          leaveNotice(
            reply,
            'Återställningskoden är förbrukad. Skapa nya under Mitt konto när de börjar ta slut.',
          );
        }
        return goOn(request, reply, goTo, kept);
      default:
        return answer satisfies never;
    }
  });
}

/** What is said of a code that does not open, whichever way it failed. */
export const wrongCode =
  'Koden stämmer inte, eller är redan använd. Vänta på nästa kod i appen och försök igen.';

const unreadableSecret =
  'Appens koder kan inte prövas, för servern har inte nyckeln till dem (SECRETS_KEY). Logga in med en återställningskod, eller be den som sköter servern köra huvudbok user totp-off med din adress.';

function beginAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  goTo: string,
  kept?: KeptForm,
): FastifyReply {
  forgetSession(request, reply);
  if (kept) return showLogin(request, reply, { goTo, kept });
  leaveNotice(reply, 'Det gick för lång tid. Logga in med lösenordet igen.');
  return reply.redirect(`/logga-in?till=${encodeURIComponent(ownPath(goTo))}`, 303);
}
