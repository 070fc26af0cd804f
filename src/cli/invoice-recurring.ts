/** huvudbok invoice recurring list · make: invoices that recur */
import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { makeDue } from '../sales/recurring/service.ts';
import { listRecurring } from '../sales/recurring/store.ts';
import { print, withPool } from './context.ts';
import { addList } from './listing.ts';
import { actor, type Json, jsonOption } from './options.ts';

const units = { week: 'vecka', month: 'månad' } as const;
const becomings = { draft: 'utkast', booked: 'bokförs', mailed: 'bokförs och skickas' } as const;

export function registerRecurring(invoice: Command): void {
  const recurring = invoice.command('recurring').description('återkommande fakturor');

  addList(recurring, {
    description: 'visa återkommande fakturor, de som kommer först först',
    empty: 'Det finns inga återkommande fakturor.',
    read: (tx) => listRecurring(tx),
    cells: ({ id, customerName, unit, every, nextDate, becomes, isStopped }) => [
      id,
      nextDate ?? 'avslutad',
      `var ${every}:e ${units[unit]}`,
      becomings[becomes],
      customerName,
      isStopped ? 'behöver ses' : '',
    ],
    wire: ({
      id,
      customerId,
      customerName,
      unit,
      every,
      nextDate,
      lastDate,
      becomes,
      isStopped,
    }) => ({
      id,
      customer: { id: customerId, name: customerName },
      every: { unit, count: every },
      nextDate,
      lastDate,
      becomes,
      stopped: isStopped,
    }),
  });

  recurring
    .command('make')
    .description('gör dem vars dag har kommit nu, i stället för inom timmen')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const { timeZone, smtp, mailFrom } = loadProcessConfig();
      const broken: string[] = [];
      const made = await withPool((pool) =>
        makeDue(pool, {
          today: systemClock(timeZone).today(),
          actor,
          timeZone,
          canMail: smtp !== undefined,
          mailFrom,
          onBroken: (id, error) =>
            broken.push(`${id}: ${error instanceof Error ? error.message : error}`),
        }),
      );
      const failed = broken.map((line) => `Gick inte: ${line}`);
      print(json, { made, broken }, [`${made} fakturor är gjorda.`, ...failed].join('\n'));
      if (broken.length > 0) process.exitCode = 1;
    });
}
