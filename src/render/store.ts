/** Pages to print and the PDFs that have been made of them, known by the page's hash. */
import type { Db, Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { enqueue, rendering } from '../jobs.ts';
import { sha256Of } from '../sha256.ts';

/** Has a page printed by a render worker, unless it has been. */
export async function requestPdf(tx: Tx, html: string): Promise<void> {
  const page = sha256Of(html);
  await tx.query(
    sql`insert into archive.pages (sha256, html) values (${page}, ${html}) on conflict do nothing`,
  );
  if ((await findPdf(tx, html)) === undefined) {
    await enqueue(tx, rendering, [{ page: page.toString('hex') }]);
  }
}

/** What has been printed of a page; undefined when nothing has. */
export async function findPdf(db: Db, html: string): Promise<Buffer | undefined> {
  const [found] = await db.query<{ bytes: Buffer }>(sql`select c.bytes
    from archive.renderings r join archive.contents c using (sha256)
    where r.page_sha256 = ${sha256Of(html)}`);
  return found?.bytes;
}

/** The page with this hash (hexadecimal), while it waits to be printed. */
export async function findUnprinted(db: Db, page: string): Promise<string | undefined> {
  const [found] = await db.query<{ html: string }>(sql`select p.html from archive.pages p
    where p.sha256 = decode(${page}, 'hex') and not exists (
      select from archive.renderings r where r.page_sha256 = p.sha256)`);
  return found?.html;
}

/** Printed twice at the same time, the first is kept. */
export async function insertPdf(tx: Tx, html: string, pdf: Buffer): Promise<void> {
  const sha256 = sha256Of(pdf);
  await tx.query(
    sql`insert into archive.contents (sha256, bytes) values (${sha256}, ${pdf}) on conflict do nothing`,
  );
  await tx.query(sql`insert into archive.renderings (page_sha256, sha256)
    values (${sha256Of(html)}, ${sha256}) on conflict do nothing`);
}
