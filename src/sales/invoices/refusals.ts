/** Why no invoice was made, or why it stayed a draft, in the words of the contract and of a person. */
import { capProblems } from '../../domain/basics/problems.ts';
import { type LedgerRefusal, ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { AppError, type Problem, refuse } from '../../lib/errors.ts';
import type { Unbookable } from './create-store.ts';

type Fault = Record<string, unknown> & Problem;

const sentences: Record<string, (fault: Fault) => string> = {
  unknown_customer: () => 'Kunden i customerId finns inte; lägg upp den i appen först.',
  inactive_customer: () => 'Kunden i customerId är inaktiv; aktivera den i appen.',
  unknown_account: ({ account }) => `Kontot ${account} finns inte i kontoplanen.`,
  inactive_account: ({ account }) =>
    `Kontot ${account} är inaktivt; välj ett annat eller aktivera det.`,
  not_a_revenue_account: ({ account }) =>
    `Kontot ${account} är inget intäktskonto; välj ett konto för försäljning.`,
  vat_rate_conflict: ({ account, account_vat_rate: rate, vat_rate: given }) =>
    `Kontot ${account} ${rate === null ? 'är utan moms' : `har momssatsen ${rate} %`}, raden ${given} %; byt konto eller sats.`,
};

/** Why the buyer may not be sold to without VAT on the row's account (`sales.vat_doubt`). */
const vatSentences: Record<string, (fault: Fault) => string> = {
  margin_vat_shown: ({ account }) =>
    `Kontot ${account} är för vinstmarginalbeskattning, där fakturan inte får visa någon moms. Skriv 0 % på raden.`,
  eu_vat_number_missing: ({ account }) =>
    `Kontot ${account} är för försäljning utan moms till företag i andra EU-länder, men köparen har inget giltigt momsnummer därifrån. Lägg in det på kunden, eller välj ett konto med svensk moms.`,
  buyer_not_in_other_eu_country: ({ account, buyer_country: country }) =>
    `Kontot ${account} är för tjänster utan moms till företag i andra EU-länder, men köparens land är ${country}. Rätta landet på kunden, eller välj ett annat konto.`,
  swedish_vat_number_missing: ({ account }) =>
    `Kontot ${account} är för omvänd betalningsskyldighet i Sverige, men köparen har inget svenskt momsnummer, som ska stå på fakturan. Lägg in det på kunden, eller välj ett konto med moms.`,
  vat_number_of_other_country: ({ buyer_country: country, buyer_vat_number: number }) =>
    `Köparens momsnummer ${number} är inte från köparens land, ${country}. Rätta det som är fel på kunden.`,
  buyer_not_outside_eu: ({ account, buyer_country: country }) =>
    `Kontot ${account} är för försäljning utanför EU, men köparens land är ${country}. Rätta landet på kunden, eller välj ett annat konto.`,
};

/** Unusual rather than unlawful: goods may be delivered elsewhere, a company be registered in several countries. */
const questions = new Set(['vat_number_of_other_country', 'buyer_not_outside_eu']);

/** Whether a person may confirm that the sale is without VAT all the same. */
export const isQuestion = (reason: string): boolean => questions.has(reason);

const writtenSentences: Record<string, string> = {
  unknown_customer: 'Kunden finns inte i kundregistret; lägg upp den under Kunder.',
  inactive_customer: 'Kunden är inaktiv; aktivera den under Kunder, eller välj en annan.',
};

/** What hinders a draft, for a person who sees the sentence beside the field. */
export const draftSentence = (fault: Fault): string =>
  writtenSentences[fault.reason] ??
  sentenceOf(fault, 'Stämmer det ändå, kryssa i att det finns underlag för det.');

function sentenceOf(fault: Fault, question: string): string {
  const sentence = (sentences[fault.reason] ?? vatSentences[fault.reason])?.(fault);
  if (sentence === undefined) return 'Kan inte användas.';
  return isQuestion(fault.reason) ? `${sentence} ${question}` : sentence;
}

/** A draft that customers or accounts do not allow. */
export function draftRefusal(detail: Record<string, unknown>): AppError {
  const faults = (detail['problems'] ?? []) as Fault[];
  const problems = faults.map((fault) => ({
    ...fault,
    message: `${fault.path}: ${sentenceOf(fault, 'Stämmer det ändå, gör fakturan i appen, där en person kan intyga det.')}`,
  }));
  return refuse('unprocessable', capProblems(problems));
}

/** Why a draft could not be booked: the ledger's words, or those about its buyer. */
export function refusalOfBooking(error: LedgerRefusal, detail: Record<string, unknown>): AppError {
  const faults = (detail['problems'] ?? []) as Fault[];
  if (!faults.some(({ reason }) => reason in vatSentences)) return ledgerRefusal(error, detail);
  const problems = faults.map((fault) => ({ ...fault, message: draftSentence(fault) }));
  return refuse('unprocessable', capProblems(problems));
}

/**
 * Always `unprocessable`, a lock too (contract 4.5), with `detail.lock` and `detail.invoice_id`. The
 * voucher's own fields are not the caller's: what is wrong there is told of the whole invoice. `invoiceId` is
 * the draft that stays; null on a dry run, which leaves none.
 */
export function bookingRefusal({ error, detail }: Unbookable, invoiceId: string | null): AppError {
  const cause = ledgerRefusal(error, detail);
  const problems = (cause.detail?.['problems'] as Problem[] | undefined)?.map((problem) => ({
    ...problem,
    path: problem.path === 'date' ? 'invoiceDate' : 'book',
  }));
  return new AppError('unprocessable', `Fakturan kan inte bokföras. ${cause.message}`, {
    detail: {
      ...cause.detail,
      ...(problems ? { problems } : {}),
      ...(invoiceId === null ? {} : { invoice_id: invoiceId }),
    },
  });
}
