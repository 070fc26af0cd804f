/** Files sent with a form: read into memory, each at most what an attachment may be. */
import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { attachmentMaxBytes } from '../domain/attachment.ts';
import { AppError } from '../errors.ts';
import { type Fields, fields_max, readFields, readSentFields } from './form-fields.ts';

/** `name` is the form's field. The file's own name is the sender's and nothing to trust. */
export interface Upload {
  readonly name: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

const files_max = 10;
const fields_max_bytes = 1024 * 1024;

export async function registerUploads(room: FastifyInstance): Promise<void> {
  await room.register(fastifyMultipart, {
    limits: {
      fileSize: attachmentMaxBytes,
      files: files_max,
      fields: fields_max,
      fieldSize: 100_000,
      parts: fields_max + files_max,
    },
  });
}

/** A form with files. `mayRead` is asked before a file is read, since fields come first; it throws, or says no. */
export async function readUploads(
  request: FastifyRequest,
  mayRead: (fields: Fields) => boolean,
): Promise<{ fields: Fields; files: readonly Upload[] }> {
  const pairs: [string, string][] = [];
  const files: Upload[] = [];
  let bytesOfFields = 0;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        const value = String(part.value);
        bytesOfFields += part.fieldname.length + Buffer.byteLength(value);
        if (bytesOfFields > fields_max_bytes) throw tooLong();
        pairs.push([part.fieldname, value]);
        continue;
      }
      if (!mayRead(readFields(pairs))) {
        part.file.resume();
        continue;
      }
      const bytes = await part.toBuffer();
      // A file field that nobody used is sent all the same, nameless and empty.
      if (part.filename === '' && bytes.length === 0) continue;
      files.push({ name: part.fieldname, fileName: part.filename, bytes });
    }
  } catch (error) {
    throw tooMuch(error) ?? error;
  }
  return { fields: readSentFields(pairs), files };
}

const tooLong = () =>
  new AppError('payload_too_large', 'Formuläret får vara högst 1 MiB utöver sina filer.');

function tooMuch(error: unknown): AppError | undefined {
  const { code = '', statusCode } = error as { code?: string; statusCode?: number };
  if (statusCode !== 413 || !code.startsWith('FST_')) return undefined;
  if (code === 'FST_FIELDS_LIMIT') return tooLong();
  return new AppError(
    'payload_too_large',
    'En fil får vara högst 10 MiB, och högst tio åt gången.',
    {
      cause: error,
    },
  );
}
