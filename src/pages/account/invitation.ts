/**
 * What the link of an invitation opens: its user chooses a password of their own, and is logged in with it. A link that
 * opens nothing is told the same whatever is wrong with it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hashOfSecret } from '../../access/keys/secrets.ts';
import { findInvitation, type Invited } from '../../access/users/invitation-store.ts';
import { acceptInvitation } from '../../access/users/invitations.ts';
import { passwordMin, passwordProblem } from '../../access/users/passwords.ts';
import { db, type Pool } from '../../db/pool.ts';
import { cookieAt } from '../../http/headers.ts';
import { addressOf } from '../../http/transport.ts';
import { findCompanyName } from '../../installation/setup/store.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { answerView } from '../frame.ts';
import { formProblems } from '../inputs.ts';
import { fieldsOf, type Pages, problemsIn, refusalOf } from '../page.ts';
import {
  cookieOptions,
  keepSession,
  requireFormToken,
  requireOwnBrowser,
  sessionOf,
} from '../person.ts';
import { type FormInput, nothingTyped } from '../visit.ts';
import { waitingText } from './login.ts';
import { password } from './own-account.ts';

const invitationCookie = '__Host-huvudbok-invitation';
const secretForm = /^[\w-]{43}$/;
const url = '/inbjudan';

const fields = z
  .object({ next: password, again: password })
  .refine(({ next, again }) => next === again, {
    path: ['again'],
    error: 'De två är inte lika.',
  });

export function registerInvitation({ app, deps }: Pages): void {
  const pool = deps.appPool;

  app.get(url, { schema: { hide: true } }, async (request, reply) => {
    const { nyckel } = request.query as { nyckel?: unknown };
    const given = nyckel === undefined ? keptSecret(request) : String(nyckel);
    const found = await lookUp(pool, request, reply, given);
    if (!found) return reply;
    if (nyckel === undefined) return showForm(pool, request, reply, found.invited, nothingTyped);
    // Out of the address, where it would be seen and kept.
    reply.setCookie(cookieAt(request, invitationCookie), found.secret, cookieOptions);
    return reply.redirect(url, 303);
  });

  // Before a byte of the form is read.
  const onRequest = async (request: FastifyRequest) => requireOwnBrowser(request);

  app.post(url, { schema: { hide: true }, onRequest }, async (request, reply) => {
    const typed = fieldsOf(request);
    requireFormToken(request, textOf(typed, '_csrf'));
    const found = await lookUp(pool, request, reply, keptSecret(request));
    if (!found) return reply;
    const { email, name } = found.invited;
    try {
      const accepted = await acceptInvitation(pool, {
        invitation: hashOfSecret(found.secret),
        password: chosenIn(typed, [email, name, (await findCompanyName(db(pool))) ?? '']),
        address: addressOf(request),
        agent: request.headers['user-agent'] ?? '',
        requestId: request.id,
        previous: sessionOf(request),
      });
      if (accepted.outcome === 'refused') return turnAway(request, reply);
      reply.clearCookie(cookieAt(request, invitationCookie), cookieOptions);
      keepSession(request, reply, accepted.token);
      return reply.redirect(
        accepted.outcome === 'second_factor' ? '/logga-in/kod' : '/oversikt',
        303,
      );
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      reply.code(refusal.status);
      // Nothing typed is shown again: it was secret.
      const input = { fields: {}, problems: problemsIn(refusal), isSent: true };
      return showForm(pool, request, reply, found.invited, input);
    }
  });
}

const keptSecret = (request: FastifyRequest): string =>
  request.cookies[cookieAt(request, invitationCookie)] ?? '';

/** The password that was chosen; refuses (400, 422) what is none. */
function chosenIn(typed: Record<string, unknown>, names: readonly string[]): string {
  const read = fields.safeParse(typed);
  if (!read.success) throw refuse('invalid_request', formProblems(read.error.issues));
  const fault = passwordProblem(read.data.next, names);
  if (fault) throw refuse('unprocessable', [{ path: 'next', ...fault }]);
  return read.data.next;
}

/** Whom the secret lets in; undefined once whoever has none that does has been answered. */
async function lookUp(
  pool: Pool,
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
): Promise<{ readonly secret: string; readonly invited: Invited } | undefined> {
  const { secondsLeft, invited } = await findInvitation(
    db(pool),
    hashOfSecret(secretForm.test(secret) ? secret : ''),
    addressOf(request),
  );
  if (secondsLeft > 0) {
    throw new AppError('rate_limited', waitingText(secondsLeft), {
      headers: { 'retry-after': String(secondsLeft) },
    });
  }
  if (invited) return { secret, invited };
  turnAway(request, reply);
  return undefined;
}

function turnAway(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.clearCookie(cookieAt(request, invitationCookie), cookieOptions);
  return answerView(request, reply, {
    template: 'invitation-closed',
    title: 'Länken gäller inte',
    values: {},
    status: 410,
  });
}

async function showForm(
  pool: Pool,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, name }: Invited,
  input: FormInput,
): Promise<FastifyReply> {
  const secret = { type: 'password', isRequired: true, autocomplete: 'new-password' } as const;
  return answerView(request, reply, {
    template: 'invitation',
    title: 'Välj ditt lösenord',
    status: reply.statusCode,
    values: {
      email,
      name,
      company: (await findCompanyName(db(pool))) ?? null,
      form: formOf(input, {
        next: field(input, 'next', 'Lösenord', {
          ...secret,
          isFirst: true,
          help: `Minst ${passwordMin} tecken. Gärna flera ord som bara du sätter samman.`,
        }),
        again: field(input, 'again', 'Lösenordet en gång till', secret),
      }),
    },
  });
}
