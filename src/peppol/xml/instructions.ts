/** Processing instructions, held against what the parser lets pass. */

/** The only places of a well-formed document where `<?` can stand. */
const parts = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?([\s\S]*?)\?>/g;
/** A target, which has no colon (Namespaces in XML, 7), and then a blank or nothing. */
const well_formed = /^[^ \t\r\n:?]+(?:[ \t\r\n]|$)/;

/** Where the first ill-formed instruction stands in a text that the parser has passed, or -1. */
export function findIllFormedInstruction(text: string): number {
  // Hardly any document has one but the XML declaration. Ends are sought: "?" is rarer than "<".
  const from = text.startsWith('<?xml') ? text.indexOf('?>') + 2 : 0;
  if (text.indexOf('?>', from) < 0) return -1;
  for (const { index, 1: instruction } of text.matchAll(parts)) {
    if (instruction !== undefined && !well_formed.test(instruction)) return index;
  }
  return -1;
}
