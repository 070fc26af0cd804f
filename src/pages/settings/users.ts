/**
 * Inställningar › Användare. Owners look after everybody; administrators see who there is, and give those who may
 * less than they new links and passwords. Whoever is let in chooses a password of their own by a link.
 */
import { z } from 'zod';
import { endSessions, listSessions } from '../../access/sessions/store.ts';
import { type Invitation, inviteUser, withdrawInvitation } from '../../access/users/invitations.ts';
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
import { invitingSender, mailInvitation } from '../../installation/invitations/mail.ts';
import { AppError } from '../../lib/errors.ts';
import type { Sender } from '../../sales/mail/seller.ts';
import { findSeller } from '../../sales/mail/store.ts';
import { sessionView } from '../account/own-account.ts';
import { field, formOf } from '../fields.ts';
import { moment } from '../format.ts';
import { choice, email, optionalText, ticked, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { Person } from '../person.ts';
import type { FormInput, Goto, View, Visit } from '../visit.ts';

const url = '/installningar/anvandare';
const params = z.object({ id: uuid });
type UserVisit = Visit<{ id: string }>;
const fields = z.object({ email, name: optionalText(200), role: choice(roles) });
/** Whether the link is mailed as well as shown. */
const mailed = z.object({ mail: ticked });

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
    fields: fields.extend(mailed.shape),
    show: async (visit, input) => userForm(input, { sender: await senderFor(visit) }),
    perform: async (visit, { email: address, name, role, mail }) => {
      const user = { email: address, name: name ?? '', role };
      const { id } = await createUser(
        visit.tx,
        { ...user, passwordHash: null, passwordIsTemporary: false },
        visit.person.actor,
      );
      return invite(visit, { id, ...user }, mail);
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

/** Whom an invitation would be mailed from; undefined when this installation mails nothing. */
const senderFor = async ({ tx, deps }: Visit<unknown>): Promise<Sender | undefined> =>
  invitingSender(deps.config, await findSeller(tx));

/** A link that is shown once, and mailed when that is asked for and mail is set up. */
async function invite(
  visit: Visit<unknown>,
  user: Pick<User, 'id' | 'email' | 'name'>,
  isMailed: boolean,
): Promise<Goto> {
  const { tx, person, deps } = visit;
  const invitation = await inviteUser(tx, user, person.actor, deps.config.baseUrl);
  const sender = isMailed ? await senderFor(visit) : undefined;
  const mail = sender && { sender, to: user, inviter: person.name, invitation };
  return {
    to: `${url}/${user.id}`,
    view: invitationView(user, invitation, deps.config.timeZone),
    ...(mail && {
      afterwards: async () => {
        const fault = await mailInvitation(deps.config, mail);
        return { isMailed: fault === null, fault };
      },
    }),
  };
}

const invitationView = (
  { email: address, name }: Pick<User, 'email' | 'name'>,
  { link, expiresAt, isLocal }: Invitation,
  timeZone: string,
): View => ({
  template: 'user-invitation',
  title: 'Inbjudan',
  values: {
    name: name || address,
    email: address,
    link,
    expiresAt: moment(expiresAt, timeZone),
    isLocal,
    isMailed: false,
    fault: null,
  },
});

/** Shown once: whoever created it tells it to the user, who must choose another at once. */
const passwordShown = (
  { id, email: address, name }: Pick<User, 'id' | 'email' | 'name'>,
  password: string,
): Goto => ({
  to: `${url}/${id}`,
  view: {
    template: 'user-password',
    title: 'Tillfälligt lösenord',
    values: { name: name || address, email: address, password },
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
      return passwordShown(user, password);
    },
  });

  pages.act({
    url: `${url}/:id/inbjudan`,
    right: 'administer',
    params,
    fields: mailed,
    show: showUser,
    perform: async (visit, { mail }) =>
      invite(visit, await getUser(visit.tx, visit.params.id), mail),
  });

  pages.act({
    url: `${url}/:id/inbjudan/dra-tillbaka`,
    right: 'administer',
    params,
    show: showUser,
    perform: async ({ tx, person, params: { id } }) => {
      const user = await getUser(tx, id);
      await withdrawInvitation(tx, user, person.actor);
      return {
        to: `${url}/${id}`,
        notice: `Länken till ${user.name || user.email} öppnar ingenting mer.`,
      };
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

/** How somebody gets in: by their own password, by one that is to be changed, by a link, or not yet. */
function loginView(user: User, { deps }: Visit<unknown>) {
  const at = (time: Date | null): string | null => time && moment(time, deps.config.timeZone);
  return {
    passwordIsTemporary: user.password_is_temporary,
    passwordUntil: at(user.password_expires_at),
    passwordIsOver: user.password_is_over,
    hasPassword: user.has_password,
    invitedUntil: at(user.invitation_expires_at),
    invitationIsOver: user.invitation_is_over,
  };
}

const userView = (user: User, visit: Visit<unknown>) => ({
  id: user.id,
  email: user.email,
  name: user.name || user.email,
  hasName: user.name !== '',
  role: roleNames[user.role],
  isActive: user.deactivated_at === null,
  lastLogin: user.last_login_at && moment(user.last_login_at, visit.deps.config.timeZone),
  ...loginView(user, visit),
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
  const sender = await senderFor(visit);
  const { values } = userForm(input, { user, sender });
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

function userForm(
  input: FormInput,
  { user, sender }: { readonly user?: User; readonly sender: Sender | undefined },
): View {
  return {
    template: 'user-new',
    title: 'Ny användare',
    values: {
      canMail: sender !== undefined,
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
        mail: field(input, 'mail', 'Mejla länken till användaren', {
          type: 'checkbox',
          value: 'on',
          help: `Från ${sender?.address ?? ''}. Länken visas här också.`,
        }),
      }),
    },
  };
}
