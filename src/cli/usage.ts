/** What commander found wrong with the words typed, in Swedish. */
import type { CommanderError } from 'commander';

const sentences: Record<string, (quoted: string, reason: string) => string> = {
  'commander.unknownCommand': (quoted) => `Det finns inget kommando ${quoted}.`,
  'commander.unknownOption': (quoted) => `Det finns ingen flagga ${quoted}.`,
  'commander.missingMandatoryOptionValue': (quoted) => `Flaggan ${quoted} måste anges.`,
  'commander.optionMissingArgument': (quoted) => `Flaggan ${quoted} behöver ett värde.`,
  'commander.missingArgument': (quoted) => `Argumentet <${quoted}> saknas.`,
  'commander.excessArguments': () => 'Det är för många argument.',
  'commander.invalidArgument': (quoted, reason) => `${quoted} går inte att använda. ${reason}`,
};

export function explainUsage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'Välj ett kommando ovan.';
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? '';
  const reason = /is invalid\. (.*)$/s.exec(message)?.[1] ?? '';
  const sentence = sentences[code]?.(quoted, reason) ?? message;
  return `${sentence} Se huvudbok --help.`;
}
