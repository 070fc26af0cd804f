/** Processing instructions, held against what the parser lets pass. */

/** The only places of a well-formed document where `<?` can stand, and where each ends. */
const parts = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
/** A target, which has no colon (Namespaces in XML, 7), and then a blank or nothing. */
const wellFormed = /^[^ \t\r\n:?]+(?:[ \t\r\n]|$)/;

/** Where the first ill-formed instruction stands in a text that the parser has passed, or -1. */
export function findIllFormedInstruction(text: string): number {
  // Hardly any document has one but the XML declaration. Ends are sought: "?" is rarer than "<".
  const from = text.startsWith('<?xml') ? text.indexOf('?>') + 2 : 0;
  if (text.indexOf('?>', from) < 0) return -1;
  for (let at = text.indexOf('<'); at >= 0; ) {
    const [open, close] = parts.find(([begin]) => text.startsWith(begin, at)) ?? ['<', ''];
    const end = text.indexOf(close, at + open.length);
    if (end < 0) return -1;
    const isInstruction = open === '<?';
    if (isInstruction && !wellFormed.test(text.slice(at + open.length, end))) return at;
    at = text.indexOf('<', end + close.length);
  }
  return -1;
}
