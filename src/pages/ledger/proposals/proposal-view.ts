/**
 * A proposal as whoever decides reads it: what is paid to whom, accounts and amounts first, out of the payload that is
 * posted and of the registers; what the program says of it stands last.
 */

import { proposedOf } from '../../../api/proposals/payloads.ts';
import type { Tx } from '../../../db/pool.ts';
import { homeCurrency, toOre } from '../../../domain/basics/exchange-rate.ts';
import { e4ToNumber, type Ore, sum } from '../../../domain/basics/money.ts';
import { formatPaymentAccount } from '../../../domain/basics/payment-accounts.ts';
import { visibleText } from '../../../domain/basics/visible-text.ts';
import { reverseRows } from '../../../domain/ledger/reversal.ts';
import { ledgerRowOf } from '../../../ledger/vouchers/corrections.ts';
import { listVoucherRows } from '../../../ledger/vouchers/detail-store.ts';
import type { LedgerRow } from '../../../ledger/vouchers/posting-store.ts';
import { AppError } from '../../../lib/errors.ts';
import { say, worded } from '../../../lib/language.ts';
import { changeInWords } from '../../../lib/sentences/proposals.ts';
import { capitalized } from '../../../lib/sentences/words.ts';
import type { Proposed } from '../../../proposals/proposed.ts';
import type { Grounds, StoredProposal } from '../../../proposals/store.ts';
import { proposalKindNames, proposalStatusNames } from '../../../proposals/words.ts';
import type { SupplierInvoiceByHand } from '../../../purchases/by-hand/service.ts';
import { exchangeRateText } from '../../../render/wording.ts';
import type { WrittenDraft } from '../../../sales/invoices/drafts.ts';
import { amountOrEmpty, amountText, e4Text, kronor, moment, priceText } from '../../format.ts';

interface FactView {
  readonly term: string;
  readonly value: string;
  readonly href?: string;
  /** To be looked at before anything else. */
  readonly warning?: string;
}

interface RowsView {
  readonly heading: string | null;
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly { readonly text: string; readonly isNumber: boolean }[])[];
}

interface Body {
  readonly title: string;
  readonly facts: readonly FactView[];
  readonly tables: readonly RowsView[];
}

/** Of a ground, in texts: `name` of `account:1930`. */
function told(grounds: Grounds, name: string, key: string): string {
  const value = grounds[name]?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const oreOf = (text: string): Ore => BigInt(/^-?\d+$/.test(text) ? text : 0);

const table = (
  heading: string | null,
  labels: readonly (readonly [label: string, isNumber?: true])[],
  rows: readonly (readonly string[])[],
): RowsView => {
  const columns = labels.map(([label, isNumber = false]) => ({ label, isNumber }));
  return {
    heading,
    columns,
    rows: rows.map((cells) =>
      cells.map((text, index) => ({ text, isNumber: columns[index]?.isNumber ?? false })),
    ),
  };
};

function postingTable(
  heading: string | null,
  rows: readonly LedgerRow[],
  grounds: Grounds,
): RowsView {
  return table(
    heading,
    [[say`Konto`], [say`Debet, kr`, true], [say`Kredit, kr`, true], [say`Not`]],
    rows.map((row) => [
      `${row.account} ${told(grounds, `account:${row.account}`, 'name')}`,
      amountOrEmpty(row.debitOre),
      amountOrEmpty(row.creditOre),
      [
        row.note ?? '',
        ...[row.costCenter, row.project].map((id) =>
          id ? told(grounds, `dimension:${id}`, 'name') : '',
        ),
      ]
        .filter((text) => text !== '')
        .join(' · '),
    ]),
  );
}

const total = (rows: readonly LedgerRow[]): string =>
  kronor(sum(rows.map(({ debitOre }) => debitOre)));

async function bodyOf(tx: Tx, proposed: Proposed, grounds: Grounds): Promise<Body> {
  switch (proposed.kind) {
    case 'voucher': {
      const { series, date, description, counterparty, rows } = proposed.voucher;
      return {
        title: description,
        facts: [
          { term: say`Belopp`, value: total(rows) },
          { term: say`Datum`, value: date },
          { term: say`Serie`, value: series },
          ...(counterparty === null ? [] : [{ term: say`Motpart`, value: counterparty }]),
          ...documentFacts(proposed.documentIds, grounds),
        ],
        tables: [postingTable(null, rows, grounds)],
      };
    }
    case 'correction': {
      const { correctedId, date, description, replacement } = proposed.correction;
      const label = told(grounds, `voucher:${correctedId}`, 'label');
      const back = reverseRows((await listVoucherRows(tx, correctedId)).map(ledgerRowOf));
      return {
        title: description,
        facts: [
          { term: say`Rättar`, value: label, href: `/verifikat/${correctedId}` },
          { term: say`Belopp som tas tillbaka`, value: total(back) },
          { term: say`Datum`, value: date },
          ...(replacement ? [{ term: say`Ersätts av`, value: replacement.description }] : []),
        ],
        tables: [
          postingTable(say`${label} tas tillbaka`, back.slice(0, rowsShown), grounds),
          ...(replacement ? [postingTable(say`I stället bokförs`, replacement.rows, grounds)] : []),
        ],
      };
    }
    case 'match':
      return matchBody(proposed, grounds);
    case 'invoice_draft':
      return draftBody(proposed.draft, grounds);
    case 'purchase':
      return purchaseBody(proposed.invoice, grounds);
    default:
      return proposed satisfies never;
  }
}

/** Of a voucher that is taken back; the rest stand on its own page. */
const rowsShown = 200;

const documentFacts = (ids: readonly string[], grounds: Grounds): FactView[] =>
  ids.map((id) => ({
    term: say`Underlag`,
    value: told(grounds, `document:${id}`, 'file_name') || id,
    href: `/underlag/${id}`,
  }));

const matched = worded(
  () =>
    ({
      voucher: { term: say`Bokförd av`, home: '/verifikat' },
      invoice: { term: say`Betalar kundfaktura`, home: '/kundfakturor' },
      purchase: { term: say`Betalar leverantörsfaktura`, home: '/leverantorsinkorg' },
    }) as const,
);

function matchBody(
  { transactionId, target }: Extract<Proposed, { kind: 'match' }>,
  grounds: Grounds,
): Body {
  const row = `row:${transactionId}`;
  const ore = oreOf(told(grounds, row, 'amount_ore'));
  const bank = told(grounds, row, 'account');
  const facts: FactView[] = [
    {
      term: say`Bankrad`,
      value: say`${kronor(ore)} den ${told(grounds, row, 'date')}`,
      href: `/bank/${transactionId}`,
    },
    { term: say`Bankens text`, value: told(grounds, row, 'text') || say`Utan text` },
    { term: say`Konto`, value: `${bank} ${told(grounds, `account:${bank}`, 'name')}` },
  ];
  if (target.kind === 'account') {
    const name = told(grounds, `account:${target.account}`, 'name');
    facts.push({ term: say`Bokförs mot`, value: `${target.account} ${name}` });
    facts.push({ term: say`Beskrivning`, value: target.description });
    return { title: target.description, facts, tables: [] };
  }
  const name = `${target.kind}:${target.id}`;
  const { term, home } = matched()[target.kind];
  const label = told(grounds, name, target.kind === 'voucher' ? 'label' : 'number');
  const who = told(grounds, name, 'who');
  facts.push({
    term,
    value: who === '' ? label : `${label}, ${who}`,
    href: `${home}/${target.id}`,
  });
  if (target.kind !== 'voucher') {
    const open = oreOf(told(grounds, name, 'open_ore'));
    facts.push({ term: say`Återstår på den`, value: kronor(open < 0n ? -open : open) });
  }
  return { title: told(grounds, row, 'text') || say`Bankrad`, facts, tables: [] };
}

function draftBody(draft: WrittenDraft, grounds: Grounds): Body {
  const customer = told(grounds, `customer:${draft.customerId}`, 'name');
  return {
    title: customer,
    facts: [
      { term: say`Kund`, value: customer, href: `/kunder/${draft.customerId}` },
      { term: say`Fakturadatum`, value: draft.invoiceDate },
      { term: say`Villkor`, value: say`${draft.paymentTermsDays} dagar` },
      ...(draft.yourReference === null
        ? []
        : [{ term: say`Er referens`, value: draft.yourReference }]),
      ...(draft.notes === null ? [] : [{ term: say`Text på fakturan`, value: draft.notes }]),
    ],
    tables: [
      table(
        null,
        [
          [say`Konto`],
          [say`Text`],
          [say`Antal`, true],
          [say`À-pris, kr`, true],
          [say`Rabatt, %`, true],
          [say`Moms, %`, true],
        ],
        draft.rows.map((row) => [
          `${row.account ?? ''} ${told(grounds, `account:${row.account}`, 'name')}`,
          row.description ?? '',
          `${e4Text(row.quantityE4)} ${row.unit ?? ''}`.trim(),
          row.unitPriceE4 === null ? '' : priceText(row.unitPriceE4),
          row.discountE2 === 0n ? '' : String(e4ToNumber(row.discountE2 * 100n)),
          String(row.vatRate ?? ''),
        ]),
      ),
    ],
  };
}

function amountHeading(isVatIncluded: boolean, currency: string): string {
  if (currency === homeCurrency) {
    return isVatIncluded ? say`Belopp med moms, kr` : say`Belopp utan moms, kr`;
  }
  return isVatIncluded ? say`Belopp med moms, ${currency}` : say`Belopp utan moms, ${currency}`;
}

function purchaseBody(invoice: SupplierInvoiceByHand, grounds: Grounds): Body {
  const name = `supplier:${invoice.supplierId}`;
  const supplier = told(grounds, name, 'name');
  const known = grounds[name]?.['accounts'];
  const accounts = Array.isArray(known) ? known.map(String) : [];
  const shown = accounts.map((one) => {
    const [kind = '', number = ''] = one.split(' ');
    return `${kind} ${formatPaymentAccount(kind as 'bankgiro', number)}`;
  });
  const { payTo, currency = homeCurrency, exchangeRateE6: rate = null } = invoice;
  const inWhich = (amount: bigint): string =>
    currency === homeCurrency ? kronor(amount) : `${amountText(amount)} ${currency}`;
  const isNew = payTo !== null && !accounts.includes(`${payTo.kind} ${payTo.number}`);
  const payee: FactView =
    payTo === null
      ? { term: say`Betalas till`, value: shown.join(', ') || say`inget känt konto` }
      : {
          term: say`Betalas till`,
          value: `${payTo.kind} ${formatPaymentAccount(payTo.kind, payTo.number)}`,
          ...(isNew
            ? {
                warning: say`Kontot är inte leverantörens kända. Fråga leverantören på ett sätt du redan känner till innan du godkänner.`,
              }
            : {}),
        };
  return {
    title: `${supplier} ${invoice.invoiceNumber}`,
    facts: [
      {
        term: invoice.kind === 'credit_note' ? say`Att få tillbaka` : say`Att betala`,
        value: inWhich(invoice.totalOre),
      },
      ...(rate === null
        ? []
        : [
            { term: say`Kurs`, value: say`${exchangeRateText(rate)} kr för en ${currency}` },
            {
              term: say`I kronor`,
              value: kronor(toOre(invoice.totalOre, { exchangeRateE6: rate })),
            },
          ]),
      { term: say`Leverantör`, value: supplier, href: `/leverantorer/${invoice.supplierId}` },
      payee,
      ...(invoice.reference === null
        ? []
        : [{ term: say`OCR eller meddelande`, value: invoice.reference }]),
      { term: say`Fakturanummer`, value: invoice.invoiceNumber },
      { term: say`Fakturadatum`, value: invoice.issueDate },
      { term: say`Förfaller`, value: invoice.dueDate ?? say`enligt leverantörens villkor` },
      ...(invoice.vatOre === null ? [] : [{ term: say`Moms`, value: inWhich(invoice.vatOre) }]),
      ...documentFacts(invoice.documentIds, grounds),
    ],
    tables: [
      table(
        null,
        [
          [say`Konto`],
          [amountHeading(invoice.isVatIncluded, currency), true],
          [say`Momskod`],
          [say`Avdrag`],
          [say`Not`],
        ],
        invoice.lines.map((line) => [
          `${line.account} ${told(grounds, `account:${line.account}`, 'name')}`,
          line.ore === null ? say`resten` : amountText(line.ore),
          line.vatCode,
          line.deduction.kind === 'share' ? `${line.deduction.percent} %` : '',
          line.note ?? '',
        ]),
      ),
    ],
  };
}

const tones = {
  open: 'info',
  approved: 'good',
  rejected: 'bad',
  withdrawn: '',
  expired: 'warn',
} as const;

const results = {
  voucher: '/verifikat',
  invoice: '/kundfakturor',
  purchase: '/leverantorsinkorg',
} as const;

/** One of the list, and of its own page. */
export async function proposalView(
  tx: Tx,
  one: StoredProposal,
  { nameOf, timeZone }: { readonly nameOf: (actor: string) => string; readonly timeZone: string },
) {
  const grounds = one.status === 'open' ? one.now_grounds : one.grounds;
  const { body, fault } = await readBody(tx, one, grounds);
  return {
    id: one.id,
    href: `/forslag/${one.id}`,
    kind: proposalKindNames()[one.kind],
    title: body.title,
    facts: body.facts,
    tables: body.tables,
    fault,
    moved: one.moved.map((name) => {
      const words = changeInWords({
        name,
        before: one.grounds[name] ?? null,
        now: one.now_grounds[name] ?? null,
      });
      return `${capitalized(words)}.`;
    }),
    prose: one.prose === null ? null : visibleText(one.prose),
    by: nameOf(one.actor),
    at: moment(one.created_at, timeZone),
    expires: moment(one.expires_at, timeZone).slice(0, 10),
    state: { tone: tones[one.status], text: proposalStatusNames()[one.status] },
    isOpen: one.status === 'open',
    decided:
      one.decided_at && one.decided_by
        ? `${nameOf(one.decided_by)}, ${moment(one.decided_at, timeZone)}`
        : null,
    reason: one.reason,
    result:
      one.result_kind && one.result_id
        ? {
            href: `${results[one.result_kind]}/${one.result_id}`,
            label: one.result_label ?? one.result_id,
          }
        : null,
  };
}

async function readBody(tx: Tx, one: StoredProposal, grounds: Grounds) {
  try {
    return { body: await bodyOf(tx, proposedOf(one.kind, one.payload), grounds), fault: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fault = say`Uppgifterna går inte att läsa av den här versionen av programmet.`;
    return { body: { title: say`Oläsligt`, facts: [], tables: [] } satisfies Body, fault };
  }
}
