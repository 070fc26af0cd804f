/** What every rule about SIE files says to people: what is wrong, where, and the way out. */
import { absolute, type Ore } from '../../domain/basics/money.ts';
import type { Balance } from '../../domain/ledger/opening-balances.ts';
import {
  type EquityMoved,
  keptOfRule,
  type MoreOfRule,
  type SieFacts,
  type SieProblem,
  type SieRule,
  sieRules,
} from '../../domain/ledger/sie/problems.ts';
import { formatKronor } from '../../lib/swedish.ts';

type Wordings = { readonly [Rule in SieRule]: (facts: SieFacts[Rule]) => string };

const kr = formatKronor;
/** `Verifikat A 12`; `Ett verifikat utan nummer` when it has neither series nor number. */
const voucherText = (voucher: string): string =>
  voucher === '' ? 'Ett verifikat utan serie och nummer' : `Verifikat ${voucher}`;
const onVoucher = (voucher: string): string =>
  voucher === '' ? 'ett verifikat utan serie och nummer' : `verifikat ${voucher}`;
const valueText = (value: string): string => (value === '' ? 'saknas' : `är ”${value}”`);
const yearText = (year: number): string =>
  year === 0 ? 'filens år' : year === -1 ? 'året före filens' : `år ${year}`;
const manyWords: Readonly<Record<string, string>> = {
  rows: 'rader på ett verifikat',
  bytes: 'tecken på ett verifikat',
  accounts: 'konton',
  objects: 'objekt',
  series: 'verifikatserier',
};
const leftOutWords: Readonly<Record<string, string>> = {
  OIB: 'ingående balanser för objekt',
  OUB: 'utgående balanser för objekt',
  PBUDGET: 'budget',
  ENHET: 'enheter för kvantitet',
};
const differs = (found: Ore, expected: Ore): string =>
  `skillnaden är ${kr(absolute(found - expected))}`;

/** Which voucher does what another program did by its opening balances alone. */
export function equityMovedText({ date, moves }: EquityMoved): string {
  const rows = moves.map(
    ({ account, balanceOre }) =>
      `${account} ${balanceOre > 0n ? 'debet' : 'kredit'} ${kr(absolute(balanceOre))}`,
  );
  return `Det gamla programmet har fört om eget kapital när året började, utan verifikat. Bokför samma sak som ett nytt verifikat den ${date}, så stämmer de kontona: ${rows.join(', ')}.`;
}

/** Why an account agrees with a file that says something else of it. */
export const lackedText = ({ account, balanceOre }: Balance): string =>
  `På ${account} räknas ${balanceOre > 0n ? 'debet' : 'kredit'} ${kr(absolute(balanceOre))} in, som filens ingående balanser saknade och som lades där vid inläsningen.`;

/** Said before a move ends. */
export const nothingTakenIn = 'Inget är inläst eller bokfört till och med dagen.';

const wordings: Wordings = {
  not_sie: ({ found }) =>
    `Det är ingen SIE-fil: den ska börja med #FLAGGA${found === '' ? ', men är tom' : `, men börjar med ”${found}”`}. Exportera SIE 4 ur det gamla programmet; SIE 5 (XML) läses inte.`,
  utf16: () =>
    'Filen är i UTF-16, som SIE inte har. Spara den som UTF-8, eller exportera den igen.',
  line_too_long: ({ max }) =>
    `Raden är längre än ${max} tecken, så den är ingen SIE-post. Exportera filen igen.`,
  file_cut: ({ voucher }) =>
    `Filen slutar mitt i: ${voucherText(voucher)} har ingen avslutande klammer. Exportera den igen.`,
  too_many: ({ name, max }) =>
    `Filen har fler än ${max} ${manyWords[name] ?? name}, mer än Huvudbok läser ur en fil.`,
  flag_late: () => '#FLAGGA ska stå först i filen. Den läses ändå.',
  already_read: () =>
    '#FLAGGA är 1: ett annat program har redan läst filen. För en export betyder det inget.',
  already_imported: () =>
    '#FLAGGA är 1: ett program har redan läst in filens verifikat. Se efter att de inte är bokförda redan.',
  not_a_post: ({ found }) =>
    `Raden är ingen post: ”${found}”. Poster börjar med #. Kanske är en text delad på två rader; se efter i det gamla programmet.`,
  brace: ({ found }) =>
    `Klammern ${found} hör inte till något verifikat. Jämför verifikatet före med det gamla programmet.`,
  unclosed: ({ label }) =>
    `#${label} har ett citationstecken eller en klammer som inte avslutas; resten av raden är läst som en text.`,
  unknown_post: ({ label }) => `#${label} är ingen post i SIE 4 och läses inte.`,
  control_characters: ({ label }) =>
    `#${label} har kontrolltecken i en text. De är lästa som mellanslag.`,
  mixed_encodings: ({ encoding, line }) =>
    `Filen är i ${encoding}, men raden i ${line}. Den är läst så; se efter att texten stämmer.`,
  other_encoding: ({ encoding, format }) =>
    `Filen är i ${encoding}${format === '' ? '' : ` fast den säger #FORMAT ${format}`}. Den är läst som ${encoding}.`,
  lost_characters: ({ label }) =>
    `#${label} har tecken som gått förlorade innan filen kom hit (�). Exportera den igen om texten behövs.`,
  type_unknown: ({ type }) =>
    `#SIETYP ${type === '' ? 'saknas' : `är ”${type}”`}; typerna är 1–4. Filen är läst efter vad den innehåller.`,
  post_missing: ({ labels }) => `${labels} saknas, som ska finnas i en sådan fil.`,
  checksum_wrong: ({ given, computed }) =>
    `Kontrollsumman stämmer inte: filen säger ${given}, innehållet ger ${computed}. Filen har ändrats sedan den skrevs; exportera den igen.`,
  checksum_missing: () =>
    'Filen ska sluta med en kontrollsumma (#KSUMMA) men gör det inte: den är avkortad. Exportera den igen.',
  account_missing: ({ label }) => `#${label} säger inget konto.`,
  amount_unreadable: ({ label, value }) =>
    `Beloppet i #${label} ${valueText(value)}. Belopp skrivs som 1234.50, utan mellanslag.`,
  amount_decimals: ({ label, value }) =>
    `Beloppet ${value} i #${label} har fler än två decimaler; bokföringen räknar i ören.`,
  amount_form: ({ label, value }) =>
    `Beloppet ${value} i #${label} är inte skrivet som SIE säger (1234.50) men går att läsa. Se efter att det är rätt läst.`,
  date_unreadable: ({ label, value }) =>
    `Datumet i #${label} ${valueText(value)}. Datum skrivs ÅÅÅÅMMDD.`,
  year_unreadable: ({ label, value }) =>
    `Årsnumret i #${label} ${valueText(value)}. Det är 0 för filens år och -1 för året före.`,
  objects_unreadable: ({ label }) =>
    `#${label} har ingen hel objektlista; den skrivs {} eller {1 "100"}. Raden är läst utan det som saknas.`,
  detail_unreadable: ({ label, value }) =>
    `En uppgift i #${label} ${valueText(value)} och läses inte. Den behövs inte för bokföringen.`,
  text_too_long: ({ label, max }) =>
    `Texten i #${label} är längre än ${max} tecken och skulle kortas av.`,
  year_missing: () =>
    'Filens räkenskapsår (#RAR 0) saknas eller har inga datum; då går det inte att veta vilket år siffrorna gäller.',
  year_span: ({ start, end }) =>
    `Räkenskapsåret ${start}–${end} går inte att lägga upp: ett år är hela månader, högst arton (BFL 3 kap.).`,
  years_apart: ({ end, start }) =>
    `Året före slutar ${end}, men filens år börjar ${start}. Åren ska följa på varandra.`,
  currency: ({ currency }) => `Filen är i ${currency}. Huvudbok bokför i svenska kronor.`,
  vouchers_with_balances: ({ type }) =>
    `Filen säger att den är av typ ${type}, som bara har saldon, men har verifikat. Exportera typ 4 om de ska med.`,
  row_outside_voucher: ({ label }) => `#${label} står utanför verifikaten (#VER).`,
  voucher_open: ({ voucher }) =>
    `${voucherText(voucher)} avslutas inte med en klammer före nästa post. Se efter att alla rader är med.`,
  voucher_empty: ({ voucher }) =>
    `${voucherText(voucher)} har inga belopp och bokförs inte. Det är troligen struket i det gamla programmet.`,
  unbalanced_voucher: ({ voucher, debit, credit }) =>
    `${voucherText(voucher)} balanserar inte: debet är ${kr(debit)} och kredit ${kr(credit)}. Rätta det i det gamla programmet och exportera igen.`,
  amount_too_large: ({ voucher, amount }) =>
    `${voucherText(voucher)} är på ${kr(amount)}, mer än ett verifikat får vara.`,
  date_outside_years: ({ voucher, date }) =>
    `${voucher === '' ? 'Verifikat finns som' : voucherText(voucher)} är daterat ${date}, utanför filens räkenskapsår. Rätta datumet i det gamla programmet, eller exportera rätt år.`,
  date_outside_transfer: ({ voucher, date }) =>
    `${voucherText(voucher)} är daterat ${date}, utanför året som filen säger. Det bokförs på sin dag.`,
  date_in_other_year: ({ voucher, date }) =>
    `${voucherText(voucher)} är daterat ${date}, i ett annat av filens år än filens eget. Se efter vilket år det hör till.`,
  row_date_other_month: ({ voucher, date, rowDate }) =>
    `En rad på ${onVoucher(voucher)} är daterad ${rowDate}, en annan månad än verifikatet (${date}). Raden bokförs på verifikatets dag.`,
  number_repeated: ({ voucher }) =>
    `${voucherText(voucher)} finns redan i filen. Se efter att samma sak inte är med två gånger.`,
  number_not_numeric: ({ voucher }) =>
    `${voucherText(voucher)} har inget heltal som nummer. Det får ett nytt, och det gamla sparas.`,
  number_missing: ({ voucher }) => `${voucherText(voucher)} saknar nummer och får ett.`,
  numbers_unordered: ({ voucher }) =>
    `${voucherText(voucher)} står efter ett högre nummer i samma serie.`,
  numbers_left_out: ({ series, from, to }) =>
    `Serie ${series === '' ? 'utan namn' : series} saknar ${from === to ? `nummer ${from}` : `nummer ${from}–${to}`}.`,
  zero_row: ({ voucher }) => `En rad på ${onVoucher(voucher)} är på noll kronor och bokförs inte.`,
  rows_changed: ({ count }) =>
    `${count} rader säger vad som strukits och lagts till på verifikat efteråt (#BTRANS, #RTRANS). De bokförs inte; behandlingshistoriken finns i det gamla programmet.`,
  added_row_alone: ({ voucher }) =>
    `En tillagd rad (#RTRANS) på ${onVoucher(voucher)} följs inte av samma rad som #TRANS. Se efter att raden är med.`,
  account_not_numeric: ({ account }) =>
    `Konto ${account} är inget kontonummer. Flytta beloppet till ett konto i det gamla programmet och exportera igen.`,
  account_outside: ({ account }) =>
    `Konto ${account} finns det inte plats för: Huvudbok har kontona 1000–9999. Flytta beloppet i det gamla programmet och exportera igen.`,
  account_left_out: ({ account }) =>
    `Konto ${account} läggs inte upp (kontona är 1000–9999); inget är bokfört på det.`,
  account_internal: ({ account }) =>
    `Konto ${account} är i klass 9, som varken är balans eller resultat i rapporterna. Se efter vad som står på det.`,
  account_repeated: ({ account, name, other }) =>
    `Konto ${account} heter både ”${name}” och ”${other}”. Det första namnet gäller.`,
  account_unknown: ({ account }) =>
    `Konto ${account} finns inte i filens kontoplan (#KONTO), så det saknar namn.`,
  object_unknown: ({ dimension, object }) =>
    `Objekt ${object} i dimension ${dimension} finns inte bland filens objekt (#OBJEKT), så det saknar namn.`,
  object_repeated: ({ voucher, dimension }) =>
    `En rad på ${onVoucher(voucher)} har flera objekt i dimension ${dimension}. Bara ett får plats.`,
  object_too_long: ({ dimension, object, max }) =>
    `Koden ${object}… i dimension ${dimension} är längre än ${max} tecken.`,
  dimension_left_out: ({ name, count }) =>
    `Dimension ${name} på ${count} ${count === 1 ? 'rad' : 'rader'} har ingen plats: Huvudbok har kostnadsställe (1) och projekt (6).`,
  posts_left_out: ({ label, count }) =>
    `#${label}, ${leftOutWords[label] ?? label}, finns ${count} ${count === 1 ? 'gång' : 'gånger'} och läses inte in.`,
  quantities_left_out: ({ count }) =>
    `${count} ${count === 1 ? 'post har' : 'poster har'} en kvantitet, som inte läses in.`,
  balance_repeated: ({ label, year, account }) =>
    `#${label} ${year} för konto ${account} står mer än en gång; beloppen är lagda ihop.`,
  balances_missing: () =>
    'Filen har verifikat men inga utgående balanser (#UB) och inget resultat (#RES) att jämföra dem med.',
  vouchers_missing: () => 'Filens balanser ändras under året, men den har inga verifikat.',
  closing_differs: ({ account, found, expected }) =>
    `Konto ${account}: ingående balans och verifikat ger ${kr(expected)}, men filens utgående balans är ${kr(found)}; ${differs(found, expected)}. Verifikat kan saknas i filen.`,
  result_differs: ({ account, found, expected }) =>
    `Konto ${account}: verifikaten ger ${kr(expected)}, men filens resultat är ${kr(found)}; ${differs(found, expected)}. Verifikat kan saknas i filen.`,
  opening_differs: ({ account, found, expected }) =>
    `Konto ${account}: ingående balans är ${kr(found)}, men året före slutade med ${kr(expected)}; ${differs(found, expected)}.`,
  opening_lacks_result: ({ difference }) =>
    `Ingående balanser blir tillsammans ${kr(difference)}, som är resultatet för året före: det är inte omfört till eget kapital (2099 i ett aktiebolag). Säg var det ska stå.`,
  opening_unbalanced: ({ difference }) =>
    `Ingående balanser ska bli noll tillsammans men blir ${kr(difference)}. Resultat från tidigare år kan vara kvar att föra om; säg var det ska stå.`,
  balances_apart: ({ year, ib, ub, res }) =>
    `Summorna för ${yearText(year)} går inte ihop: ingående balanser ${kr(ib)}, utgående ${kr(ub)} och resultat ${kr(res)}. Utgående balans ska vara ingående minus resultatet.`,
  nothing_to_import: () =>
    'Filen har inga verifikat att läsa in, och inga ingående balanser som böckerna saknar.',
  imported_before: ({ day, fileName }) =>
    `Samma fil är redan inläst, ${day} som ${fileName}. Ångra den importen först om den ska läsas in igen.`,
  voucher_imported_before: ({ voucher, label }) =>
    `${voucherText(voucher)} är redan inläst ur en annan fil, som ${label}. Ångra den importen först, eller exportera bara verifikaten efter den.`,
  other_company: ({ number, own }) =>
    `Filen är för organisationsnummer ${number}, men böckerna är för ${own}. Se efter att det är rätt fil.`,
  cash_method: ({ account, count }) =>
    `Konto ${account} (moms som väntar på betalning) har ${count} ${count === 1 ? 'rad' : 'rader'}: företaget har bokfört enligt kontantmetoden, som Huvudbok inte har. Byt till faktureringsmetoden i det gamla programmet först.`,
  day_in_no_year: ({ voucher, date }) =>
    `${voucherText(voucher)} är daterat ${date}, som inte ligger i något räkenskapsår. Lägg upp året först.`,
  year_overlaps_books: ({ start, end }) =>
    `Filens räkenskapsår ${start}–${end} sammanfaller delvis med ett av böckernas, som har andra dagar.`,
  year_apart_from_books: ({ start, end }) =>
    `Filens räkenskapsår ${start}–${end} ligger inte intill något av böckernas. Läs in åren mellan dem först.`,
  year_before_opened: ({ end }) =>
    `Böckerna börjar efter filens år, som slutar ${end}, och har redan ingående balanser. Läs in åren i ordning: ångra det senare året, läs in det här och sedan det igen.`,
  year_before_closed: ({ end }) =>
    `Böckerna har ett stängt räkenskapsår efter filens, som slutar ${end}, och det började med det som stod kvar då. En ägare kan öppna det igen.`,
  year_closed_in_books: ({ year }) =>
    `Räkenskapsåret ${year} är stängt. En ägare kan öppna det igen.`,
  days_locked: ({ date, lockedTo }) =>
    `Perioden är låst till och med ${lockedTo}, och filen har något den ${date}. En administratör kan flytta låset.`,
  vat_days_locked: ({ date, lockedTo }) =>
    `Momsen är låst till och med ${lockedTo}, och filen har verifikat med moms den ${date}. En administratör kan flytta låset.`,
  opening_needs_account: ({ difference }) =>
    `Ingående balanser blir tillsammans ${kr(difference)} och måste bli noll. Säg på vilket konto det som fattas ska stå: för det mesta resultatet från året före, 2099 i ett aktiebolag och 2019 i en enskild firma.`,
  opening_account_unknown: ({ account }) =>
    `Konto ${account}, som det som fattas i ingående balanser skulle stå på, är inget konto för eget kapital (2000–2099).`,
  opening_account_unneeded: ({ account }) =>
    `Inget fattas i de ingående balanser som bokförs, så inget ska stå på konto ${account}. Ta bort kontot.`,
  opening_differs_from_books: ({ account, found, expected }) =>
    `Konto ${account}: filens ingående balans är ${kr(found)}, men böckernas är ${kr(expected)}; ${differs(found, expected)}. Böckernas gäller.`,
  equity_moved: (moved) => `${equityMovedText(moved)} Filen kan läsas in före det.`,
  series_moved: ({ series, count }) =>
    `Serie ${series === '' ? 'utan namn' : series} (${count} verifikat) kan inte behålla sina nummer: koden är upptagen eller för lång, eller numren löper inte från 1. Verifikaten får nya i serie S, och de gamla sparas.`,
  account_made: ({ account, name }) => `Konto ${account} ${name} läggs upp.`,
  account_named_otherwise: ({ account, name, own }) =>
    `Konto ${account} heter ”${name}” i filen men ”${own}” i kontoplanen, som får behålla sitt namn.`,
  account_vat_unsure: ({ account, name }) =>
    `Konto ${account} ${name} läggs upp utan momskod, fast namnet eller numret talar om moms. Se efter i kontoplanen.`,
  account_put_in_use: ({ account }) => `Konto ${account} är inaktivt och tas i bruk igen.`,
};

/** The Swedish sentence of a problem. */
export const problemText = ({ rule, params }: SieProblem): string =>
  // The compiler does not see that a problem's facts are those of its rule.
  (wordings[rule] as (facts: SieProblem['params']) => string)(params);

/** That there are more of a kind than are shown. */
export const moreText = ({ count }: MoreOfRule): string =>
  `Ytterligare ${count} av samma slag visas inte; ovan står de ${keptOfRule} första.`;

/**
 * The rule by name, with where it comes from: `SIE 5.9 amount_decimals` is point 5.9 of SIE filformat, utgåva
 * 4B; `SIE #TRANS 4 …` is of that post in chapter 11; `HB …` is Huvudbok's own.
 */
export function ruleName(rule: SieRule): string {
  const { source } = sieRules[rule];
  return source === null ? `HB ${rule}` : `SIE ${source} ${rule}`;
}

/** How an export went, in a sentence or two: what it holds, and which signs had to be written as others. */
export function exportText(report: {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly vouchers: number;
  readonly openingVouchers: number;
  readonly replaced: readonly {
    readonly sign: string;
    readonly by: string;
    readonly count: number;
  }[];
}): string {
  const { type, from, to, vouchers, openingVouchers: opened, replaced } = report;
  const opening =
    opened === 0
      ? ''
      : type === '4E'
        ? ` Ingående balanser står som #IB, inte som verifikat (${opened}).`
        : ` Ingående balanser (${opened} verifikat) är inte med: de är inget att föra över.`;
  const signs = replaced.map(
    ({ sign, by, count }) => `${shownSign(sign)} som ${by === '' ? 'inget' : by} (${count})`,
  );
  const substituted =
    signs.length === 0 ? '' : ` Tecken som SIE saknar är skrivna som andra: ${signs.join(', ')}.`;
  return `SIE ${type}, ${from}–${to}, ${vouchers} verifikat.${opening}${substituted}`;
}

/** The sign itself, or its number where nobody would see it. */
const shownSign = (sign: string): string =>
  /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(sign)
    ? sign
    : `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
