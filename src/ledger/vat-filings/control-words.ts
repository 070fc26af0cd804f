/** The controls of a VAT return in words. */
import { labelOf } from '../../domain/ledger/voucher.ts';
import { formatKronor } from '../../lib/swedish.ts';
import type { ReadVatPeriod } from './reading.ts';

export interface ControlInWords {
  readonly name: string;
  readonly holds: boolean;
  readonly text: string;
  /** What it is about, for whoever shows links. */
  readonly accounts: readonly number[];
  readonly vouchers: readonly { readonly id: string; readonly label: string }[];
}

type About = Partial<Pick<ControlInWords, 'accounts' | 'vouchers'>>;

const control = (
  name: string,
  holds: boolean,
  text: string,
  about: About = {},
): ControlInWords => ({
  name,
  holds,
  text,
  accounts: about.accounts ?? [],
  vouchers: about.vouchers ?? [],
});

export function controlsInWords(period: ReadVatPeriod): ControlInWords[] {
  const { rates, deduction, uncoded, unboxed } = period.controls;
  const { fromBefore, late, unjudged } = period;
  const listed = (amounts: typeof uncoded) =>
    amounts.map(({ account, ore }) => `${account} ${formatKronor(ore)}`).join(', ');
  const numbers = (amounts: typeof uncoded) => amounts.map(({ account }) => account);
  return [
    ...rates.map(({ bases, box, rate, baseOre, expectedOre, vatOre, holds }) =>
      control(
        `Underlag mot moms, ${rate} % (ruta ${bases} och ${box})`,
        holds,
        `${formatKronor(baseOre)} × ${rate} % = ${formatKronor(expectedOre)}, bokförd moms ${formatKronor(vatOre)}${
          holds
            ? '.'
            : `: det skiljer ${formatKronor(vatOre - expectedOre)}, mer än avrundningar gör.`
        }`,
      ),
    ),
    ...(deduction.owedOre === 0n && deduction.deductedOre === 0n
      ? []
      : [
          control(
            'Moms på inköp som vi är skyldiga, mot avdraget (2645 och 2647)',
            deduction.holds,
            `Ruta 30–32 och 60–62 är ${formatKronor(deduction.owedOre)}, avdraget ${formatKronor(deduction.deductedOre)}${
              deduction.holds
                ? '.'
                : ': det ska vara lika där hela momsen får dras av. Är avdragsrätten begränsad stämmer det ändå.'
            }`,
            { accounts: [2645, 2647] },
          ),
        ]),
    uncoded.length === 0
      ? control('Försäljning utan momskod', true, 'All försäljning har momskod.')
      : control(
          'Försäljning utan momskod',
          false,
          `Rader utan momskod räknas inte i någon ruta: ${listed(uncoded)}. Ge kontot en momskod för det som bokförs framöver, och rätta verifikaten om de hör till momsen.`,
          { accounts: numbers(uncoded) },
        ),
    ...(unboxed.length === 0
      ? []
      : [
          control(
            'Momskonton utan ruta',
            false,
            `Det som står här räknas inte: ${listed(unboxed)}. Ange kontots ruta i kontoplanen.`,
            { accounts: numbers(unboxed) },
          ),
        ]),
    fromBefore.length === 0
      ? control('Moms från tidigare perioder', true, 'Momskontona var tömda när perioden började.')
      : control(
          'Moms från tidigare perioder',
          false,
          `På momskontona står kvar från tidigare: ${listed(fromBefore)}. Det räknas inte i den här perioden; boka om de tidigare perioderna till 2650, eller det som de ingående balanserna hade.`,
          { accounts: numbers(fromBefore) },
        ),
    ...importedControl(unjudged),
    ...(period.filing === null
      ? []
      : [
          late.length === 0
            ? control('Bokfört efter att deklarationen lämnades', true, 'Inget.')
            : control(
                'Bokfört efter att deklarationen lämnades',
                false,
                `Verifikat som rör moms har bokförts i perioden efteråt, och finns inte i det lämnade: ${late.map(labelOf).join(', ')}. Räkna dem till en ny deklaration för perioden.`,
                { vouchers: late.map((one) => ({ id: one.id, label: labelOf(one) })) },
              ),
        ]),
  ];
}

/** Only where there is anything to say. */
const importedControl = (unjudged: ReadVatPeriod['unjudged']): ControlInWords[] =>
  unjudged.length === 0
    ? []
    : [
        control(
          'Importerade verifikat som ser ut att redovisa moms',
          false,
          `De räknas i rutorna tills någon har sagt vad de är: ${unjudged.map(labelOf).join(', ')}. Säg det på sidan Moms, eller med huvudbok vat judge.`,
          { vouchers: unjudged.map((one) => ({ id: one.id, label: labelOf(one) })) },
        ),
      ];

/** Why a voucher of the days counts in no box of them. */
export const leftOutWords = {
  settlement: 'redovisar moms till 2650',
  opening: 'ingående balans',
  accrual: 'periodiserar det som har räknats',
  taken_back: 'återtar en momsredovisning eller ingående balans',
  imported_settlement: 'importerat, redovisar moms till 2650',
  assigned: 'rättar en lämnad deklaration',
} as const;
