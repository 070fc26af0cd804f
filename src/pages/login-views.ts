/** The pages of logging in, which carry what somebody had typed when they turned out to be logged out. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { passwordMin } from '../access/users/passwords.ts';
import { field, formOf } from './fields.ts';
import type { KeptForm } from './form-fields.ts';
import { answerView } from './frame.ts';
import { carried } from './kept-form.ts';
import type { Person } from './person.ts';
import { type FormInput, nothingTyped, type View } from './visit.ts';

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

/** A password that somebody else has given is changed before anything else: the last step of such a log-in. */
export function showNewPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  person: Person,
  kept: KeptForm,
): FastifyReply {
  return answerView(request, reply, passwordView(person, nothingTyped, { goTo: '', kept }));
}

export const passwordView = (
  { passwordIsTemporary: isTemporary, email }: Person,
  input: FormInput,
  { goTo, kept }: { readonly goTo: string; readonly kept: KeptForm | undefined },
): View => ({
  template: 'password',
  title: isTemporary ? 'Välj ett eget lösenord' : 'Byt lösenord',
  values: {
    isTemporary,
    email,
    till: goTo,
    ...carried(kept),
    form: formOf(input, {
      password: field(
        input,
        'password',
        isTemporary ? 'Lösenordet du fick' : 'Nuvarande lösenord',
        {
          type: 'password',
          isRequired: true,
          isFirst: true,
          autocomplete: 'current-password',
        },
      ),
      next: field(input, 'next', 'Nytt lösenord', {
        type: 'password',
        isRequired: true,
        autocomplete: 'new-password',
        help: `Minst ${passwordMin} tecken. Gärna flera ord som bara du sätter samman.`,
      }),
      again: field(input, 'again', 'Nytt lösenord en gång till', {
        type: 'password',
        isRequired: true,
        autocomplete: 'new-password',
      }),
    }),
  },
});
