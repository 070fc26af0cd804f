/** huvudbok vat periods · check · file · assign · unassign · imported · judge · unjudge · statement */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { oreToNumber } from '../domain/basics/money.ts';
import { statementPhone } from '../domain/ledger/recapitulative-statement.ts';
import { boxFigures } from '../domain/ledger/vat-return.ts';
import { labelOf } from '../domain/ledger/voucher.ts';
import { listYearSpans } from '../ledger/fiscal-years/store.ts';
import {
  assignToPeriod,
  type CalledVoucher,
  takeBackAssignment,
} from '../ledger/vat-filings/assignments.ts';
import { findVatCompany } from '../ledger/vat-filings/company-store.ts';
import {
  type ControlInWords,
  controlsInWords,
  leftOutWords,
} from '../ledger/vat-filings/control-words.ts';
import { vatFileAsFiled, vatFileOfNow } from '../ledger/vat-filings/file.ts';
import { judgeImported, takeBackJudgement } from '../ledger/vat-filings/imported.ts';
import { listJudged, listSettlementProposals } from '../ledger/vat-filings/imported-store.ts';
import {
  listVatPeriods,
  type ReadVatPeriod,
  readVatPeriod,
  type VatPeriodInBrief,
} from '../ledger/vat-filings/reading.ts';
import { getVatPeriod } from '../ledger/vat-filings/service.ts';
import {
  readStatement,
  type SalesStatement,
  statementFile,
} from '../ledger/vat-filings/statement.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { formatKronor } from '../lib/swedish.ts';
import { asOwner, print, note as say, thisDay } from './context.ts';
import { actor, date, dateOrNone, integer, type Json, jsonOption, text, uuid } from './options.ts';
import { writeWhole } from './whole-file.ts';

const period = ['<datum>', 'periodens sista dag', date] as const;
const voucher = ['<verifikat>', 'som A12/2026, eller verifikatets id', called] as const;

/** `A12/2026`, or an id. */
function called(value: string): CalledVoucher {
  const [, series, number, year] = /^(\p{L}{1,2}|\d)-?(\d{1,9})\/(\d{4})$/u.exec(value) ?? [];
  if (series && number && year) return { series, number: Number(number), year: Number(year) };
  try {
    return { id: uuid(value) };
  } catch {
    throw new InvalidArgumentError('Ange verifikatet som A12/2026, eller dess id (uuid).');
  }
}

export function registerVatReturns(command: Command): void {
  command
    .command('periods')
    .description('företagets momsperioder: när de lämnas, om de är lämnade, och vad de ger')
    .option('--year <år>', 'de som slutar det året; annars alla', integer(1900, 9999))
    .option(...jsonOption)
    .action(async ({ json, year }: Json & { year?: number }) => {
      const periods = await asOwner(async (tx) => {
        const years = await listYearSpans(tx);
        const from = year ? `${year}-01-01` : (years.at(0)?.start ?? '');
        const to = year ? `${year}-12-31` : (years.at(-1)?.end ?? '');
        return from === '' ? [] : listVatPeriods(tx, { from, to, today: thisDay().today });
      });
      print(
        json,
        periods.map(periodFacts),
        periods.map(periodInWords).join('\n') || 'Ingen momsperiod har börjat.',
      );
    });

  command
    .command('check')
    .description(
      'vad som talar för och emot en periods deklaration, och vad som lämnas utanför den',
    )
    .argument(...period)
    .option(...jsonOption)
    .action(async (end: string, { json }: Json) => {
      const read = await asOwner(async (tx) => readVatPeriod(tx, await getVatPeriod(tx, end)));
      print(json, checkFacts(read), checkInWords(read));
    });

  command
    .command('file')
    .description(
      'momsdeklarationen som fil till Skatteverket: som den lämnades, eller som den skulle lämnas nu',
    )
    .argument(...period)
    .option('--return <nummer>', 'en lämnad deklaration, i ordning från 1', integer(1, 999))
    .option('--note <text>', 'upplysning till Skatteverket, högst 300 tecken', text(1_000))
    .option('--output <fil>', 'dit den skrivs; annars på standard ut', text(4_000))
    .action(async (end: string, given: { return?: number; note?: string; output?: string }) => {
      const { name, content } = await asOwner(async (tx) =>
        given.return === undefined
          ? vatFileOfNow(tx, await getVatPeriod(tx, end), given.note ?? null)
          : vatFileAsFiled(tx, { end, number: given.return }),
      );
      if (given.output === undefined) {
        process.stdout.write(content);
        return;
      }
      await writeWhole(asPart(content), given.output);
      say(`${name} är skriven till ${given.output}. ${whatFollows(end, given.return)}`);
    });

  command
    .command('assign')
    .description('räkna ett verifikat till en lämnad period, som det rättar; låset står kvar')
    .argument(...period)
    .argument(...voucher)
    .option(...jsonOption)
    .action(async (end: string, asked: CalledVoucher, { json }: Json) => {
      const done = await asOwner((tx) => assignToPeriod(tx, { voucher: asked, end }, actor));
      const words = `${labelOf(done)} räknas till momsen till och med ${end}. Lämna en ny deklaration för den: huvudbok vat file ${end}, och sedan huvudbok vat filed ${end}.`;
      print(json, { voucher_id: done.id, end }, words);
    });

  command
    .command('unassign')
    .description('låt ett verifikat räknas där det står igen, innan någon deklaration har det')
    .argument(...voucher)
    .option(...jsonOption)
    .action(async (asked: CalledVoucher, { json }: Json) => {
      const done = await asOwner((tx) => takeBackAssignment(tx, asked, actor));
      print(json, { voucher_id: done.id }, `${labelOf(done)} räknas där det står, ${done.date}.`);
    });

  registerImported(command);
  registerStatement(command);
}

function registerStatement(command: Command): void {
  command
    .command('statement')
    .description(
      'periodisk sammanställning (SKV574008) av försäljning till andra EU-länder, mot ruta 35, 38 och 39',
    )
    .argument('<period>', 'en månad, som 2026-05, eller ett kvartal, som 2026-Q2', text(7))
    .option('--output <fil>', 'skriv filen till Skatteverket dit', text(4_000))
    .option('--name <namn>', 'ansvarig för uppgifterna, i filen', text(35))
    .option(
      '--phone <nummer>',
      'telefon, som 08-1234567 eller +4681234567; annars företagets',
      text(30),
    )
    .option('--email <adress>', 'e-post; annars företagets', text(80))
    .option(...jsonOption)
    .action(async (name: string, given: StatementGiven) => {
      if (given.output !== undefined && given.name === undefined) {
        throw new OperatorError('Ange med --name vem som är ansvarig för uppgifterna i filen.');
      }
      const { read, file } = await asOwner(async (tx) => {
        const read = await readStatement(tx, name);
        if (given.output === undefined) return { read, file: undefined };
        const company = await findVatCompany(tx);
        const contact = {
          name: given.name ?? '',
          phone: statementPhone(given.phone ?? company?.phone ?? ''),
          email: given.email ?? company?.email ?? '',
        };
        return { read, file: await statementFile(tx, read, contact) };
      });
      if (file && given.output !== undefined) await writeWhole(asPart(file.content), given.output);
      print(given.json, statementFacts(read), statementInWords(read));
    });
}

interface StatementGiven extends Json {
  readonly output?: string;
  readonly name?: string;
  readonly phone?: string;
  readonly email?: string;
}

const wholeOrNull = (kronor: bigint | null): number | null =>
  kronor === null ? null : Number(kronor);

const statementFacts = ({ period, lines, comparison, unknown, unknownOre }: SalesStatement) => ({
  from: period.start,
  to: period.end,
  due_on: period.dueOn,
  lines: lines.map(({ vatNumber, kronor }) => ({
    vat_number: vatNumber,
    goods: wholeOrNull(kronor.goods),
    triangulation: wholeOrNull(kronor.triangulation),
    services: wholeOrNull(kronor.services),
  })),
  comparison: comparison.map(({ box, kronor, inReturn, agrees }) => ({
    box,
    statement: Number(kronor),
    return: Number(inReturn),
    agrees,
  })),
  unknown_buyer: { amount: oreToNumber(unknownOre), vouchers: unknown.map(labelOf) },
});

function statementInWords({
  period,
  lines,
  comparison,
  unknown,
  unknownOre,
}: SalesStatement): string {
  const whole = (kronor: bigint | null) => (kronor === null ? '–' : String(kronor));
  return [
    `${period.start}–${period.end}, lämnas senast ${period.dueOn}.`,
    ...lines.map(
      ({ vatNumber, kronor }) =>
        `${vatNumber}  varor ${whole(kronor.goods)}  trepartshandel ${whole(kronor.triangulation)}  tjänster ${whole(kronor.services)}`,
    ),
    ...(unknown.length === 0
      ? []
      : [
          `Utan köparens momsnummer, och inte i filen: ${formatKronor(unknownOre)} (${unknown.map(labelOf).join(', ')}).`,
        ]),
    ...comparison.map(
      ({ box, kronor, inReturn, agrees }) =>
        `Ruta ${box}: ${inReturn} i deklarationen, ${kronor} här${agrees ? '' : ' — det skiljer'}.`,
    ),
  ].join('\n');
}

function registerImported(command: Command): void {
  command
    .command('imported')
    .description('importerade verifikat som ser ut att redovisa moms, och vad som är sagt om dem')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const [proposed, judged] = await asOwner(
        async (tx) => [await listSettlementProposals(tx), await listJudged(tx)] as const,
      );
      const facts = {
        proposed: proposed.map(({ ore, ...one }) => ({ ...one, amount: oreToNumber(ore) })),
        judged,
      };
      const lines = [
        ...proposed.map(
          (one) =>
            `${labelOf(one)} ${one.date} ${one.description}: ${formatKronor(one.ore)}. Redovisar det momsen till och med ${one.end ?? 'en period'}? huvudbok vat judge ${one.id} ${one.end ?? '<datum>'}, eller none.`,
        ),
        ...judged.map(
          (one) =>
            `${labelOf(one)} ${one.date} ${one.description}: ${one.end ? `redovisar momsen till och med ${one.end}` : 'redovisar ingen moms'}.`,
        ),
      ];
      print(
        json,
        facts,
        lines.join('\n') || 'Inget importerat verifikat ser ut att redovisa moms.',
      );
    });

  command
    .command('judge')
    .description('säg att ett importerat verifikat redovisar en periods moms, eller ingen (none)')
    .argument(...voucher)
    .argument('<datum>', 'periodens sista dag, eller none', dateOrNone)
    .option(...jsonOption)
    .action(async (asked: CalledVoucher, end: string | null, { json }: Json) => {
      const done = await asOwner((tx) => judgeImported(tx, { voucher: asked, end }, actor));
      const words = end
        ? `${labelOf(done)} redovisar momsen till och med ${end}, och räknas inte i någon ruta.`
        : `${labelOf(done)} redovisar ingen moms, och räknas som andra verifikat.`;
      print(json, { voucher_id: done.id, end }, words);
    });

  command
    .command('unjudge')
    .description('ta tillbaka det som är sagt om ett importerat verifikat')
    .argument(...voucher)
    .option(...jsonOption)
    .action(async (asked: CalledVoucher, { json }: Json) => {
      const done = await asOwner((tx) => takeBackJudgement(tx, asked, actor));
      print(json, { voucher_id: done.id }, `${labelOf(done)} frågas det om igen.`);
    });
}

/** What to do with a file that has been written. */
function whatFollows(end: string, filedAs: number | undefined): string {
  if (filedAs !== undefined)
    return `Det är deklaration ${filedAs} som den lämnades; inget ska lämnas igen.`;
  return end >= thisDay().today
    ? 'Perioden har inte tagit slut: filen har det som är bokfört hittills, och lämnas inte än.'
    : `Lämna den hos Skatteverket, och anteckna det: huvudbok vat filed ${end}.`;
}

async function* asPart(content: Buffer): AsyncIterable<Uint8Array> {
  yield content;
}

const periodFacts = ({
  filing,
  filedOtherwise,
  filedThrough,
  toPay,
  isMended,
  ...one
}: VatPeriodInBrief) => ({
  ...one,
  filed_on: filing?.filed_on ?? null,
  filed_in: filedOtherwise ? `${filedOtherwise.start}–${filedOtherwise.end}` : null,
  filed_through: filedThrough,
  to_pay: Number(toPay),
  is_mended: isMended,
});

function periodInWords({
  start,
  end,
  dueOn,
  filing,
  filedOtherwise,
  filedThrough,
  toPay,
  isMended,
}: VatPeriodInBrief): string {
  const state = filing
    ? `lämnad ${filing.filed_on}${isMended ? ', rättad sedan dess' : ''}`
    : filedOtherwise
      ? `lämnad i ${filedOtherwise.start}–${filedOtherwise.end}`
      : filedThrough
        ? `lämnad till och med ${filedThrough}`
        : `lämnas senast ${dueOn}`;
  return `${start}–${end}  ${formatKronor(toPay * 100n).padStart(18)}  ${state}`;
}

const checkFacts = (read: ReadVatPeriod) => ({
  start: read.start,
  end: read.end,
  boxes: boxFigures(read.now),
  filed: read.standing && {
    number: read.standing.number,
    filed_on: read.standing.filedOn,
    way: read.standing.way,
  },
  is_mended: read.isMended,
  controls: controlsInWords(read).map(({ name, holds, text: words }) => ({
    name,
    holds,
    text: words,
  })),
  left_out: read.leftOut.map((one) => ({
    id: one.id,
    voucher: labelOf(one),
    date: one.date,
    why: one.why,
    counts_in: one.countsIn,
  })),
  one_stop_shop: oreToNumber(read.controls.oneStopShopOre),
});

function checkInWords(read: ReadVatPeriod): string {
  const line = ({ holds, name, text: words }: ControlInWords) =>
    `${holds ? 'Stämmer' : 'Se efter'}  ${name}: ${words}`;
  const oneStopShop = read.controls.oneStopShopOre;
  return [
    ...controlsInWords(read).map(line),
    ...(oneStopShop === 0n
      ? []
      : [`Utanför: 2670 ${formatKronor(oneStopShop)}, som redovisas för sig (OSS).`]),
    ...read.leftOut.map(
      (one) =>
        `Utanför: ${labelOf(one)} ${one.date}, ${leftOutWords[one.why]}${one.countsIn ? ` (${one.countsIn})` : ''}.`,
    ),
  ].join('\n');
}
