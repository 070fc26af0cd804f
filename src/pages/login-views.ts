/** The two pages of logging in, which carry what somebody had typed when they turned out to be logged out. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeptForm } from './form-fields.ts';
import { answerView } from './frame.ts';
import { carried } from './kept-form.ts';

interface LoginValues {
  readonly goTo?: string;
  readonly error?: string | null;
  readonly kept?: KeptForm | undefined;
}

export function showLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  { email = '', goTo = '', error = null, kept }: LoginValues & { readonly email?: string },
): FastifyReply {
  return answerView(request, reply, {
    template: 'login',
    title: 'Logga in',
    values: { email, goTo, error, ...carried(kept) },
    status: reply.statusCode,
  });
}

export function showCode(
  request: FastifyRequest,
  reply: FastifyReply,
  { goTo = '', error = null, kept }: LoginValues,
): FastifyReply {
  return answerView(request, reply, {
    template: 'login-code',
    title: 'Ange koden',
    values: { goTo, error, ...carried(kept) },
    status: reply.statusCode,
  });
}
