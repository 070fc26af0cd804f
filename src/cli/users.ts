/** huvudbok user: the people who may log in. */
import type { Command } from 'commander';
import { OperatorError } from '../operator-error.ts';
import { hashOfPassword, passwordProblem } from '../users/passwords.ts';
import { type Role, roles } from '../users/roles.ts';
import { createUser } from '../users/service.ts';
import { asOwner, print, readStdin } from './context.ts';
import { ACTOR, email, type Json, jsonOption, role, text } from './options.ts';

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
    .requiredOption('--role <roll>', roles.join(', '), role)
    .option('--name <namn>', 'användarens namn', text(200), '')
    .option('--password-stdin', 'läs lösenordet från standard in')
    .option(...jsonOption)
    .action(async ({ json, passwordStdin, ...options }: UserOptions) => {
      const password = await readPassword(passwordStdin);
      const passwordHash = await hashOfPassword(password);
      const created = await asOwner((tx) =>
        createUser(tx, { ...options, passwordHash, passwordIsTemporary: false }, ACTOR),
      );
      print(json, created, `${options.email} kan logga in som ${options.role}.`);
    });
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
  if (problem !== null) throw new OperatorError(problem);
  return password;
}
