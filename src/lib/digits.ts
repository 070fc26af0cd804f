/** Numbers as texts, in time that follows their length: a document may hold one of a million digits. */

/** Between thousands, and before a unit: does not break. */
export const nbsp = '\u00a0';
/** A real minus sign, as Swedish is written. */
export const minus = '\u2212';

/** `1234567` as `1 234 567`, with non-breaking spaces unless said, counted from the right. */
export function groupDigits(digits: string, separator = nbsp, size = 3): string {
  const first = digits.length % size;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let from = first; from < digits.length; from += size) {
    groups.push(digits.slice(from, from + size));
  }
  return groups.join(separator);
}

/** Without the signs of this kind that it ends in. */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
