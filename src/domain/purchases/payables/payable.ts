/** What is to be paid, and when. Amounts are what we owe, in öre: a supplier's credit is below zero. */
import { addDays } from '../../basics/dates.ts';
import { type Ore, sum } from '../../basics/money.ts';
import type { PaymentAccountKind } from '../../basics/payment-accounts.ts';

/** Where money is paid. An account of kind `other` is a clearing number and an account in a Swedish bank. */
export interface Payee {
  readonly kind: PaymentAccountKind;
  /** Digits, of an IBAN letters too. */
  readonly number: string;
}

/** Why something cannot be chosen, though it is owed. */
export type PayableObstacle =
  /** The bank has been asked already, or is about to be. */
  | 'in_file'
  /** By direct debit, card or the like: it is not paid once more. */
  | 'paid_otherwise'
  /** Only kronor are paid by file. */
  | 'currency'
  /** It asks to be paid to an account in another country, and so is paid otherwise. */
  | 'abroad';

export interface Payable {
  /** The invoice's id; of a tax its name, as in `vat 2026-09-30`. */
  readonly key: string;
  readonly kind: 'invoice' | 'credit_note' | 'outlay' | 'tax';
  /** Whose it is: credits are set off within one. */
  readonly party: {
    readonly supplierId: string | null;
    readonly laidOutBy: string | null;
    readonly name: string;
  };
  /** The supplier's own number; of a tax what it is for. */
  readonly number: string;
  readonly dueOn: string | null;
  readonly openOre: Ore;
  /** Where it may be paid, the likeliest first. */
  readonly payees: readonly Payee[];
  /** OCR number or message, as the payee wants it. */
  readonly reference: string | null;
  readonly isOcr: boolean;
  readonly obstacle: PayableObstacle | null;
  /** The file that it stands in. */
  readonly file: FileOfPayable | null;
  /** The one whose payment of it the bank refused, and nothing has been asked since. */
  readonly refusedIn: FileOfPayable | null;
}

interface FileOfPayable {
  readonly id: string;
  readonly number: number;
}

export const partyKey = ({ supplierId, laidOutBy }: Payable['party']): string =>
  supplierId ?? `person ${laidOutBy ?? ''}`;

/** When it falls due, from a day: what has no day falls due at once. */
export type DueGroup = 'overdue' | 'this_week' | 'later';
export const dueGroups: readonly DueGroup[] = ['overdue', 'this_week', 'later'];

/** The last day of the week that begins with `today`. */
export const endOfWeekFrom = (today: string): string => addDays(today, 6);

export function dueGroup({ dueOn }: Pick<Payable, 'dueOn'>, today: string): DueGroup {
  if (dueOn === null) return 'this_week';
  if (dueOn < today) return 'overdue';
  return dueOn <= endOfWeekFrom(today) ? 'this_week' : 'later';
}

export interface DueSum {
  readonly group: DueGroup;
  readonly payables: readonly Payable[];
  /** Credits lessen it. */
  readonly ore: Ore;
}

/** Every payable in one group, each group by due day, then by whose it is. */
export function byDueGroup(payables: readonly Payable[], today: string): DueSum[] {
  const byDay = payables.toSorted((a, b) => (orderOf(a, today) < orderOf(b, today) ? -1 : 1));
  return dueGroups.map((group) => {
    const some = byDay.filter((one) => dueGroup(one, today) === group);
    return { group, payables: some, ore: sum(some.map(({ openOre }) => openOre)) };
  });
}

const orderOf = ({ dueOn, party, number, key }: Payable, today: string): string =>
  [dueOn ?? today, party.name, number, key].join('\u0000');
