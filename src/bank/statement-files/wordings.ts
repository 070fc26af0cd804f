/** What every reason about files of banks says to people: what is wrong, where, and the way out. */
import {
  type BankFileProblem,
  type BankProblemFacts,
  type BankProblemReason,
  keptOfReason,
  type MoreOfReason,
} from '../../domain/ledger/bank-files/problems.ts';
import { amountText } from '../../lib/swedish.ts';
import { inSwedish } from '../../peppol/xml/well-formedness.ts';

type Wordings = {
  readonly [Reason in BankProblemReason]: (facts: BankProblemFacts[Reason]) => string;
};

const again = 'Hämta filen igen från banken.';
const amount = amountText;
const sizes = (max: number): string => `${max / (1024 * 1024)} MB`;
/** `” ”` around what stands in the file, or that it lacks it. */
const given = (found: string): string => (found === '' ? 'saknas' : `är ”${found}”`);

const gapText = ({ account, from, found, expected }: BankProblemFacts['statement_gap']): string =>
  `Konto ${account}: kontoutdraget från ${from} börjar på ${amount(found)}, men det före slutar på ${amount(expected)}. Hämta perioden emellan.`;
const overlapText = ({
  account,
  from,
  found,
  expected,
}: BankProblemFacts['statements_overlap']): string =>
  `Konto ${account}: kontoutdraget från ${from} börjar på ${amount(found)}, men ett annat som har samma dagar slutar på ${amount(expected)}. Samma rader kan stå i båda; hämta helst perioder som följer på varandra.`;
const contradictText = ({
  account,
  from,
  found,
  expected,
}: BankProblemFacts['statements_contradict']): string =>
  `Konto ${account}: ett kontoutdrag för samma dagar, från ${from}, har saldot ${amount(expected)} där det här har ${amount(found)}. Ett av dem är fel, eller av ett annat konto; jämför med banken.`;
const rowsContradictText = ({ account, from }: BankProblemFacts['rows_contradict']): string =>
  `Konto ${account}: ett kontoutdrag för samma dagar, från ${from}, har andra rader än det här. Ett av dem är fel, eller av ett annat konto; jämför med banken.`;
const repeatedText = ({ account }: BankProblemFacts['statement_repeated']): string =>
  `Konto ${account}: samma kontoutdrag finns två gånger. Ta bort det ena.`;

const wordings: Wordings = {
  file_empty: () => `Filen är tom. ${again}`,
  file_too_large: ({ max }) =>
    `Filen är större än ${sizes(max)}. Hämta kortare perioder från banken.`,
  too_many_entries: ({ max }) =>
    `Filen har fler än ${max} rader. Hämta kortare perioder från banken.`,
  too_many_statements: ({ max }) =>
    `Filen har fler än ${max} kontoutdrag. Hämta kortare perioder från banken.`,
  text_too_long: ({ max }) =>
    `Filen har mer än ${max} tecken text i ett stycke och är inget kontoutdrag. ${again}`,
  not_a_statement: ({ kind }) =>
    ({
      xls: 'Gamla Excelfiler (.xls) och filer med lösenord läses inte. Hämta kontoutdraget som camt.053 eller CSV, eller spara om filen som .xlsx utan lösenord.',
      pdf: 'Kontoutdrag som PDF är till för ögat och läses inte. Hämta det som camt.053, CSV eller Excel (.xlsx) hos banken.',
      mt940:
        'MT940 läses inte. Hämta kontoutdraget som camt.053 (ISO 20022), som har mer i sig, eller som CSV.',
      zip: 'Filen är ett arkiv (ZIP) och ingen arbetsbok. Packa upp det, och ta in filerna i det.',
    })[kind],
  bgmax_damaged: ({ found }) =>
    `BgMax-filen är skadad eller slutar mitt i${found === '' ? '' : `, vid ”${found}”`}. ${again}`,
  bgmax_alone: () =>
    'En BgMax-fil har bara bankgiroinbetalningar, inga saldon, och sedan den 8 september 2026 inte alla. Den säger vilka som betalade insättningarna i kontoutdraget, och blir inga rader själv: ta in kontoutdraget också, och jämför dagarna med det.',
  workbook_damaged: () => `Arbetsboken är skadad och går inte att läsa. ${again}`,
  workbook_too_large: ({ max }) =>
    `Arbetsboken packas upp till mer än ${sizes(Math.ceil(max / 1024 / 1024) * 1024 * 1024)} och är inget kontoutdrag. Hämta kortare perioder från banken.`,
  unknown_form: ({ found, isList, isWorkbook }) => {
    const begins = found === '' ? '' : `börjar med ”${found}” och `;
    const unknown = `Filens form är okänd: den ${begins}har ingen rad med rubriker från en bank som Huvudbok känner.`;
    const get =
      'Hämta kontoutdraget som camt.053 (ISO 20022), som CSV med rubrikerna som banken skriver dem';
    if (isList) return `${unknown} ${get}, eller säg vad kolumnerna är när filen läses in.`;
    const sheet = isWorkbook ? ' Av en arbetsbok läses det första blad som inte är dolt.' : '';
    return `${unknown}${sheet} ${get}. Vad kolumnerna är kan sägas bara av en lista som har minst tre rubriker på en rad, och direkt under dem rader med dag och belopp.`;
  },
  encoding_unknown: ({ found }) =>
    `Teckenkodningen ${found} läses inte. Spara filen som UTF-8, eller hämta den igen från banken.`,
  bytes_unreadable: ({ encoding }) =>
    `Filen säger sig vara i ${encoding} men har tecken som inte är det. ${again}`,
  lost_characters: () => `Tecken har gått förlorade i filen innan den kom hit. ${again}`,
  xml_doctype: () => `Filen har en DOCTYPE, som inget kontoutdrag har, och läses inte. ${again}`,
  xml_malformed: ({ found }) => `Filen är skadad eller slutar mitt i. ${inSwedish(found)} ${again}`,
  xml_too_deep: ({ max }) =>
    `Filen har fler än ${max} element i varandra och är inget kontoutdrag. ${again}`,
  xml_too_many_attributes: ({ max }) =>
    `Ett element har fler än ${max} attribut; filen är inget kontoutdrag. ${again}`,
  not_camt: ({ found }) =>
    `Filen är XML men varken camt.053 eller camt.054: den är ”${found}”. Hämta kontoutdraget som camt.053.`,
  version_unknown: ({ found }) =>
    `Versionen ${found} är okänd; version 2–10 är prövade. Jämför summorna med bankens innan filen används.`,
  no_statements: () => 'Filen har inget kontoutdrag. Hämta en period med rader från banken.',
  row_too_long: ({ max }) =>
    `Raden är längre än ${max} tecken. Kanske saknas ett citattecken. ${again}`,
  cells_missing: ({ found }) =>
    `Raden har färre fält än rubrikraden: ”${found}”. Kanske slutar filen mitt i. ${again}`,
  balance_broken: ({ found, expected }) =>
    `Saldot är ${amount(found)} men blir ${amount(expected)} av raderna intill. En rad saknas, eller ett belopp är ändrat. ${again}`,
  decimal_marks_mixed: ({ found }) =>
    `”${found}” har ett annat decimaltecken än beloppen före. Kanske har filen sparats om i ett kalkylprogram. ${again}`,
  pending_rows: ({ count }) =>
    `${count === 1 ? 'En rad är reserverad' : `${count} rader är reserverade`} men inte bokförd${count === 1 ? '' : 'a'} av banken än, och räknas inte.`,
  summary_row: () => 'Raden är en sammanfattning vid hämtningen och räknas inte.',
  amount_missing: () => `Raden saknar belopp. ${again}`,
  amount_unreadable: ({ found }) =>
    `Beloppet ”${found}” går inte att läsa som kronor och ören. ${again}`,
  sign_missing: ({ found }) =>
    `Om pengarna kom in eller gick ut (CdtDbtInd) ska vara CRDT eller DBIT, men ${given(found)}. ${again}`,
  date_unreadable: ({ found }) => `”${found}” är inget datum som finns. ${again}`,
  date_missing: () =>
    'Den bokförda raden saknar datum. Se efter hos banken vilken dag den bokfördes.',
  date_ahead: ({ found, latest }) =>
    `Raden är bokförd ${found}, men ingen bank bokför senare än ${latest} i dag. Se efter att datumen står i rätt kolumn och lästs med dag, månad och år i rätt ordning, eller hämta filen igen från banken.`,
  status_unknown: ({ found }) =>
    `Radens status ”${found}” är okänd, så raden räknas inte som bokförd. Se efter hos banken.`,
  details_differ: ({ found, expected }) =>
    `Delbetalningarna blir tillsammans ${amount(found)}, men raden är ${amount(expected)}. Radens belopp gäller; se efter hos banken vad som skiljer.`,
  details_count_differs: ({ found, expected }) =>
    `Raden säger ${expected} delbetalningar men har ${found}. Radens belopp gäller; se efter hos banken.`,
  account_missing: () => 'Filen säger inte vilket konto den gäller. Välj kontot när den tas in.',
  balances_missing: () =>
    'Ingående eller utgående saldo saknas, så det går inte att se om alla rader är med. Jämför summan med banken.',
  end_ahead: ({ found, latest }) =>
    `Kontoutdraget säger sig gälla till och med ${found}, som inte har varit än; senast ${latest} går an. Hämta det igen från banken för en period till och med i dag.`,
  currency_missing: () => 'Filen säger inte vilken valuta kontot har. Se efter hos banken.',
  currency_mixed: ({ found, expected }) =>
    `Kontoutdraget är i ${expected} men har ${found} också; de kan inte räknas ihop. ${again}`,
  currency_not_supported: ({ currency }) =>
    `Kontot är i ${currency}. Bara konton i SEK tas in; bokför de andra med verifikat.`,
  sums_differ: ({ found, expected }) =>
    `Ingående saldo och raderna blir ${amount(found)}, men utgående saldo är ${amount(expected)}. En rad saknas eller är fel. ${again}`,
  count_differs: ({ found, expected }) =>
    `Kontoutdraget säger ${expected} rader men har ${found}. ${again}`,
  previous_closing_differs: ({ found, expected }) =>
    `Ingående saldo är ${amount(found)}, men föregående utgående saldo är ${amount(expected)}. Se efter om ett kontoutdrag saknas.`,
  reversals_turned: ({ count }) =>
    `Saldona stämmer bara om tecknet vänds på det som är återfört (${count === 1 ? '1 rad' : `${count} rader`}); så läses de.`,
  statement_gap: gapText,
  statements_overlap: overlapText,
  statements_contradict: contradictText,
  rows_contradict: rowsContradictText,
  statement_repeated: repeatedText,
  files_gap: gapText,
  files_overlap: overlapText,
  files_contradict: contradictText,
  file_repeated: repeatedText,
};

/** The Swedish sentence of a problem. */
export const bankProblemText = ({ reason, params }: BankFileProblem): string =>
  // The compiler does not see that a problem's facts are those of its reason.
  (wordings[reason] as (facts: BankFileProblem['params']) => string)(params);

/** That there are more of a kind than are shown. */
export const moreBankProblemsText = ({ count }: MoreOfReason): string =>
  `Ytterligare ${count} av samma slag visas inte; ovan står de ${keptOfReason} första.`;
