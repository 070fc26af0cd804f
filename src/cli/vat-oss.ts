/** huvudbok vat oss */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { parseDecimal } from '../domain/basics/money.ts';
import { vatCountryCode } from '../domain/ledger/oss-return.ts';
import { ossFacts, type ReadOss, readOss } from '../ledger/vat-filings/oss.ts';
import { amountText, decimalText, formatKronor } from '../lib/swedish.ts';
import { asOwner, print } from './context.ts';
import { collect, type Json, jsonOption, text } from './options.ts';

/** `SEK=11.2345`: so many of the currency for one euro. */
function euroRate(value: string): readonly [string, bigint] {
  const [, currency = '', number = ''] = /^([A-Z]{3})=(\d{1,6}(?:[.,]\d{1,6})?)$/.exec(value) ?? [];
  const rate = number === '' ? null : parseDecimal(Number(number.replace(',', '.')), 6);
  if (rate === null || rate <= 0n) {
    throw new InvalidArgumentError('Ange hur många av valutan en euro är, som SEK=11.2345.');
  }
  return [currency, rate];
}

export function registerVatOss(command: Command): void {
  command
    .command('oss')
    .description('One Stop Shop: kvartalets försäljning med andra EU-länders moms, land för land')
    .argument('<kvartal>', 'som 2026-Q2', text(7))
    .option(
      '--rate <kurs>',
      'hur många av en valuta en euro är, som SEK=11.2345, enligt ECB kvartalets sista dag; flera går',
      collect(euroRate),
    )
    .option(...jsonOption)
    .action(
      async (
        name: string,
        { json, rate = [] }: Json & { rate?: ReturnType<typeof euroRate>[] },
      ) => {
        const read = await asOwner((tx) => readOss(tx, name, new Map(rate)));
        print(json, ossFacts(read), inWords(read));
      },
    );
}

const euroText = (cent: bigint | null): string =>
  cent === null ? '' : `, ${amountText(cent)} euro`;

function inWords(read: ReadOss): string {
  const { quarter, lines, corrections, currencies, vatOre, vatCent, postedOre, otherOre } = read;
  return [
    `${quarter.name}, lämnas senast ${quarter.dueOn}.`,
    ...lines.map(
      (line) =>
        `${vatCountryCode(line.country)}  ${decimalText(BigInt(line.rateE2) * 100n)} %  ${line.supply === 'goods' ? 'varor' : 'tjänster'}  ${formatKronor(line.netOre)}, moms ${formatKronor(line.vatOre)}${euroText(line.vatCent)}`,
    ),
    ...corrections.map(
      (one) =>
        `Rättar ${one.quarter} ${vatCountryCode(one.country)}: moms ${formatKronor(one.vatOre)}${euroText(one.vatCent)}`,
    ),
    `Moms ${formatKronor(vatOre)}${euroText(vatCent)}. På 2670 är bokfört ${formatKronor(postedOre)}${otherOre === 0n ? '' : `, ${formatKronor(otherOre)} av det inte av fakturor`}.`,
    ...(vatCent === null
      ? [`Ange kurser för euro: ${currencies.map((one) => `--rate ${one}=…`).join(' ')}.`]
      : []),
  ].join('\n');
}
