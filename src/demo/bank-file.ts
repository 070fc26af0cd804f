/** What the example company's bank sends: camt.053 of a year, one statement a month. */
import type { Ore } from '../domain/basics/money.ts';
import { sum } from '../domain/basics/money.ts';

export interface BankLine {
  readonly reference: string;
  readonly bookedOn: string;
  readonly amountOre: Ore;
  readonly description: string;
}

export interface BankMonth {
  readonly first: string;
  readonly last: string;
  readonly opening: Ore;
  readonly lines: readonly BankLine[];
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An amount has no sign; beside it stands which way the money went. */
function amountOf(ore: Ore): string {
  const digits = String(ore < 0n ? -ore : ore).padStart(3, '0');
  const kronor = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return `<Amt Ccy="SEK">${kronor}</Amt><CdtDbtInd>${ore < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}

const balanceOf = (code: 'OPBD' | 'CLBD', ore: Ore, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountOf(ore)}<Dt><Dt>${day}</Dt></Dt></Bal>`;

/** `Inbetalning …, OCR 10017` has its number beside its text, as bankgiro gives it. */
function detailsOf({ amountOre, description }: BankLine): string {
  const [, ocr] = /OCR (\d{4,25})/.exec(description) ?? [];
  const payer = amountOre > 0n ? 'Dbtr' : 'Cdtr';
  const [name = ''] = description.split(',', 1);
  const reference = ocr ? `<Strd><CdtrRefInf><Ref>${ocr}</Ref></CdtrRefInf></Strd>` : '';
  return `<NtryDtls><TxDtls><RltdPties><${payer}><Pty><Nm>${escaped(name)}</Nm></Pty></${payer}></RltdPties><RmtInf><Ustrd>${escaped(description)}</Ustrd>${reference}</RmtInf></TxDtls></NtryDtls>`;
}

/** A payment in or out, of no further kind (ISO 20022's codes of transactions). */
const codeOf = ({ amountOre }: BankLine): string =>
  `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${amountOre < 0n ? 'ICDT' : 'RCDT'}</Cd><SubFmlyCd>NTAV</SubFmlyCd></Fmly></Domn></BkTxCd>`;

const entryOf = (line: BankLine): string =>
  `<Ntry><NtryRef>${line.reference}</NtryRef>${amountOf(line.amountOre)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${line.bookedOn}</Dt></BookgDt>${codeOf(line)}${detailsOf(line)}<AddtlNtryInf>${escaped(line.description)}</AddtlNtryInf></Ntry>`;

const statementOf = (
  iban: string,
  { first, last, opening, lines }: BankMonth,
  sequence: number,
): string =>
  `<Stmt><Id>${first.slice(0, 7)}</Id><ElctrncSeqNb>${sequence}</ElctrncSeqNb><FrToDt><FrDtTm>${first}T00:00:00</FrDtTm><ToDtTm>${last}T23:59:59</ToDtTm></FrToDt><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>SEK</Ccy></Acct>
${balanceOf('OPBD', opening, first)}${balanceOf('CLBD', opening + sum(lines.map(({ amountOre }) => amountOre)), last)}
${lines.map(entryOf).join('\n')}</Stmt>`;

export const bankFileText = (iban: string, months: readonly BankMonth[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>${months[0]?.first ?? ''}</MsgId><CreDtTm>${months.at(-1)?.last ?? ''}T23:59:59</CreDtTm></GrpHdr>
${months.map((month, index) => statementOf(iban, month, index + 1)).join('\n')}
</BkToCstmrStmt></Document>
`;
