/** A bank's file read whole: what it says, judged, and the entries of each of its statements. */
import type { CsvPreset } from '../../domain/ledger/bank-files/csv-presets.ts';
import type {
  BankEntry,
  BankEntryDetail,
  BankStatement,
} from '../../domain/ledger/bank-files/statement.ts';
import type { SourceFile } from '../../lib/source-file.ts';
import { checkBankFile } from '../statement-files/check-file.ts';
import type { BankFileJudgement } from '../statement-files/checking.ts';
import { packEntry } from './packing.ts';

export interface StatementInFile {
  readonly statement: BankStatement;
  readonly entries: readonly BankEntry[];
}

export interface ReadFile {
  readonly source: Pick<SourceFile, 'sha256' | 'fileName' | 'size'>;
  readonly judgement: BankFileJudgement;
  /** Whether it is a list of unknown form whose columns a person can tell of. */
  readonly isUntoldList: boolean;
  readonly statements: readonly StatementInFile[];
}

export async function readBankFile(
  source: SourceFile,
  { today, own }: { readonly today: string; readonly own: readonly CsvPreset[] },
  progress: (bytes: number) => void = () => undefined,
): Promise<ReadFile> {
  const statements: StatementInFile[] = [];
  // CSV may have several accounts among each other, and ends them all at the end.
  const waiting = new Map<string, BankEntry[]>();
  let early: BankEntryDetail[] = [];
  let reads = 0;
  let bytes = 0;
  async function* open(): AsyncGenerator<Uint8Array> {
    reads += 1;
    const isSecond = reads === 2;
    for await (const chunk of source.open()) {
      yield chunk;
      bytes += isSecond ? chunk.length : 0;
      if (isSecond) progress(bytes);
    }
  }
  const check = await checkBankFile(open, {
    today,
    own,
    watch: (event) => {
      if (event.kind === 'details') for (const detail of event.details) early.push(detail);
      else if (event.kind === 'entry') {
        const { entry, account } = event;
        const details = [...early, ...entry.details];
        const whole = packEntry(early.length > 0 ? { ...entry, details } : entry);
        early = [];
        const key = account ?? '';
        const entries = waiting.get(key);
        if (entries) entries.push(whole);
        else waiting.set(key, [whole]);
      } else
        statements.push({ statement: event.statement, entries: taken(waiting, event.statement) });
    },
  });
  const { sha256, fileName, size } = source;
  return {
    source: { sha256, fileName, size },
    judgement: check.judgement,
    isUntoldList: check.sample !== null,
    statements,
  };
}

/** One account has a statement for each currency. */
function taken(
  waiting: Map<string, BankEntry[]>,
  { account, currency }: BankStatement,
): readonly BankEntry[] {
  const key = account ?? '';
  const entries = waiting.get(key) ?? [];
  const isOther = (entry: BankEntry): boolean =>
    entry.currency !== null && currency !== null && entry.currency !== currency;
  const others = entries.filter(isOther);
  if (others.length === 0) {
    waiting.delete(key);
    return entries;
  }
  waiting.set(key, others);
  return entries.filter((entry) => !isOther(entry));
}
