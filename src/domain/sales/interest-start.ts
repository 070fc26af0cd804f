/** From when default interest runs, and by which paragraph of räntelagen (1975:635). */
import { addDays } from '../basics/dates.ts';
import { isPersonalNumber, normalizeOrganizationNumber } from '../basics/identifiers.ts';

/** What held about interest and fees when the invoice was booked; it is frozen on the invoice. */
export interface InterestTerms {
  /** `due_date`: the due date was agreed in advance; `demand`: it was not. */
  readonly from: 'due_date' | 'demand';
  /** The invoice says that interest is charged on delay. */
  readonly isStated: boolean;
  /** A rate that was agreed on, in hundredths of a percentage point; null when none was. */
  readonly agreedRateE2: bigint | null;
}

export interface InterestClaimed {
  readonly terms: InterestTerms;
  readonly invoiceDate: string;
  readonly dueDate: string;
  /** The day that the invoice was first mailed; null when the log knows of none. */
  readonly sentDate: string | null;
  readonly isConsumer: boolean;
}

export interface InterestStart {
  /** Interest is counted from the day after this one. */
  readonly after: string;
  readonly law: 'rantelagen_3' | 'rantelagen_4';
}

/** Räntelagen 4 § 1 st. */
const daysAfterDemand = 30;

/**
 * 3 §: from the due date when that was agreed in advance. 4 §: otherwise from thirty days after the
 * invoice was sent, though never before it is due; of a consumer only when the invoice said so, or a
 * rate was agreed. Null when there is no right to interest.
 */
export function interestStart(claim: InterestClaimed): InterestStart | null {
  const { terms, invoiceDate, dueDate, sentDate, isConsumer } = claim;
  if (terms.from === 'due_date') return { after: dueDate, law: 'rantelagen_3' };
  if (isConsumer && !terms.isStated && terms.agreedRateE2 === null) return null;
  const demanded = addDays(sentDate ?? invoiceDate, daysAfterDemand);
  if (demanded < dueDate) return { after: dueDate, law: 'rantelagen_4' };
  return { after: demanded, law: 'rantelagen_4' };
}

/**
 * Whether a debtor is taken for a consumer: one without a VAT number whose number is a person's, or who
 * has none. A sole trader without VAT is then taken for one, which asks for less and never for more.
 */
export function isConsumer(debtor: {
  readonly orgNumber: string | null;
  readonly vatNumber: string | null;
}): boolean {
  if (debtor.vatNumber) return false;
  if (!debtor.orgNumber) return true;
  const number = normalizeOrganizationNumber(debtor.orgNumber);
  return number !== null && isPersonalNumber(number);
}
