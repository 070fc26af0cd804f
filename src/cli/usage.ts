/** Help and complaints in Swedish: commander speaks English by itself. */
import type { Command, CommanderError } from 'commander';

const titles: Record<string, string> = {
  'Usage:': 'Användning:',
  'Arguments:': 'Argument:',
  'Options:': 'Flaggor:',
  'Commands:': 'Kommandon:',
};

export function speakSwedish(program: Command): void {
  program.configureHelp({
    styleTitle: (title) => titles[title] ?? title,
    styleUsage: (usage) =>
      usage.replace('[options]', '[flaggor]').replace('[command]', '[kommando]'),
    styleSubcommandTerm: (term) => term.replace('[options]', '[flaggor]'),
    optionDescription: ({ description, defaultValue }) =>
      [undefined, ''].includes(defaultValue)
        ? description
        : `${description} (${defaultValue} om inget anges)`,
  });
}

const sentences: Record<string, (name: string, reason: string) => string> = {
  'commander.unknownCommand': (name) => `Det finns inget kommando ${name}.`,
  'commander.unknownOption': (name) => `Det finns ingen flagga ${name}.`,
  'commander.missingMandatoryOptionValue': (name) => `Flaggan ${name} måste anges.`,
  'commander.optionMissingArgument': (name) => `Flaggan ${name} behöver ett värde.`,
  'commander.missingArgument': (name) => `Argumentet <${name}> saknas.`,
  'commander.excessArguments': () => 'Det är för många argument.',
  'commander.invalidArgument': (name, reason) => `${name} går inte att använda. ${reason}`,
};

/** Which command commander stopped, and why; asking for help or the version is no fault. */
export class WrongUsage extends Error {
  readonly code: string;
  readonly isFault: boolean;
  readonly command: Command;

  constructor({ code, exitCode, message }: CommanderError, command: Command) {
    super(message);
    this.code = code;
    this.isFault = exitCode !== 0;
    this.command = command;
  }
}

/** Lets a command throw `WrongUsage` where commander would end the process. */
export function reportUsage(command: Command): void {
  command.exitOverride((error) => {
    throw new WrongUsage(error, command);
  });
}

/** What commander found wrong with the words typed, what was meant perhaps, and whose help tells more. */
export function explainUsage({ code, message, command }: WrongUsage): string {
  if (code === 'commander.help') return 'Välj ett kommando ovan.';
  const argument = /for argument '([^']*)'\. (.*)$/s.exec(message);
  const option = /option '([^']*)' argument .* is invalid\. (.*)$/s.exec(message);
  const [, name = /'([^']*)'/.exec(message)?.[1] ?? '', reason = ''] = argument ?? option ?? [];
  const [, several, meant] = /\(Did you mean (one of )?([^?]*)\?\)/.exec(message) ?? [];
  const question = meant && ` Menades ${several ? 'något av ' : ''}${meant}?`;
  const what = argument ? `Argumentet <${name}>` : name;
  const sentence = misspelt(code, command) ?? sentences[code]?.(what, reason.trim()) ?? message;
  return `${sentence}${question ?? ''} Se ${pathOf(command)} --help.`;
}

/** One that works by itself and has commands too takes a misspelt one for an argument. */
function misspelt(code: string, { args: [word], commands }: Command): string | undefined {
  if (code !== 'commander.excessArguments' || !word || commands.length === 0) return undefined;
  const names = commands.map((command) => command.name());
  return `Det finns inget kommando ${word}, bara ${names.join(' och ')}.`;
}

/** As it is typed: `huvudbok key create`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
