/** The list of customer invoices. */
import { z } from 'zod';
import { isDate } from '../../domain/basics/dates.ts';
import { dueInWords } from '../../domain/sales/invoice-state.ts';
import { refuse } from '../../lib/errors.ts';
import {
  findInvoices,
  getReceivables,
  type InvoicePlace,
  type InvoiceTab,
  invoiceTabs,
  type ListedInvoice,
  listInvoices,
  placeOf,
  searchHitsMax,
} from '../../sales/invoices/list-store.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { amountOrEmpty, amountText, kronor } from '../format.ts';
import type { Pages } from '../page.ts';
import type { View, Visit } from '../visit.ts';
import { isAwaited, stateOf } from './invoice-words.ts';

const pageRows = 50;
const searchMax = 200;

const tabLabels: Readonly<Record<InvoiceTab, string>> = {
  alla: 'Alla',
  utkast: 'Utkast',
  obetalda: 'Obetalda',
  forfallna: 'Förfallna',
  betalda: 'Betalda',
  krediterade: 'Krediterade',
};

export function registerInvoicePages(pages: Pages): void {
  pages.show({ url: '/kundfakturor', right: 'read', show: showList });
}

async function showList({ tx, query, today }: Visit): Promise<View> {
  const tab = readTab(query);
  const search = textOf(query, 'sok').trim().slice(0, searchMax);
  const hits = search === '' ? null : await findInvoices(tx, search);
  const listed = await listInvoices(tx, {
    tab,
    among: hits,
    today,
    after: readPlace(query),
    limit: pageRows + 1,
  });
  const shown = listed.slice(0, pageRows);
  const last = shown.at(-1);
  const { openOre, overdueOre } = await getReceivables(tx, today);
  return {
    template: 'invoices',
    title: 'Kundfakturor',
    values: {
      tab,
      search,
      tabs: invoiceTabs.map((name) => ({
        href: addressOf(name, search),
        label: tabLabels[name],
        isCurrent: name === tab,
      })),
      open: kronor(openOre),
      overdue: kronor(overdueOre),
      hasOverdue: overdueOre > 0n,
      invoices: shown.map((invoice) => rowOf(invoice, today)),
      hasMoreHits: hits?.length === searchHitsMax,
      isFiltered: search !== '' || tab !== 'alla',
      first: textOf(query, 'efter') === '' ? null : addressOf(tab, search),
      next: last && listed.length > pageRows ? addressOf(tab, search, placeOf(tab, last)) : null,
    },
  };
}

function rowOf(invoice: ListedInvoice, today: string) {
  const { state, chip } = stateOf(invoice, invoice.is_stopped, today);
  return {
    id: invoice.id,
    number: invoice.number === null ? 'Utkast' : String(invoice.number),
    debtor: invoice.debtor_name ?? '',
    date: invoice.invoice_date,
    due: invoice.kind === 'credit_note' ? '' : invoice.due_date,
    dueInWords: isAwaited(state) ? dueInWords(invoice.due_date, today) : null,
    total: amountText(invoice.kind === 'credit_note' ? -invoice.total_ore : invoice.total_ore),
    open: amountOrEmpty(invoice.open_ore),
    chip,
    isDisputed: invoice.is_disputed,
  };
}

function addressOf(tab: InvoiceTab, search: string, after?: InvoicePlace): string {
  const query = new URLSearchParams();
  if (tab !== 'alla') query.set('flik', tab);
  if (search !== '') query.set('sok', search);
  if (after) query.set('efter', `${after.day}_${after.id}`);
  return query.size === 0 ? '/kundfakturor' : `/kundfakturor?${query}`;
}

function readTab(query: Fields): InvoiceTab {
  const given = textOf(query, 'flik');
  if (given === '') return 'alla';
  const tab = invoiceTabs.find((name) => name === given);
  if (tab) return tab;
  const message = `flik är något av ${invoiceTabs.join(', ')}.`;
  throw refuse('invalid_request', [{ path: 'flik', reason: 'unknown_value', message }]);
}

/** A place that cannot be read is an error, never the first page once more. */
function readPlace(query: Fields): InvoicePlace | undefined {
  const given = textOf(query, 'efter');
  if (given === '') return undefined;
  const [day = '', id = ''] = given.split('_');
  if (isDate(day) && z.guid().safeParse(id).success) return { day, id };
  const message = 'efter går inte att läsa; börja om från listans början.';
  throw refuse('invalid_request', [{ path: 'efter', reason: 'unreadable_cursor', message }]);
}
