/** huvudbok user: the people who may log in. */
import type { Command } from 'commander';
import { inviteUser } from '../access/users/invitations.ts';
import { hashOfPassword, passwordProblem } from '../access/users/passwords.ts';
import { type Role, roleNames, roles } from '../access/users/roles.ts';
import {
  createUser,
  deactivateUser,
  setTemporaryPassword,
  turnOffSecondFactorOf,
} from '../access/users/service.ts';
import { findUserByEmail, listUsers, type User } from '../access/users/store.ts';
import { loadProcessConfig } from '../config/config.ts';
import { db, type Tx } from '../db/pool.ts';
import { invitingSender, mailInvitation } from '../installation/invitations/mail.ts';
import { momentOf } from '../lib/clock.ts';
import { refuse } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { findSeller } from '../sales/mail/store.ts';
import { asOwner, note, print, readStdin, withPool } from './context.ts';
import { actor, email, type Json, jsonOption, text, word } from './options.ts';
import { when } from './words.ts';

interface UserOptions extends Json {
  email: string;
  name: string;
  role: Role;
  passwordStdin?: boolean;
}

export function registerUsers(program: Command): void {
  const user = program.command('user').description('de som loggar in');
  user
    .command('create')
    .description('lägg upp en användare')
    .requiredOption('--email <adress>', 'det användaren loggar in med', email)
    .requiredOption('--role <roll>', roles.join(', '), word(roles))
    .option('--name <namn>', 'användarens namn', text(200), '')
    .option('--password-stdin', 'läs lösenordet från standard in')
    .option(...jsonOption)
    .action(async ({ json, passwordStdin, ...options }: UserOptions) => {
      const password = await readPassword(passwordStdin, [options.email, options.name]);
      const passwordHash = await hashOfPassword(password);
      const created = await asOwner((tx) =>
        createUser(tx, { ...options, passwordHash, passwordIsTemporary: false }, actor),
      );
      print(json, created, `${options.email} kan logga in som ${options.role}.`);
    });
  registerInvite(user);
  registerUserChanges(user);
}

interface InviteOptions extends Json {
  role?: Role;
  name?: string;
  mail?: boolean;
}

function registerInvite(user: Command): void {
  user
    .command('invite')
    .description(
      'ge en användare, ny eller gammal, en länk att välja lösenord med; den gäller i sju dagar',
    )
    .argument('<adress>', 'det användaren loggar in med', email)
    .option('--role <roll>', `för en ny användare: ${roles.join(', ')}`, word(roles))
    .option('--name <namn>', 'en ny användares namn', text(200))
    .option('--mail', 'mejla länken till adressen också (SMTP_URL)')
    .option(...jsonOption)
    .action(async (address: string, { json, mail = false, ...isNew }: InviteOptions) => {
      const config = loadProcessConfig();
      const {
        user: invited,
        invitation,
        sender,
      } = await asOwner(async (tx) => {
        const found = await invitedUser(tx, address, isNew);
        const from = mail ? invitingSender(config, await findSeller(tx)) : undefined;
        if (mail && !from) {
          throw new OperatorError(
            'Inget kan mejlas: sätt SMTP_URL, och MAIL_FROM eller företagets e-postadress. Ingen är inbjuden.',
          );
        }
        return {
          user: found,
          invitation: await inviteUser(tx, found, actor, config.baseUrl),
          sender: from,
        };
      });
      const { link, expiresAt, isLocal } = invitation;
      const fault =
        sender &&
        (await mailInvitation(config, { sender, to: invited, inviter: null, invitation }));
      if (isLocal) {
        note(
          'Länken fungerar bara på datorn som Huvudbok går på. För andra datorer: sätt BASE_URL till adressen som de når Huvudbok på, och gör en ny länk.',
        );
      }
      if (fault) note(`Länken blev inte mejlad. ${fault} Lämna den på annat sätt.`);
      print(
        json,
        { id: invited.id, link, expiresAt, isMailed: fault === null },
        `${fault === null ? `Mejlad till ${address}. ` : ''}Länken fungerar en gång, till ${momentOf(expiresAt, config.timeZone)}:\n\n  ${link}\n`,
      );
    });
}

/** Whoever has the address; whoever has none is made a user of the role. */
async function invitedUser(
  tx: Tx,
  address: string,
  { role, name }: Pick<InviteOptions, 'role' | 'name'>,
): Promise<Pick<User, 'id' | 'email' | 'name'>> {
  const found = await findUserByEmail(tx, address);
  if (found && (role !== undefined || name !== undefined)) {
    throw new OperatorError(
      `${address} är redan användare; utan --role och --name ges en ny länk.`,
    );
  }
  if (found) return found;
  if (role === undefined) {
    throw new OperatorError(`${address} är ingen användare än; säg vilken roll med --role.`);
  }
  const user = { email: address, name: name ?? '', role };
  const created = await createUser(
    tx,
    { ...user, passwordHash: null, passwordIsTemporary: false },
    actor,
  );
  return { ...created, ...user };
}

function registerUserChanges(user: Command): void {
  user
    .command('list')
    .description('visa alla användare')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const users = await withPool((pool) => listUsers(db(pool)));
      print(json, users, users.map(line).join('\n') || 'Det finns inga användare.');
    });

  user
    .command('password')
    .description('sätt ett lösenord som måste bytas vid nästa inloggning, inom sju dagar')
    .argument('<adress>', 'det användaren loggar in med', email)
    .option('--password-stdin', 'läs lösenordet från standard in')
    .option(...jsonOption)
    .action(
      async (address: string, { json, passwordStdin }: Json & { passwordStdin?: boolean }) => {
        const password = await readPassword(passwordStdin, [address]);
        const { id } = await change(address, (tx, found) =>
          setTemporaryPassword(tx, found.id, password, actor),
        );
        print(
          json,
          { id },
          `${address} loggar in med lösenordet inom sju dagar och väljer sedan ett eget.`,
        );
      },
    );

  user
    .command('deactivate')
    .description('stäng ute en användare; verkar genast')
    .argument('<adress>', 'det användaren loggar in med', email)
    .option(...jsonOption)
    .action(async (address: string, { json }: Json) => {
      const { id } = await change(address, (tx, found) => deactivateUser(tx, found, actor));
      print(json, { id, deactivated: true }, `${address} är avstängd och utloggad överallt.`);
    });

  user
    .command('totp-off')
    .description('stäng av det andra steget för den som tappat telefon och koder')
    .argument('<adress>', 'det användaren loggar in med', email)
    .option(...jsonOption)
    .action(async (address: string, { json }: Json) => {
      const { id } = await change(address, async (tx, found) => {
        const wasOn = await turnOffSecondFactorOf(tx, found, actor);
        if (!wasOn) throw new OperatorError(`${address} har inget andra steg.`);
      });
      print(json, { id }, `Det andra steget är avstängt för ${address}.`);
    });
}

/** Does something with the user of an address, who must exist. */
function change(address: string, work: (tx: Tx, user: User) => Promise<void>): Promise<User> {
  return asOwner(async (tx) => {
    const user = await findUserByEmail(tx, address);
    if (!user)
      throw new OperatorError(`Det finns ingen användare ${address}; se huvudbok user list.`);
    await work(tx, user);
    return user;
  });
}

function line(user: User): string {
  const state = user.deactivated_at ? `avstängd ${when(user.deactivated_at)}` : 'aktiv';
  const factor = user.has_second_factor ? '  andra steget på' : '';
  return `${user.id}  ${user.email}  ${roleNames[user.role]}  ${state}${factor}`;
}

/** The password sent on standard input, of whoever has these names. */
export async function readPassword(
  isOnStdin: boolean | undefined,
  names: readonly string[],
): Promise<string> {
  if (!isOnStdin) {
    throw new OperatorError(
      'Skicka lösenordet på standard in med --password-stdin, så hamnar det inte i historiken.',
    );
  }
  const password = await readStdin();
  const problem = passwordProblem(password, names);
  if (problem !== null) throw refuse('unprocessable', [{ path: 'password', ...problem }]);
  return password;
}
