/** Files sent with a form: written to disk while they come, each at most what an attachment may be. */
import { tmpdir } from 'node:os';
import fastifyMultipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { Overloaded } from '../db/batching/overloaded.ts';
import { attachmentMaxBytes } from '../domain/ledger/attachment.ts';
import type { BudgetShare } from '../http/budget.ts';
import { isDiskFull, isFull, Spool, type SpooledFile } from '../http/spool.ts';
import { AppError, refuse } from '../lib/errors.ts';
import { type Fields, fieldsMax, readFields, readSentFields } from './form-fields.ts';

/** `name` is the form's field. The file's own name is the sender's and nothing to trust. */
export interface Upload extends Omit<SpooledFile, 'close'> {
  readonly name: string;
  readonly fileName: string;
}

/** Nobody can divide such a file. */
const sieName = /\.sie?$|\.se$/i;

/** What a form sent, for as long as it is dealt with. */
export interface SentForm {
  readonly fields: Fields;
  readonly files: readonly Upload[];
  /** Why its files were not taken, though its fields were. */
  readonly refusal: AppError | undefined;
  /** Lets go of the files; to be called once the form has been answered. */
  release(): Promise<void>;
}

const filesMax = 10;
/** So many more are passed over before the form is no form of ours. */
const filesReadMax = 50;
const fieldsMaxBytes = 1024 * 1024;
/** Every file and field there may be, and what stands between them. */
export const uploadMaxBytes = filesMax * attachmentMaxBytes + 4 * fieldsMaxBytes;

export async function registerUploads(
  room: FastifyInstance,
  spool: Spool = new Spool(),
): Promise<void> {
  await room.register(fastifyMultipart, {
    throwFileSizeLimit: false,
    limits: {
      fileSize: attachmentMaxBytes,
      files: filesReadMax,
      fields: fieldsMax,
      fieldNameSize: 200,
      fieldSize: 100_000,
      headerPairs: 20,
      parts: fieldsMax + filesReadMax,
    },
  });
  room.decorate('spool', spool);
}

declare module 'fastify' {
  interface FastifyInstance {
    spool: Spool;
  }
}

/**
 * A form with files. `mayRead` is asked before a file is read, since fields come first; it throws, or says no
 * and the file is passed over. A file that is refused is passed over too, so that what was typed is not lost.
 */
export async function readUploads(
  request: FastifyRequest,
  holder: string,
  mayRead: (fields: Fields) => boolean,
): Promise<SentForm> {
  const { spool } = request.server;
  const place = spool.enter(holder);
  const reading = new FormReading(spool, [place, request.place], mayRead, request.log);
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') reading.addField(part.fieldname, String(part.value));
      else await reading.addFile(part);
    }
    return {
      fields: readSentFields(reading.pairs),
      files: reading.files,
      refusal: reading.refusal,
      release: () => reading.release(),
    };
  } catch (error) {
    await reading.release();
    throw explain(error);
  }
}

class FormReading {
  readonly pairs: [string, string][] = [];
  readonly files: Upload[] = [];
  refusal: AppError | undefined;
  readonly #spool: Spool;
  readonly #place: BudgetShare;
  /** Of the process's memory, where the fields are. */
  readonly #memory: BudgetShare | null;
  readonly #mayRead: (fields: Fields) => boolean;
  readonly #log: FastifyBaseLogger;
  readonly #spooled: SpooledFile[] = [];
  #bytesOfFields = 0;

  constructor(
    spool: Spool,
    [place, memory]: readonly [BudgetShare, BudgetShare | null],
    mayRead: (fields: Fields) => boolean,
    log: FastifyBaseLogger,
  ) {
    this.#log = log;
    this.#spool = spool;
    this.#place = place;
    this.#memory = memory;
    this.#mayRead = mayRead;
  }

  addField(name: string, value: string): void {
    const bytes = name.length + Buffer.byteLength(value);
    this.#bytesOfFields += bytes;
    if (this.#bytesOfFields > fieldsMaxBytes) throw tooLong();
    this.#memory?.grow(bytes);
    this.pairs.push([name, value]);
  }

  async addFile({ fieldname: name, filename, file }: MultipartFile): Promise<void> {
    // A file field that nobody used is sent all the same, nameless and empty.
    // Browsers write a quotation mark in a name as %22, which would end it.
    const fileName = (filename ?? '').replaceAll('%22', '"');
    if (this.refusal || !this.#mayRead(readFields(this.pairs))) return passOver(file);
    if (this.files.length === filesMax) {
      this.refusal = refuseFile(name, 'payload_too_large', `Högst ${filesMax} filer åt gången.`);
      return passOver(file);
    }
    const kept = await this.#keep(name, file);
    if (!kept) return passOver(file);
    this.#spooled.push(kept);
    if (file.truncated) {
      this.refusal = refuseFile(
        name,
        'payload_too_large',
        sieName.test(fileName)
          ? `${fileName}: en SIE-fil får här vara högst 10 MiB. Större läses in med kommandot huvudbok sie import; för kontoplanen räcker filen som SIE typ 1.`
          : `${fileName}: en fil får vara högst 10 MiB; dela upp eller komprimera den.`,
      );
    } else if (kept.size > 0 || fileName !== '') {
      const { size, use } = kept;
      this.files.push({ name, fileName, size, use });
    }
  }

  /** Undefined when there is no room for it now. */
  async #keep(name: string, file: MultipartFile['file']): Promise<SpooledFile | undefined> {
    try {
      // Not closed with the loop that reads it: the rest of the form comes after it.
      const chunks = file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      return await this.#spool.keep(chunks, this.#place);
    } catch (error) {
      if (!(error instanceof Overloaded) && !isFull(error)) throw error;
      const isFullDisk = isDiskFull(error);
      if (isFullDisk) {
        const folder = `TMPDIR (${tmpdir()})`;
        this.#log.warn(`En fil som skickades togs inte emot, för disken med ${folder} är full.`);
      }
      this.refusal = refuseFile(
        name,
        'overloaded',
        isFullDisk
          ? 'Servern kan inte ta emot filer, för dess disk är full. Välj dem igen när den som sköter driften har frigjort plats.'
          : 'Servern tar emot många filer just nu, och filerna fick inte plats. Välj dem igen och försök om en stund.',
        { 'retry-after': isFullDisk ? '60' : '5' },
      );
      return undefined;
    }
  }

  async release(): Promise<void> {
    this.#place.leave();
    await Promise.all(this.#spooled.splice(0).map((file) => file.close()));
  }
}

/** Reads to the end of a file and keeps nothing of it. */
async function passOver(file: MultipartFile['file']): Promise<void> {
  for await (const _ of file);
}

/** At the field that the file was sent in. */
const refuseFile = (
  path: string,
  code: 'payload_too_large' | 'overloaded',
  message: string,
  headers: Record<string, string> = {},
): AppError => refuse(code, [{ path, reason: code, message }], { headers });

const tooLong = () =>
  new AppError('payload_too_large', 'Formuläret får vara högst 1 MiB utöver sina filer.');

/** What the parser says of a form: too much of something, or nothing that a browser sends. */
function explain(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { code = '', syscall } = error as { code?: string; syscall?: string };
  if (code === 'FST_FIELDS_LIMIT') return tooLong();
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FILES_LIMIT') {
    return new AppError('payload_too_large', `Högst ${filesMax} filer åt gången.`, {
      cause: error,
    });
  }
  // The system's own faults (its disk, its descriptors) are ours.
  if (syscall !== undefined && code !== 'ECONNRESET') return error;
  const message =
    'Formuläret kom inte fram helt. Gå tillbaka, där det du skrev står kvar, och skicka det igen.';
  return refuse('invalid_request', [{ path: '', reason: 'broken_form', message }]);
}
