/**
 * What QR codes on an invoice say, for the telephone that pays: Swish's own form and the one that the banks' apps
 * read (UsingQR, revision 2). Pure.
 */
import { formatOrganizationNumber } from '../basics/identifiers.ts';
import { type Ore, oreToNumber } from '../basics/money.ts';

export interface CodedClaim {
  /** What is asked for: more than 0 öre. */
  readonly amountOre: Ore;
  /** What the payer must give: the OCR number. */
  readonly reference: string;
  readonly invoiceDate: string;
  /** The last day to pay. */
  readonly dueDate: string;
}

/**
 * `C1234567890;100,00;12229445;0`: the company's number, kronor with two decimals, the reference, and that the payer
 * changes none of them (Swish QR-code API manual 6.1).
 */
export function swishCode(number: string, { amountOre, reference }: CodedClaim): string {
  const kronor = oreToNumber(amountOre).toFixed(2).replace('.', ',');
  return `C${number.replaceAll(' ', '')};${kronor};${reference};0`;
}

export interface CodedPayee {
  readonly name: string;
  /** Ten digits. */
  readonly orgNumber: string;
  readonly giro: 'bankgiro' | 'plusgiro';
  /** As people write it. */
  readonly number: string;
}

/** An invoice to pay (`tp` 1) as JSON in ASCII alone, since readers guess differently what other bytes mean. */
export function giroCode(payee: CodedPayee, claim: CodedClaim): string {
  const { name, orgNumber, giro, number } = payee;
  const code = {
    uqr: 1,
    tp: 1,
    nme: name,
    cid: formatOrganizationNumber(orgNumber),
    iref: claim.reference,
    idt: claim.invoiceDate.replaceAll('-', ''),
    ddt: claim.dueDate.replaceAll('-', ''),
    due: oreToNumber(claim.amountOre),
    pt: giro === 'bankgiro' ? 'BG' : 'PG',
    acc: number,
  };
  return JSON.stringify(code).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
