/** huvudbok archive export · list · verify */
import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
import { Decisions } from '../db/decisions.ts';
import { db, withTx } from '../db/pool.ts';
import { keptThrough } from '../domain/ledger/retention.ts';
import { isPrinting } from '../installation/processes/store.ts';
import { AppError } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { whyUnreadable } from '../lib/unreadable-file.ts';
import { printPdf } from '../render/print.ts';
import { beginArchive, recordArchive } from '../reports/archive/making.ts';
import { patientPrinting } from '../reports/archive/patience.ts';
import {
  type ArchiveProblem,
  type ArchiveProof,
  verifyArchive,
} from '../reports/archive/reading.ts';
import { listArchiveYears } from '../reports/archive/store.ts';
import { note, print, withPool } from './context.ts';
import { addList } from './listing.ts';
import { actor, integer, type Json, jsonOption, text } from './options.ts';
import { writeWhole } from './whole-file.ts';

export function registerArchive(program: Command): void {
  const archive = program
    .command('archive')
    .description('ett räkenskapsårs bokföring som den ska sparas (bokföringslagen 7 kap.)');

  archive
    .command('export')
    .description('skriv året som en ZIP-fil; verifikatens PDF görs av worker render')
    .argument('<år>', 'räkenskapsåret, efter året det slutar', integer(1900, 9999))
    .option(
      '--output <fil>',
      'dit den skrivs; annars <organisationsnummer>-<år>-arkiv.zip här',
      text(4_000),
    )
    .option(...jsonOption)
    .action((year: number, options: Json & { readonly output?: string }) =>
      exportYear(year, options),
    );

  addList(archive, {
    description: 'visa till och med vilken dag varje räkenskapsår ska sparas',
    empty: 'Inga räkenskapsår.',
    read: async (db) =>
      (await listArchiveYears(db)).map(({ vouchers, ...one }) => ({
        ...one,
        vouchers: Number(vouchers),
        kept_through: keptThrough(one.end),
      })),
    cells: ({ year, start, end, vouchers, kept_through: day }) => [
      year,
      `${start}–${end}`,
      `${vouchers} verifikat`,
      `sparas till och med ${day}`,
    ],
  });

  archive
    .command('verify')
    .description('visa att ett arkiv är helt och oförändrat; utan databas')
    .argument('<fil>', 'ZIP-filen', text(4_000))
    .option(...jsonOption)
    .action(async (path: string, { json }: Json) => {
      const proof = await verifyArchive(path).catch((cause) => {
        throw new OperatorError(`${path}: ${whyUnreadable(cause)}`, { cause });
      });
      print(json, { file: path, ...wireOf(proof) }, inWords(path, proof));
      if (!proof.ok) process.exitCode = 1;
    });
}

async function exportYear(
  year: number,
  { output, json }: Json & { readonly output?: string },
): Promise<void> {
  const { timeZone } = loadProcessConfig();
  await withPool(async (pool, url) => {
    const decisions = new Decisions();
    await decisions.start(url);
    try {
      const begun = await beginArchive(
        { year, timeZone, madeAt: new Date() },
        {
          read: (work) => withTx(pool, work),
          print: patientPrinting(
            (html) => printPdf({ pool, decisions }, html),
            async () => {
              if (!(await isPrinting(db(pool)))) {
                note(
                  'Ingen skriver ut längre. Arkivet väntar på worker render, i högst fem minuter.',
                );
              }
            },
          ),
          record: (report) => withTx(pool, (tx) => recordArchive(tx, year, report, actor)),
        },
      );
      const path = output ?? begun.fileName;
      await writeWhole(begun.content, path);
      const { files, bytes, manifestSha256 } = await begun.report;
      const made = { file: path, year, files, bytes, manifest_sha256: manifestSha256 };
      if (json) print(json, made, '');
      else
        note(
          `${path}: ${files} filer, ${bytes} byte uppackade. Manifestets SHA-256: ${manifestSha256}`,
        );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'processing_delayed') throw error;
      throw new OperatorError(
        'Verifikaten blev inte utskrivna i tid. Kör huvudbok start eller huvudbok worker render, och försök igen; det som hann skrivas ut finns kvar. Går den redan står skälet under Drift och i dess logg.',
        { cause: error },
      );
    } finally {
      await decisions.stop();
    }
  });
}

const wireOf = ({ manifestSha256, ...proof }: ArchiveProof) => ({
  ...proof,
  manifest_sha256: manifestSha256,
});

const rules: Readonly<Record<ArchiveProblem['rule'], string>> = {
  no_zip: 'är ingen ZIP-fil, eller är avkortad',
  unreadable: 'ZIP-filen går inte att läsa till slut',
  no_manifest: 'manifestet saknas: filen är inget arkiv ur Huvudbok, eller är avkortad',
  manifest_unreadable: 'manifestet har en rad som inte går att läsa',
  missing: 'står i manifestet men finns inte',
  unlisted: 'finns men står inte i manifestet',
  twice: 'finns mer än en gång',
  altered: 'är inte den fil som arkiverades',
  too_large: 'packar upp till mer än något arkiv; inget har packats upp',
};

function inWords(
  path: string,
  { ok, files, bytes, manifestSha256, problems }: ArchiveProof,
): string {
  if (ok) {
    return `${path} är helt och oförändrat: ${files} filer, ${bytes} byte.\nManifestets SHA-256: ${manifestSha256}`;
  }
  const lines = problems.map(({ path: file, rule }) => `  ${file || path}: ${rules[rule]}`);
  return [`${path} är inte det arkiv som skrevs:`, ...lines].join('\n');
}
