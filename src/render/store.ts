/** Pages to print and the PDFs that have been made of them, known by the page's hash. */

import { decisionChannel } from '../db/decisions.ts';
import type { Db, Tx } from '../db/pool.ts';
import { prepared, sql } from '../db/sql.ts';
import { refuseWhole } from '../lib/errors.ts';
import { sha256Of } from '../lib/sha256.ts';

/** Some twenty thousand rows; more is no document that anybody reads. */
const pageBytesMax = 8_000_000;

/** The PDF of a page; when there is none, undefined, and a render worker has been asked for it. */
export async function requestPdf(db: Db, html: string): Promise<Buffer | undefined> {
  if (Buffer.byteLength(html) > pageBytesMax) {
    throw refuseWhole('payload_too_large', 'pdf_too_large');
  }
  const [found] = await db.query<{ pdf: Buffer | null }>(
    prepared('request pdf', sql`select archive.request_rendering(${html}) as pdf`),
  );
  return found?.pdf ?? undefined;
}

/** What has been printed of a page; undefined when nothing has. */
export async function findPdf(db: Db, html: string): Promise<Buffer | undefined> {
  const [found] = await db.query<{ pdf: Buffer | null }>(
    prepared('find pdf', sql`select archive.find_rendering(${sha256Of(html)}) as pdf`),
  );
  return found?.pdf ?? undefined;
}

/** The page with this hash (hexadecimal), while it waits to be printed. */
export async function findUnprinted(db: Db, page: string): Promise<string | undefined> {
  const [found] = await db.query<{ html: string }>(
    prepared(
      'find unprinted',
      sql`select p.html from archive.pages p
        where p.sha256 = decode(${page}, 'hex') and not exists (
          select from archive.renderings r where r.page_sha256 = p.sha256)`,
    ),
  );
  return found?.html;
}

/** Printed twice at the same time, the first is kept. Whoever waits for the page is told. */
export async function insertPdf(tx: Tx, html: string, pdf: Buffer): Promise<void> {
  const page = sha256Of(html);
  const sha256 = sha256Of(pdf);
  await tx.query(
    prepared(
      'insert pdf content',
      sql`insert into archive.contents (sha256, bytes) values (${sha256}, ${pdf})
        on conflict do nothing`,
    ),
  );
  await tx.query(
    prepared(
      'insert rendering',
      sql`insert into archive.renderings (page_sha256, sha256) values (${page}, ${sha256})
        on conflict do nothing`,
    ),
  );
  await tx.query(sql`select pg_notify(${decisionChannel}, ${page.toString('hex')})`);
}

/** How many pages have served their time: printed to be looked at, and sent to nobody. */
export async function purgePages(tx: Tx): Promise<bigint> {
  const [done] = await tx.query<{ pages: bigint }>(sql`select archive.purge_pages() as pages`);
  return done?.pages ?? 0n;
}
