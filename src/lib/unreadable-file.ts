/** Why a file that somebody named cannot be read. */

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'Filen finns inte.',
  ENOTDIR: 'Filen finns inte.',
  EACCES: 'Filen får inte läsas.',
  EISDIR: 'Det är en mapp.',
};

/** As a Swedish sentence. */
export const whyUnreadable = (error: unknown): string =>
  reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? `Filen kan inte läsas (${error}).`;
