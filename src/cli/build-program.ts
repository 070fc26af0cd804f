/** A command line of groups of commands, as it is talked to: in Swedish, and wrongly called by throwing. */
import { Command } from 'commander';
import { appVersion } from '../lib/version.ts';
import { reportUsage, speakSwedish } from './usage.ts';

/** Adds its commands to a program. */
export type CommandGroup = (program: Command) => void;

/** The command line; wrongly called, its `parseAsync` throws `WrongUsage`. */
export function buildProgram(groups: readonly CommandGroup[]): Command {
  const program = new Command('huvudbok')
    .description('Bokföring i egen drift, med ett öppet HTTP/JSON-API')
    // What stands after a command is that command's: `backup` and `backup verify` both have --json.
    .enablePositionalOptions()
    .version(appVersion, '-v, --version', 'programmets version')
    .helpOption('-h, --help', 'visa hjälp')
    .helpCommand('help [kommando]', 'visa hjälp för ett kommando')
    .configureOutput({ outputError: () => undefined });
  for (const register of groups) register(program);
  speakSwedish(program);
  inheritSettings(program);
  return program;
}

function inheritSettings(command: Command): void {
  reportUsage(command);
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
}
