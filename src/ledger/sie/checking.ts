/** A SIE file of any size, judged without a database and in little memory. */
import { SieCheck, type SieJudgement } from '../../domain/sie/checking.ts';
import { SieEncodingScan } from '../../domain/sie/encoding.ts';

/**
 * What the file says and whether it can be taken in. Its bytes are asked for twice, from the beginning: which
 * encoding it is in cannot be known before its end.
 */
export async function checkSie(
  open: () => AsyncIterable<Uint8Array>,
  extension = '',
): Promise<SieJudgement> {
  const scan = new SieEncodingScan();
  for await (const chunk of open()) scan.read(chunk);
  const check = new SieCheck({ letters: scan.end(), extension });
  for await (const chunk of open()) check.read(chunk);
  return check.end();
}
