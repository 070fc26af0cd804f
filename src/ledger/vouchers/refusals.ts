/** Why the ledger refused a voucher, in the words of the contract and of a person. */
import { capProblems } from '../../domain/basics/problems.ts';
import { AppError, type Problem, refuse } from '../../lib/errors.ts';

const sentences: Record<string, (fault: Record<string, unknown>) => string> = {
  date_outside_fiscal_years: (fault) =>
    `Datumet ${fault['date']} ligger utanför alla räkenskapsår; lägg upp året eller välj ett annat datum.`,
  unknown_series: (fault) =>
    `Serien ${fault['series']} finns inte för räkenskapsåret ${fault['year']}.`,
  unknown_account: (fault) => `Kontot ${fault['account']} finns inte i kontoplanen.`,
  inactive_account: (fault) =>
    `Kontot ${fault['account']} är inaktivt; välj ett annat eller aktivera det.`,
  unknown_dimension: (fault) =>
    `Dimensionen ${fault['dimension']} finns inte; ange dess id (uuid), inte dess kod.`,
  unknown_vat_code: (fault) =>
    `Inget konto har momskoden ${fault['vat_code']}; ange en som står i kontoplanen, till exempel MP1, eller lämna den tom, så gäller kontots egen.`,
  inactive_dimension: (fault) => `Dimensionen ${fault['dimension']} är inaktiv.`,
};

export type LedgerRefusal = 'unprocessable' | 'period_locked';

/** The refusal of `ledger.post_vouchers`, as thrown to the caller. */
export function ledgerRefusal(error: LedgerRefusal, detail: Record<string, unknown>): AppError {
  if (error === 'period_locked') {
    return new AppError('period_locked', lockSentence(detail), { detail });
  }
  const faults = (detail['problems'] ?? []) as (Record<string, unknown> & Problem)[];
  const problems = faults.map((fault) => ({
    ...fault,
    message: sentences[fault.reason]?.(fault) ?? `${fault.path} kan inte bokföras.`,
  }));
  return refuse('unprocessable', capProblems(problems));
}

/** Which lock, until when, and the first day that is open again. */
export function lockSentence(detail: Record<string, unknown>): string {
  const to = detail['locked_to'];
  const way = `Tidigaste tillåtna datum är ${detail['earliest_allowed_date']}.`;
  switch (detail['lock']) {
    case 'fiscal_year':
      return `Räkenskapsåret som slutar ${to} är stängt. ${way}`;
    case 'vat':
      return `Momsen är låst till och med ${to}, och verifikatet rör moms. ${way}`;
    default:
      return `Perioden är låst till och med ${to}. ${way}`;
  }
}
