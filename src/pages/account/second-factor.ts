/** The second step of one's own log-in: on, off, and new recovery codes. */
import { z } from 'zod';
import {
  addSecondFactor,
  type CodesOrProblems,
  dropSecondFactor,
  replaceRecoveryCodes,
} from '../../access/users/account.ts';
import { createTotpSecret, qrCodeOf, readTotpSecret } from '../../access/users/second-factor.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import type { Pages } from '../page.ts';
import type { FormInput, Goto, View, Visit } from '../visit.ts';
import { faults, password, refused } from './own-account.ts';

const url = '/mitt-konto/andra-steget';
const code = z.string({ error: 'Fyll i fältet.' }).trim().min(1, 'Fyll i fältet.').max(60);
const proof = z.object({ password, code });
const shownPassword = (typed: { readonly password: string }): string => typed.password;

export function registerSecondFactorPages(pages: Pages): void {
  const onUrl = `${url}/pa`;
  pages.form({
    url: onUrl,
    right: 'read',
    fields: proof.extend({ secret: z.string() }),
    show: async (visit, input) => turnOnForm(visit, input, textOf(input.fields, 'secret')),
    shownPassword,
    perform: async (visit, typed) => {
      const { tx, person, passwordTry } = visit;
      return codesOr(
        await addSecondFactor(tx, person, passwordTry, typed, ground(visit)),
        (input) => refused(onUrl, turnOnForm(visit, input, typed.secret)),
      );
    },
  });
  const offUrl = `${url}/av`;
  pages.form({
    url: offUrl,
    right: 'read',
    fields: proof,
    show: async (_visit, input) => turnOffForm(input),
    shownPassword,
    perform: async (visit, typed) => {
      const { tx, person, passwordTry } = visit;
      const problems = await dropSecondFactor(tx, person, passwordTry, typed.code, ground(visit));
      if (problems.length > 0) return refused(offUrl, turnOffForm(faults(problems)));
      return { to: '/mitt-konto', notice: 'Det andra steget är avstängt.' };
    },
  });
  const codesUrl = `${url}/koder`;
  pages.form({
    url: codesUrl,
    right: 'read',
    fields: proof,
    show: async (_visit, input) => renewForm(input),
    shownPassword,
    perform: async (visit, typed) => {
      const { tx, person, passwordTry } = visit;
      const answer = await replaceRecoveryCodes(tx, person, passwordTry, typed.code, ground(visit));
      return codesOr(answer, (input) => refused(codesUrl, renewForm(input)));
    },
  });
}

const ground = ({ deps }: Visit) => ({ keyring: deps.config.keyring, now: deps.clock.now() });

function codesOr(answer: CodesOrProblems, refuse: (input: FormInput) => Goto): Goto {
  if ('problems' in answer) return refuse(faults(answer.problems));
  return {
    to: '/mitt-konto',
    view: {
      template: 'recovery-codes',
      title: 'Återställningskoder',
      values: { codes: answer.codes.join('\n') },
    },
  };
}

const passwordField = (input: FormInput) =>
  field(input, 'password', 'Ditt lösenord', {
    type: 'password',
    isRequired: true,
    autocomplete: 'current-password',
  });

const codeField = (input: FormInput, help: string) =>
  field(input, 'code', 'Kod', {
    isRequired: true,
    autocomplete: 'one-time-code',
    maxLength: 30,
    help,
  });

/** A secret that was shown is kept while the form is sent again: the device has it already. */
function turnOnForm({ person, deps }: Visit, input: FormInput, typed: string): View {
  const secret = readTotpSecret(typed) ? typed : createTotpSecret();
  const { email, company } = person;
  return {
    template: 'second-factor-on',
    title: 'Slå på det andra steget',
    values: {
      isOn: person.hasSecondFactor,
      canBeKept: deps.config.keyring !== undefined,
      secret,
      shownSecret: (secret.match(/.{1,4}/g) ?? []).join(' '),
      picture: {
        label: 'QR-kod med hemligheten som står här under',
        ...qrCodeOf(secret, { email, issuer: `Huvudbok ${company}`.trim() }),
      },
      form: formOf(input, {
        code: codeField(input, 'De sex siffror som appen visar nu.'),
        password: passwordField(input),
      }),
    },
  };
}

const eitherCode = 'Sex siffror ur appen, eller en återställningskod.';

const turnOffForm = (input: FormInput): View => ({
  template: 'second-factor-change',
  title: 'Stäng av det andra steget',
  values: {
    lead: 'Efteråt räcker lösenordet för att logga in, och återställningskoderna gäller inte mer.',
    isRemoving: true,
    button: 'Stäng av',
    form: formOf(input, { password: passwordField(input), code: codeField(input, eitherCode) }),
  },
});

const renewForm = (input: FormInput): View => ({
  template: 'second-factor-change',
  title: 'Nya återställningskoder',
  values: {
    lead: 'Tio nya koder visas en enda gång. De gamla slutar gälla.',
    isRemoving: false,
    button: 'Skapa nya koder',
    form: formOf(input, { password: passwordField(input), code: codeField(input, eitherCode) }),
  },
});
