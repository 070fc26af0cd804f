/** A bank's file of any size, judged without a database and in little memory. */
import type { CsvPreset } from '../../domain/ledger/bank-files/csv-presets.ts';
import { BankLettersScan } from '../../domain/ledger/bank-files/letters.ts';
import type { BankFileEvent } from '../../domain/ledger/bank-files/statement.ts';
import { BankFileCheck } from './checking.ts';

/**
 * What the file says, ended and ready to be asked. Its bytes are asked for twice, from the beginning: which encoding
 * CSV is in cannot be known before its end.
 */
export async function checkBankFile(
  open: () => AsyncIterable<Uint8Array>,
  watch: (event: BankFileEvent) => void = () => undefined,
  own: readonly CsvPreset[] = [],
): Promise<BankFileCheck> {
  const scan = new BankLettersScan();
  for await (const chunk of open()) if (scan.read(chunk)) break;
  const letters = scan.end();
  const check = new BankFileCheck(letters, watch, own);
  if (letters.form === 'xlsx') await check.readWorkbook(open());
  else for await (const chunk of open()) if (check.read(chunk)) break;
  check.end();
  return check;
}
