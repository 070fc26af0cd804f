/** A bank's file of any size, judged without a database and in little memory. */
import { BankLettersScan } from '../../domain/ledger/bank-files/letters.ts';
import { BankFileCheck, type BankFileChecking } from './checking.ts';

/**
 * What the file says, ended and ready to be asked. Its bytes are asked for twice, from the beginning: which encoding
 * CSV is in cannot be known before its end.
 */
export async function checkBankFile(
  open: () => AsyncIterable<Uint8Array>,
  how: BankFileChecking,
): Promise<BankFileCheck> {
  const scan = new BankLettersScan();
  for await (const chunk of open()) if (scan.read(chunk)) break;
  const letters = scan.end();
  const check = new BankFileCheck(letters, how);
  if (letters.form === 'xlsx') await check.readWorkbook(open());
  else for await (const chunk of open()) if (check.read(chunk)) break;
  check.end();
  return check;
}
