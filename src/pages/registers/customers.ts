/** The customer register. */
import { z } from 'zod';
import { formatOrganizationNumber } from '../../domain/basics/identifiers.ts';
import { addressLines } from '../../render/wording.ts';
import { changeCustomer, createCustomer, removeCustomer } from '../../sales/customers/service.ts';
import {
  type Customer,
  type CustomerInvoice,
  getCustomer,
  isCustomerUsed,
  listCustomerInvoices,
  listCustomers,
  sumCustomerOpen,
} from '../../sales/customers/store.ts';
import { textOf } from '../form-fields.ts';
import { amountOrEmpty, amountText, kronor, remaining } from '../format.ts';
import { uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { customerFactsOf, customerFields, customerForm } from './customer-form.ts';
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

const params = z.object({ id: uuid });

export function registerCustomerPages(pages: Pages): void {
  pages.show({ url: '/kunder', right: 'read', show: showCustomers });
  pages.form({
    url: '/kunder/ny',
    right: 'keep_books',
    fields: customerFields,
    show: async ({ query }, input) => ({
      template: 'customer-form',
      title: 'Ny kund',
      values: {
        form: customerForm(input, undefined, textOf(query, 'namn')),
        customer: null,
        canBeRemoved: false,
      },
    }),
    perform: async ({ tx, person }, values) => {
      const { id, name } = await createCustomer(tx, customerFactsOf(values), person.actor);
      return { to: `/kunder/${id}`, notice: `${name} är upplagd.`, made: { value: name, id } };
    },
  });
  pages.show({ url: '/kunder/:id', right: 'read', params, show: showCustomer });
  pages.form({
    url: '/kunder/:id/andra',
    changesStored: true,
    right: 'keep_books',
    params,
    fields: customerFields,
    show: showForm,
    perform: async ({ tx, person, params: { id } }, values) => {
      await changeCustomer(tx, id, customerFactsOf(values), person.actor);
      return { to: `/kunder/${id}`, notice: `${values.name} är sparad.` };
    },
  });
  pages.act({
    url: '/kunder/:id/ta-bort',
    right: 'keep_books',
    params,
    show: (visit, input) => showForm(visit, asStored(input)),
    perform: async ({ tx, person, params: { id } }) => {
      const name = await removeCustomer(tx, id, person.actor);
      return { to: '/kunder', notice: `${name} är borttagen.` };
    },
  });
}

async function showCustomers({ tx, query }: Visit): Promise<View> {
  const { rows, around } = await registerPageOf(query, {
    path: '/kunder',
    placeSchema: namePlace,
    list: (filter, place) => listCustomers(tx, filter, place, pageRows),
    placeOfRow: (row) => [row.place, row.id],
  });
  return {
    template: 'customers',
    title: 'Kunder',
    values: {
      ...around,
      customers: rows.map((row) => ({
        id: row.id,
        name: row.name,
        number: row.organization_number ? formatOrganizationNumber(row.organization_number) : '',
        email: row.email ?? '',
        terms: row.payment_terms_days === null ? '' : `${row.payment_terms_days} dagar`,
        open: amountOrEmpty(row.open_ore),
        isActive: row.is_active,
      })),
    },
  };
}

async function showForm(
  { tx, params: { id } }: Visit<{ id: string }>,
  input: FormInput,
): Promise<View> {
  const customer = await getCustomer(tx, id);
  return {
    template: 'customer-form',
    title: `Ändra ${customer.name}`,
    values: {
      form: customerForm(input, customer),
      customer: { id, name: customer.name },
      canBeRemoved: !(await isCustomerUsed(tx, id)),
    },
  };
}

async function showCustomer({
  tx,
  query,
  today,
  params: { id },
}: Visit<{ id: string }>): Promise<View> {
  const customer = await getCustomer(tx, id);
  const place = placeOf(query, dayPlace);
  const found = await listCustomerInvoices(tx, id, place, pageRows);
  const { rows, pager } = pageOf(found, pageRows, {
    path: `/kunder/${id}`,
    parameters: {},
    placeOfRow: (row) => [row.invoice_date, row.id],
    isFirst: place === undefined,
  });
  const { open_ore, overdue_ore } = await sumCustomerOpen(tx, id, today);
  return {
    template: 'customer',
    title: customer.name,
    values: {
      customer: shownCustomer(customer),
      open: remaining(open_ore, 'betala tillbaka'),
      overdue: overdue_ore > 0n ? kronor(overdue_ore) : null,
      invoices: rows.map((row) => shownInvoice(row, today)),
      pager,
    },
  };
}

function shownCustomer(customer: Customer) {
  const { organization_number, agreed_rate_e2, payment_terms_days } = customer;
  const { address, postal_code: postalCode, city } = customer;
  return {
    id: customer.id,
    isActive: customer.is_active,
    isCollective: customer.is_collective,
    facts: factsShown([
      ['Organisationsnummer', organization_number && formatOrganizationNumber(organization_number)],
      ['Momsnummer', customer.vat_number],
      ['E-postadress', customer.email],
      ['Telefon', customer.phone],
      ['Adress', addressLines({ address, postalCode, city }).join(', ')],
      ['Land', customer.country_code],
      ...outsideFacts(customer.external_id),
      ['Betalningsvillkor', payment_terms_days === null ? null : `${payment_terms_days} dagar`],
      [
        'Dröjsmålsränta',
        agreed_rate_e2 === null
          ? 'enligt räntelagen'
          : `${String(agreed_rate_e2 / 100).replace('.', ',')} % (avtalad)`,
      ],
    ]),
    // What a demand or an invoice would lack.
    lacks: [
      customer.is_collective || customer.address ? null : 'gatuadress',
      customer.is_collective || customer.city ? null : 'ort',
      customer.is_collective || organization_number || customer.vat_number
        ? null
        : 'organisationsnummer',
    ]
      .filter((one) => one !== null)
      .join(', '),
  };
}

const states = {
  draft: ['', 'Utkast'],
  booked: ['info', 'Bokförd'],
  paid: ['good', 'Betald'],
  credited: ['', 'Krediterad'],
} as const;

function shownInvoice(row: CustomerInvoice, today: string) {
  const isLate = row.open_ore > 0n && row.due_date < today;
  const [tone, state] = isLate ? (['bad', 'Förfallen'] as const) : states[row.status];
  return {
    id: row.id,
    label:
      row.number === null
        ? 'Utkast'
        : row.kind === 'credit_note'
          ? `Kredit ${row.number}`
          : String(row.number),
    date: row.invoice_date,
    due: row.due_date,
    total: amountText(row.kind === 'credit_note' ? -row.total_ore : row.total_ore),
    open: amountOrEmpty(row.open_ore),
    tone,
    state,
  };
}
