/** Mitt konto: one's own name, password and sessions. */
import { z } from 'zod';
import { endSessions, type ListedSession, listSessions } from '../../access/sessions/store.ts';
import { changePassword, newPasswordProblems } from '../../access/users/account.ts';
import { passwordMax } from '../../access/users/passwords.ts';
import { countRecoveryCodes } from '../../access/users/second-factor-store.ts';
import { chooseLanguage, getUser, renameSelf } from '../../access/users/store.ts';
import { recordEvent } from '../../audit/store.ts';
import { describeBrowser } from '../../domain/basics/browser.ts';
import { findCompanyName } from '../../installation/setup/store.ts';
import { AppError, type Fault } from '../../lib/errors.ts';
import { type Language, languages } from '../../lib/language.ts';
import { pageProblem } from '../../lib/sentences/say.ts';
import { field, formOf } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { moment } from '../format.ts';
import { choice, optionalText } from '../inputs.ts';
import { keptIn, wayBack } from '../kept-form.ts';
import { passwordView } from '../login-views.ts';
import { ownPath } from '../own-path.ts';
import type { Pages } from '../page.ts';
import type { FormInput, Goto, View, Visit } from '../visit.ts';

const url = '/mitt-konto';
/** As typed: a password is neither trimmed nor judged before it is compared. */
export const password = z
  .string({ error: 'Fyll i fältet.' })
  .min(1, 'Fyll i fältet.')
  .max(passwordMax * 4, `Högst ${passwordMax} tecken.`);

export function registerOwnAccountPages(pages: Pages): void {
  pages.form({
    url,
    changesStored: true,
    right: 'read',
    fields: z.object({ name: optionalText(200) }),
    show: showAccount,
    perform: async ({ tx, person }, { name }) => {
      await renameSelf(tx, name ?? '');
      const { id: subject, actor } = person;
      await recordEvent(tx, { actor, action: 'user.renamed', subject, detail: { name } });
      return { to: url, notice: 'Namnet är sparat.' };
    },
  });
  registerLanguage(pages);
  registerPassword(pages);
  registerSessions(pages);
}

/** Each by its own name. */
const languageNames: Readonly<Record<Language, string>> = { sv: 'Svenska', en: 'English' };

const chosen: Readonly<Record<Language, string>> = {
  sv: 'Allt är nu på svenska.',
  en: 'The menu, and the pages that there are in English, are in English now.',
};

function registerLanguage(pages: Pages): void {
  pages.act({
    url: `${url}/sprak`,
    right: 'read',
    fields: z.object({ language: choice(languages) }),
    show: showAccount,
    perform: async ({ tx, person }, { language }) => {
      const { id: subject, actor } = person;
      if (language !== person.language) {
        await chooseLanguage(tx, language);
        const detail = { language };
        await recordEvent(tx, { actor, action: 'user.language_chosen', subject, detail });
      }
      return { to: url, notice: chosen[language], noticeLanguage: language };
    },
  });
}

async function showAccount(visit: Visit, input: FormInput): Promise<View> {
  const { tx, person, deps } = visit;
  const user = await getUser(tx, person.id);
  const sessions = await listSessions(tx, person.id);
  return {
    template: 'own-account',
    title: 'Mitt konto',
    values: {
      email: user.email,
      role: person.roleName,
      hasSecondFactor: person.hasSecondFactor,
      recoveryCodes: person.hasSecondFactor ? await countRecoveryCodes(tx) : 0,
      sessions: sessions.map((session) => sessionView(session, deps.config.timeZone)),
      hasOthers: sessions.some(({ is_current }) => !is_current),
      form: formOf(input, {
        name: field(input, 'name', 'Namn', {
          value: user.name,
          maxLength: 200,
          autocomplete: 'name',
          help: 'Visas för de andra, och där det står vem som gjort något.',
        }),
        language: field(input, 'language', 'Språk', {
          type: 'select',
          isRequired: true,
          value: person.language,
          options: (['sv', 'en'] as const).map((value) => ({
            value,
            label: languageNames[value],
          })),
        }),
      }),
    },
  };
}

/** A session as people know it: where and with what. */
export const sessionView = (session: ListedSession, timeZone: string) => ({
  id: session.id,
  isCurrent: session.is_current,
  isComplete: session.is_complete,
  address: session.address ?? 'Okänd adress',
  browser: describeBrowser(session.agent),
  agent: session.agent,
  begunAt: moment(session.created_at, timeZone),
  seenAt: moment(session.last_seen_at, timeZone),
});

/** Shows a form again with what was wrong, in a transaction that stays: what was counted is counted. */
export const refused = (to: string, view: View): Goto => ({ to, view: { ...view, status: 422 } });

/** What was refused without being thrown, as a form takes it. Nothing typed is kept: it was secret. */
export const faults = (found: readonly Fault[]): FormInput => ({
  fields: {},
  problems: found.map(pageProblem),
  isSent: true,
});

function registerPassword(pages: Pages): void {
  const passwordUrl = `${url}/losenord`;
  pages.form({
    url: passwordUrl,
    right: 'read',
    allowsTemporaryPassword: true,
    fields: z
      .object({
        password,
        next: password,
        again: password,
        till: z.string().default(''),
        keptUrl: z.string().default(''),
        keptPairs: z.string().default(''),
      })
      .refine(({ next, again }) => next === again, {
        path: ['again'],
        error: 'De två nya är inte lika.',
      }),
    show: async ({ person, query }, input) =>
      passwordView(person, input, wayOn(input.isSent ? input.fields : query)),
    shownPassword: (typed) =>
      newPasswordProblems(typed).length === 0 ? typed.password : undefined,
    perform: async ({ tx, person, passwordTry }, typed) => {
      const { goTo, kept } = wayOn(typed);
      const { email, name } = await getUser(tx, person.id);
      const names = [email, name, (await findCompanyName(tx)) ?? ''];
      const problems = await changePassword(tx, person, passwordTry, { ...typed, names });
      if (problems.length > 0) {
        return refused(passwordUrl, passwordView(person, faults(problems), { goTo, kept }));
      }
      return {
        to: person.passwordIsTemporary ? ownPath(goTo) : url,
        notice: 'Lösenordet är bytt. Du är utloggad överallt utom här.',
        ...(kept && { view: wayBack(kept) }),
      };
    },
  });
}

/** Where they were going, or what they were typing, when a password of their own was asked for. */
const wayOn = (fields: Fields) => ({ goTo: textOf(fields, 'till'), kept: keptIn(fields) });

function registerSessions(pages: Pages): void {
  pages.act({
    url: `${url}/sessioner/andra`,
    right: 'read',
    perform: async ({ tx, person }) => {
      const { id: subject, actor } = person;
      await recordEvent(tx, { actor, action: 'user.sessions_ended', subject });
      const ended = await endSessions(tx, person.id, { but: 'current' });
      const notice =
        ended === 1 ? 'En inloggning är avslutad.' : `${ended} inloggningar är avslutade.`;
      return { to: url, notice };
    },
  });
  pages.act({
    url: `${url}/sessioner/alla`,
    right: 'read',
    perform: async ({ tx, person }) => {
      const { id: subject, actor } = person;
      // First, since nobody is there to write it down afterwards.
      await recordEvent(tx, { actor, action: 'user.sessions_ended', subject });
      await endSessions(tx, person.id);
      return { to: '/logga-in', notice: 'Du är utloggad överallt.', hasGivenUp: true };
    },
  });
  pages.act({
    url: `${url}/sessioner/:id/avsluta`,
    right: 'read',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
    perform: async ({ tx, person, params: { id } }) => {
      const { id: subject, actor } = person;
      await recordEvent(tx, { actor, action: 'user.sessions_ended', subject });
      const ended = await endSessions(tx, person.id, { id });
      if (ended === 0) throw new AppError('not_found', 'Inloggningen är redan avslutad.');
      return { to: url, notice: 'Inloggningen är avslutad.', hasGivenUp: true };
    },
  });
}
