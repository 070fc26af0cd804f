/** PDFs that have been made, by what they show and the page they were printed from. */
import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

export type RenderingKind = 'e_invoice';

export const sha256Of = (bytes: Buffer | string): Buffer =>
  createHash('sha256').update(bytes).digest();

export async function hasRendering(
  db: Db,
  kind: RenderingKind,
  subject: string,
  html: string,
): Promise<boolean> {
  const found = await db.query(sql`select from archive.renderings
    where kind = ${kind} and subject = ${subject}::uuid and html_sha256 = ${sha256Of(html)}`);
  return found.length > 0;
}

export async function findRendering(
  db: Db,
  kind: RenderingKind,
  subject: string,
  html: string,
): Promise<Buffer | undefined> {
  const [found] = await db.query<{ bytes: Buffer }>(sql`select c.bytes
    from archive.renderings r join archive.contents c using (sha256)
    where r.kind = ${kind} and r.subject = ${subject}::uuid and r.html_sha256 = ${sha256Of(html)}`);
  return found?.bytes;
}

/** Made twice at the same time, the first is kept. */
export async function insertRendering(
  tx: Tx,
  rendering: {
    readonly kind: RenderingKind;
    readonly subject: string;
    readonly html: string;
    readonly pdf: Buffer;
  },
): Promise<void> {
  const { kind, subject, html, pdf } = rendering;
  const sha256 = sha256Of(pdf);
  await tx.query(
    sql`insert into archive.contents (sha256, bytes) values (${sha256}, ${pdf}) on conflict do nothing`,
  );
  await tx.query(sql`insert into archive.renderings (kind, subject, html_sha256, sha256)
    values (${kind}, ${subject}::uuid, ${sha256Of(html)}, ${sha256}) on conflict do nothing`);
}
