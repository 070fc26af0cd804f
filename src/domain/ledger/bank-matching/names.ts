/** Names as banks cut, fold and spell them. */

const legalForms = new Set(
  'ab aktiebolag hb handelsbolag kb kommanditbolag publ ek for forening ekonomisk enskild firma inc ltd llc gmbh oy as aps bv'.split(
    ' ',
  ),
);

/** Words that tell how money went, never whose it is. */
const channelWords = new Set(
  `bankgiro bankgiroinbetalning bankgiroinsattning bg bet pg plusgiro plusgirot betalning inbetalning utbetalning insattning
   uttag overforing via internet mobil mobilen banken inom till fran autogiro kortkop kort kop swish from e-faktura efaktura faktura
   fakturor fakt fakturanr fakturanummer nr no inv invoice ocr ref referens avser for europabetalning utlandsbetalning ank utland
   normal stora sek kr kontantinsattning giro girering direktbetalning aterbetalning aterbet retur payment transfer deposit den
   bokford av och hb vår var er betald betalt sepa credit kundfaktura leverantorsfaktura leverantor samlad summa klumpsumma ocrnr message`.split(
    /\s+/,
  ),
);

export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[æ]/g, 'a')
    .replace(/[ø]/g, 'o');

/** Folded words of a text that can name somebody: without numbers, channel words and legal forms. */
export const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}&]+/u)
    .filter((word) => word.length > 1 && !channelWords.has(word) && !legalForms.has(word));

/** Fewer characters could begin anything. */
const cutMin = 5;

/**
 * Whether words out of a text name the party: its own words follow one another there from the first on, the last of them
 * perhaps cut short by the bank.
 */
export function namesParty(words: readonly string[], name: string): boolean {
  const own = wordsOf(name);
  if (own.length === 0) return false;
  return words.some((_, start) => begins(words.slice(start), own));
}

function begins(words: readonly string[], own: readonly string[]): boolean {
  let agreed = 0;
  for (const [place, word] of own.entries()) {
    const said = words[place];
    if (said === undefined) break;
    if (said !== word) {
      const isCut = place === words.length - 1 && word.startsWith(said);
      if (isCut) agreed += said.length;
      // What follows the name is something else, but a name is not left after its first word.
      return isCut && agreed >= cutMin;
    }
    agreed += word.length;
  }
  const isWhole = words.length >= own.length;
  return isWhole ? agreed >= 3 : agreed >= cutMin;
}
