/** What is in doubt of a day of a statement, for people. */
import { amountText } from '../../lib/swedish.ts';
import type { ReportedDoubt } from './report.ts';

export function doubtText({ day, rows, contradiction }: ReportedDoubt): string {
  const equal = `${day}: ${rows} ${rows === 1 ? 'rad kan' : 'rader kan'} finnas redan`;
  if (!contradiction) return equal;
  const { at, known, told } = contradiction;
  const verb = at === 'opening' ? 'börjar' : 'slutar';
  const balances = `${day} ${verb} på ${amountText(BigInt(told))}, men på ${amountText(BigInt(known))} enligt ett annat kontoutdrag`;
  return rows === 0 ? balances : `${balances}; ${equal}`;
}
