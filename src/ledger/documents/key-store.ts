/** The documents of vouchers, as a key may read them (`ledger.documents_for_keys`). */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

export interface DocumentForKey {
  id: string;
  voucher_id: string;
  kind: string;
  invoice_id: string | null;
  purchase_id: string | null;
  file_name: string;
  media_type: string;
  /** Bytes. */
  size: number;
  sha256: Buffer;
  added_at: Date;
}

/** A place in the list: documents after it. */
export interface ListedAfter {
  readonly voucherId: string;
  readonly id: string;
}

/** By voucher and id; one more than `limit` where there is one. */
export function listDocumentsForKey(
  db: Db,
  { vouchers, limit }: { readonly vouchers: readonly string[]; readonly limit: number },
  after: ListedAfter | undefined,
): Promise<DocumentForKey[]> {
  return db.query(sql`select * from api.list_documents(${vouchers}::uuid[], ${after?.voucherId ?? null}::uuid,
    ${after?.id ?? null}::uuid, ${limit + 1}::integer)`);
}

export type FileForKey = Pick<DocumentForKey, 'file_name' | 'media_type' | 'size' | 'sha256'>;

/** What a file is; undefined of one that is not there, or that no key reads. */
export async function findFileForKey(db: Db, id: string): Promise<FileForKey | undefined> {
  const [found] = await db.query<FileForKey>(
    sql`select file_name, media_type, size, sha256 from api.find_document(${id}::uuid)`,
  );
  return found;
}

/** So many bytes of it from one on, the first being 0; undefined once no key reads it. */
export async function readFileForKey(
  db: Db,
  id: string,
  { from, length }: { readonly from: number; readonly length: number },
): Promise<Buffer | undefined> {
  const [read] = await db.query<{ bytes: Buffer | null }>(
    sql`select api.read_document(${id}::uuid, ${from}::integer, ${length}::integer) as bytes`,
  );
  return read?.bytes ?? undefined;
}
