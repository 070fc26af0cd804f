/** A person's word over a refusal: the document is judged again, whomever it says that it is for. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { documentBytes } from './identity.ts';
import { findBytes, findOfContent, holdContent, reopenDocument } from './intake-store.ts';
import { judgeDocuments } from './service.ts';

export interface TakenIn {
  readonly draftId: string;
  /** Its content had become that draft before, sent again in another envelope or taken in. */
  readonly wasThere: boolean;
}

/**
 * Makes a draft of a refused document in the caller's transaction. Throws what stands in the way, with
 * nothing changed: 404 of none, otherwise that it still cannot be read.
 */
export async function takeInDocument(tx: Tx, id: string, actor: string): Promise<TakenIn> {
  const raw = await findBytes(tx, id);
  if (raw === undefined) throw refuseWhole('not_found', 'no_document');
  if (raw === null) {
    throw refuseWhole('unprocessable', 'document_never_kept');
  }
  const sha256 = sha256Of(documentBytes(raw));
  await holdContent(tx, sha256);
  for (;;) {
    const found = await findOfContent(tx, sha256);
    if (found?.draft_id) return { draftId: found.draft_id, wasThere: true };
    if (!found) await reopenDocument(tx, id, sha256);
    const [decision] = await judgeDocuments(tx, [found?.id ?? id], { areVouchedFor: true });
    // A worker that was judging it has said its word in between.
    if (!decision) continue;
    if (decision.status === 'rejected') {
      const { message } = decision.detail;
      throw refuseWhole('unprocessable', 'document_still_unreadable', { message });
    }
    const { draftId } = decision.answer;
    const detail = { document_id: id };
    await recordEvent(tx, { actor, action: 'purchase.taken_in', subject: draftId, detail });
    return { draftId, wasThere: false };
  }
}
