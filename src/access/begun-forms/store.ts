/** Forms that a person has begun and not sent. Row level security shows each person their own. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

/** More than anybody has open; the oldest go. */
const keptMax = 100;
const offeredMax = 5;

export interface BegunForm {
  id: string;
  /** The page that it goes on at, with its query. */
  address: string;
  /** The fields as JSON text; null when it is sent or thrown away. */
  pairs: string | null;
  kept_at: Date;
}

const columns = sql`b.id, b.address, b.pairs, b.kept_at`;

export async function findBegunForm(db: Db, id: string): Promise<BegunForm | undefined> {
  const [form] = await db.query<BegunForm>(
    sql`select ${columns} from restricted.begun_forms b where b.id = ${id}::uuid`,
  );
  return form;
}

/** Those that may be gone on with on the page of a path, the latest first. */
export function listBegunForms(db: Db, path: string): Promise<BegunForm[]> {
  return db.query(sql`select ${columns} from restricted.begun_forms b
    where b.is_offered and b.pairs is not null and split_part(b.address, '?', 1) = ${path}
    order by b.kept_at desc, b.id limit ${offeredMax}`);
}

export interface FormAsTyped {
  readonly id: string;
  readonly address: string;
  readonly pairs: string;
  readonly isOffered: boolean;
}

/** Keeps it as it is now, unless it has been sent or thrown away. */
export async function keepBegunForm(tx: Tx, form: FormAsTyped): Promise<void> {
  await tx.query(sql`insert into restricted.begun_forms as b (id, user_id, address, pairs, is_offered)
    values (${form.id}::uuid, app.current_user_id(), ${form.address}, ${form.pairs}, ${form.isOffered})
    on conflict (user_id, id) do update
      set address = excluded.address, pairs = excluded.pairs, kept_at = now()
      where b.pairs is not null`);
  await tx.query(sql`delete from restricted.begun_forms b where b.id in (
    select o.id from restricted.begun_forms o order by o.kept_at desc, o.id offset ${keptMax})`);
}

/** It is sent or thrown away: nothing of what was typed remains. */
export async function forgetBegunForm(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`insert into restricted.begun_forms (id, user_id, address, is_offered)
    values (${id}::uuid, app.current_user_id(), '', false)
    on conflict (user_id, id) do update set address = '', pairs = null`);
}

/** What was only to be gone back to on a page, once its form has been taken. */
export async function forgetRefusedForms(tx: Tx, path: string): Promise<void> {
  await tx.query(sql`delete from restricted.begun_forms b
    where not b.is_offered and split_part(b.address, '?', 1) = ${path}`);
}
