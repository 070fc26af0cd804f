/** The supplier register. */
import { z } from 'zod';
import { formatOrganizationNumber } from '../../domain/basics/identifiers.ts';
import {
  formatPaymentAccount,
  type PaymentAccountKind,
} from '../../domain/basics/payment-accounts.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { dayOf } from '../../lib/clock.ts';
import { defaultPaymentDays } from '../../purchases/by-hand/service.ts';
import {
  changeSupplier,
  createSupplier,
  removeAccount,
  removeSupplier,
  vouchForAccount,
} from '../../purchases/suppliers/service.ts';
import {
  getSupplier,
  isSupplierUsed,
  listSupplierAccounts,
  listSupplierInvoices,
  listSuppliersPage,
  payeeKinds,
  type RegisteredSupplier,
  type SupplierInvoice,
  sumSupplierOpen,
} from '../../purchases/suppliers/store.ts';
import { addressLines } from '../../render/wording.ts';
import { textOf } from '../form-fields.ts';
import { amountOrEmpty, amountText, remaining } from '../format.ts';
import { choice, text, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import {
  asStored,
  dayPlace,
  factsShown,
  namePlace,
  outsideFacts,
  pageOf,
  pageRows,
  placeOf,
  registerPageOf,
} from './lists.ts';
import {
  accountFields,
  accountForm,
  accountsOf,
  factsOf,
  newSupplierFields,
  payeeKindNames,
  supplierFields,
  supplierForm,
} from './supplier-form.ts';
import { supplyNames } from './supply-mark.ts';

const params = z.object({ id: uuid });
type Named = { id: string };

export function registerSupplierPages(pages: Pages): void {
  pages.show({ url: '/leverantorer', right: 'read', show: showSuppliers });
  pages.form({
    url: '/leverantorer/ny',
    right: 'keep_books',
    fields: newSupplierFields,
    show: async ({ tx, query }, input) => ({
      template: 'supplier-form',
      title: 'Ny leverantör',
      values: {
        form: supplierForm(input, undefined, textOf(query, 'namn')),
        supplier: null,
        canBeRemoved: false,
        accounts: await listUsableAccounts(tx),
      },
    }),
    perform: async ({ tx, person }, values) => {
      const supplier = { ...factsOf(values), accounts: accountsOf(values) };
      const { id, name } = await createSupplier(tx, supplier, person.actor);
      return { to: `/leverantorer/${id}`, notice: `${name} är upplagd.`, made: { value: name } };
    },
  });
  pages.show({
    url: '/leverantorer/:id',
    right: 'read',
    params,
    show: (visit) => showSupplier(visit, { fields: {}, problems: [], isSent: false }),
  });
  pages.form({
    url: '/leverantorer/:id/andra',
    changesStored: true,
    right: 'keep_books',
    params,
    fields: supplierFields,
    show: showForm,
    perform: async ({ tx, person, params: { id } }, values) => {
      await changeSupplier(tx, id, { ...factsOf(values), isActive: values.isActive }, person.actor);
      return { to: `/leverantorer/${id}`, notice: `${values.name} är sparad.` };
    },
  });
  pages.act({
    url: '/leverantorer/:id/ta-bort',
    right: 'keep_books',
    params,
    show: (visit, input) => showForm(visit, asStored(input)),
    perform: async ({ tx, person, params: { id } }) => {
      const name = await removeSupplier(tx, id, person.actor);
      return { to: '/leverantorer', notice: `${name} är borttagen.` };
    },
  });
  registerPayeeAccounts(pages);
}

function registerPayeeAccounts(pages: Pages): void {
  pages.act({
    url: '/leverantorer/:id/konton',
    right: 'keep_books',
    params,
    fields: accountFields,
    show: showSupplier,
    perform: async ({ tx, person, params: { id } }, account) => {
      await vouchForAccount(tx, id, account, person.actor);
      const number = formatPaymentAccount(account.kind, account.number);
      const notice = `${payeeKindNames[account.kind]} ${number} är tillagt.`;
      return { to: `/leverantorer/${id}`, notice };
    },
  });
  pages.act({
    url: '/leverantorer/:id/konton/ta-bort',
    right: 'keep_books',
    params,
    fields: z.object({ kind: choice(payeeKinds), number: text(50) }),
    perform: async ({ tx, person, params: { id } }, account) => {
      await removeAccount(tx, id, account, person.actor);
      const number = formatPaymentAccount(account.kind, account.number);
      const notice = `${payeeKindNames[account.kind]} ${number} är borttaget; fakturor dit stannar för granskning.`;
      return { to: `/leverantorer/${id}`, notice };
    },
  });
}

async function showSuppliers({ tx, query }: Visit): Promise<View> {
  const { rows, around } = await registerPageOf(query, {
    path: '/leverantorer',
    placeSchema: namePlace,
    list: (filter, place) => listSuppliersPage(tx, filter, place, pageRows),
    placeOfRow: (row) => [row.place, row.id],
  });
  return {
    template: 'suppliers',
    title: 'Leverantörer',
    values: {
      ...around,
      suppliers: rows.map((row) => ({
        id: row.id,
        name: row.name,
        number: row.organization_number ? formatOrganizationNumber(row.organization_number) : '',
        email: row.email ?? '',
        accounts: row.accounts.map(shownAccount).join(' · '),
        account: row.account ?? '',
        open: amountOrEmpty(row.open_ore),
        isActive: row.is_active,
      })),
    },
  };
}

/** `bankgiro 50501055` as `bg 5050-1055`. */
function shownAccount(account: string): string {
  const [kind = '', number = ''] = account.split(' ', 2);
  const short: Record<string, string> = { bankgiro: 'bg', plusgiro: 'pg', iban: 'IBAN' };
  return `${short[kind] ?? ''} ${formatPaymentAccount(kind as PaymentAccountKind, number)}`.trim();
}

async function showForm({ tx, params: { id } }: Visit<Named>, input: FormInput): Promise<View> {
  const supplier = await getSupplier(tx, id);
  return {
    template: 'supplier-form',
    title: `Ändra ${supplier.name}`,
    values: {
      form: supplierForm(input, supplier),
      supplier: { id, name: supplier.name },
      canBeRemoved: !(await isSupplierUsed(tx, id)),
      accounts: await listUsableAccounts(tx),
    },
  };
}

async function showSupplier(visit: Visit<Named>, input: FormInput): Promise<View> {
  const { tx, query, today, deps } = visit;
  const { id } = visit.params;
  const supplier = await getSupplier(tx, id);
  const place = placeOf(query, dayPlace);
  const found = await listSupplierInvoices(tx, id, place, pageRows);
  const { rows, pager } = pageOf(found, pageRows, {
    path: `/leverantorer/${id}`,
    parameters: {},
    placeOfRow: (row) => [row.issue_date, row.id],
    isFirst: place === undefined,
  });
  const accounts = await listSupplierAccounts(tx, id);
  return {
    template: 'supplier',
    title: supplier.name,
    values: {
      supplier: { id, isActive: supplier.is_active, facts: supplierFacts(supplier) },
      open: remaining(await sumSupplierOpen(tx, id), 'få tillbaka'),
      accounts: accounts.map(({ kind, number, created_at }) => ({
        kind,
        number,
        kindName: payeeKindNames[kind],
        shown: formatPaymentAccount(kind, number),
        since: dayOf(created_at, deps.config.timeZone),
      })),
      accountForm: accountForm(input),
      invoices: rows.map((row) => shownInvoice(row, today)),
      pager,
    },
  };
}

function supplierFacts(supplier: RegisteredSupplier) {
  const { organization_number, account, address, postal_code: postalCode, city } = supplier;
  return factsShown([
    ['Organisationsnummer', organization_number && formatOrganizationNumber(organization_number)],
    ['Momsnummer', supplier.vat_number],
    ['Elektronisk adress', supplier.endpoint],
    ['E-postadress', supplier.email],
    ['Telefon', supplier.phone],
    ['Adress', addressLines({ address, postalCode, city }).join(', ')],
    ['Land', supplier.country_code],
    ...outsideFacts(supplier.external_id),
    ['Betalningsvillkor', `${supplier.payment_days ?? defaultPaymentDays} dagar`],
    ['Vanligt inköpskonto', account === null ? 'följer den senaste fakturan' : String(account)],
    [
      'Säljer',
      supplier.supply &&
        `${supplyNames()[supplier.supply]}, ${supplier.reverse_charge_rate} % moms`,
    ],
  ]);
}

const states = {
  new: ['info', 'Ny'],
  review: ['warn', 'Att granska'],
  booked: ['good', 'Bokförd'],
  rejected: ['', 'Avvisad'],
} as const;

function shownInvoice(row: SupplierInvoice, today: string) {
  const isLate = row.open_ore > 0n && row.due_date !== null && row.due_date < today;
  const isPaid = row.status === 'booked' && row.open_ore === 0n;
  const [tone, state] = isLate
    ? (['bad', 'Förfallen'] as const)
    : isPaid
      ? (['good', 'Betald'] as const)
      : states[row.status];
  return {
    id: row.id,
    number: row.invoice_number,
    date: row.issue_date,
    due: row.due_date ?? '',
    total: `${amountText(row.payable_ore)}${row.currency === 'SEK' ? '' : ` ${row.currency}`}`,
    open: amountOrEmpty(row.open_ore),
    tone,
    state,
  };
}
