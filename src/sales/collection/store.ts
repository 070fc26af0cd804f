import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { CaseDebtor, CollectionFacts, Creditor } from '../../domain/sales/collection-case.ts';
import type { InterestTerms } from '../../domain/sales/interest-start.ts';
import type { InvoiceRow } from '../../domain/sales/invoice.ts';
import { listRows } from '../invoices/row-store.ts';

type Row = Record<string, string | number | boolean | null>;

interface Raw {
  creditor: Creditor;
  debtor: Record<string, string | null>;
  your_reference: string | null;
  invoice: Row;
  payments: Row[];
  reminders: Row[];
  agreed_rate_e2: number | null;
  interest_from: InterestTerms['from'];
  interest_is_stated: boolean;
  sent_date: string | null;
  rates: Row[];
  is_disputed: boolean;
}

const big = (value: unknown): bigint => BigInt(String(value));

/**
 * Everything a case is made of; undefined when there is no such invoice. `timeZone` tells on which day the
 * invoice was mailed.
 */
export async function getCollectionFacts(
  db: Db,
  invoiceId: string,
  timeZone: string,
): Promise<CollectionFacts | undefined> {
  const [raw] = await db.query<Raw>(sql`select
      (select jsonb_build_object('name', c.name, 'orgNumber', c.organization_number,
          'address', c.address, 'postalCode', c.postal_code, 'city', c.city, 'email', c.email,
          'phone', c.phone, 'bankgiro', c.bankgiro, 'plusgiro', c.plusgiro, 'iban', c.iban,
          'partnerAccount', c.partner_account) from restricted.company c) as creditor,
      i.debtor, i.your_reference,
      jsonb_build_object('status', i.status, 'kind', i.kind, 'number', i.number, 'ocr', i.ocr,
        'invoiceDate', i.invoice_date, 'dueDate', i.due_date, 'net', i.net_ore::text,
        'vat', i.vat_ore::text, 'rounding', i.rounding_ore::text, 'total', i.total_ore::text,
        'notes', i.notes, 'pricesIncludeVat', i.prices_include_vat) as invoice,
      (select coalesce(jsonb_agg(jsonb_build_object('date', p.day, 'own', p.own, 'amount', p.ore::text)
          order by p.day, p.ore), '[]') from (
        select p.payment_date as day, p.payment_date as own, sum(p.amount_ore)::bigint as ore
        from sales.payments p
        where p.invoice_id = i.id and p.kind <> 'loss' group by p.voucher_id, p.payment_date
        union all
        select n.effective_date, n.invoice_date, n.total_ore from sales.invoices n
        where n.credited_invoice_id = i.id and n.status <> 'draft') as p) as payments,
      (select coalesce(jsonb_agg(jsonb_build_object('reminderNo', m.reminder_no,
          'sentDate', m.sent_date, 'fee', m.fee_ore::text, 'withdrawn', w.withdrawn_on)
          order by m.reminder_no), '[]')
        from sales.reminders m
        left join sales.withdrawn_fees w on w.invoice_id = m.invoice_id and w.reminder_no = m.reminder_no
        where m.invoice_id = i.id) as reminders,
      i.agreed_rate_e2, i.interest_from, i.interest_is_stated,
      (select min((m.sent_at at time zone ${timeZone})::date)::text from sales.mails m
        where m.invoice_id = i.id and m.kind = 'invoice' and m.state = 'sent') as sent_date,
      (select coalesce(jsonb_agg(jsonb_build_object('from', r.valid_from, 'to', r.valid_to,
          'percent', r.percent_e2::text) order by r.valid_from), '[]')
        from sales.reference_rates r) as rates,
      exists (select from sales.disputes d where d.invoice_id = i.id) as is_disputed
    from sales.invoices i
    where i.id = ${invoiceId}::uuid`);
  return raw && factsOf(raw, await listRows(db, invoiceId));
}

function factsOf(raw: Raw, lines: readonly InvoiceRow[]): CollectionFacts {
  const { invoice, debtor } = raw;
  const of = (name: string): string | null => debtor[name] ?? null;
  return {
    creditor: raw.creditor,
    debtor: {
      name: of('name') ?? '',
      orgNumber: of('orgNumber'),
      vatNumber: of('vatNumber'),
      address: of('address'),
      postalCode: of('postalCode'),
      city: of('city'),
      country: of('countryCode'),
      email: of('email'),
      phone: of('phone'),
      yourReference: raw.your_reference,
    } satisfies CaseDebtor,
    invoice: {
      status: String(invoice['status']),
      kind: invoice['kind'] as 'invoice' | 'credit_note',
      number: invoice['number'] as number | null,
      ocr: invoice['ocr'] as string | null,
      invoiceDate: String(invoice['invoiceDate']),
      dueDate: String(invoice['dueDate']),
      netOre: big(invoice['net']),
      vatOre: big(invoice['vat']),
      roundingOre: big(invoice['rounding']),
      totalOre: big(invoice['total']),
      notes: invoice['notes'] as string | null,
      pricesIncludeVat: invoice['pricesIncludeVat'] === true,
      lines,
    },
    payments: raw.payments.map(({ date, own, amount }) => ({
      date: String(date),
      ownDate: String(own),
      amountOre: big(amount),
    })),
    reminders: raw.reminders.map(({ reminderNo, sentDate, fee, withdrawn }) => ({
      reminderNo: Number(reminderNo),
      sentDate: String(sentDate),
      feeOre: big(fee),
      withdrawnDate: withdrawn === null ? null : String(withdrawn),
    })),
    interestTerms: {
      from: raw.interest_from,
      isStated: raw.interest_is_stated,
      agreedRateE2: raw.agreed_rate_e2 === null ? null : BigInt(raw.agreed_rate_e2),
    },
    sentDate: raw.sent_date,
    referenceRates: raw.rates.map(({ from, to, percent }) => ({
      validFrom: String(from),
      validTo: String(to),
      percentE2: big(percent),
    })),
    isDisputed: raw.is_disputed,
  };
}

/** Judges a claim disputed, or, with no reason, no longer so. */
export async function setDispute(
  tx: Tx,
  invoiceId: string,
  reason: string | null,
  actor: string,
): Promise<void> {
  await tx.query(
    reason === null
      ? sql`delete from sales.disputes where invoice_id = ${invoiceId}::uuid`
      : sql`insert into sales.disputes (invoice_id, reason, created_by)
            values (${invoiceId}, ${reason}, ${actor})
            on conflict (invoice_id) do update set reason = excluded.reason`,
  );
}

/** When the case with this content was first prepared: now, if it never was. */
export async function firstPreparation(
  tx: Tx,
  wanted: {
    readonly invoiceId: string;
    /** Of the case as canonical JSON, save its time. */
    readonly contentSha256: Buffer;
    readonly preparedAt: Date;
  },
): Promise<Date> {
  const { invoiceId, contentSha256, preparedAt } = wanted;
  await tx.query(sql`insert into sales.collection_cases (invoice_id, content_sha256, prepared_at)
    values (${invoiceId}::uuid, ${contentSha256}, ${preparedAt.toISOString()}::timestamptz)
    on conflict do nothing`);
  // A statement of its own: whoever was first may have committed while the insert waited.
  const [row] = await tx.query<{ prepared_at: Date }>(sql`select prepared_at
    from sales.collection_cases
    where invoice_id = ${invoiceId}::uuid and content_sha256 = ${contentSha256}`);
  return row?.prepared_at ?? preparedAt;
}
