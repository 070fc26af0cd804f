/** A stopped order invoiced by hand: the form of any draft, begun with all that the order says. */
import { z } from 'zod';
import { isDate } from '../../domain/basics/dates.ts';
import { absolute } from '../../domain/basics/money.ts';
import { domesticSalesAccounts } from '../../domain/ledger/vat.ts';
import { giftCardAccount } from '../../domain/sales/gift-card.ts';
import { plainRow, roundingAccount } from '../../domain/sales/invoice.ts';
import { type HandRow, handOrder } from '../../intake/orders/by-hand.ts';
import { invoiceByHand } from '../../intake/orders/inbox.ts';
import { findAttemptBytes, findOrder, listAttempts } from '../../intake/orders/inbox-store.ts';
import { bodyOf, readableOrder } from '../../intake/orders/readable.ts';
import { foresee } from '../../intake/orders/service.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { getCustomer } from '../../sales/customers/store.ts';
import { customerLabel } from '../../sales/invoices/customer-choice.ts';
import { findCustomer, listArticles } from '../../sales/invoices/draft-store.ts';
import { createDraft } from '../../sales/invoices/drafts.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { e4Text } from '../format.ts';
import { parseTyped, uuid } from '../inputs.ts';
import { answer, readDraft, sent } from '../invoices/invoice-draft.ts';
import { rowTexts } from '../invoices/invoice-draft-row.ts';
import { type DraftValues, draftView, emptyDraft } from '../invoices/invoice-draft-view.ts';
import type { Pages } from '../page.ts';
import type { Visit } from '../visit.ts';
import { currencyAmount, isKronor } from './order-words.ts';

type OrderVisit = Visit<{ id: string }>;

/** A total may differ by this from rows whose prices have four decimals without VAT. */
const roundingMax = 50n;

export function registerOrderInvoice(pages: Pages): void {
  pages.form({
    url: '/order/:id/faktura',
    right: 'keep_books',
    params: z.object({ id: uuid }),
    fields: sent,
    show: async (visit, input) => draftView(visit, input, await orderDraft(visit)),
    perform: (visit, fields) =>
      answer(
        visit,
        fields,
        () => orderDraft(visit),
        () => write(visit, fields),
      ),
  });
}

function write(visit: OrderVisit, fields: Fields): Promise<string> {
  const { tx, person, requestId, params } = visit;
  const decider = { actor: person.actor, requestId };
  return invoiceByHand(
    tx,
    params.id,
    async () => {
      const written = await readDraft(visit, fields);
      const { customerId } = written;
      if ((await getCustomer(tx, customerId)).is_collective) {
        const message =
          'Samlingskunden är ingen köpare: på fakturan ska köparen själv stå. Skapa kunden av orderns uppgifter.';
        throw refuse('unprocessable', [{ path: 'customer', reason: 'collective', message }]);
      }
      return { id: await createDraft(tx, written, person.actor), customerId };
    },
    decider,
  );
}

/** The order's date, buyer, rows and total, as far as they can be read and are in kronor. */
async function orderDraft(visit: OrderVisit): Promise<DraftValues> {
  const { tx, query, params, today } = visit;
  const order = await findOrder(tx, params.id);
  const [latest] = order ? await listAttempts(tx, order.id) : [];
  if (order?.kind !== 'order' || !latest) throw new AppError('not_found', 'Ordern finns inte.');
  const raw = (await findAttemptBytes(tx, order.id, latest.id)) ?? Buffer.alloc(0);
  const body = bodyOf(raw);
  const { externalId, orderDate, currency, total, totalOre } = readableOrder(body);
  const rateE4 = isKronor(currency) ? 10_000n : typedRate(textOf(query, 'kurs'));
  const { rows, differenceOre } = handOrder(body, rateE4);
  const { customer: matched } = await foresee(tx, raw);
  const customer = matched && (await findCustomer(tx, matched.id));
  const paid = totalOre === null ? total : currencyAmount(totalOre, currency);
  const notes = [
    externalId.trim() === '' ? '' : `Order ${externalId.trim()}`,
    rateE4 === null || isKronor(currency) ? '' : `Ordern är på ${paid}, kurs ${e4Text(rateE4)}`,
  ];
  return {
    ...(await emptyDraft(visit)),
    customerId: customer?.id ?? '',
    customer: customer ? customerLabel(customer) : '',
    invoiceDate: isDate(orderDate) ? orderDate : today,
    notes: notes.filter(Boolean).join('\n'),
    rows: await typedRows(tx, rows, differenceOre),
    order: {
      href: `/order/${order.id}`,
      name: order.external_id ?? 'utan nummer',
      paid,
      lacksRate: rateE4 === null,
      newCustomer: customer
        ? null
        : `/order/${order.id}/kund?sedan=faktura${rateQuery(query, '&')}`,
    },
  };
}

/** The rate in an address goes along to the next one. */
export function rateQuery(query: Fields, before: '?' | '&'): string {
  const rate = textOf(query, 'kurs');
  return typedRate(rate) === null ? '' : `${before}${new URLSearchParams({ kurs: rate })}`;
}

function typedRate(typed: string): bigint | null {
  const rate = parseTyped(typed.trim(), 4);
  return rate === undefined || rate <= 0n ? null : rate;
}

async function typedRows(
  tx: OrderVisit['tx'],
  rows: readonly HandRow[],
  differenceOre: bigint | null,
): Promise<Fields[]> {
  const numbers = rows.flatMap(({ articleNumber }) => articleNumber ?? []);
  const articles = await listArticles(tx, numbers);
  const typed = rows.map((row): Fields => {
    const own = articles.find(({ number }) => number === row.articleNumber)?.account;
    const rate = row.vatRate ?? 0;
    const usual = row.isGiftCard
      ? giftCardAccount
      : rate === 0
        ? null
        : domesticSalesAccounts[rate];
    const account = own ?? usual;
    return rowTexts({ ...row, account });
  });
  const isRounding = differenceOre && absolute(differenceOre) <= roundingMax;
  return isRounding ? [...typed, roundingRow(differenceOre)] : typed;
}

const roundingRow = (differenceOre: bigint): Fields =>
  rowTexts({
    ...plainRow,
    description: 'Öresutjämning',
    quantityE4: 10_000n,
    unitPriceE4: differenceOre * 100n,
    vatRate: 0,
    account: roundingAccount,
  });
