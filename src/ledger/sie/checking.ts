/** A SIE file of any size, judged without a database and in little memory. */
import { SieCheck, type SieJudgement } from '../../domain/ledger/sie/checking.ts';
import { SieEncodingScan, type SieLetters } from '../../domain/ledger/sie/encoding.ts';

import type { SieEntry } from '../../domain/ledger/sie/reading.ts';

/**
 * What the file says and whether it can be taken in. Its bytes are asked for twice, from the beginning: which
 * encoding it is in cannot be known before its end.
 */
export async function checkSie(
  open: () => AsyncIterable<Uint8Array>,
  extension = '',
  watch: (entry: SieEntry) => void = () => undefined,
): Promise<SieJudgement & { readonly letters: SieLetters }> {
  const scan = new SieEncodingScan();
  for await (const chunk of open()) scan.read(chunk);
  const letters = scan.end();
  const check = new SieCheck({ letters, extension, watch });
  for await (const chunk of open()) check.read(chunk);
  return { ...check.end(), letters };
}
