/** What is in doubt of a day of a statement, for people. */
import { amountText } from '../../lib/swedish.ts';
import type { ReportedDoubt } from './report.ts';

export function doubtText({ day, rows, contradiction }: ReportedDoubt): string {
  const equal = `${day}: ${rows} ${rows === 1 ? 'rad kan' : 'rader kan'} finnas redan`;
  if (!contradiction) return equal;
  const contradicts = contradictionText(day, contradiction);
  return rows === 0 ? contradicts : `${contradicts}; ${equal}`;
}

function contradictionText(
  day: string,
  contradiction: NonNullable<ReportedDoubt['contradiction']>,
): string {
  if (contradiction.at === 'rows') return `${day} har andra rader än i ett annat kontoutdrag`;
  const { at, known, told } = contradiction;
  const verb = at === 'opening' ? 'börjar' : 'slutar';
  return `${day} ${verb} på ${amountText(BigInt(told))}, men på ${amountText(BigInt(known))} enligt ett annat kontoutdrag`;
}
