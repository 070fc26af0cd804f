/** The parser's words about ill-formed XML, in Swedish. */

const translations: readonly (readonly [RegExp, string])[] = [
  [/unclosed tag: (.{0,80})/, 'Elementet $1 avslutas aldrig.'],
  [/unexpected close tag/, 'Ett element avslutas innan det som står i det är avslutat.'],
  [/unmatched closing tag: (.{0,80})/, 'Sluttaggen $1 har ingen starttagg.'],
  [
    /undefined entity|defined entity/,
    'Entiteten är inte förklarad; bara amp, lt, gt, quot och apos finns.',
  ],
  [/entity/, 'En teckenreferens är felaktig.'],
  [/duplicate attribute: (.{0,80})/, 'Attributet $1 står två gånger på samma element.'],
  [/must contain a root/, 'Dokumentet saknar innehåll.'],
  [/only one root/, 'Dokumentet har mer än ett yttersta element.'],
  [/text data outside of root/, 'Det står text utanför det yttersta elementet.'],
  [/disallowed character|not allowed/, 'Här står ett tecken som inte får stå där.'],
  [/unexpected end/, 'Dokumentet tar slut mitt i.'],
  [/unquoted|no value|attribute/i, 'Ett attribut är felaktigt skrivet.'],
];

/** A Swedish sentence for an error message of the parser, whatever it says. */
export function inSwedish(message: string): string {
  for (const [pattern, translation] of translations) {
    const match = pattern.exec(message);
    if (match) return translation.replace('$1', () => (match[1] ?? '').replace(/\.$/, ''));
  }
  return 'Dokumentet är inte välformad XML.';
}
