/** What an e-mail with an invoice says unless somebody writes it otherwise. Pure. */

import { formatOrganizationNumber } from '../../domain/basics/identifiers.ts';
import { oneLine } from '../../domain/basics/mail-address.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { amountText, dayInWords, formatKronor } from '../../lib/swedish.ts';
import { paymentAccountText } from '../../render/wording.ts';
import type { InvoiceFacts } from '../invoices/reading-store.ts';
import type { LetterSeller } from './seller.ts';

type Text = string | null;

export interface LetterFacts {
  readonly seller: LetterSeller;
  readonly kind: 'invoice' | 'credit_note';
  readonly number: number;
  /** The invoice that a credit note takes back. */
  readonly creditedNumber: number | null;
  readonly totalOre: Ore;
  readonly openOre: Ore;
  /** What the buyer pays in when that is not kronor, with the total in hundredths of it. */
  readonly inCurrency?: { readonly currency: string; readonly total: bigint } | null;
  readonly dueDate: string;
  readonly ocr: Text;
  /** Which reminder it is about; null for the invoice itself. */
  readonly reminderNo: number | null;
}

export interface Letter {
  readonly subject: string;
  readonly body: string;
}

const subjectMax = 200;

export function letterOf(facts: LetterFacts): Letter {
  const { seller } = facts;
  const name = oneLine(seller.name);
  const subject = `${titleOf(facts)} från ${name}`;
  const paragraphs = ['Hej!', messageOf(facts), paymentOf(facts), signatureOf(seller)];
  return {
    subject: [...subject].slice(0, subjectMax).join(''),
    body: paragraphs.filter(Boolean).join('\n\n').replaceAll('\u00a0', ' '),
  };
}

/** The usual words about a booked invoice, or about one of its reminders. */
export const letterTo = (
  invoice: InvoiceFacts,
  seller: LetterSeller,
  reminderNo: number | null,
): Letter =>
  letterOf({
    seller,
    kind: invoice.kind,
    number: invoice.number ?? 0,
    creditedNumber: invoice.credited_number,
    totalOre: invoice.total_ore,
    openOre: invoice.open_ore,
    inCurrency:
      invoice.currency_total === null
        ? null
        : { currency: invoice.currency, total: invoice.currency_total },
    dueDate: invoice.due_date,
    ocr: invoice.ocr,
    reminderNo,
  });

function titleOf({ kind, number, reminderNo }: LetterFacts): string {
  if (reminderNo !== null) return `Påminnelse om faktura ${number}`;
  return `${kind === 'credit_note' ? 'Kreditfaktura' : 'Faktura'} ${number}`;
}

function messageOf(facts: LetterFacts): string {
  const { kind, number, creditedNumber, reminderNo, dueDate } = facts;
  const total = totalOf(facts);
  if (reminderNo !== null) {
    return `Vi har inte sett full betalning för faktura ${number}, som förföll ${dayInWords(dueDate)}. Påminnelsen är bifogad som PDF. Har ni redan betalat kan ni bortse från den; är något fel på fakturan, svara gärna på det här meddelandet.`;
  }
  if (kind === 'credit_note') {
    const credited = creditedNumber === null ? '' : `, som krediterar faktura ${creditedNumber}`;
    return `Här kommer kreditfaktura ${number} på ${total}${credited}. Den är bifogad som PDF.`;
  }
  return `Här kommer faktura ${number} på ${total}. Den är bifogad som PDF.`;
}

const totalOf = ({ totalOre, inCurrency }: LetterFacts): string =>
  inCurrency ? `${amountText(inCurrency.total)} ${inCurrency.currency}` : formatKronor(totalOre);

/** How to pay, while there is something to pay; in kronor where part of what was in another currency is left. */
function paymentOf(facts: LetterFacts): string {
  const { kind, totalOre, openOre, dueDate, ocr, seller, reminderNo } = facts;
  if (kind === 'credit_note' || openOre <= 0n) return '';
  const lines: (readonly [string, Text | undefined])[] = [
    ['Att betala', openOre === totalOre ? totalOf(facts) : formatKronor(openOre)],
    ['Förfallodag', reminderNo === null ? dayInWords(dueDate) : null],
    ['Bankgiro', paymentAccountText('bankgiro', seller.bankgiro)],
    ['Plusgiro', paymentAccountText('plusgiro', seller.plusgiro)],
    ['IBAN', seller.bankgiro || seller.plusgiro ? null : paymentAccountText('iban', seller.iban)],
    ['OCR-nummer', ocr],
  ];
  return lines.flatMap(([label, value]) => (value ? `${label}: ${value}` : [])).join('\n');
}

/** A limited company's letters say its number and seat (aktiebolagslagen 2005:551, 28 kap. 5 §). */
function signatureOf({ name, organization_number, seat, email, phone }: LetterSeller): string {
  const company = seat && `Org.nr ${formatOrganizationNumber(organization_number)}, säte ${seat}`;
  return ['Vänliga hälsningar', oneLine(name), company, email, phone].filter(Boolean).join('\n');
}
