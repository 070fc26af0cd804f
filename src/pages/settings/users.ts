/**
 * Inställningar › Användare. Owners look after everybody; administrators see who there is, and give new
 * passwords to those who may less than they.
 */
import { z } from 'zod';
import { endSessions, listSessions } from '../../access/sessions/store.ts';
import { createTemporaryPassword, hashOfPassword } from '../../access/users/passwords.ts';
import { mayDo, roleHelp, roleNames, roles } from '../../access/users/roles.ts';
import {
  changeUser,
  createUser,
  deactivateUser,
  reactivateUser,
  resetPassword,
  turnOffSecondFactorOf,
} from '../../access/users/service.ts';
import { getUser, listUsers, type User } from '../../access/users/store.ts';
import { recordEvent } from '../../audit/store.ts';
import { AppError } from '../../lib/errors.ts';
import { sessionView } from '../account/own-account.ts';
import { field, formOf } from '../fields.ts';
import { moment } from '../format.ts';
import { choice, email, optionalText, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { Person } from '../person.ts';
import type { FormInput, Goto, View, Visit } from '../visit.ts';

const url = '/installningar/anvandare';
const params = z.object({ id: uuid });
type UserVisit = Visit<{ id: string }>;
const fields = z.object({ email, name: optionalText(200), role: choice(roles) });

export function registerUserPages(pages: Pages): void {
  pages.show({
    url,
    right: 'administer',
    show: async (visit) => ({
      template: 'users',
      title: 'Användare',
      values: {
        users: (await listUsers(visit.tx)).map((user) => ({
          ...userView(user, visit),
          isSelf: user.id === visit.person.id,
          mayOpen: mayReset(visit.person, user),
        })),
      },
    }),
  });

  pages.form({
    url: `${url}/ny`,
    right: 'own',
    fields,
    show: async (_visit, input) => userForm(input),
    perform: async ({ tx, person }, { email: address, name, role }) => {
      const password = createTemporaryPassword();
      const passwordHash = await hashOfPassword(password);
      const { id } = await createUser(
        tx,
        { email: address, name: name ?? '', role, passwordHash, passwordIsTemporary: true },
        person.actor,
      );
      return passwordShown({ id, email: address, name: name ?? '' }, password, true);
    },
  });

  pages.form({
    url: `${url}/:id`,
    changesStored: true,
    right: 'administer',
    params,
    fields,
    show: showUser,
    perform: async ({ tx, person, params: { id } }, values) => {
      if (!person.may('own')) {
        throw new AppError('forbidden', 'Bara ägare ändrar användare.');
      }
      const user = await getUser(tx, id);
      await changeUser(tx, user, { ...values, name: values.name ?? '' }, person.actor);
      const isSelf = id === person.id;
      return {
        // Whoever has made themselves less may not see the users any more.
        to: isSelf && !mayDo(values.role, 'administer') ? '/oversikt' : url,
        notice: isSelf
          ? `Du är sparad, med rollen ${roleNames[values.role]}.`
          : `${values.name ?? values.email} är sparad.`,
        hasGivenUp: isSelf,
      };
    },
  });
  registerUserActions(pages);
}

/** Who may be given a new password by whom; the database asks the same. */
const mayReset = (person: Person, { role }: User): boolean =>
  person.may('own') || (person.may('administer') && !mayDo(role, 'administer'));

/** Shown once: whoever created it tells it to the user, who must choose another at once. */
const passwordShown = (
  { id, email: address, name }: Pick<User, 'id' | 'email' | 'name'>,
  password: string,
  isNew: boolean,
): Goto => ({
  to: `${url}/${id}`,
  view: {
    template: 'user-password',
    title: 'Tillfälligt lösenord',
    values: { name: name || address, email: address, password, isNew },
  },
});

function registerUserActions(pages: Pages): void {
  pages.act({
    url: `${url}/:id/losenord`,
    right: 'administer',
    params,
    perform: async ({ tx, person, params: { id } }) => {
      const user = await getUser(tx, id);
      const { password } = await resetPassword(tx, user, person.actor);
      return passwordShown(user, password, false);
    },
  });

  const actions: readonly {
    readonly path: string;
    readonly does: (visit: UserVisit, user: User) => Promise<string>;
  }[] = [
    {
      path: 'stang-av',
      does: async ({ tx, person }, user) => {
        await deactivateUser(tx, user, person.actor);
        return `${user.name || user.email} är avstängd och utloggad överallt.`;
      },
    },
    {
      path: 'slapp-in',
      does: async ({ tx, person }, user) => {
        await reactivateUser(tx, user, person.actor);
        return `${user.name || user.email} får logga in igen.`;
      },
    },
    {
      path: 'andra-steget',
      does: async ({ tx, person }, user) => {
        await turnOffSecondFactorOf(tx, user, person.actor);
        return `Det andra steget är avstängt för ${user.name || user.email}.`;
      },
    },
    {
      path: 'logga-ut',
      does: async ({ tx, person }, user) => {
        const { actor } = person;
        await recordEvent(tx, { actor, action: 'user.sessions_ended', subject: user.id });
        await endSessions(tx, user.id);
        return `${user.name || user.email} är utloggad överallt.`;
      },
    },
  ];
  for (const { path, does } of actions) {
    pages.act({
      url: `${url}/:id/${path}`,
      right: 'own',
      params,
      show: showUser,
      perform: async (visit) => {
        const { id } = visit.params;
        const notice = await does(visit, await getUser(visit.tx, id));
        return { to: `${url}/${id}`, notice, hasGivenUp: id === visit.person.id };
      },
    });
  }
}

const userView = (user: User, { deps }: Visit<unknown>) => ({
  id: user.id,
  email: user.email,
  name: user.name || user.email,
  hasName: user.name !== '',
  role: roleNames[user.role],
  isActive: user.deactivated_at === null,
  lastLogin: user.last_login_at && moment(user.last_login_at, deps.config.timeZone),
  passwordIsTemporary: user.password_is_temporary,
  hasSecondFactor: user.has_second_factor,
});

async function showUser(visit: UserVisit, input: FormInput): Promise<View> {
  const {
    tx,
    person,
    params: { id },
    deps,
  } = visit;
  const user = await getUser(tx, id);
  const sessions = person.may('own') ? await listSessions(tx, id) : [];
  const { values } = userForm(input, user);
  return {
    template: 'user',
    title: user.name || user.email,
    values: {
      ...values,
      user: userView(user, visit),
      isSelf: id === person.id,
      mayReset: mayReset(person, user),
      sessions: sessions.map((session) => sessionView(session, deps.config.timeZone)),
    },
  };
}

function userForm(input: FormInput, user?: User): View {
  return {
    template: 'user-new',
    title: 'Ny användare',
    values: {
      form: formOf(input, {
        email: field(input, 'email', 'E-postadress', {
          type: 'email',
          isRequired: true,
          isFirst: !input.isSent && user === undefined,
          maxLength: 320,
          value: user?.email ?? '',
          help: 'Det användaren loggar in med.',
        }),
        name: field(input, 'name', 'Namn', { maxLength: 200, value: user?.name ?? '' }),
        role: field(input, 'role', 'Roll', {
          type: 'radios',
          value: user?.role ?? 'medarbetare',
          options: roles.map((role) => ({
            value: role,
            label: roleNames[role],
            help: roleHelp[role],
          })),
        }),
      }),
    },
  };
}
