/** huvudbok sie export: the books of a year as a SIE file */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
import { withTx } from '../db/pool.ts';
import {
  beginExport,
  recordExport,
  type SieExport,
  type SieExportOptions,
  type SieExportReport,
} from '../ledger/sie/exporting.ts';
import { exportText } from '../ledger/sie/wordings.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { note, withPool, write } from './context.ts';
import { actor, date, integer, type Json, jsonOption, text, word } from './options.ts';
import { writeWhole } from './whole-file.ts';

interface Given
  extends Json,
    Pick<SieExportOptions, 'year' | 'type' | 'from' | 'to' | 'generated'> {
  readonly output?: string;
}

export function registerSieExport(sie: Command): void {
  sie
    .command('export')
    .description('skriv ett räkenskapsår som SIE 4, eller verifikaten för några dagar')
    .requiredOption('--year <år>', 'räkenskapsåret, efter året det slutar', integer(1900, 9999))
    .option(
      '--type <typ>',
      '4E är hela året med balanser, 4I är bara verifikat att läsa in i andra böcker',
      word(['4E', '4I']),
      '4E',
    )
    .option('--from <datum>', 'första dagen, av typ 4I', date)
    .option('--to <datum>', 'sista dagen, av typ 4I', date)
    .option(
      '--generated <datum>',
      'dagen i #GEN; annars den då årets senaste verifikat bokfördes',
      date,
    )
    .option('--output <fil>', 'dit den skrivs; annars på standard ut', text(4_000))
    .option(...jsonOption)
    .action((given: Given) => exportYear(given));
}

async function exportYear({ output, json, ...options }: Given): Promise<void> {
  if (json && output === undefined) {
    throw new OperatorError(
      'Ange med --output dit filen skrivs: --json skriver svaret på standard ut.',
    );
  }
  const { timeZone } = loadProcessConfig();
  const report = await withPool(async (pool) => {
    const begun = await beginExport((work) => withTx(pool, work), { ...options, timeZone });
    await (output === undefined ? toStdout(begun) : writeWhole(begun.content, output));
    const made = begun.report();
    await withTx(pool, (tx) => recordExport(tx, made, actor));
    return made;
  });
  if (json) write(JSON.stringify({ file: output, ...wireOf(report) }));
  else note(`${output ?? 'Filen'}: ${exportText(report)}`);
}

const wireOf = ({ openingVouchers, ...report }: SieExportReport) => ({
  ...report,
  opening_vouchers: openingVouchers,
});

const toStdout = ({ content }: SieExport): Promise<void> =>
  pipeline(Readable.from(content), process.stdout, { end: false });
