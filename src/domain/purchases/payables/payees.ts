/** Accounts that a file of Swedish payments can pay. */
import type { Fault } from '../../../lib/errors.ts';
import { normalizePaymentAccount, readPaymentAccount } from '../../basics/payment-accounts.ts';
import type { Payee } from './payable.ts';

/** A clearing number of four digits, or five in Swedbank (8xxx-y), and an account of a Swedish bank together. */
const bankAccountForm = /^[1-9]\d{10,18}$/;

export const isPayeeAbroad = ({ kind, number }: Payee): boolean =>
  kind === 'iban' && !number.startsWith('SE');

/** The check digits are right, and the account is Swedish. */
export function payeeFaults(path: string, { kind, number }: Payee): Fault[] {
  const isRight =
    kind === 'other'
      ? bankAccountForm.test(number)
      : normalizePaymentAccount(kind, number) === number;
  if (!isRight) return [{ path, reason: 'wrong_payee_account', params: { number } }];
  if (!isPayeeAbroad({ kind, number })) return [];
  return [{ path, reason: 'payee_abroad', params: { number } }];
}

/** What can be paid first; the simplest for the payee's bank before the rest. */
export function inPayingOrder(payees: readonly Payee[]): Payee[] {
  const order = ['bankgiro', 'plusgiro', 'other', 'iban'];
  return payees
    .filter((one) => payeeFaults('', one).length === 0)
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** As typed: bankgiro, plusgiro, IBAN, or a clearing number and an account with a comma or blank between; null of anything else. */
export function readPayee(text: string): Payee | null {
  const [, clearing, fifth = '', account = ''] =
    /^(\d{4})(?:-(\d))?(?:\s*,\s*|\s+)(\d[\d\s-]{5,17})$/.exec(text.trim()) ?? [];
  if (clearing === undefined) return readPaymentAccount(text);
  const number = `${clearing}${fifth}${account.replace(/[\s-]/g, '')}`;
  return bankAccountForm.test(number) ? { kind: 'other', number } : null;
}
