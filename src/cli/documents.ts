/** huvudbok document add · list · attach · match · set-aside · take-up */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { type Ore, oreToNumber } from '../domain/basics/money.ts';
import {
  fileOnVoucher,
  fileWhereSole,
  keepDocument,
  setDocumentAside,
  takeDocumentUp,
} from '../ledger/documents/service.ts';
import {
  type DocumentTab,
  type KeptDocument,
  listKeptDocuments,
} from '../ledger/documents/store.ts';
import { amountText } from '../lib/swedish.ts';
import { readAttachment } from './attachments.ts';
import { asOwner, print } from './context.ts';
import { addList } from './listing.ts';
import { actor, date, type Json, jsonOption, positiveKronor, text, uuid, word } from './options.ts';
import { counted } from './words.ts';

const listedMax = 10_000;
const document = ['<underlag>', 'underlagets id', uuid] as const;

export function registerDocuments(program: Command): void {
  const documents = program
    .command('document')
    .description('underlag som väntar på sitt verifikat');

  documents
    .command('add')
    .description('ta emot underlag; vad namnet säger om dag och belopp behöver inte sägas')
    .argument('<fil...>', 'PDF, PNG, JPEG, HEIC, XML, CSV eller text, högst 10 MiB')
    .option('--date <ÅÅÅÅ-MM-DD>', 'dag, av ett enda underlag', date)
    .option('--amount <kronor>', 'belopp med moms, av ett enda underlag', positiveKronor)
    .option('--from <namn>', 'vem det kommer från', text(200))
    .option(...jsonOption)
    .action(async (paths: string[], options: Said & Json) => {
      const added: KeptDocument[] = [];
      for (const path of paths) {
        const bytes = await readAttachment(path);
        const said = paths.length === 1 ? { date: options.date, amountOre: options.amount } : {};
        const file = { fileName: basename(path), bytes, counterparty: options.from ?? null };
        added.push(await asOwner((tx) => keepDocument(tx, { ...file, ...said }, actor)));
      }
      const lines = added.map(({ id, file_name: name }) => `${id}  ${name}`);
      print(options.json, added.map(wireOf), lines.join('\n'));
    });

  addList(documents, {
    description: 'visa underlag, de senaste först',
    empty: 'Inget underlag.',
    read: (db, { tab = 'waiting' }: { readonly tab?: DocumentTab }) =>
      listKeptDocuments(db, { tab, limit: listedMax }),
    cells: ({ id, document_date: day, amount_ore: ore, file_name: name }) => [
      id,
      day,
      ore === null ? null : amountText(ore),
      name,
    ],
    wire: wireOf,
  }).option(
    '--tab <vilka>',
    'waiting, set_aside eller filed',
    word(['waiting', 'set_aside', 'filed']),
  );

  registerFiling(documents);
}

/** Where documents go from the inbox. */
function registerFiling(documents: Command): void {
  documents
    .command('attach')
    .description('lägg ett underlag på ett verifikat, som inte ändras av det')
    .argument(...document)
    .argument('<verifikat>', 'verifikatets id', uuid)
    .option(...jsonOption)
    .action(async (documentId: string, voucherId: string, { json }: Json) => {
      await asOwner((tx) => fileOnVoucher(tx, { documentId, voucherId }, actor));
      print(json, { id: documentId, voucherId }, 'Underlaget ligger nu på verifikatet.');
    });

  documents
    .command('match')
    .description('lägg alla väntande underlag där bara ett ställe har samma belopp nära dagen')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const result = await asOwner(async (tx) => {
        const waiting = await listKeptDocuments(tx, { tab: 'waiting', limit: listedMax });
        const ids = waiting.map(({ id }) => id).sort();
        const filed = await fileWhereSole(tx, ids, actor);
        return { filed, left: ids.length - filed };
      });
      const { filed, left } = result;
      const rest = left === 0 ? '' : ` ${left} väntar på att någon väljer.`;
      print(json, result, `${counted(filed, 'underlag är lagt', 'underlag är lagda')}.${rest}`);
    });

  documents
    .command('set-aside')
    .description('lägg undan ett underlag som inte hör till bokföringen; det sparas')
    .argument(...document)
    .requiredOption('--reason <skäl>', 'varför', text(500))
    .option(...jsonOption)
    .action(async (id: string, { reason, json }: Json & { readonly reason: string }) => {
      await asOwner((tx) => setDocumentAside(tx, id, reason, actor));
      print(json, { id, reason }, 'Underlaget är undanlagt.');
    });

  documents
    .command('take-up')
    .description('ta fram ett undanlagt underlag igen')
    .argument(...document)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      await asOwner((tx) => takeDocumentUp(tx, id, actor));
      print(json, { id }, 'Underlaget väntar på sitt verifikat igen.');
    });
}

/** An amount as kronor, as every command says them. */
const wireOf = ({ amount_ore: ore, ...one }: KeptDocument) => ({
  ...one,
  amount: ore === null ? null : oreToNumber(ore),
});

interface Said {
  readonly date?: string;
  readonly amount?: Ore;
  readonly from?: string;
}
