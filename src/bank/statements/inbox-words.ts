/** What lies beside a file that waits: why, and what to do about it. */
import { doubtText } from './doubt-words.ts';
import type { InboxVerdict } from './inbox.ts';
import type { BankImportReport, StatementOutcome } from './report.ts';

const outcomes: Readonly<Record<StatementOutcome, string>> = {
  taken: 'är inläst',
  known: 'fanns redan',
  doubt: 'väntar: någon behöver se efter det tveksamma',
  rows_in_doubt: 'väntar: rader kan vara inlästa förut; jämför med banken',
  contradicts:
    'väntar: det säger emot ett annat kontoutdrag, så ett av dem är fel eller av ett annat konto; jämför med banken',
  account_unknown: 'väntar: det sägs inte vilket konto det gäller',
  account_differs: 'gäller ett annat konto än mappen',
  currency_not_supported: 'är i en annan valuta än SEK och tas inte in',
  refused: 'går inte att ta in',
};

const isOutside = ({ outcome }: { readonly outcome: StatementOutcome }): boolean =>
  outcome !== 'taken' && outcome !== 'known';

interface About {
  readonly name: string;
  readonly account: string;
  readonly baseUrl: string;
  /** Bytes that a file in the folder may have. */
  readonly max: number;
}

/** By which a note of ours is known from a file of the bank. */
export const noteBegins = 'Huvudbok har inte läst in ';

export function noteOf(verdict: Exclude<InboxVerdict, { outcome: 'taken' }>, about: About): string {
  const lines = [`${noteBegins}${about.name}.`, '', ...whyOf(verdict, about)];
  return `${lines.join('\r\n')}\r\n`;
}

const again = (account: string): string => `Lägg den sedan i mappen ${account} igen.`;

function whyOf(
  verdict: Exclude<InboxVerdict, { outcome: 'taken' }>,
  { account, baseUrl, max }: About,
): readonly string[] {
  switch (verdict.outcome) {
    case 'no_account':
      return [
        `Inget bankkonto i bruk har konto ${account} i bokföringen, som mappen heter.`,
        `Lägg upp bankkontot på ${baseUrl}/bank/konton/nytt, eller byt mapp. ${again(account)}`,
      ];
    case 'other_account':
      return [
        `Filen gäller ${verdict.name}, inte kontot ${account} som mappen heter.`,
        'Lägg den i det kontots mapp.',
      ];
    case 'too_large':
      return [
        `Filen är större än ${max / 1024 / 1024} MB. Hämta kortare perioder från banken, eller läs in den med kommandot huvudbok bank import.`,
      ];
    case 'no_file':
      return ['Det är en länk eller något annat än en vanlig fil, och läses inte.'];
    case 'unreadable':
      return [
        `Filen får inte läsas av den användare som Huvudbok körs som. Ändra dess rättigheter. ${again(account)}`,
      ];
    case 'broke':
      return [
        `Något gick fel hos oss tre gånger när filen skulle läsas in, och inget av den är inläst. Felet står i loggen. Pröva kommandot huvudbok bank import. Filen läses igen om den läggs i mappen ${account}.`,
      ];
    case 'waits':
      return [
        ...reported(verdict.report),
        '',
        verdict.importId === null
          ? `När det är rättat: ${again(account).replace('Lägg den sedan', 'lägg filen')}`
          : `Svara inom en vecka på ${baseUrl}/bank/import/${verdict.importId}, eller lägg filen i mappen ${account} igen.`,
      ];
    default:
      return verdict satisfies never;
  }
}

const problemsShown = 20;

function reported({ files }: BankImportReport): string[] {
  return files.flatMap(({ statements, problems }) => [
    ...(statements.some((one) => !isOutside(one)) ? ['En del av filen är inläst:'] : []),
    ...statements.map(
      ({ accountName, account, from, to, outcome, doubts }) =>
        `${accountName ?? account ?? 'Okänt konto'} ${from ?? '?'}–${to ?? '?'} ${outcomes[outcome]}${doubts.map((doubt) => `, ${doubtText(doubt)}`).join('')}.`,
    ),
    ...problems
      .filter(({ level }) => level !== 'note')
      .slice(0, problemsShown)
      .map(({ line, message }) => (line === null ? message : `Rad ${line}: ${message}`)),
  ]);
}
