/** What people say of the columns of a list whose form nobody knows. Files with the same headings are read by it from then on. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import {
  type BankFileMapping,
  type FileSample,
  mappingFault,
  presetOfMapping,
} from '../../domain/ledger/bank-files/mapping.ts';
import { faultOf, refuse, refuseWhole } from '../../lib/errors.ts';
import type { SourceFile } from '../../lib/source-file.ts';
import { uuid } from '../../lib/uuid.ts';
import { checkBankFile } from '../statement-files/check-file.ts';
import { deleteMapping, replaceMapping } from './mapping-store.ts';

/** The beginning of the file when it is a list whose form only people can tell; null of others. */
export async function sampleOfFile(source: SourceFile, today: string): Promise<FileSample | null> {
  return (await checkBankFile(() => source.open(), { today })).sample;
}

/**
 * Keeps what is said, in the place of what was said of the same headings. Throws 422 where it is not enough to read rows
 * by, or when no row of the file can be read by it.
 */
export async function keepMapping(
  tx: Tx,
  {
    mapping,
    source,
    today,
  }: { readonly mapping: BankFileMapping; readonly source: SourceFile; readonly today: string },
  actor: string,
): Promise<void> {
  const fault = mappingFault(mapping);
  if (fault !== null) {
    throw refuse('unprocessable', [faultOf('columns', `mapping_${fault}`)]);
  }
  let rows = 0;
  const check = await checkBankFile(() => source.open(), {
    today,
    watch: ({ kind }) => {
      if (kind === 'entry') rows += 1;
    },
    own: [presetOfMapping(mapping)],
  });
  if (rows === 0) {
    const [unread] = check.judgement.problems;
    const line = unread?.line ?? null;
    throw refuse('unprocessable', [
      { path: 'columns', reason: 'mapping_reads_nothing', params: { line } },
    ]);
  }
  const id = uuid();
  await replaceMapping(tx, id, mapping, actor);
  const detail = { headings: mapping.headings.filter(Boolean).join(', ').slice(0, 500) };
  await recordEvent(tx, { actor, action: 'bank_mapping.kept', subject: id, detail });
}

/** Throws 404 when there is none. */
export async function removeMapping(tx: Tx, id: string, actor: string): Promise<void> {
  if (!(await deleteMapping(tx, id))) throw refuseWhole('not_found', 'no_bank_mapping');
  await recordEvent(tx, { actor, action: 'bank_mapping.removed', subject: id });
}
