/** huvudbok backup · backup verify · backup done · backup restored · restore. */
import { dirname, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { lostAmong, type MissingKeys } from '../access/secrets/service.ts';
import { type Config, loadProcessConfig } from '../config/config.ts';
import { vouchersIn } from '../installation/backups/contents.ts';
import {
  holdRestored,
  inspect,
  type Restored,
  restoreEmbedded,
  restoreInto,
} from '../installation/backups/restore.ts';
import { findNewest, keepBackup, proveFile } from '../installation/backups/service.ts';
import { recordBackup } from '../installation/operations/service.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { asOwner, explained, interruptible, note, print, withDatabase } from './context.ts';
import { actor, type Json, jsonOption } from './options.ts';
import { keyringHere, lostSentence } from './secrets.ts';
import { counted, when } from './words.ts';

export function registerBackups(program: Command): void {
  const backup = program
    .command('backup')
    .description('ta en säkerhetskopia, och pröva den genom att återställa den')
    .option('--to <mapp>', 'var den läggs; annars BACKUP_DIR, eller DATA_DIR/backups')
    .option('--skip-verify', 'pröva den inte nu')
    .option(...jsonOption)
    .action(async ({ to, skipVerify, json }: Json & { to?: string; skipVerify?: true }) => {
      const config = loadProcessConfig();
      const { key, keep } = config.backup;
      const options = {
        folder: folderToWrite(config, to),
        key,
        // A folder given by hand is looked after by hand.
        keep: to === undefined ? keep : Number.POSITIVE_INFINITY,
        isProved: !skipVerify,
        actor: actor,
        log: note,
      };
      const kept = await interruptible((signal) =>
        withDatabase((url) => keepBackup({ url, ...options, signal })),
      );
      const { path, taken_at, size_bytes, vouchers, rows, proof, removed } = kept;
      const value = { file: path, taken_at, size_bytes, vouchers, rows, removed };
      const proved = proof ? ` ${proofText(proof)}` : '';
      print(
        json,
        { ...value, ...(proof && { problems: proof.problems }) },
        `${path} (${megabytes(size_bytes)}) har ${counted(vouchers, 'verifikat', 'verifikat')} från ${when(taken_at)}.${proved}`,
      );
      failOn(proof);
    });

  backup
    .command('verify')
    .description('pröva en säkerhetskopia: alla kontrollsummor, och en återställning på försök')
    .argument('[fil]', 'annars den nyaste i BACKUP_DIR')
    .option('--checksums-only', 'läs filen men återställ den inte på försök')
    .option(...jsonOption)
    .action(async (given: string | undefined, options: Json & { checksumsOnly?: true }) => {
      const { checksumsOnly, json } = options;
      const config = loadProcessConfig();
      const path = given ? resolve(given) : await findNewest(folderToRead(config));
      const { key } = config.backup;
      if (checksumsOnly) {
        const { opening, manifest } = await inspect(path, key);
        const vouchers = vouchersIn(manifest);
        const value = { file: path, taken_at: opening.taken_at, vouchers };
        const text = `${path} är hel: ${counted(vouchers, 'verifikat', 'verifikat')} från ${when(opening.taken_at)}.`;
        print(json, value, text);
        return;
      }
      const proof = await interruptible((signal) =>
        proveFile({ path, folder: dirname(path), key, log: note, signal }),
      );
      const { taken_at, vouchers, rows, problems } = proof;
      const text = `${path} har ${counted(vouchers, 'verifikat', 'verifikat')} från ${when(taken_at)}. ${proofText(proof)}`;
      print(json, { file: path, taken_at, vouchers, rows, problems }, text);
      failOn(proof);
    });

  registerOtherMeans(backup);
  registerRestore(program);
}

/** What the program is told of that was done without it. */
function registerOtherMeans(backup: Command): void {
  backup
    .command('done')
    .description('anteckna att en säkerhetskopia är tagen; sista raden i ditt skript')
    .option('--at <tid>', 'när den togs, t.ex. 2026-11-20T02:00:00+01:00; annars nu', pointInTime)
    .option(...jsonOption)
    .action(async ({ at = new Date(), json }: Json & { at?: Date }) => {
      await asOwner((tx) => recordBackup(tx, at, actor));
      print(json, { finished_at: at.toISOString() }, `Säkerhetskopian ${when(at)} är antecknad.`);
    });

  backup
    .command('restored')
    .description(
      'låt inget gå ut av sig självt ur böcker som är återställda på annat sätt än med restore; innan något startas',
    )
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const held = await asOwner((tx) => holdRestored(tx, actor));
      const first = 'Inget går ut av sig självt, och alla får logga in på nytt.';
      const lines = [first, ...sinceLines(held.books_end_at), ...heldLines(held)];
      print(json, held, lines.join('\n'));
    });
}

function registerRestore(program: Command): void {
  program
    .command('restore')
    .description('återställ en säkerhetskopia, i en tom databas eller en ny DATA_DIR')
    .argument('<fil>')
    .option(...jsonOption)
    .action(async (file: string, { json }: Json) => {
      const { databaseUrl, dataDir, backup } = loadProcessConfig();
      const options = { path: resolve(file), key: backup.key, log: note };
      const read = (signal?: AbortSignal) => inspect(options.path, backup.key, signal);
      const restored = databaseUrl
        ? await explained(databaseUrl, () => restoreInto(databaseUrl, read, options))
        : await interruptible((signal) =>
            restoreEmbedded(dataDir, () => read(signal), { ...options, signal }),
          );
      const lost = lostAmong(restored.sealed, await keyringHere());
      print(json, restored, restoredText(restored, lost));
      failOn(restored);
    });
}

/** Where backups are kept; undefined when nobody has said. */
const folderOf = ({ backup, databaseUrl, dataDir }: Config): string | undefined =>
  backup.folder ?? (databaseUrl === undefined ? join(dataDir, 'backups') : undefined);

function folderToWrite(config: Config, given: string | undefined): string {
  const folder = given === undefined ? folderOf(config) : resolve(given);
  if (folder !== undefined) return folder;
  throw new OperatorError('Ange var säkerhetskopian ska läggas, med --to eller BACKUP_DIR.');
}

function folderToRead(config: Config): string {
  const folder = folderOf(config);
  if (folder !== undefined) return folder;
  throw new OperatorError('Ange vilken säkerhetskopia: dess fil, eller BACKUP_DIR för den nyaste.');
}

const proofText = ({ problems }: Restored): string =>
  problems.length === 0
    ? 'Den är återställd på försök, och allt stämmer.'
    : `Den är återställd på försök, och böckerna har ${counted(problems.length, 'fel', 'fel')}: ${problems[0]?.message ?? ''}`;

function restoredText({ vouchers, taken_at, problems, held }: Restored, lost: MissingKeys): string {
  const lines = [
    `${counted(vouchers, 'verifikat', 'verifikat')} från ${when(taken_at)} är tillbaka. ${problems.length === 0 ? 'Allt stämmer.' : `Kontrollen fann ${counted(problems.length, 'fel', 'fel')}: ${problems[0]?.message}`}`,
    'Alla får logga in på nytt. Nycklar, användare och lösenord är som i kopian: det som har återkallats sedan dess gäller igen, så se efter med key list, agency list och user list.',
    'Det som hände efter kopian finns inte här: den som läser händelser får veta det (cursor_ahead).',
  ];
  lines.push(...sinceLines(taken_at));
  if (lost.keyIds.length > 0) {
    lines.push(lostSentence(lost));
  }
  lines.push(...heldLines(held));
  return lines.join('\n');
}

/** Money that left, and papers that went, are with others whatever the books know of them; what came, its senders believe to be here. */
const sinceLines = (end: Date | null): string[] => [
  'Betalfiler och fakturor som gjordes sedan dess finns inte här, men hos banken och kunderna, och en betalfil som står som inte sänd kan vara sänd: läs in bankens rader innan något betalas, så att inget betalas två gånger, och se efter vilka fakturanummer som redan är skickade.',
  `Det som andra har skickat hit ${end ? `efter ${when(end)}` : 'sedan dess'} finns inte heller, fast de fick svar att det var mottaget: be butik, kassa och accesspunkt att skicka om ordrar, returer, dagskassor och e-fakturor, lägg bankens filer i taken/ i sin mapp igen, och lägg in underlag på nytt. Det som redan finns här känns igen och blir inte två.`,
];

function heldLines({ mails, webhooks, recurring }: Restored['held']): string[] {
  const lines: string[] = [];
  if (webhooks > 0) {
    lines.push(
      `${counted(webhooks, 'webhook är pausad', 'webhookar är pausade')}: huvudbok webhook enable när originalet är ur drift.`,
    );
  }
  if (mails > 0) {
    lines.push(
      `${counted(mails, 'brev som väntade är stoppat', 'brev som väntade är stoppade')}: det kan ha skickats sedan dess. Se fakturans sida.`,
    );
  }
  if (recurring > 0) {
    lines.push(
      `${counted(recurring, 'återkommande faktura som mejlas väntar', 'återkommande fakturor som mejlas väntar')}: de kan ha skickats sedan dess. Öppna var och en under Återkommande, se efter nästa dag, och spara.`,
    );
  }
  return lines;
}

function failOn(restored: Restored | undefined): void {
  if (restored?.problems.length) process.exitCode = 1;
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1).replace('.', ',')} MB`;

function pointInTime(value: string): Date {
  const at = new Date(value);
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(value);
  if (!isWhole || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError('Ange tid med tidszon, t.ex. 2026-11-20T02:00:00+01:00.');
  }
  if (at.getTime() > Date.now() + 60_000) {
    throw new InvalidArgumentError('Tiden ligger i framtiden.');
  }
  return at;
}
