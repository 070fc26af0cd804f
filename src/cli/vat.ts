/** huvudbok vat boxes · settle · filed · withdraw, and what vat-returns.ts and vat-oss.ts have */
import type { Command } from 'commander';
import { oreToNumber } from '../domain/basics/money.ts';
import { boxFigures, type VatReturn, vatReturnOf } from '../domain/ledger/vat-return.ts';
import {
  type FiledVat,
  fileVatReturn,
  type SettledVat,
  settleVat,
  withdrawVatFiling,
} from '../ledger/vat-filings/service.ts';
import { listVatSums } from '../ledger/vat-filings/store.ts';
import { refuseWhole } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { decimalText, formatKronor } from '../lib/swedish.ts';
import { asOwner, print, thisDay } from './context.ts';
import { actor, date, integer, type Json, jsonOption, text } from './options.ts';
import { registerVatOss } from './vat-oss.ts';
import { registerVatReturns } from './vat-returns.ts';

interface Filed extends Json {
  readonly on?: string;
  readonly reference?: string;
  readonly note?: string;
}

interface WithdrawOptions extends Json {
  readonly reason: string;
  readonly return?: number | null;
}

export function registerVat(program: Command): void {
  const command = program.command('vat').description('moms');
  const period = ['<datum>', 'periodens sista dag', date] as const;

  command
    .command('boxes')
    .description('momsdeklarationens rutor för dagarna, i hela kronor')
    .requiredOption('--from <datum>', 'första dagen', date)
    .requiredOption('--to <datum>', 'sista dagen', date)
    .option(...jsonOption)
    .action(async ({ from, to, json }: Json & { from: string; to: string }) => {
      if (from > to) throw refuseWhole('invalid_request', 'vat_span_reversed', { from, to });
      const sums = await asOwner((tx) => listVatSums(tx, { start: from, end: to }));
      const vatReturn = vatReturnOf(sums);
      print(json, { from, to, boxes: boxFigures(vatReturn) }, boxesInWords(vatReturn));
    });

  command
    .command('settle')
    .description('boka om periodens moms från 26xx till 2650, innan deklarationen lämnas')
    .argument(...period)
    .option(...jsonOption)
    .action(async (end: string, { json }: Json) => {
      const settled = await asOwner((tx) => settleVat(tx, { end, today: thisDay().today }, actor));
      const { toPayOre, ...rest } = settled;
      print(json, { ...rest, toPay: oreToNumber(toPayOre) }, settledInWords(settled));
    });

  command
    .command('filed')
    .description('anteckna att momsdeklarationen är lämnad: frys dess rutor, och lås dess moms')
    .argument(...period)
    .option('--on <datum>', 'dagen den lämnades på annat sätt än med filen', date)
    .option('--reference <text>', 'vad den lämnades som, t.ex. kvittensens nummer', text(100))
    .option('--note <text>', 'upplysningen till Skatteverket, högst 300 tecken', text(1_000))
    .option(...jsonOption)
    .action(async (end: string, { json, on, reference, note }: Filed) => {
      if ((on === undefined) !== (reference === undefined)) {
        throw new OperatorError(
          'Ange både --on och --reference när deklarationen lämnades på annat sätt än med filen.',
        );
      }
      const other = on === undefined || reference === undefined ? {} : { other: { on, reference } };
      const filed = await asOwner((tx) =>
        fileVatReturn(tx, { end, today: thisDay().today, note: note ?? null, ...other }, actor),
      );
      const unsettled = filed.unsettled.map(({ account, ore }) => ({
        account,
        balance: oreToNumber(ore),
      }));
      print(json, { ...filed, unsettled }, filedInWords(filed));
    });

  command
    .command('withdraw')
    .description('ta tillbaka anteckningen att en momsdeklaration är lämnad; låset flyttas inte')
    .argument(...period)
    .requiredOption('--reason <text>', 'varför, för behandlingshistoriken', text(500))
    .option('--return <nummer>', 'vilken deklaration, när flera har lämnats', integer(1, 999))
    .option(...jsonOption)
    .action(async (end: string, { json, reason, return: number = null }: WithdrawOptions) => {
      const holds = await asOwner((tx) => withdrawVatFiling(tx, { end, number, reason }, actor));
      const words =
        holds === null
          ? `Momsen till och med ${end} är inte längre antecknad som lämnad. Momslåset står kvar: huvudbok lock vat.`
          : `Den senaste deklarationen av momsen till och med ${end} är tillbakatagen; deklaration ${holds} gäller igen.`;
      print(json, { end, filed: holds !== null, return: holds }, words);
    });

  registerVatReturns(command);
  registerVatOss(command);
}

const boxesInWords = ({ boxes, toPay }: VatReturn): string =>
  [
    ...boxes.map(
      ({ box, name, kronor }) => `${box}  ${decimalText(10_000n * kronor).padStart(14)}  ${name}`,
    ),
    `49  ${decimalText(10_000n * toPay).padStart(14)}  ${toPay < 0n ? 'Moms att få tillbaka' : 'Moms att betala'}`,
  ].join('\n');

function settledInWords({ start, end, voucher, toPayOre }: SettledVat): string {
  if (voucher === null) return `Momskontona är redan tömda för ${start}–${end}.`;
  const result =
    toPayOre < 0n
      ? `att få tillbaka ${formatKronor(-toPayOre)}`
      : `att betala ${formatKronor(toPayOre)}`;
  return `Momsen ${start}–${end} är bokad till 2650 med ${voucher.series}${voucher.number} den ${voucher.date}: ${result}.`;
}

function filedInWords(filed: FiledVat): string {
  const { start, end, isNew, number, unsettled, vat_locked_to, unfiledBefore } = filed;
  const noted = isNew
    ? number === null || number === 1
      ? 'är lämnad'
      : `är lämnad på nytt (${number})`
    : 'var redan antecknad som lämnad';
  const locked =
    vat_locked_to !== null && vat_locked_to >= end
      ? ` Momsen är låst till och med ${vat_locked_to}.`
      : ` Momsen är inte låst så långt: huvudbok lock vat ${end}.`;
  const left = unsettled.map(({ account, ore }) => `${account} ${formatKronor(ore)}`).join(', ');
  const rest =
    unsettled.length === 0
      ? ''
      : ` Kvar på momskontona för perioden: ${left}. Boka om dem till 2650: huvudbok vat settle ${end}.`;
  const [earliest] = unfiledBefore;
  const unfiled = earliest
    ? ` Inte antecknade som lämnade är ${unfiledBefore.map((one) => `${one.start}–${one.end}`).join(', ')}. Är de lämnade: huvudbok vat filed ${earliest.end}, och så vidare.`
    : '';
  return `Momsen ${start}–${end} ${noted}.${locked}${rest}${unfiled}`;
}
