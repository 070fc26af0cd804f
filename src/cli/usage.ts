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
      defaultValue === undefined ? description : `${description} (${defaultValue} om inget anges)`,
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

/** What commander found wrong with the words typed. */
export function explainUsage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'Välj ett kommando ovan.';
  const argument = /for argument '([^']*)'\. (.*)$/s.exec(message);
  const option = /option '([^']*)' argument .* is invalid\. (.*)$/s.exec(message);
  const [, name = /'([^']*)'/.exec(message)?.[1] ?? '', reason = ''] = argument ?? option ?? [];
  const sentence = sentences[code]?.(name, reason) ?? message;
  return `${sentence} Se huvudbok --help.`;
}
