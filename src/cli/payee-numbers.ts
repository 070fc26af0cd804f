/** Numbers of accounts as commands take them. */
import { InvalidArgumentError } from 'commander';
import { normalizePaymentAccount } from '../domain/basics/payment-accounts.ts';

/** As accounts keep it. */
export const iban = (value: string): string =>
  known('iban', value, 'IBAN stämmer inte; kontrollera siffrorna.');

export const bankgiro = (value: string): string =>
  known('bankgiro', value, 'Bankgirot stämmer inte; kontrollera siffrorna.');

export function accountNumber(value: string): string {
  const digits = value.replace(/[\s-]/g, '');
  if (!/^\d{5,34}$/.test(digits)) {
    throw new InvalidArgumentError('Ange clearing och kontonummer med siffror.');
  }
  return digits;
}

function known(kind: 'iban' | 'bankgiro', value: string, message: string): string {
  const normal = normalizePaymentAccount(kind, value);
  if (normal === null) throw new InvalidArgumentError(message);
  return normal;
}
