/** huvudbok completion: what a shell suggests at TAB, written once from the commands themselves. */
import type { Command, Option } from 'commander';
import { write } from './context.ts';
import { choicesOf, word } from './options.ts';
import { pathOf } from './usage.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description(
      'skriv det som får skalet att föreslå kommandon och flaggor, t.ex. source <(huvudbok completion bash)',
    )
    .argument('<skal>', shells.join(', '), word(shells))
    .action((shell: Shell) => write(completionScript(program, shell)));
}

/** What a shell sources to suggest the program's words. */
export const completionScript = (program: Command, shell: Shell): string =>
  writers[shell](placesIn(program));

interface Suggestion {
  readonly word: string;
  readonly text: string;
}

/** A command with what may stand after it. */
interface Place {
  /** The words after `huvudbok`, each after a space; empty for none. */
  readonly at: string;
  readonly commands: readonly Suggestion[];
  /** The values of its argument, where they are few and known. */
  readonly values: readonly string[];
  readonly options: readonly (Suggestion & { readonly values: readonly string[] })[];
}

function placesIn(command: Command): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command).filter(({ long }) => long);
  const place: Place = {
    at: pathOf(command).replace(/^\S+/, ''),
    commands: commands.map((one) => ({ word: one.name(), text: firstWords(one.description()) })),
    values: command.registeredArguments.flatMap(({ parseArg }) => choicesOf(parseArg)),
    options: options.map(optionOf),
  };
  const within = commands.filter((one) => command.commands.includes(one));
  return [place, ...within.flatMap(placesIn)];
}

const optionOf = ({ long, description, parseArg }: Option) => ({
  word: long ?? '',
  text: firstWords(description),
  values: choicesOf(parseArg),
});

/** Enough of a description to choose by. */
const firstWords = (text: string): string =>
  (/^(?:[^;·:]|:(?! )){0,60}(?=\W|$)/.exec(text)?.[0] ?? '').trim();

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const withOptions = ({ commands, values, options }: Place): string[] => [
  ...[...commands, ...options].map(({ word: one }) => one),
  ...values,
];
const valued = (places: readonly Place[]) =>
  places.flatMap(({ at, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .map(({ word: option, values }) => ({ after: `${at} ${option}`, values })),
  );
const known = (places: readonly Place[], between: string): string =>
  places.flatMap(({ at }) => (at === '' ? [] : quoted(at))).join(between);

const bash = (places: readonly Place[]): string => `_huvudbok() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${known(places, '|')}) at="$at $word" ;;
    esac
  done
  case "$at $previous" in
${valued(places)
  .map(({ after, values }) => `    ${quoted(after)}) words=${quoted(values.join(' '))} ;;`)
  .join('\n')}
    *) case "$at" in
${places
  .map((place) => `      ${quoted(place.at)}) words=${quoted(withOptions(place).join(' '))} ;;`)
  .join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _huvudbok huvudbok`;

const described = ({ word: one, text }: Suggestion): string =>
  quoted(`${one.replaceAll(':', String.raw`\:`)}:${text}`);

const zsh = (places: readonly Place[]): string => `#compdef huvudbok
_huvudbok() {
  local at= word
  local -a suggested
  for word in \${words[2,CURRENT-1]}; do
    case "$at $word" in
      ${known(places, '|')}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valued(places)
  .map(({ after, values }) => `    ${quoted(after)}) compadd -- ${values.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case "$at" in
${places
  .map((place) => {
    const list = [...place.commands, ...place.options].map(described).join(' ');
    const values = place.values.length === 0 ? '' : `compadd -- ${place.values.join(' ')}; `;
    return `    ${quoted(place.at)}) ${values}suggested=(${list}) ;;`;
  })
  .join('\n')}
  esac
  _describe huvudbok suggested
  _files
}
compdef _huvudbok huvudbok`;

/** Within single quotes fish knows a backslash. */
const forFish = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ at, commands, values, options }) => {
    const here = `complete -c huvudbok -n ${forFish(`__huvudbok_at ${forFish(at)}`)}`;
    return [
      ...commands.map(({ word: one, text }) => `${here} -f -a ${one} -d ${forFish(text)}`),
      ...(values.length === 0 ? [] : [`${here} -f -a ${forFish(values.join(' '))}`]),
      ...options.map(({ word: option, text, values: few }) => {
        const value = few.length === 0 ? '' : ` -x -a ${forFish(few.join(' '))}`;
        return `${here} -l ${option.slice(2)}${value} -d ${forFish(text)}`;
      }),
    ];
  });
  return `function __huvudbok_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${known(places, ' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}`;
}

const writers: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish };
