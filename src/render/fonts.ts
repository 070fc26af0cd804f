/**
 * The typeface of every document and page: Inter (OFL), which has å ä ö and figures of equal width. It
 * comes with us, is embedded in what is printed and served to browsers, so that both are the same on every
 * machine.
 */
import { readFileSync } from 'node:fs';
import { packageFile } from '../lib/package-file.ts';

const name = '@fontsource/inter';
/** The letters of Europe, the likeliest first. */
export const subsets = [
  'latin',
  'latin-ext',
  'greek',
  'cyrillic',
  'vietnamese',
  'greek-ext',
  'cyrillic-ext',
] as const;
const weights = [400, 600] as const;

/** Where the files are that `public/app.css` names. */
export const fontsFolder = packageFile(name, 'files');

/** The files that pages may ask for, of the many in the folder. */
export const pageFonts: ReadonlySet<string> = new Set(
  weights.map((weight) => `/inter-latin-${weight}-normal.woff2`),
);

const read = (path: string): Buffer => readFileSync(packageFile(name, path));

/**
 * Stands in every page that is to be printed, which so has another hash, and another PDF, when the fonts
 * change. The page itself holds no font: those are put in when it is printed.
 */
export function fontsVersion(): string {
  const { version } = JSON.parse(read('package.json').toString('utf8')) as { version: string };
  return `inter ${version} ${[...subsets, ...weights].join(' ')}`;
}

/** The same letters for what is written as PDF without a browser; WOFF's first version, which zlib unpacks. */
export const typefaceFile = (subset: (typeof subsets)[number], weight: 400 | 600): Buffer =>
  read(`files/inter-${subset}-${weight}-normal.woff`);

/** A style sheet with the fonts in it, about 250 kB. */
export function fontStyles(): string {
  const ranges = JSON.parse(read('unicode.json').toString('utf8')) as Record<string, string>;
  const faces = subsets.flatMap((subset) =>
    weights.map((weight) => {
      const font = read(`files/inter-${subset}-${weight}-normal.woff2`).toString('base64');
      return `@font-face { font-family: Inter; font-weight: ${weight}; unicode-range: ${ranges[subset]};
        src: url(data:font/woff2;base64,${font}) format("woff2"); }`;
    }),
  );
  return faces.join('\n');
}
