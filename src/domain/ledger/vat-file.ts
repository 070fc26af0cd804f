/** The VAT return as Skatteverket takes it in a file: "Lämna momsdeklaration via fil", eSKDUpload 6.0. */
import type { Reasoned } from '../../lib/errors.ts';
import type { VatReturn } from './vat-return.ts';

/** Box by box in the order that the file has them; only MomsBetala (49) always stands there. */
const elements: readonly (readonly [element: string, box: string])[] = [
  ['ForsMomsEjAnnan', '05'],
  ['UttagMoms', '06'],
  ['UlagMargbesk', '07'],
  ['HyrinkomstFriv', '08'],
  ['InkopVaruAnnatEg', '20'],
  ['InkopTjanstAnnatEg', '21'],
  ['InkopTjanstUtomEg', '22'],
  ['InkopVaruSverige', '23'],
  ['InkopTjanstSverige', '24'],
  ['MomsUlagImport', '50'],
  ['ForsVaruAnnatEg', '35'],
  ['ForsVaruUtomEg', '36'],
  ['InkopVaruMellan3p', '37'],
  ['ForsVaruMellan3p', '38'],
  ['ForsTjSkskAnnatEg', '39'],
  ['ForsTjOvrUtomEg', '40'],
  ['ForsKopareSkskSverige', '41'],
  ['ForsOvrigt', '42'],
  ['MomsUtgHog', '10'],
  ['MomsUtgMedel', '11'],
  ['MomsUtgLag', '12'],
  ['MomsInkopUtgHog', '30'],
  ['MomsInkopUtgMedel', '31'],
  ['MomsInkopUtgLag', '32'],
  ['MomsImportUtgHog', '60'],
  ['MomsImportUtgMedel', '61'],
  ['MomsImportUtgLag', '62'],
  ['MomsIngAvdr', '48'],
];

export interface VatFile {
  /** Ten digits. */
  readonly organizationNumber: string;
  /** The period's last day. */
  readonly end: string;
  readonly vatReturn: VatReturn;
  /** TextUpplysningMoms; `noteFault` must have found nothing in it. */
  readonly note: string | null;
}

/** The file's text, every character of which is one of ISO 8859-1. */
export function vatFileText({ organizationNumber, end, vatReturn, note }: VatFile): string {
  const kronor = new Map(vatReturn.boxes.map(({ box, kronor }) => [box, kronor]));
  const written = elements.flatMap(([element, box]) => {
    const amount = kronor.get(box) ?? 0n;
    return amount === 0n ? [] : [`    <${element}>${amount}</${element}>`];
  });
  return [
    '<?xml version="1.0" encoding="ISO-8859-1"?>',
    '<eSKDUpload Version="6.0">',
    `  <OrgNr>${organizationNumber.slice(0, 6)}-${organizationNumber.slice(6)}</OrgNr>`,
    '  <Moms>',
    `    <Period>${end.slice(0, 4)}${end.slice(5, 7)}</Period>`,
    ...written,
    `    <MomsBetala>${vatReturn.toPay}</MomsBetala>`,
    ...(note === null ? [] : [`    <TextUpplysningMoms>${escaped(note)}</TextUpplysningMoms>`]),
    '  </Moms>',
    '</eSKDUpload>',
    '',
  ].join('\n');
}

const noteMax = 300;

/** Why Skatteverket's file cannot hold the text; null when it can. It is never cut. */
export function noteFault(note: string): Reasoned | null {
  const { length } = [...note];
  if (length === 0 || length > noteMax) {
    return { reason: 'vat_note_length', params: { length, max: noteMax } };
  }
  const foreign = [...new Set(note)].filter((character) => !/[\x20-\x7e\xa0-\xff]/.test(character));
  return foreign.length === 0
    ? null
    : {
        reason: 'vat_note_characters',
        params: { characters: foreign.map(shownCharacter).join(' ') },
      };
}

const shownCharacter = (character: string): string =>
  /\p{C}/u.test(character) || character.trim() === ''
    ? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : character;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => text.replace(/[&<>]/g, (one) => entities[one] ?? one);
