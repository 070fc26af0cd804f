/** huvudbok account list, and whether the chart has every account that the program posts on. */
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { chartSentence, completeChart, listChartFaults } from '../ledger/accounts/completeness.ts';
import { type AccountFilter, getAccount, listAccounts } from '../ledger/accounts/store.ts';
import { listYearSpans } from '../ledger/fiscal-years/store.ts';
import { listOpenItems } from '../ledger/open-items/service.ts';
import { amountText, formatKronor } from '../lib/swedish.ts';
import { asOwner, print, today, withPool } from './context.ts';
import { addList, alignedLines } from './listing.ts';
import { actor, date, integer, type Json, jsonOption, text, word } from './options.ts';

interface AccountOptions {
  readonly search?: string;
  readonly show?: AccountFilter['show'];
}

const whole = 'Kontoplanen har alla konton som Huvudbok bokför på.';

export function registerAccounts(program: Command): void {
  const account = program.command('account').description('kontoplanen');
  addList(account, {
    description: 'visa kontona, och vad som står på dem i det senaste räkenskapsåret',
    empty: 'Det finns inga sådana konton.',
    read: async (tx, { search = '', show = 'all' }: AccountOptions) => {
      const year = (await listYearSpans(tx)).at(-1) ?? { start: '0001-01-01', end: '9999-12-31' };
      return listAccounts(tx, { search, show }, year);
    },
    cells: ({ number, name, vat_code, vat_rate, is_active: isActive, balance_ore }) => [
      number,
      name,
      vat_code === null ? '' : `${vat_code} ${vat_rate ?? ''}`.trim(),
      formatKronor(balance_ore),
      isActive ? '' : 'inaktivt',
    ],
    wire: ({ balance_ore, ...one }) => ({ ...one, balance: oreToNumber(balance_ore) }),
  })
    .option('--search <text>', 'början av numret, eller del av namnet', text(200))
    .option(
      '--show <urval>',
      'active, inactive, used eller all',
      word(['active', 'inactive', 'used', 'all']),
    );
  account
    .command('open-items')
    .description('visa vad ett balanskontos saldo består av en viss dag')
    .argument('<konto>', 'balanskontots nummer, 1000–2999', integer(1000, 2999))
    .option('--date <datum>', 'till och med den dagen; annars till och med i dag', date)
    .option(...jsonOption)
    .action(showOpenItems);
  account
    .command('check')
    .description('visa vilka konton som saknas eller är inaktiva fast Huvudbok bokför på dem')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const faults = await withPool((pool) => listChartFaults(db(pool)));
      const sentence = chartSentence(faults);
      const wayOut = 'Lägg till dem: huvudbok account complete';
      print(json, { faults }, sentence === undefined ? whole : `${sentence} ${wayOut}`);
      if (faults.length > 0) process.exitCode = 1;
    });
  account
    .command('complete')
    .description('lägg till de konton som saknas, med namn ur BAS, och ta de inaktiva i bruk')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const { done, left } = await asOwner(async (tx) => {
        const faults = await completeChart(tx, actor);
        const remaining = await listChartFaults(tx);
        const numbers = new Set(remaining.map(({ account: number }) => number));
        return { done: faults.filter((one) => !numbers.has(one.account)), left: remaining };
      });
      const listed = done.map(({ account: number, use }) => `${number} (${use})`).join(', ');
      const own = left.map(({ account: number }) => number).join(', ');
      const text = [
        ...(done.length === 0 ? [] : [`I kontoplanen finns nu ${listed}.`]),
        // Only the company's own choice of account can be none of BAS.
        ...(left.length === 0 ? [] : [`Lägg upp ${own} själv: kontot finns inte i BAS.`]),
      ];
      print(json, { completed: done, left }, text.join(' ') || whole);
      if (left.length > 0) process.exitCode = 1;
    });
}

async function showOpenItems(
  account: number,
  { date: day = today(), json }: Json & { readonly date?: string },
): Promise<void> {
  const found = await withPool(async (pool) => {
    await getAccount(db(pool), account);
    return listOpenItems(db(pool), account, day);
  });
  const { items, openOre, balanceOre } = found;
  const wire = {
    account,
    date: day,
    balance: oreToNumber(balanceOre),
    open: oreToNumber(openOre),
    items: items.map((one) => ({
      voucher_id: one.voucherId,
      voucher: one.label,
      row_no: one.rowNo,
      date: one.day,
      text: one.text,
      amount: oreToNumber(one.amountOre),
      open: oreToNumber(one.openOre),
    })),
  };
  const lines = items.map((one) => [one.day, one.label, amountText(one.openOre), one.text]);
  const end = `Saldot ${day} är ${formatKronor(balanceOre)}, och de öppna posterna ${formatKronor(openOre)}.`;
  print(json, wire, [alignedLines(lines), end].filter(Boolean).join('\n'));
}
