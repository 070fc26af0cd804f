/** PDFs read back, by a reader that is none of ours. */
import { extractText, getDocumentProxy } from 'unpdf';

/** The text of each page, with plain spaces. */
export async function pageTexts(pdf: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)));
  return text.map((page) => page.replaceAll('\u00a0', ' '));
}

export interface PdfFacts {
  readonly pages: number;
  /** As BCP 47. */
  readonly language: string | null;
  readonly title: string | null;
  /** Whether its text has a logical structure, for those who hear it read. */
  readonly isTagged: boolean;
  /** Names of embedded fonts without the subset's prefix, each once. */
  readonly fonts: readonly string[];
}

export async function factsOf(pdf: Uint8Array): Promise<PdfFacts> {
  const raw = Buffer.from(pdf).toString('latin1');
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { info } = await document.getMetadata();
  const { Title: title, Language: language } = info as { Title?: string; Language?: string };
  const fonts = [...raw.matchAll(/\/FontName\s*\/(?:[A-Z]{6}\+)?([^\s/]+)/g)];
  const marks = await document.getMarkInfo();
  return {
    pages: document.numPages,
    language: language ?? null,
    title: title ?? null,
    isTagged: marks?.Marked === true,
    fonts: [...new Set(fonts.map(([, name = '']) => name))].sort(),
  };
}
