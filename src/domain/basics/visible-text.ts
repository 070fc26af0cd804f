/**
 * What can be seen of a text. Control characters, terminal sequences, zero width and marks that turn the direction of
 * writing let a text read otherwise than it shows, or hide words from people that programs read.
 */

/** Sequences that terminals act on: whole, so that nothing of them is left to be read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const terminal = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** Controls but the line feed, what formats or is ignored, private and unpaired; separators of lines, and the blank of braille. */
const invisible = /[\p{Cc}\p{Cf}\p{DI}\p{Co}\p{Cs}\u2028\u2029\u2800]/gu;

/** What is left when everything that nobody sees is taken away; lines stay lines. */
export const visibleText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(terminal, '')
    .replaceAll('\t', ' ')
    .replace(invisible, (found) => (found === '\n' ? found : ''));

/** Whether all of it is seen; a line feed is where `lines` may be. */
export const isVisible = (text: string, { lines = false } = {}): boolean =>
  visibleText(text) === text && (lines || !text.includes('\n'));
