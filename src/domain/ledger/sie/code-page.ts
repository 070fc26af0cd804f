/**
 * Code page 437 (IBM PC), which SIE calls PC8 and allows nothing but (SIE 4B 5.8), and what is written for
 * signs it does not have.
 */

/** The upper half: the sign of byte 0x80 first. */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
const codes = Uint16Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? byte : upperHalf.charCodeAt(byte - 0x80),
);
const bytesOf = new Map([...upperHalf].map((sign, index) => [sign, 0x80 + index]));

const plainText = new RegExp(`^[ !#-\\[\\]-~${upperHalf}]*$`);
/** A text that stands between quotation marks as it is: nothing in it is to be replaced or escaped. */
export const isPlainPc8 = (text: string): boolean => plainText.test(text);

/** More arguments than this at once, and a call may be refused. */
const atOnce = 10_000;

/** The text that bytes in code page 437 are. */
export function decodePc8(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += atOnce) {
    const part = Uint16Array.from(bytes.subarray(from, from + atOnce), (byte) => codes[byte] ?? 0);
    text += String.fromCharCode(...part);
  }
  return text;
}

/** The byte of one sign, undefined when the code page does not have it. */
export const pc8Byte = (sign: string): number | undefined =>
  sign.length === 1 && sign <= '\u007f' ? sign.charCodeAt(0) : bytesOf.get(sign);

/**
 * What is written instead of signs that the code page lacks. Beside it one rule: a letter with an accent
 * becomes the letter without (Š is S). What neither covers becomes a question mark.
 */
export const substitutes: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '―': '-',
  '−': '-',
  '\u00ad': '',
  '€': 'EUR',
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '´': "'",
  '…': '...',
  '•': '*',
  '×': 'x',
  '©': '(C)',
  '®': '(R)',
  '™': '(TM)',
  '§': 'par.',
  '¹': '1',
  '³': '3',
  '¾': '3/4',
  '‰': 'promille',
  Ø: 'O',
  ø: 'o',
  Œ: 'OE',
  œ: 'oe',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'Th',
  þ: 'th',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u200b': '',
  '\ufeff': '',
};

/** What stands for a sign in code page 437: the sign itself, or its substitute. */
export function inPc8(sign: string): string {
  if (pc8Byte(sign) !== undefined) return sign;
  const substitute = substitutes[sign];
  if (substitute !== undefined) return substitute;
  const [letter = ''] = sign.normalize('NFD');
  return letter !== sign && /^[A-Za-z]$/.test(letter) ? letter : '?';
}

/** The bytes of a text in code page 437; a sign that it lacks is a question mark. */
export function encodePc8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (const sign of text) bytes[length++] = pc8Byte(sign) ?? 0x3f;
  return bytes.subarray(0, length);
}

/** Whether a text can be written as it is: it has no sign that the code page lacks and no control character. */
export const isInPc8 = (text: string): boolean =>
  [...text].every((sign) => sign >= ' ' && sign !== '\u007f' && pc8Byte(sign) !== undefined);
