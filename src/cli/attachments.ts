/** huvudbok attachment add · list */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import { attachmentMaxBytes } from '../domain/ledger/attachment.ts';
import { addAttachment, requireVoucher } from '../ledger/attachments/service.ts';
import { type Attachment, listAttachments } from '../ledger/attachments/store.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { asOwner, print, readWhole, withPool } from './context.ts';
import { actor, type Json, jsonOption, uuid } from './options.ts';

const voucher = ['<verifikat>', 'verifikatets id', uuid] as const;

export function registerAttachments(program: Command): void {
  const attachment = program.command('attachment').description('underlag till verifikat');

  attachment
    .command('add')
    .description('lägg ett underlag till ett verifikat; det kan inte ändras eller tas bort')
    .argument(...voucher)
    .argument('<fil>', 'PDF, PNG, JPEG, HEIC, XML, CSV eller text, högst 10 MiB')
    .option(...jsonOption)
    .action(async (voucherId: string, path: string, { json }: Json) => {
      const bytes = await readAttachment(path);
      const added = await asOwner((tx) =>
        addAttachment(tx, { voucherId, fileName: basename(path), bytes }, actor),
      );
      print(json, added, `${added.file_name} ligger nu som underlag.`);
    });

  attachment
    .command('list')
    .description('visa ett verifikats underlag')
    .argument(...voucher)
    .option(...jsonOption)
    .action(async (voucherId: string, { json }: Json) => {
      const attachments = await withPool(async (pool) => {
        await requireVoucher(db(pool), voucherId);
        return listAttachments(db(pool), voucherId);
      });
      print(
        json,
        attachments,
        attachments.length === 0
          ? 'Verifikatet har inga underlag.'
          : attachments.map(line).join('\n'),
      );
    });
}

/** A file too large is refused before it is read; one that is not there, by the reading. */
export async function readAttachment(path: string): Promise<Buffer> {
  const found = await stat(path).catch(() => undefined);
  if (found && found.size > attachmentMaxBytes) {
    throw new OperatorError('Filen är större än 10 MiB; dela upp eller komprimera den.');
  }
  return readWhole(path);
}

const line = (one: Attachment): string =>
  `${one.id}  ${one.file_name}  ${one.media_type}  ${one.size} byte`;
