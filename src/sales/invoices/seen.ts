/**
 * Two people may have the same invoice before them and register the same money. What a form was made
 * from goes with it, and is held against how the invoice stands once it is locked.
 */
import type { Tx } from '../../db/pool.ts';
import { formatKronor } from '../../domain/basics/money.ts';
import { AppError } from '../../lib/errors.ts';
import { lockInvoice } from './settlement-store.ts';

interface Standing {
  readonly status: string;
  readonly open_ore: bigint;
  readonly reminders: number;
}

/** How an invoice stands, as a hidden field. */
export const markOf = ({ status, open_ore, reminders }: Standing): string =>
  `${status}.${open_ore}.${reminders}`;

/** Throws 422 when something has happened to the invoice since the mark was made; else holds it. */
export async function requireUnchanged(tx: Tx, id: string, mark: string): Promise<void> {
  const invoice = await lockInvoice(tx, id);
  if (!invoice) throw new AppError('not_found', 'Fakturan finns inte.');
  if (markOf(invoice) === mark) return;
  throw new AppError(
    'unprocessable',
    `Något har hänt med fakturan sedan du öppnade sidan: nu återstår ${formatKronor(invoice.open_ore)}. Inget är registrerat. Kontrollera uppgifterna och skicka igen om de fortfarande stämmer.`,
  );
}
