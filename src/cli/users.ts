/** huvudbok user: the people who may log in. */
import type { Command } from 'commander';
import { hashOfPassword, passwordProblem } from '../access/users/passwords.ts';
import { type Role, roleNames, roles } from '../access/users/roles.ts';
import {
  createUser,
  deactivateUser,
  setTemporaryPassword,
  turnOffSecondFactorOf,
} from '../access/users/service.ts';
import { findUserByEmail, listUsers, type User } from '../access/users/store.ts';
import { db, type Tx } from '../db/pool.ts';
import { refuse } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { asOwner, print, readStdin, withPool } from './context.ts';
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
      const password = await readPassword(passwordStdin);
      const passwordHash = await hashOfPassword(password);
      const created = await asOwner((tx) =>
        createUser(tx, { ...options, passwordHash, passwordIsTemporary: false }, actor),
      );
      print(json, created, `${options.email} kan logga in som ${options.role}.`);
    });
  registerUserChanges(user);
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
    .description('sätt ett lösenord som måste bytas vid nästa inloggning')
    .argument('<adress>', 'det användaren loggar in med', email)
    .option('--password-stdin', 'läs lösenordet från standard in')
    .option(...jsonOption)
    .action(
      async (address: string, { json, passwordStdin }: Json & { passwordStdin?: boolean }) => {
        const password = await readPassword(passwordStdin);
        const { id } = await change(address, (tx, found) =>
          setTemporaryPassword(tx, found.id, password, actor),
        );
        print(json, { id }, `${address} loggar in med lösenordet och väljer sedan ett eget.`);
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

/** The password sent on standard input. */
export async function readPassword(isOnStdin: boolean | undefined): Promise<string> {
  if (!isOnStdin) {
    throw new OperatorError(
      'Skicka lösenordet på standard in med --password-stdin, så hamnar det inte i historiken.',
    );
  }
  const password = await readStdin();
  const problem = passwordProblem(password);
  if (problem !== null) throw refuse('unprocessable', [{ path: 'password', ...problem }]);
  return password;
}
