/** Documents that come with a form: kept one at a time, each refusal with the file's name. */
import { mediaTypes } from '../domain/ledger/attachment.ts';
import { addAttachment } from '../ledger/attachments/service.ts';
import { AppError, refuse } from '../lib/errors.ts';
import { said } from '../lib/sentences/say.ts';
import { count } from './format.ts';
import type { Upload } from './uploads.ts';
import type { FormInput, Visit } from './visit.ts';

/** Adds files that came with a form; a refusal names the file and stands at the form's file field. */
export const attachAll = (
  tx: Visit['tx'],
  voucherId: string,
  files: readonly Upload[],
  actor: string,
): Promise<void> => takeAll(files, (file) => addAttachment(tx, { voucherId, ...file }, actor));

/** Deals with the files of a form, one at a time; a refusal names the file, and says that none of the others was kept. */
export async function takeAll(
  files: readonly Upload[],
  take: (file: { readonly fileName: string; readonly bytes: Buffer }) => Promise<unknown>,
): Promise<void> {
  for (const { fileName, use } of files) {
    try {
      await use((bytes) => take({ fileName, bytes }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error;
      const why = `${fileName}: ${said('page', error).message}`;
      const message =
        files.length === 1
          ? why
          : `${why} Ingen av de ${count(files.length)} filerna är sparad; välj de andra igen.`;
      throw refuse('unprocessable', [{ path: 'files', reason: 'not_kept', message }]);
    }
  }
}

export function requireFiles(files: readonly Upload[]): void {
  if (files.length > 0) return;
  const message = 'Välj minst en fil.';
  throw refuse('invalid_request', [{ path: 'files', reason: 'required', message }]);
}

/** A form that takes documents, as the partial `upload-files` has it. */
export const uploadValues = (input: FormInput) => ({
  error: input.problems.find(({ path }) => path === 'files')?.message ?? null,
  accept: [...mediaTypes, '.heic'].join(','),
});
