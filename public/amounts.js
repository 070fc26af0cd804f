/** Amounts as people type and read them. */

/** `1 234,50`, `1234.5` or `1,234.50` as a whole number of 10^-scale, as the server reads it; null when it is none. */
export function parseTyped(text, scale) {
  const plain = text.replace(/^SEK|[\s\u00a0\u202f]|kr$/g, '');
  const isEnglish = /^[-−–]?\d{1,3}(,\d{3})+\.\d+$/.test(plain);
  const match = /^([-−–]?)(\d{1,13})(?:[.,](\d+))?$/.exec(
    isEnglish ? plain.replaceAll(',', '') : plain,
  );
  if (!match) return null;
  const [, sign, whole, fraction = ''] = match;
  if (fraction.length > scale) return null;
  const size = BigInt(whole + fraction.padEnd(scale, '0'));
  return sign === '' ? size : -size;
}

/** Kronor as typed, in öre; 0 when it is no number (the server says so). */
export const oreOf = (text) => parseTyped(text, 2) ?? 0n;

export function textOf(ore) {
  const digits = String(ore < 0n ? -ore : ore).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
  return `${ore < 0n ? '−' : ''}${whole},${digits.slice(-2)}`;
}
