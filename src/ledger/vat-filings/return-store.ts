/** VAT returns as they were filed, and what a return of now would tell. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';
import type { BoxAmount } from '../../domain/ledger/vat-return.ts';

/** How a return was filed: by Huvudbok's file, or otherwise, known by a reference. */
export type FilingWay = 'file' | 'other';

export interface NewReturn extends DateSpan {
  readonly filedOn: string;
  readonly way: FilingWay;
  readonly reference: string | null;
  /** To Skatteverket, in words. */
  readonly note: string | null;
}

export interface FrozenReturn extends NewReturn {
  /** From one, by period; the latest that is not withdrawn holds. */
  readonly number: number;
  readonly organizationNumber: string;
  readonly parts: readonly ReturnPart[];
  readonly filedBy: string;
  readonly withdrawnAt: Date | null;
}

/** What counts on an account by VAT code, in a box: credit less debit, öre. */
export interface ReturnPart extends BoxAmount {
  readonly account: number;
  readonly vatCode: string | null;
}

interface StoredReturn extends Omit<FrozenReturn, 'parts'> {
  parts: { account: number; vatCode: string | null; box: string; ore: string }[];
}

/** The returns that have been filed of the period, withdrawn ones too, the first first. */
export async function listReturns(db: Db, end: string): Promise<FrozenReturn[]> {
  const stored = await db.query<StoredReturn>(
    sql`select r.number, r.period_start as start, r.period_end as "end", r.filed_on as "filedOn", r.way,
          r.reference, r.note, r.organization_number as "organizationNumber", r.filed_by as "filedBy",
          r.withdrawn_at as "withdrawnAt",
          (select coalesce(json_agg(json_build_object('account', p.account, 'vatCode', p.vat_code, 'box', p.box,
              'ore', p.ore::text) order by p.box, p.account), '[]')
            from jsonb_to_recordset(r.parts) as p (account integer, vat_code text, box text, ore bigint)) as parts
        from ledger.vat_returns r where r.period_end = ${end}::date order by r.number`,
  );
  return stored.map((one) => ({
    ...one,
    parts: one.parts.map((part) => ({ ...part, ore: BigInt(part.ore) })),
  }));
}

/** What a return of the period would tell now (ledger.vat_return_parts). */
export function listReturnParts(db: Db, { start, end }: DateSpan): Promise<ReturnPart[]> {
  return db.query<ReturnPart>(
    sql`select account, vat_code as "vatCode", box, ore
        from ledger.vat_return_parts(${start}::date, ${end}::date) order by box, account, vat_code`,
  );
}

/** The database says what it tells, files the period with the first, and locks its VAT. */
export async function insertReturn(
  tx: Tx,
  { start, end, filedOn, way, reference, note }: NewReturn,
  actor: string,
): Promise<void> {
  await tx.query(sql`insert into ledger.vat_returns (period_start, period_end, filed_on, way, reference, note, filed_by)
    values (${start}::date, ${end}::date, ${filedOn}::date, ${way}, ${reference}, ${note}, ${actor})`);
}

/** The database holds that it is the latest that stands. */
export async function withdrawReturn(
  tx: Tx,
  { end, number }: Pick<FrozenReturn, 'end' | 'number'>,
  actor: string,
): Promise<void> {
  await tx.query(sql`update ledger.vat_returns set withdrawn_at = now(), withdrawn_by = ${actor}
    where period_end = ${end}::date and number = ${number}`);
}
