/** What is to be paid, as it is chosen from: suppliers' invoices, outlays, credits, VAT and tax. */
import type { Db } from '../../db/pool.ts';
import { reportingOf, vatDueDate, vatPeriodEndingOn } from '../../domain/ledger/vat-deadlines.ts';
import type { Payable, Payee } from '../../domain/purchases/payables/payable.ts';
import { inPayingOrder, isPayeeAbroad } from '../../domain/purchases/payables/payees.ts';
import {
  openTaxClaims,
  payrollDueDate,
  type TaxClaim,
  taxBankgiro,
} from '../../domain/purchases/payables/tax-claims.ts';
import { isUuid } from '../../lib/uuid.ts';
import {
  findTaxBooks,
  listOwedInvoices,
  type OwedInvoice,
  type TaxBooks,
} from './register-store.ts';

export async function listPayables(db: Db, today: string): Promise<Payable[]> {
  const invoices = await listOwedInvoices(db, null);
  return [...invoices.map(payableOf), ...(await listTaxes(db, today))];
}

/** Those of the keys that are open still; the other way, as `listPayables`. */
export async function findPayables(
  db: Db,
  keys: readonly string[],
  today: string,
): Promise<ReadonlyMap<string, Payable>> {
  const ids = keys.filter(isInvoiceKey);
  const invoices = await listOwedInvoices(db, ids);
  const taxes = keys.length > ids.length ? await listTaxes(db, today) : [];
  const found = [...invoices.map(payableOf), ...taxes];
  return new Map(found.map((one) => [one.key, one]));
}

export const isInvoiceKey = (key: string): boolean => isUuid(key);

function payableOf(one: OwedInvoice): Payable {
  const { payment, laid_out_by: laidOutBy, supplier_id: supplierId, file_id, file_number } = one;
  const reference = payment.reference === null ? null : payment.reference.replace(/\s+/g, ' ');
  const isOcr = payment.isOcr && reference !== null;
  const file =
    file_id === null || file_number === null ? null : { id: file_id, number: file_number };
  return {
    key: one.id,
    kind: laidOutBy === null ? (one.open_ore < 0n ? 'credit_note' : 'invoice') : 'outlay',
    party: { supplierId, laidOutBy, name: one.name },
    number: one.number,
    dueOn: one.due_on,
    openOre: one.open_ore,
    payees: payeesOf(one),
    reference: isOcr ? reference.replaceAll(' ', '') : reference,
    isOcr,
    obstacle: obstacleOf(one),
    file,
    refusedIn: one.refused_in,
  };
}

/** Those that the invoice names; where it names none, those that the register has. */
function payeesOf({ payment, known_payees: known, latest_payee: latest }: OwedInvoice): Payee[] {
  const named = inPayingOrder(payment.accounts.map(({ kind, number }) => ({ kind, number })));
  if (named.length > 0) return named;
  return inPayingOrder([...known, ...(latest === null ? [] : [latest])]);
}

function obstacleOf(one: OwedInvoice): Payable['obstacle'] {
  const { file_id, payment, known_payees: known, currency, open_ore } = one;
  if (file_id !== null) return 'in_file';
  if (payment.isPaidOtherwise && open_ore > 0n) return 'paid_otherwise';
  if (currency !== 'SEK') return 'currency';
  const isAbroad = open_ore > 0n && [...payment.accounts, ...known].some(isPayeeAbroad);
  return isAbroad && payeesOf(one).length === 0 ? 'abroad' : null;
}

async function listTaxes(db: Db, today: string): Promise<Payable[]> {
  const books = await findTaxBooks(db, today);
  if (!books) return [];
  const files = new Map(books.in_files.map((one) => [one.key, one]));
  return openTaxClaims(claimsOf(books), books.owed_ore).map(({ key, dueOn, ore }): Payable => {
    const file = files.get(key);
    return {
      key,
      kind: 'tax',
      party: { supplierId: null, laidOutBy: null, name: 'Skatteverket' },
      number: taxName(key),
      dueOn,
      openOre: ore,
      payees: [{ kind: 'bankgiro', number: taxBankgiro }],
      reference: books.ocr,
      isOcr: true,
      obstacle: file ? 'in_file' : null,
      file: file ? { id: file.file_id, number: file.file_number } : null,
      refusedIn: null,
    };
  });
}

function claimsOf({ reporting, vat, payroll }: TaxBooks): TaxClaim[] {
  const ofVat = vat.map(({ end, filed_from: start, ore }) => {
    // As it was filed, whatever periods the company has since.
    const dueOn =
      start === null
        ? vatDueDate(reporting, vatPeriodEndingOn(reporting.period, [], end) ?? { start: end, end })
        : vatDueDate(reportingOf(reporting, { start, end }), { start, end });
    return { key: `vat ${end}`, dueOn, ore };
  });
  const ofPayroll = payroll.map(({ month, ore }) => {
    return { key: `payroll ${month}`, dueOn: payrollDueDate(month), ore };
  });
  return [...ofVat, ...ofPayroll];
}

/** `Moms till och med 2026-09-30`, as files, pages and vouchers call it. */
export function taxName(key: string): string {
  const [kind = '', of = ''] = key.split(' ');
  return kind === 'vat' ? `Moms till och med ${of}` : `Skatt och arbetsgivaravgifter ${of}`;
}
