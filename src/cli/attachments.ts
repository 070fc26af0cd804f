/** huvudbok attachment add · list · withhold · release */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import { attachmentMaxBytes } from '../domain/ledger/attachment.ts';
import {
  addAttachment,
  releaseDocuments,
  requireVoucher,
  withholdDocuments,
} from '../ledger/attachments/service.ts';
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

  attachment
    .command('withhold')
    .description('håll ett verifikats underlag utanför API:t: ingen nyckel läser dem')
    .argument(...voucher)
    .option(...jsonOption)
    .action(async (voucherId: string, { json }: Json) => {
      await asOwner((tx) => withholdDocuments(tx, voucherId, actor));
      print(json, { voucher_id: voucherId }, 'Ingen API-nyckel läser underlagen.');
    });

  attachment
    .command('release')
    .description('låt nycklar som får läsa underlag läsa ett verifikats underlag igen')
    .argument(...voucher)
    .option(...jsonOption)
    .action(async (voucherId: string, { json }: Json) => {
      await asOwner((tx) => releaseDocuments(tx, voucherId, actor));
      print(json, { voucher_id: voucherId }, 'Nycklar som får läsa underlag läser dem igen.');
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
