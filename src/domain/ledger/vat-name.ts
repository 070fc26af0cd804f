/**
 * What an account's name says of its VAT, in the words and shortenings that Swedish charts use: `Försäljn
 * tjänst 25% sv`, `Utg moms omv skattsk`. A name may say nothing; what it says may be compared with
 * another's.
 */
import type { TaxedRate, VatRate } from './vat.ts';

export interface VatSigns {
  /** Per cent; 0 when the name says free of VAT, `other` for a rate that Sweden does not have. */
  readonly rate: VatRate | 'other' | null;
  /** The name says that there is VAT, if not how much. */
  readonly isTaxed: boolean;
  readonly place: 'eu' | 'outside_eu' | null;
  readonly supply: 'goods' | 'services' | null;
  readonly isInput: boolean;
  /** What makes it another kind of business than an ordinary sale or purchase; null when nothing does. */
  readonly kind: VatKind | null;
}

const kinds = [
  ['triangulation', /trepart|mellanman|mellanled/],
  ['dormant', /vilande/],
  ['margin', /vmb|vinstmarg|(positiv|negativ) vm/],
  ['own_use', /(?<!lj\w{0,20}\/)uttag/],
  [
    'voluntary_rent',
    /(hyr|arrende).*(frivil|skattepl|momspl)|(frivil|skattepl|momspl).*(hyr|arrende)/,
  ],
  ['rent', /hyr(a|es)|uthyr|arrende/],
  ['one_stop_shop', /\boss\b/],
] as const;
type VatKind = (typeof kinds)[number][0] | 'reverse_charge';

const wordOutsideEu = /utanf\S*\s+eu|\bej eu|export|tredje ?land|import(?!.*\beu\b)/;
const wordGoods = /\bvar(or|a\b|u)|m(at(e)?r(ia)?l|trl)\b|material/;
const wordServices = /tj\S?nst|\btj/;
/** On VAT accounts the buyer's own computing of it says the same. */
const wordReverse = /\bomv|omvänd/;
const wordComputed = /\bber\b|ber\S?kna|f\S?rv\S?rv|tjförv|varuförv|\bink\b|ink\S?p/;

/** Far more than a name has: a file may hold any, and some of the patterns here look twice. */
const nameReadMax = 200;

export function readVatName(name: string, { isVatAccount }: { isVatAccount: boolean }): VatSigns {
  const text = name.slice(0, nameReadMax).toLowerCase();
  // A grant from the EU is no sale into it.
  const place = /bidrag/.test(text)
    ? null
    : wordOutsideEu.test(text)
      ? 'outside_eu'
      : /\be[ug]\b/.test(text)
        ? 'eu'
        : null;
  const rate = rateIn(text);
  return {
    rate,
    isTaxed: (rate !== null && rate !== 0) || /momspl|skattepl|svensk moms/.test(text),
    place,
    supply: supplyIn(text),
    isInput: isVatAccount && /\bing/.test(text),
    kind: kindIn(text, isVatAccount, place !== null),
  };
}

function rateIn(text: string): VatSigns['rate'] {
  if (/momsfri|undantag|utan moms/.test(text)) return 0;
  const [, percent] =
    /(\d{1,3})\s*%/.exec(text) ?? (/moms/.test(text) ? /\b(25|12|6)\b/.exec(text) : null) ?? [];
  switch (percent) {
    case '25':
    case '12':
    case '6':
      return Number(percent) as TaxedRate;
    case undefined:
      break;
    default:
      return percent === '0' ? 0 : 'other';
  }
  // As the rates were called: oreducerad, reducerad 1, reducerad 2.
  if (/\bored/.test(text)) return 25;
  const [, step] = /\bred\w*\.?\s*(?:moms)?\s*([12])/.exec(text) ?? [];
  return step === undefined ? null : step === '1' ? 12 : 6;
}

function supplyIn(text: string): VatSigns['supply'] {
  const [goods, services] = [wordGoods.test(text), wordServices.test(text)];
  return goods === services ? null : goods ? 'goods' : 'services';
}

function kindIn(text: string, isVatAccount: boolean, hasPlace: boolean): VatKind | null {
  const found = kinds.find(([, words]) => words.test(text))?.[0];
  if (found) return found;
  if (isVatAccount && wordComputed.test(text)) return 'reverse_charge';
  // Abroad it goes without saying.
  return wordReverse.test(text) && !hasPlace ? 'reverse_charge' : null;
}

/**
 * How what a name says fits an account of the rate (per cent), whose own name says the other. Unsure of
 * sales into the EU: there is a way with Swedish VAT and one without, and the name must say which.
 */
export function fits(
  said: VatSigns,
  known: VatSigns,
  rate: number | null,
): 'yes' | 'unsure' | 'no' {
  if (said.isInput && known.isInput) return said.rate === 'other' ? 'no' : 'yes';
  const isSame =
    said.kind === known.kind &&
    said.place === known.place &&
    said.isInput === known.isInput &&
    (said.supply === null || known.supply === null || said.supply === known.supply) &&
    (said.rate === null ? !said.isTaxed || rate !== 0 : said.rate === (rate ?? said.rate));
  if (!isSame) return 'no';
  return said.place === 'eu' && rate !== null && said.rate === null && !said.isTaxed
    ? 'unsure'
    : 'yes';
}
