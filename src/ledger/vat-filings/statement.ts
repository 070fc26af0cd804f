/** The recapitulative statement of a month or quarter, and its file. */
import type { Tx } from '../../db/pool.ts';
import {
  contactFaults,
  type Statement,
  type StatementContact,
  type StatementPeriod,
  statementOf,
  statementPeriod,
  statementText,
} from '../../domain/ledger/recapitulative-statement.ts';
import { vatReturnOf } from '../../domain/ledger/vat-return.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { findVatCompany } from './company-store.ts';
import { listStatementSales, type StatementSale } from './statement-store.ts';
import { listVatSums } from './store.ts';

export interface SalesStatement extends Statement {
  readonly period: StatementPeriod;
  /** Sales whose buyer's VAT number nothing tells. */
  readonly unknown: readonly StatementSale[];
}

/** Throws 422 for what is neither a month nor a quarter. */
export async function readStatement(tx: Tx, name: string): Promise<SalesStatement> {
  const period = statementPeriod(name);
  if (!period) throw refuseWhole('unprocessable', 'no_statement_period', { period: name });
  const sales = await listStatementSales(tx, period);
  const statement = statementOf(sales, vatReturnOf(await listVatSums(tx, period)));
  return { ...statement, period, unknown: sales.filter(({ vatNumber }) => vatNumber === null) };
}

/** Throws 422 with what of the contact the file cannot hold. */
export async function statementFile(
  tx: Tx,
  { period, lines }: SalesStatement,
  contact: StatementContact,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const faults = contactFaults(contact);
  if (faults.length > 0) throw refuse('unprocessable', faults);
  const company = await findVatCompany(tx);
  if (!company) throw refuseWhole('unprocessable', 'not_set_up');
  const text = statementText({ vatNumber: company.vatNumber, period, contact, lines });
  return { name: `SKV574008-${period.name}.txt`, content: Buffer.from(text, 'latin1') };
}
