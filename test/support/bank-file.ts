/** Files of banks, as small as tests need them. */
import { type SourceFile, sourceOf } from '#src/lib/source-file.ts';

export const testIban = 'SE4550000000058398257466';

const kronor = (ore: number): string => (Math.abs(ore) / 100).toFixed(2);
const side = (ore: number): string => (ore < 0 ? 'DBIT' : 'CRDT');
const balance = (kind: string, ore: number, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="SEK">${kronor(ore)}</Amt><CdtDbtInd>${side(ore)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

export interface TestEntry {
  readonly day: string;
  readonly ore: number;
  readonly text?: string;
  readonly reference?: string;
  /** What our file called payments that the bank made as one. */
  readonly batch?: string;
  /** What `TxDtls` hold. */
  readonly details?: readonly string[];
}

const entryOf = ({ day, ore, text = 'Text', reference, batch, details = [] }: TestEntry): string =>
  `<Ntry>${reference ? `<NtryRef>${reference}</NtryRef>` : ''}<Amt Ccy="SEK">${kronor(ore)}</Amt><CdtDbtInd>${side(ore)}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd>${
    batch === undefined ? '' : `<NtryDtls><Btch><PmtInfId>${batch}</PmtInfId></Btch></NtryDtls>`
  }${
    details.length > 0
      ? `<NtryDtls>${details.map((one) => `<TxDtls>${one}</TxDtls>`).join('')}</NtryDtls>`
      : ''
  }<AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`;

export interface TestStatement {
  readonly id?: string;
  readonly account?: string;
  readonly opening?: number;
  readonly entries: readonly TestEntry[];
  readonly from?: string;
  readonly to?: string;
  readonly currency?: string;
}

export function statementText({
  id = '',
  account = testIban,
  opening = 0,
  entries,
  from,
  to,
  currency = 'SEK',
}: TestStatement): string {
  const closing = entries.reduce((sum, { ore }) => sum + ore, opening);
  const first = from ?? entries[0]?.day ?? '2026-03-01';
  const last = to ?? entries.at(-1)?.day ?? '2026-03-31';
  const inner = `${balance('OPBD', opening, first)}${balance('CLBD', closing, last)}${entries.map(entryOf).join('')}`;
  return `<Stmt>${id ? `<Id>${id}</Id>` : ''}<FrToDt><FrDtTm>${first}T00:00:00</FrDtTm><ToDtTm>${last}T23:59:59</ToDtTm></FrToDt>${accountText(account, currency)}${inner}</Stmt>`.replaceAll(
    'Ccy="SEK"',
    `Ccy="${currency}"`,
  );
}

const accountText = (account: string, currency: string): string =>
  `<Acct><Id>${account.startsWith('SE') ? `<IBAN>${account}</IBAN>` : `<Othr><Id>${account}</Id></Othr>`}</Id><Ccy>${currency}</Ccy></Acct>`;

export const camt053 = (...statements: readonly TestStatement[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-25T12:00:00</CreDtTm></GrpHdr>\n${statements.map(statementText).join('\n')}</BkToCstmrStmt></Document>`;

export const camt054 = (id: string, entries: readonly TestEntry[], account = testIban): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-25T12:00:00</CreDtTm></GrpHdr>\n<Ntfctn><Id>${id}</Id>${accountText(account, 'SEK')}${entries.map(entryOf).join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;

export const fileOf = (text: string, name = 'utdrag.xml'): Promise<SourceFile> =>
  sourceOf(async function* () {
    yield new TextEncoder().encode(text);
  }, name);
