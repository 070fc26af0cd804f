/** The archive of a fiscal year (bokföringslagen 7 kap.): all that must be kept of it, in one ZIP. */

import { nameOfActor } from '../../audit/actors.ts';
import { eventsCsv } from '../../audit/csv.ts';
import { type AuditPlace, type LoggedEvent, listEvents } from '../../audit/log-store.ts';
import { recordEvent } from '../../audit/store.ts';
import { getBankFile } from '../../bank/statements/import-store.ts';
import { HungUp } from '../../db/batching/hanging-up.ts';
import type { Tx } from '../../db/pool.ts';
import { lastDayOfMonth, monthOf } from '../../domain/basics/dates.ts';
import { keptThrough } from '../../domain/ledger/retention.ts';
import { isPrinting } from '../../installation/processes/store.ts';
import { beginExport } from '../../ledger/sie/exporting.ts';
import { isoOf } from '../../lib/clock.ts';
import { textCell, writeCsv } from '../../lib/csv.ts';
import { AppError, refuseWhole } from '../../lib/errors.ts';
import { storedSource } from '../../lib/source-file.ts';
import { appVersion } from '../../lib/version.ts';
import { readBankAnswerOf } from '../../purchases/payment-files/store.ts';
import { prepareInvoicePdf, prepareReminderPdf } from '../../sales/invoices/documents.ts';
import { patientReading } from './patience.ts';
import {
  type ArchivedFile,
  type ArchivedPlace,
  type ArchivedRow,
  type ArchivedSeries,
  type ArchivedVoucher,
  type ArchiveYear,
  type InstallationFacts,
  listArchivedBankFiles,
  listArchivedFiles,
  listArchivedInvoices,
  listArchivedReminders,
  listArchivedRows,
  listArchivedSeries,
  listArchivedVouchers,
  listArchiveYears,
  listUnfiled,
  readArchivedFile,
  readInstallation,
  readSentFile,
} from './store.ts';
import { systemHtml } from './system-description.ts';
import { rowsOfPart, vouchersHtml } from './vouchers-pdf.ts';
import {
  type ArchiveEntry,
  type ArchiveReport,
  type ArchiveWriting,
  NotTaken,
  writeArchive,
} from './writing.ts';

export interface ArchiveOptions {
  readonly year: number;
  readonly timeZone: string;
  readonly madeAt: Date;
}

export interface ArchiveTools {
  /** Each reading in a transaction of its own: an archive takes minutes, and holds none meanwhile. */
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** The page as PDF, by the render worker, however long that takes; one at a time. */
  readonly print: (html: string) => Promise<Buffer>;
  /** Writes down that the books have left, before the last byte has. */
  readonly record: (report: ArchiveReport) => Promise<void>;
  /** Told why the archive ends before it is whole. */
  readonly breakOff?: (error: unknown) => Promise<void>;
}

export interface BegunArchive extends ArchiveWriting {
  /** `5567026934-2026-arkiv.zip`. */
  readonly fileName: string;
}

/**
 * Throws 404 when there is no such year, and 503 while nobody prints: a file that has begun can say nothing, and
 * would stand still until its maker gives up.
 */
export async function beginArchive(
  options: ArchiveOptions,
  tools: ArchiveTools,
): Promise<BegunArchive> {
  const { year, timeZone, madeAt } = options;
  const { record, breakOff = async () => undefined } = tools;
  const begun = await tools.read(async (db) => {
    const span = (await listArchiveYears(db)).find((one) => one.year === year);
    if (!span) throw refuseWhole('not_found', 'no_fiscal_year', { of: year });
    if (span.vouchers > 0n && !(await isPrinting(db))) {
      throw refuseWhole('processing_delayed', 'nobody_prints', {}, { headers: retryAfter });
    }
    return {
      span,
      series: await listArchivedSeries(db, year),
      installation: await readInstallation(db, timeZone),
    };
  });
  const making = new ArchiveMaking(
    { ...options, ...begun },
    { ...tools, read: patientReading(tools.read) },
  );
  const { organization_number: number } = begun.installation.company;
  return {
    fileName: `${number}-${year}-arkiv.zip`,
    ...writeArchive(making.entries(), madeAt, { finish: record, breakOff }),
  };
}

export const recordArchive = (
  tx: Tx,
  year: number,
  { files, bytes, manifestSha256 }: ArchiveReport,
  actor: string,
): Promise<void> =>
  recordEvent(tx, {
    actor,
    action: 'archive.exported',
    subject: String(year),
    detail: { files, bytes, manifest_sha256: manifestSha256 },
  });

/** Why an archive ended before it was whole, as it is written down. */
export type BreakOff = 'not_printed' | 'not_taken' | 'failed';

const breakOffOf = (error: unknown): BreakOff => {
  if (error instanceof NotTaken || error instanceof HungUp) return 'not_taken';
  const isLate = error instanceof AppError && error.code === 'processing_delayed';
  return isLate ? 'not_printed' : 'failed';
};

export const recordBreakOff = (
  tx: Tx,
  year: number,
  error: unknown,
  actor: string,
): Promise<void> =>
  recordEvent(tx, {
    actor,
    action: 'archive.broken_off',
    subject: String(year),
    detail: { reason: breakOffOf(error) },
  });

const retryAfter = { 'retry-after': '30' };

interface Plan extends ArchiveOptions {
  readonly span: ArchiveYear;
  readonly series: readonly ArchivedSeries[];
  readonly installation: InstallationFacts;
}

const vouchersAtOnce = 500;
const eventsAtOnce = 1_000;
/** Rows of the list of documents that are written together. */
const listedAtOnce = 1_000;

/** Without what some file systems take for something else, and no dot or space at the end, which Windows drops. */
function safeName(name: string): string {
  const plain = name.replace(/[<>:"|?*\\/]/g, '_');
  return /[. ]$/.test(plain) ? `${plain}_` : plain;
}

class ArchiveMaking {
  readonly #plan: Plan;
  readonly #tools: ArchiveTools;
  /** By content: a file that documents many vouchers is there once. */
  readonly #pathOf = new Map<string, string>();
  readonly #listed: string[][] = [['verifikat', 'fil', 'slag', 'sha256']];
  #vouchers = 0;

  constructor(plan: Plan, tools: ArchiveTools) {
    this.#plan = plan;
    this.#tools = tools;
  }

  async *entries(): AsyncGenerator<ArchiveEntry> {
    const { year, timeZone } = this.#plan;
    const sie = await beginExport(this.#tools.read, { year, type: '4E', timeZone });
    yield { path: `sie/${sie.fileName}`, content: sie.content };
    for (const month of monthsOf(this.#plan.span)) yield* this.#month(month);
    yield* this.#documents();
    yield { path: 'underlag/forteckning.csv', content: this.#list() };
    yield* this.#invoices();
    yield* this.#reminders();
    yield* this.#bankFiles();
    yield { path: 'behandlingshistorik/verifikat.csv', content: this.#history() };
    yield { path: 'behandlingshistorik/handelser.csv', content: this.#events() };
    yield { path: 'systemdokumentation.html', content: [this.#system()] };
    yield { path: 'arkiv.json', content: [this.#facts(sie.report().vouchers)] };
    yield { path: 'LÄSMIG.txt', content: [Buffer.from(readMe)] };
  }

  /** A page of the year's vouchers, or of some days', and where the next begins. */
  async *#pages(
    days: { readonly from: string; readonly to: string } = {
      from: this.#plan.span.start,
      to: this.#plan.span.end,
    },
  ): AsyncGenerator<readonly ArchivedVoucher[]> {
    let after: ArchivedPlace | null = null;
    for (;;) {
      const place: ArchivedPlace | null = after;
      const page: ArchivedVoucher[] = await this.#tools.read((db) =>
        listArchivedVouchers(db, this.#plan.series, days, place, vouchersAtOnce),
      );
      if (page.length > 0) yield page;
      after = page.at(-1) ?? null;
      if (page.length < vouchersAtOnce) return;
    }
  }

  /** A month's vouchers as one PDF; in parts when they are more than a printer should be kept with. */
  async *#month(month: string): AsyncGenerator<ArchiveEntry> {
    const days = { from: `${month}-01`, to: lastDayOfMonth(month) };
    let vouchers: ArchivedVoucher[] = [];
    let rows = new Map<string, ArchivedRow[]>();
    let [rowCount, parts] = [0, 0];
    const printed = async (part: number | null): Promise<ArchiveEntry> => {
      const { name, organization_number: orgNumber } = this.#plan.installation.company;
      const html = vouchersHtml(
        { month, part, vouchers, rows },
        { name, orgNumber },
        this.#plan.timeZone,
      );
      const pdf = await this.#tools.print(html);
      [vouchers, rows, rowCount] = [[], new Map(), 0];
      return {
        path: `verifikat/${month}${part === null ? '' : `-del-${part}`}.pdf`,
        content: [pdf],
        isTight: true,
      };
    };
    for await (const page of this.#pages(days)) {
      const ids = page.map(({ id }) => id);
      const found = await this.#tools.read((db) => listArchivedRows(db, ids));
      const byVoucher = Map.groupBy(found, ({ voucher_id: id }) => id);
      for (const voucher of page) {
        const own = byVoucher.get(voucher.id) ?? [];
        if (vouchers.length > 0 && rowCount + own.length > rowsOfPart) {
          parts += 1;
          yield await printed(parts);
        }
        vouchers.push(voucher);
        rows.set(voucher.id, own);
        rowCount += own.length;
        this.#vouchers += 1;
      }
    }
    if (vouchers.length > 0) yield await printed(parts === 0 ? null : parts + 1);
  }

  async *#documents(): AsyncGenerator<ArchiveEntry> {
    for await (const page of this.#pages()) {
      const labels = new Map(page.map(({ id, series, number }) => [id, `${series}${number}`]));
      const files = await this.#tools.read((db) => listArchivedFiles(db, [...labels.keys()]));
      for (const file of files) yield* this.#file(file, labels.get(file.voucher_id) ?? '');
    }
    const { start: from, end: to } = this.#plan.span;
    const unfiled = await this.#tools.read((db) => listUnfiled(db, { from, to }));
    for (const { set_aside: reason, ...file } of unfiled) {
      const folder = reason === null ? 'utan-verifikat' : 'undanlagda';
      yield* this.#file({ ...file, voucher_id: '', e_invoice_id: null }, folder);
    }
  }

  async *#file(file: ArchivedFile, folder: string): AsyncGenerator<ArchiveEntry> {
    const known = this.#pathOf.get(file.sha256);
    // Two files of one voucher may have one name.
    const path =
      known ?? `underlag/${folder}/${file.sha256.slice(0, 8)}-${safeName(file.file_name)}`;
    this.#listed.push([folder, path, file.media_type, file.sha256].map(textCell));
    if (known !== undefined) return;
    this.#pathOf.set(file.sha256, path);
    const bytes = await this.#tools.read((db) => readArchivedFile(db, file));
    yield { path, content: [bytes], isTight: /^image|pdf$/.test(file.media_type) };
  }

  async *#list(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < this.#listed.length; from += listedAtOnce) {
      const rows = this.#listed.slice(from, from + listedAtOnce);
      yield Buffer.from(await writeCsv(rows, from === 0));
    }
  }

  /** As pages that any browser shows; of what they are printed from. */
  async *#invoices(): AsyncGenerator<ArchiveEntry> {
    for await (const page of this.#pages()) {
      const ids = page.filter(({ source }) => source === 'invoice').map(({ id }) => id);
      if (ids.length === 0) continue;
      const invoices = await this.#tools.read((db) => listArchivedInvoices(db, ids));
      for (const { id, number, kind } of invoices) {
        const { html } = await this.#tools.read((db) => prepareInvoicePdf(db, id));
        const word = kind === 'credit_note' ? 'kreditfaktura' : 'faktura';
        yield { path: `kundfakturor/${word}-${number}.html`, content: [Buffer.from(html)] };
      }
    }
  }

  async *#reminders(): AsyncGenerator<ArchiveEntry> {
    const { timeZone, span } = this.#plan;
    const days = { from: span.start, to: span.end };
    const sent = await this.#tools.read((db) => listArchivedReminders(db, days));
    for (const { invoice_id: id, number, reminder_no: no } of sent) {
      const { html } = await this.#tools.read((db) => prepareReminderPdf(db, id, no, timeZone));
      yield { path: `kundfakturor/paminnelse-${number}-${no}.html`, content: [Buffer.from(html)] };
    }
  }

  /** What went to the bank and what came from it, byte for byte. */
  async *#bankFiles(): AsyncGenerator<ArchiveEntry> {
    const { timeZone, span } = this.#plan;
    const days = { from: span.start, to: span.end, timeZone };
    for (const file of await this.#tools.read((db) => listArchivedBankFiles(db, days))) {
      const { kind, id, name, sha256 } = file;
      const short = sha256.slice(0, 8);
      const read = <T>(work: (db: Tx) => Promise<T>): Promise<T> => this.#tools.read(work);
      if (kind === 'statement') {
        const { open } = storedSource(sha256, await read((db) => getBankFile(db, sha256)));
        yield { path: `bank/kontoutdrag/${short}-${safeName(name)}`, content: open() };
      } else if (kind === 'payments') {
        const content = [await read((db) => readSentFile(db, id))];
        yield { path: `bank/betalfiler/betalfil-${name}.xml`, content };
      } else {
        const content = [await read((db) => readBankAnswerOf(db, id, sha256))];
        yield { path: `bank/betalfiler/betalfil-${name}-svar-${short}.xml`, content };
      }
    }
  }

  async *#history(): AsyncGenerator<Uint8Array> {
    const head = [
      'verifikat',
      'datum',
      'registrerat',
      'av',
      'aktör',
      'ursprung',
      'rättar',
      'rättat med',
      'anrop',
      'hash',
    ];
    yield Buffer.from(await writeCsv([head], true));
    for await (const page of this.#pages()) {
      const rows = page.map((one) =>
        [
          `${one.series}${one.number}`,
          one.date,
          isoOf(one.posted_at, this.#plan.timeZone),
          nameOfActor(one.posted_by, one.posted_by_name),
          one.posted_by,
          one.source,
          one.corrects ?? '',
          one.corrected_by ?? '',
          one.request_id ?? '',
          one.hash,
        ].map(textCell),
      );
      yield Buffer.from(await writeCsv(rows, false));
    }
  }

  /** From the year's first day until now: what is done to a year may be done after it. */
  async *#events(): AsyncGenerator<Uint8Array> {
    const { timeZone, span } = this.#plan;
    const filter = {
      from: span.start,
      to: null,
      timeZone,
      actor: null,
      action: null,
      search: null,
    };
    let after: AuditPlace | null = null;
    for (let isFirst = true; ; isFirst = false) {
      const place: AuditPlace | null = after;
      const events: LoggedEvent[] = await this.#tools.read((db) =>
        listEvents(db, filter, place, eventsAtOnce),
      );
      if (isFirst || events.length > 0)
        yield Buffer.from(await eventsCsv(events, timeZone, isFirst));
      const last = events.at(-1);
      if (!last || events.length < eventsAtOnce) return;
      after = { occurredAt: last.place, id: last.id };
    }
  }

  #system(): Buffer {
    const { installation, series, span, madeAt, timeZone } = this.#plan;
    const made = isoOf(madeAt, timeZone);
    return Buffer.from(systemHtml({ installation, series, year: span, madeAt: made }));
  }

  #facts(vouchersInSie: number): Buffer {
    const { span, installation, series, madeAt, timeZone } = this.#plan;
    const facts = {
      format: 'huvudbok-arkiv 1',
      company: installation.company.name,
      organization_number: installation.company.organization_number,
      year: span.year,
      start: span.start,
      end: span.end,
      is_closed: span.status === 'closed',
      kept_through: keptThrough(span.end),
      made_at: isoOf(madeAt, timeZone),
      program: `Huvudbok ${appVersion}`,
      vouchers: this.#vouchers,
      vouchers_in_sie: vouchersInSie,
      series: series.map(({ code, last }) => ({ code, last })),
    };
    return Buffer.from(`${JSON.stringify(facts, null, 2)}\n`);
  }
}

/** `2025-09`, `2025-10`, … of a fiscal year. */
function monthsOf({ start, end }: Pick<ArchiveYear, 'start' | 'end'>): string[] {
  const months: string[] = [];
  for (let month = monthOf(start); month <= monthOf(end); ) {
    months.push(month);
    const [year = 0, number = 0] = month.split('-').map(Number);
    month = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  }
  return months;
}

const readMe = `Arkiv ur Huvudbok: ett räkenskapsårs bokföring som den ska sparas (bokföringslagen 7 kap.).

sie/                    hela året som SIE 4E, som andra program läser
verifikat/              varje månads verifikat som PDF
underlag/               filerna, i en mapp för varje verifikat; forteckning.csv säger vad som hör till vad
kundfakturor/           de fakturor och påminnelser som företaget har skickat
bank/                   kontoutdragens filer, de betalfiler som sändes och bankens svar på dem
behandlingshistorik/    när och av vem varje verifikat registrerades, och vad som i övrigt har gjorts
systemdokumentation.html  kontoplan, serier, automatiska konteringar, regler, roller och integrationer
arkiv.json              vilket företag och år, och till och med vilken dag det ska sparas
MANIFEST.sha256         varje fils SHA-256

Att inget är ändrat visar: huvudbok archive verify <fil>
eller, i den uppackade mappen: sha256sum -c MANIFEST.sha256
`;
