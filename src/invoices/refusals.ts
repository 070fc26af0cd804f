/** Why no invoice was made, or why it stayed a draft, in the words of the contract and of a person. */
import { capProblems } from '../domain/problems.ts';
import { AppError, type Problem, refuse } from '../errors.ts';
import { type LedgerRefusal, ledgerRefusal } from '../vouchers/refusals.ts';

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

const writtenSentences: Record<string, string> = {
  unknown_customer: 'Kunden finns inte i kundregistret; lägg upp den under Kunder.',
  inactive_customer: 'Kunden är inaktiv; aktivera den under Kunder, eller välj en annan.',
};

/** What hinders a draft, for a person who sees the sentence beside the field. */
export const draftSentence = (fault: Fault): string =>
  writtenSentences[fault.reason] ?? sentences[fault.reason]?.(fault) ?? 'Kan inte användas.';

/** A draft that customers or accounts do not allow. */
export function draftRefusal(detail: Record<string, unknown>): AppError {
  const faults = (detail['problems'] ?? []) as Fault[];
  const problems = faults.map((fault) => ({
    ...fault,
    message: `${fault.path}: ${sentences[fault.reason]?.(fault) ?? 'kan inte användas.'}`,
  }));
  return refuse('unprocessable', capProblems(problems));
}

/** What keeps a draft from being booked, as the database tells and stores it. */
export interface BookingRefusal {
  readonly error: LedgerRefusal;
  readonly detail: Record<string, unknown>;
  /** The draft that stays; null on a dry run, which leaves none. */
  readonly invoice_id: string | null;
}

/**
 * Always `unprocessable`, a lock too (contract 4.5), with `detail.lock` and `detail.invoice_id`. The
 * voucher's own fields are not the caller's: what is wrong there is told of the whole invoice.
 */
export function bookingRefusal({ error, detail, invoice_id }: BookingRefusal): AppError {
  const cause = ledgerRefusal(error, detail);
  const problems = (cause.detail?.['problems'] as Problem[] | undefined)?.map((problem) => ({
    ...problem,
    path: problem.path === 'date' ? 'invoiceDate' : 'book',
  }));
  return new AppError('unprocessable', `Fakturan kan inte bokföras. ${cause.message}`, {
    detail: {
      ...cause.detail,
      ...(problems ? { problems } : {}),
      ...(invoice_id === null ? {} : { invoice_id }),
    },
  });
}
