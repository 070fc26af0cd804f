/** Documents from their arrival until they are on a voucher: kept, described, matched, filed or put aside. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { plainFileName } from '../../domain/ledger/attachment.ts';
import { factsOfName, soleMatch } from '../../domain/ledger/document-match.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import { attachContents, keptMediaType, requireVoucher } from '../attachments/service.ts';
import { insertContents } from '../attachments/store.ts';
import {
  type DocumentDescription,
  type DocumentPlace,
  findByContent,
  getKeptDocument,
  holdPurchase,
  insertKeptDocument,
  insertOnPurchase,
  type KeptDocument,
  listPossiblePlaces,
  listRivals,
  updateDescription,
  updateSetAside,
} from './store.ts';

export interface NewDocument {
  readonly date?: string | null | undefined;
  readonly amountOre?: Ore | null | undefined;
  readonly counterparty?: string | null | undefined;
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** The same content again is the same document. What nobody says of it, its name may tell. */
export async function keepDocument(
  tx: Tx,
  { bytes, ...said }: NewDocument,
  actor: string,
): Promise<KeptDocument> {
  const fileName = plainFileName(said.fileName);
  const mediaType = keptMediaType(bytes, fileName);
  const told = factsOfName(fileName);
  const sha256 = sha256Of(bytes);
  await insertContents(tx, [{ sha256: sha256.toString('hex'), bytes }]);
  const id = uuid();
  const document = {
    id,
    sha256,
    fileName,
    mediaType,
    date: said.date ?? told.date,
    amountOre: said.amountOre ?? told.amountOre,
    counterparty: said.counterparty ?? null,
  };
  if (await insertKeptDocument(tx, document, actor)) {
    const detail = { name: fileName, sha256: sha256.toString('hex') };
    await recordEvent(tx, { actor, action: 'document.received', subject: id, detail });
    return getKeptDocument(tx, id);
  }
  const found = await findByContent(tx, sha256);
  if (!found) throw new Error('the document was not kept');
  return getKeptDocument(tx, found.id);
}

export async function describeDocument(
  tx: Tx,
  id: string,
  description: DocumentDescription,
  actor: string,
): Promise<void> {
  await getKeptDocument(tx, id);
  await updateDescription(tx, id, description);
  await recordEvent(tx, { actor, action: 'document.described', subject: id });
}

/** Nobody looks for its voucher any more. It is kept. */
export async function setDocumentAside(
  tx: Tx,
  id: string,
  reason: string,
  actor: string,
): Promise<void> {
  const { filed_at: filedAt } = await getKeptDocument(tx, id);
  if (filedAt) throw refuseWhole('unprocessable', 'document_filed');
  await updateSetAside(tx, id, reason);
  const detail = { reason };
  await recordEvent(tx, { actor, action: 'document.set_aside', subject: id, detail });
}

export async function takeDocumentUp(tx: Tx, id: string, actor: string): Promise<void> {
  await getKeptDocument(tx, id);
  await updateSetAside(tx, id, null);
  await recordEvent(tx, { actor, action: 'document.taken_up', subject: id });
}

/** Lays a document on a voucher, however long ago that was posted: the voucher itself stays as it is. */
export async function fileOnVoucher(
  tx: Tx,
  { documentId, voucherId }: { readonly documentId: string; readonly voucherId: string },
  actor: string,
): Promise<void> {
  const document = await getKeptDocument(tx, documentId);
  await requireVoucher(tx, voucherId);
  const { sha256, file_name: fileName, media_type: mediaType } = document;
  await attachContents(tx, [{ voucherId, sha256, fileName, mediaType }], actor);
}

/** Lays a document on a supplier's invoice; it follows to the voucher, or goes there now. */
export async function fileOnPurchase(
  tx: Tx,
  { documentId, purchaseId }: { readonly documentId: string; readonly purchaseId: string },
  actor: string,
): Promise<void> {
  const document = await getKeptDocument(tx, documentId);
  const purchase = await holdPurchase(tx, purchaseId);
  if (!purchase) throw refuseWhole('not_found', 'no_purchase', { id: purchaseId });
  if (purchase.status === 'rejected') throw refuseWhole('unprocessable', 'purchase_rejected');
  await insertOnPurchase(tx, purchaseId, document);
  const detail = { document_id: documentId, sha256: document.sha256 };
  await recordEvent(tx, { actor, action: 'purchase.documented', subject: purchaseId, detail });
  const { voucher_id: voucherId } = purchase;
  if (voucherId !== null) await fileOnVoucher(tx, { documentId, voucherId }, actor);
}

export interface DocumentSuggestion {
  readonly places: readonly DocumentPlace[];
  /** The one that can be meant; null when there is none, or a person must choose. */
  readonly sole: DocumentPlace | null;
}

/** Where documents that wait may belong, by amount and day. */
export async function suggestPlaces(
  db: Db,
  documents: readonly KeptDocument[],
): Promise<ReadonlyMap<string, DocumentSuggestion>> {
  const ids = documents.flatMap(({ id, document_date, amount_ore }) =>
    document_date !== null && amount_ore !== null ? [id] : [],
  );
  if (ids.length === 0) return new Map();
  const possible = Map.groupBy(await listPossiblePlaces(db, ids), (place) => place.document_id);
  const rivals = await listRivals(db, ids);
  return new Map(
    documents.map(({ id, document_date: date }) => {
      const places = possible.get(id) ?? [];
      const document = { date: date ?? '', rivals: rivals.get(id) ?? [] };
      return [id, { places, sole: soleMatch(document, places) }];
    }),
  );
}

/** Files each document where it alone can be meant; answers how many, and leaves the others. */
export async function fileWhereSole(
  tx: Tx,
  ids: readonly string[],
  actor: string,
): Promise<number> {
  const documents: KeptDocument[] = [];
  for (const id of ids) documents.push(await getKeptDocument(tx, id));
  const suggestions = await suggestPlaces(tx, documents);
  let filed = 0;
  for (const [documentId, { sole }] of suggestions) {
    if (!sole) continue;
    if (sole.kind === 'voucher') await fileOnVoucher(tx, { documentId, voucherId: sole.id }, actor);
    else await fileOnPurchase(tx, { documentId, purchaseId: sole.id }, actor);
    filed += 1;
  }
  return filed;
}
