/** huvudbok accrual list · show · create · post · move · cancel: what is spread over months, and what wears out */
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import { monthOf } from '../domain/basics/dates.ts';
import { absolute, type Ore, oreToNumber } from '../domain/basics/money.ts';
import { type AccrualKind, accrualAccounts, accrualKinds } from '../domain/ledger/accrual.ts';
import { cancelAccrual, createAccrual, moveAccrual, postDue } from '../ledger/accruals/service.ts';
import {
  type Accrual,
  type AccrualPosting,
  findAccrual,
  type ListedAccrual,
  listAccruals,
  listPostings,
} from '../ledger/accruals/store.ts';
import { kindNames, partNames } from '../ledger/accruals/words.ts';
import { refuseWhole } from '../lib/errors.ts';
import { sentenceFor, sentenceOfKept } from '../lib/sentences/say.ts';
import { formatKronor } from '../lib/swedish.ts';
import { asOwner, print, today, withPool } from './context.ts';
import { addList, alignedLines } from './listing.ts';
import {
  actor,
  date,
  integer,
  type Json,
  jsonOption,
  kronor,
  month,
  text,
  uuid,
  word,
} from './options.ts';

const small = (name: string): string => name.toLowerCase();

const listMax = 10_000;

const stateOf = ({ cancelledAt, isStopped, nextOn }: ListedAccrual): string =>
  cancelledAt !== null
    ? 'avbruten'
    : isStopped
      ? 'behöver ses'
      : nextOn === null
        ? 'klar'
        : `nästa ${nextOn}`;

const wireOf = (one: Accrual) => ({
  id: one.id,
  kind: one.kind,
  description: one.description,
  amount: oreToNumber(one.amountOre),
  firstMonth: monthOf(one.firstMonth),
  months: one.months,
  movedOn: one.movedOn,
  account: one.resultAccount,
  against: one.balanceAccount,
  series: one.series,
  voucherId: one.originVoucherId,
  cancelledAt: one.cancelledAt,
});

const wireOfPosting = ({ problem, resultOre, ...one }: AccrualPosting) => ({
  ...one,
  amount: oreToNumber(resultOre),
  problem: problem && sentenceOfKept(() => sentenceFor('command', problem)),
});

interface CreateOptions extends Json {
  readonly kind: AccrualKind;
  readonly text: string;
  readonly amount: Ore;
  readonly account?: number;
  readonly against?: number;
  readonly from: string;
  readonly months: number;
  readonly movedOn?: string;
  readonly firstDay: boolean;
  readonly series: string;
  readonly costCenter?: string;
  readonly project?: string;
  readonly voucher?: string;
  readonly lateOn?: string;
}

const accountNumber = integer(1000, 8998);

export function registerAccruals(program: Command): void {
  const accrual = program
    .command('accrual')
    .description('periodiseringar och avskrivningar, som bokförs månad för månad');

  addList(accrual, {
    description: 'visa periodiseringar, de som bokförs först först',
    empty: 'Det finns inga periodiseringar.',
    read: (tx) => listAccruals(tx, { limit: listMax }),
    cells: (one) => [
      one.id,
      small(kindNames[one.kind]),
      formatKronor(one.amountOre),
      `${one.months} mån från ${monthOf(one.firstMonth)}`,
      `${one.posted}/${one.postings}`,
      stateOf(one),
      one.description,
    ],
    wire: (one) => ({
      ...wireOf(one),
      nextOn: one.nextOn,
      postings: one.postings,
      posted: one.posted,
      stopped: one.isStopped,
    }),
  });

  accrual
    .command('show')
    .description('visa en periodisering med vad som är bokfört och vad som återstår')
    .argument('<id>', 'periodiseringens id', uuid)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const { one, postings } = await withPool(async (pool) => {
        const found = await findAccrual(db(pool), id);
        if (!found) throw refuseWhole('not_found', 'no_accrual');
        return { one: found, postings: await listPostings(db(pool), id) };
      });
      const { description, kind, amountOre, resultAccount, balanceAccount } = one;
      const head = `${description}: ${small(kindNames[kind])}, ${formatKronor(amountOre)}, ${resultAccount} mot ${balanceAccount}`;
      const lines = alignedLines(
        postings.map(({ date: day, part, resultOre, voucher, problem }) => [
          day,
          small(partNames[part]),
          formatKronor(absolute(resultOre)),
          voucher ?? (problem ? sentenceOfKept(() => sentenceFor('command', problem)) : ''),
        ]),
      );
      const wire = { ...wireOf(one), postings: postings.map(wireOfPosting) };
      print(json, wire, [head, lines].join('\n'));
    });

  registerCreate(accrual);
  registerPost(accrual);
  registerChanges(accrual);
}

function registerPost(accrual: Command): void {
  accrual
    .command('post')
    .description('bokför det som har fallit ut nu, i stället för inom timmen')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const broken: string[] = [];
      const done = await withPool((pool) =>
        postDue(pool, {
          today: today(),
          actor,
          onBroken: (id, error) =>
            broken.push(`${id}: ${error instanceof Error ? error.message : error}`),
        }),
      );
      const lines = [
        bookedInWords(done.posted),
        ...(done.stopped === 0
          ? []
          : [`${done.stopped} kunde inte bokföras; se huvudbok accrual list.`]),
        ...broken.map((line) => `Gick inte: ${line}`),
      ];
      print(json, { ...done, broken }, lines.join('\n'));
      if (broken.length > 0 || done.stopped > 0) process.exitCode = 1;
    });
}

function registerChanges(accrual: Command): void {
  accrual
    .command('move')
    .description('bokför det som väntar och är daterat tidigare på en annan dag')
    .argument('<id>', 'periodiseringens id', uuid)
    .requiredOption('--to <datum>', 'dagen', date)
    .option(...jsonOption)
    .action(async (id: string, { to, json }: Json & { to: string }) => {
      const doing = { today: today(), actor };
      const moved = await asOwner((tx) => moveAccrual(tx, { id, to }, doing));
      print(json, { id, to, moved }, `${moved} är flyttade till ${to}.`);
    });

  accrual
    .command('cancel')
    .description('avbryt det som återstår; det som är bokfört står kvar')
    .argument('<id>', 'periodiseringens id', uuid)
    .option('--rest-on <datum>', 'bokför det som står på balanskontot den dagen', date)
    .option(...jsonOption)
    .action(async (id: string, { restOn = null, json }: Json & { restOn?: string | null }) => {
      await asOwner((tx) => cancelAccrual(tx, { id, restOn }, { today: today(), actor }));
      const rest = restOn === null ? '' : ` Resten är bokförd ${restOn}.`;
      print(json, { id, cancelled: true, restOn }, `Periodiseringen är avbruten.${rest}`);
    });
}

function registerCreate(accrual: Command): void {
  accrual
    .command('create')
    .description('lägg upp en periodisering; det som redan har fallit ut bokförs direkt')
    .requiredOption(
      '--kind <slag>',
      Object.entries(kindNames)
        .map(([kind, name]) => `${kind} (${small(name)})`)
        .join(', '),
      word(accrualKinds),
    )
    .requiredOption('--text <text>', 'på varje verifikat', text(200))
    .requiredOption('--amount <kronor>', 'vad månaderna delar på, utan moms', kronor)
    .requiredOption('--from <månad>', 'första månaden, ÅÅÅÅ-MM', month)
    .requiredOption('--months <antal>', '1–600', integer(1, 600))
    .option('--account <konto>', 'resultatkontot; 7832 för avskrivningar', accountNumber)
    .option('--against <konto>', 'balanskontot; annars slagets vanliga', accountNumber)
    .option('--moved-on <datum>', 'dagen då det förutbetalda flyttas till balanskontot', date)
    .option('--first-day', 'det förutbetaldas delar bokförs månadens första dag', false)
    .option('--series <kod>', 'verifikationsserie', text(2), 'P')
    .option('--cost-center <id>', 'kostnadsställe på resultatraden', uuid)
    .option('--project <id>', 'projekt på resultatraden', uuid)
    .option('--voucher <id>', 'verifikatet som fördelas', uuid)
    .option('--late-on <datum>', 'det som skulle ha bokförts tidigare bokförs den dagen', date)
    .option(...jsonOption)
    .action(async (options: CreateOptions) => {
      const { kind, json } = options;
      const { usualResult, usualBalance } = accrualAccounts[kind];
      const resultAccount = options.account ?? usualResult;
      if (resultAccount === null) throw refuseWhole('unprocessable', 'accrual_needs_account');
      const { id, posted } = await asOwner((tx) =>
        createAccrual(
          tx,
          {
            kind,
            description: options.text,
            amountOre: options.amount,
            firstMonth: options.from,
            months: options.months,
            movedOn: options.movedOn ?? null,
            sharesOn: options.firstDay ? 'first' : 'last',
            series: options.series,
            resultAccount,
            balanceAccount: options.against ?? usualBalance,
            costCenter: options.costCenter ?? null,
            project: options.project ?? null,
            originVoucherId: options.voucher ?? null,
            lateOn: options.lateOn ?? null,
          },
          { today: today(), actor },
        ),
      );
      print(json, { id, posted }, `Periodiseringen ${id} är upplagd. ${bookedInWords(posted)}`);
    });
}

const bookedInWords = (count: number): string =>
  count === 1 ? '1 verifikat är bokfört.' : `${count} verifikat är bokförda.`;
