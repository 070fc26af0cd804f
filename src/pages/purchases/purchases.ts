/** The supplier inbox: what suppliers have sent, what waits, and what was refused at the door. */

import { z } from 'zod';
import { bankAccount, settlementKindOf } from '../../domain/ledger/settlement-accounts.ts';
import { dayOf } from '../../lib/clock.ts';
import { say, worded } from '../../lib/language.ts';
import { said } from '../../lib/sentences/say.ts';
import { listOwedPeople, type OwedPerson } from '../../purchases/by-hand/store.ts';
import {
  type InboxDocument,
  type InboxPurchase,
  type InboxQuery,
  listInboxDocuments,
  listInboxPurchases,
  listPostingAccounts,
} from '../../purchases/inbox/inbox-store.ts';
import { repayOutlays } from '../../purchases/inbox/payments.ts';
import { bookUnremarked, rejectPurchase } from '../../purchases/inbox/service.ts';
import { field, problemsAbove } from '../fields.ts';
import { type Fields, textOf, textsOf } from '../form-fields.ts';
import { amountText, count, kronor } from '../format.ts';
import { account, day, text } from '../inputs.ts';
import { tickedRows } from '../orders/orders.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { documentChip, documentReason, purchaseChip } from './purchase-words.ts';

const pageSize = 50;
const home = '/leverantorsinkorg';

const tabs = worded(
  () =>
    [
      { tab: 'action', name: 'atgard', label: say`Kräver åtgärd` },
      { tab: 'new', name: 'nya', label: say`Utan anmärkning` },
      { tab: 'booked', name: 'bokforda', label: say`Bokförda` },
      { tab: 'outlays', name: 'utlagg', label: say`Utlägg` },
      { tab: 'rejected', name: 'avvisade', label: say`Avvisade` },
      { tab: 'all', name: 'alla', label: say`Alla` },
    ] as const,
);

const ticked = tickedRows(() => say`Markera minst en faktura i listan.`);
const tickedOutlays = tickedRows(() => say`Markera minst ett utlägg i listan.`);

export function registerPurchasePages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: (visit) => showInbox(visit, nothingTyped) });

  pages.act({
    url: `${home}/bokfor`,
    right: 'keep_books',
    fields: z.object({ purchase: ticked }),
    show: showInbox,
    perform: async ({ tx, person, query }, { purchase }) => {
      const { booked, toReview, refusals } = await bookUnremarked(tx, purchase, person.actor);
      const [first] = refusals;
      const sentences = [
        say`${count(booked)} bokförda.`,
        toReview > 0 ? say`${count(toReview)} ska granskas var för sig.` : '',
        first
          ? say`${count(refusals.length)} gick inte att bokföra; den första: ${said('page', first).message}`
          : '',
      ];
      return { to: addressOf(query, {}), notice: sentences.filter(Boolean).join(' ') };
    },
  });

  pages.act({
    url: `${home}/avvisa`,
    right: 'keep_books',
    fields: z.object({ purchase: ticked, reason: text(500) }),
    show: showInbox,
    perform: async ({ tx, person, query }, { purchase, reason }) => {
      // In one order for everybody, so that two who reject the same never wait for each other.
      for (const id of purchase.toSorted()) await rejectPurchase(tx, id, reason, person.actor);
      return { to: addressOf(query, {}), notice: say`${count(purchase.length)} avvisade.` };
    },
  });

  pages.act({
    url: `${home}/betala-utlagg`,
    right: 'keep_books',
    fields: z.object({ purchase: tickedOutlays, date: day, account }),
    show: showInbox,
    perform: async ({ tx, person, today }, { purchase, ...paid }) => {
      const payment = { ...paid, purchaseIds: purchase, today };
      const { paidOre, laidOutBy } = await repayOutlays(tx, payment, person.actor);
      const notice = say`${kronor(paidOre)} till ${laidOutBy} är bokfört med ett verifikat, och ${count(purchase.length)} utlägg betalda.`;
      return { to: `${home}?flik=utlagg`, notice };
    },
  });
}

interface Filter {
  readonly tab: ReturnType<typeof tabs>[number];
  readonly query: InboxQuery;
}

function filterOf(fields: Fields): Filter {
  const tab = tabs().find(({ name }) => name === textOf(fields, 'flik')) ?? tabs()[0];
  const before = textOf(fields, 'efter');
  const search = textOf(fields, 'sok').trim().slice(0, 200);
  const person = textOf(fields, 'vem').slice(0, 200);
  return {
    tab,
    query: {
      tab: tab.tab,
      invoiceNumber: search === '' || search.includes('\0') ? null : search,
      laidOutBy: tab.tab !== 'outlays' || person === '' || person.includes('\0') ? null : person,
      before: z.uuid().safeParse(before).success ? before : null,
      limit: pageSize,
    },
  };
}

function addressOf(fields: Fields, more: Readonly<Record<string, string>>): string {
  const { tab, query } = filterOf(fields);
  const pairs = {
    ...(tab === tabs()[0] ? {} : { flik: tab.name }),
    ...(query.invoiceNumber === null ? {} : { sok: query.invoiceNumber }),
    ...(query.laidOutBy === null ? {} : { vem: query.laidOutBy }),
    ...more,
  };
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? home : `${home}?${text}`;
}

async function showInbox(visit: Visit, input: FormInput): Promise<View> {
  const { tx, query: fields, deps } = visit;
  const { tab, query } = filterOf(fields);
  const { timeZone } = deps.config;
  const purchases = await listInboxPurchases(tx, query);
  const documents = await listInboxDocuments(tx, query);
  // Ids are made in the order things come, so that two lists become one by them.
  const found = [
    ...purchases.map((one) => purchaseItem(one, tab.tab)),
    ...documents.map((one) => documentItem(one, timeZone)),
  ].sort((a, b) => (a.id < b.id ? 1 : -1));
  const items = found.slice(0, pageSize);
  const last = items.at(-1);
  const chosen = new Set(textsOf(input.fields, 'purchase'));
  const isAll = query.laidOutBy !== null && !input.isSent;
  const address = addressOf(fields, {});
  const search = address.slice(home.length);
  const repayment = await repaymentView(visit, input, items, search);
  const isBulk = (tab.tab === 'action' || tab.tab === 'new') && items.some((one) => one.mayTick);
  return {
    template: 'purchases',
    title: say`Leverantörsinkorg`,
    scripts: ['inbox'],
    values: {
      tabs: tabs().map(({ name, label }, index) => ({
        href: index === 0 ? home : `${home}?flik=${name}`,
        label,
        isCurrent: name === tab.name,
      })),
      tab: { name: tab.name, label: tab.label },
      empty: emptyStates()[await emptyTabOf(visit.tx, tab.tab, items.length)],
      isFiltered: query.invoiceNumber !== null,
      search: textOf(fields, 'sok'),
      items: items.map((item) => ({
        ...item,
        isTicked: (isAll && item.mayTick) || chosen.has(item.id),
      })),
      laidOutBy: query.laidOutBy,
      owed: tab.tab === 'outlays' ? (await listOwedPeople(tx)).map(owedView) : [],
      repayment,
      hasTicks: isBulk || repayment !== null,
      bulk: {
        book: `${home}/bokfor${search}`,
        reject: `${home}/avvisa${search}`,
        isShown: isBulk,
        mayBook: items.some((one) => one.mayBook),
        reason: field(input, 'reason', say`Orsak till att avvisa`, { maxLength: 500 }),
        above: problemsAbove(input, ['reason', 'date', 'account']),
        faults: input.problems.length,
      },
      pager: {
        next: found.length > pageSize && last ? addressOf(fields, { efter: last.id }) : null,
        first: query.before === null ? null : address,
      },
    },
  };
}

/** Whoever waits for the first invoice is told how they come. */
async function emptyTabOf(tx: Visit['tx'], tab: InboxQuery['tab'], shown: number) {
  if (shown > 0 || (tab !== 'action' && tab !== 'new')) return tab;
  const anything: InboxQuery = {
    tab: 'all',
    invoiceNumber: null,
    laidOutBy: null,
    before: null,
    limit: 1,
  };
  const purchases = await listInboxPurchases(tx, anything);
  const documents = await listInboxDocuments(tx, anything);
  return purchases.length + documents.length === 0 ? 'all' : tab;
}

const owedView = ({ name, account, open_ore, count: outlays }: OwedPerson) => ({
  name,
  href: `${home}?${new URLSearchParams({ flik: 'utlagg', vem: name })}`,
  account,
  amount: kronor(open_ore),
  outlays: count(outlays),
});

/** Only among outlays of which something is left. */
async function repaymentView(
  { tx, today }: Visit,
  input: FormInput,
  items: readonly { readonly mayRepay: boolean }[],
  search: string,
) {
  if (!items.some(({ mayRepay }) => mayRepay)) return null;
  const accounts = await listPostingAccounts(tx);
  const money = accounts.filter(({ number }) => settlementKindOf(number) === 'money');
  return {
    address: `${home}/betala-utlagg${search}`,
    date: field(input, 'date', say`Betalningsdag`, {
      type: 'date',
      isRequired: true,
      value: today,
    }),
    account: field(input, 'account', say`Från konto`, {
      type: 'select',
      isRequired: true,
      value: String(bankAccount),
      options: money.map(({ number, name }) => ({
        value: String(number),
        label: `${number} ${name}`,
      })),
    }),
  };
}

const emptyStates = worded(
  () =>
    ({
      action: {
        heading: say`Inget väntar`,
        text: say`Hit kommer varje leverantörsfaktura tills den är bokförd eller avvisad. Någon granskar den vid okänd leverantör, kreditfaktura, varningar, annan valuta eller en bokföring som inte gick.`,
      },
      new: {
        heading: say`Inga fakturor utan anmärkning`,
        text: say`De står här tills de är bokförda. De kan bokföras flera på en gång.`,
      },
      booked: {
        heading: say`Inga bokförda leverantörsfakturor`,
        text: say`En bokförd faktura står här tills du letar efter den, med vad som är kvar att betala.`,
      },
      outlays: {
        heading: say`Inga utlägg`,
        text: say`Vad en ägare eller anställd har köpt åt företaget med egna pengar skrivs under Nytt utlägg, och står här tills det är betalt tillbaka.`,
      },
      rejected: {
        heading: say`Inget har avvisats`,
        text: say`Här står fakturor som någon har avvisat, och dokument som inte togs emot: oläsliga, ställda till någon annan eller för stora.`,
      },
      all: {
        heading: say`Inga leverantörsfakturor har kommit än`,
        text: say`E-fakturor kommer hit när er accesspunkt för Peppol lämnar dem till POST /api/inbound/peppol, med en API-nyckel som får lämna in; den skapas under Inställningar › API-nycklar. En faktura på papper eller som PDF skrivs under Ny leverantörsfaktura, med originalet bredvid.`,
      },
    }) as const,
);

function purchaseItem(purchase: InboxPurchase, tab: InboxQuery['tab']) {
  const isSwedish = purchase.currency === 'SEK';
  const amount = amountText(purchase.payable_ore);
  const mayRepay = tab === 'outlays' && purchase.status === 'booked' && purchase.open_ore !== 0n;
  const isWaiting = purchase.status === 'new' || purchase.status === 'review';
  return {
    id: purchase.id,
    href: `${home}/${purchase.id}`,
    mayTick: tab === 'outlays' ? mayRepay : isWaiting,
    mayRepay,
    mayBook: purchase.status === 'new',
    supplier: purchase.supplier,
    number: purchase.invoice_number,
    what: whatOf(purchase),
    date: purchase.issue_date,
    due: purchase.due_date,
    total: isSwedish ? amount : `${amount} ${purchase.currency}`,
    warnings:
      purchase.warnings === 0
        ? ''
        : `${count(purchase.warnings)}${purchase.has_fatal ? say`, med fel` : ''}`,
    tone: purchase.has_fatal ? 'bad' : 'warn',
    chip: purchaseChip(purchase),
  };
}

function whatOf({ kind, laid_out_by }: InboxPurchase): string {
  if (laid_out_by !== null) return say`Utlägg av ${laid_out_by}`;
  return kind === 'credit_note' ? say`Kreditfaktura` : '';
}

/** A document that is no purchase: what is known of it stands where the supplier would. */
function documentItem(document: InboxDocument, timeZone: string) {
  const isRefused = document.status === 'rejected';
  const words = documentReason(document.reason ?? '');
  return {
    id: document.id,
    href: `${home}/dokument/${document.id}`,
    mayTick: false,
    mayRepay: false,
    mayBook: false,
    supplier: isRefused ? words.sentence : say`Mottagen men inte prövad än.`,
    number: '–',
    what: say`Från ${document.sender ?? '–'}, ${count(document.size)} byte`,
    date: dayOf(document.received_at, timeZone),
    due: null,
    total: '',
    warnings: '',
    tone: 'warn',
    chip: documentChip(document),
  };
}
