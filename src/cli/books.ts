/** huvudbok setup · settings · customer · dimension · lock · year · verify */
import { type Command, InvalidArgumentError } from 'commander';
import { changeSetting, type SettingName, settings, setUp } from '../company/service.ts';
import { insertCustomer } from '../customers/store.ts';
import { db, withTx } from '../db/pool.ts';
import { insertDimension, type NewDimension } from '../dimensions/store.ts';
import { closeYear, createYear, reopenYear, type YearSpan } from '../fiscal-years/service.ts';
import { moveLock } from '../locks/service.ts';
import { OperatorError } from '../operator-error.ts';
import { hashOfPassword } from '../users/passwords.ts';
import { verifyBooks } from '../verification/service.ts';
import { insertVerification } from '../verification/store.ts';
import { asOwner, print, thisDay, withPool } from './context.ts';
import {
  ACTOR,
  dateOrNone,
  email,
  integer,
  type Json,
  jsonOption,
  organizationNumber,
  text,
  vatNumber,
  yearSpan,
} from './options.ts';
import { progressBar } from './progress.ts';
import { readSetupChart } from './setup-chart.ts';
import { readPassword } from './users.ts';

export function registerBooks(program: Command): void {
  registerSetup(program);
  registerRegisters(program);
  registerLocks(program);
  registerYears(program);
  registerVerify(program);
}

function registerSetup(program: Command): void {
  program
    .command('setup')
    .description(
      'sätt upp företaget, kontoplanen, serierna och första räkenskapsåret; kan köras igen',
    )
    .requiredOption('--company <namn>', 'företagets namn', text(200))
    .requiredOption('--org-number <nummer>', 'organisationsnummer', organizationNumber)
    .option('--fiscal-year <år>', '2026 eller 2025-07-01..2026-06-30', yearSpan)
    .option('--sie <fil>', 'kontoplanen ur en SIE-fil i stället för BAS')
    .option(
      '--decisions <fil>',
      'CSV med besluten om det som är oklart i SIE-filen; skrivs första gången',
    )
    .option('--owner-email <adress>', 'första användaren', email)
    .option('--owner-password-stdin', 'läs användarens lösenord från standard in')
    .option(...jsonOption)
    .action(async (options: SetupOptions) => {
      const owner = await readOwner(options);
      const { sie, decisions, orgNumber } = options;
      const accounts =
        sie === undefined ? undefined : await readSetupChart(sie, decisions, orgNumber);
      const year = thisDay().today.slice(0, 4);
      const result = await asOwner((tx) =>
        setUp(
          tx,
          {
            company: options.company,
            organizationNumber: options.orgNumber,
            fiscalYear: options.fiscalYear ?? yearSpan(year),
            owner,
            ...(accounts && { accounts }),
          },
          ACTOR,
        ),
      );
      print(
        options.json,
        result,
        `${options.company} är uppsatt med räkenskapsåret ${result.fiscal_year}. Skapa en nyckel: huvudbok key create --name … --scope …`,
      );
    });

  const setting = program.command('settings').description('installationens regler');
  setting
    .command('set <namn> <värde>')
    .description(
      Object.entries(settings)
        .map(([name, { hint }]) => `${name}: ${hint}`)
        .join(' · '),
    )
    .option(...jsonOption)
    .action(async (name: string, value: string, options: Json) => {
      if (!(name in settings)) {
        throw new OperatorError(
          `Det finns ingen regel ${name}; välj bland ${Object.keys(settings).join(', ')}.`,
        );
      }
      await asOwner((tx) => changeSetting(tx, name as SettingName, value, ACTOR));
      print(options.json, { [name]: value }, `${name} är nu ${value}.`);
    });
}

interface SetupOptions extends Json {
  company: string;
  orgNumber: string;
  fiscalYear?: YearSpan;
  sie?: string;
  decisions?: string;
  ownerEmail?: string;
  ownerPasswordStdin?: boolean;
}

async function readOwner({ ownerEmail, ownerPasswordStdin }: SetupOptions) {
  if (ownerEmail === undefined) return null;
  const password = await readPassword(ownerPasswordStdin);
  return { email: ownerEmail, passwordHash: await hashOfPassword(password) };
}

function registerRegisters(program: Command): void {
  program
    .command('customer')
    .description('kunder')
    .command('create')
    .requiredOption('--name <namn>', 'kundens namn', text(200))
    .option('--email <adress>', 'e-post', email)
    .option('--org-number <nummer>', 'organisationsnummer', organizationNumber)
    .option('--vat-number <nummer>', 'momsnummer', vatNumber)
    .option('--country <kod>', 'landskod, två bokstäver', country, 'SE')
    .option('--payment-terms <dagar>', 'betalningsvillkor', integer(0, 90))
    .option(...jsonOption)
    .action(async (options: CustomerOptions) => {
      const customer = await asOwner((tx) =>
        insertCustomer(tx, {
          name: options.name,
          email: options.email ?? null,
          organizationNumber: options.orgNumber ?? null,
          vatNumber: options.vatNumber ?? null,
          countryCode: options.country,
          paymentTermsDays: options.paymentTerms ?? null,
        }),
      );
      print(options.json, customer, `Kunden ${customer.name} har id ${customer.id}.`);
    });

  program
    .command('dimension')
    .description('kostnadsställen och projekt')
    .command('create')
    .requiredOption('--kind <slag>', 'cost_center eller project', dimensionKind)
    .requiredOption('--code <kod>', 'kort kod', text(20))
    .requiredOption('--name <namn>', 'namn', text(200))
    .option(...jsonOption)
    .action(async ({ json, kind, code, name }: NewDimension & Json) => {
      const dimension = await asOwner((tx) => insertDimension(tx, { kind, code, name }));
      print(
        json,
        dimension,
        `Dimensionen ${dimension.code} ${dimension.name} har id ${dimension.id}.`,
      );
    });
}

interface CustomerOptions extends Json {
  name: string;
  email?: string;
  orgNumber?: string;
  vatNumber?: string;
  country: string;
  paymentTerms?: number;
}

function country(value: string): string {
  const code = value.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) throw new InvalidArgumentError('Ange två bokstäver, t.ex. SE.');
  return code;
}

function dimensionKind(value: string): NewDimension['kind'] {
  if (value !== 'cost_center' && value !== 'project') {
    throw new InvalidArgumentError('Välj cost_center eller project.');
  }
  return value;
}

function registerLocks(program: Command): void {
  const lock = program.command('lock').description('lås som gäller alla');
  for (const [kind, name] of [
    ['period', 'perioden'],
    ['vat', 'momsen'],
  ] as const) {
    lock
      .command(kind)
      .description(`lås ${name} till och med ett datum`)
      .argument('<datum>', 'sista låsta dag, eller none för att häva låset', dateOrNone)
      .option(
        '--reason <text>',
        'varför, för behandlingshistoriken; krävs när låsta dagar öppnas',
        text(500),
      )
      .option(...jsonOption)
      .action(async (to: string | null, options: Json & { reason?: string }) => {
        const { reason = null } = options;
        const locks = await asOwner((tx) => moveLock(tx, kind, { date: to, reason }, ACTOR));
        print(
          options.json,
          locks,
          `Perioden är låst till ${locks.period_locked_to ?? '–'}, momsen till ${locks.vat_locked_to ?? '–'}.`,
        );
      });
  }
}

function registerYears(program: Command): void {
  const year = program.command('year').description('räkenskapsår');
  year
    .command('create')
    .description('lägg upp ett år; serierna följer med från det senaste')
    .argument('<år>', '2027 eller 2026-07-01..2027-06-30', yearSpan)
    .option(...jsonOption)
    .action(async (span: YearSpan, options: Json) => {
      const { created } = await asOwner((tx) => createYear(tx, span, ACTOR));
      const state = created ? 'är upplagt' : 'fanns redan';
      print(
        options.json,
        { ...span, created },
        `Räkenskapsåret ${span.start}–${span.end} ${state}.`,
      );
    });
  year
    .command('close')
    .description('stäng ett räkenskapsår för all bokföring')
    .argument('<år>', 'året det slutar', integer(1900, 9999))
    .option(...jsonOption)
    .action(async (closed: number, options: Json) => {
      const { today } = thisDay();
      await asOwner((tx) => closeYear(tx, { year: closed, today }, ACTOR));
      print(
        options.json,
        { year: closed, status: 'closed' },
        `Räkenskapsåret ${closed} är stängt.`,
      );
    });
  year
    .command('reopen')
    .description('öppna det senast stängda räkenskapsåret igen')
    .argument('<år>', 'året det slutar', integer(1900, 9999))
    .requiredOption('--reason <text>', 'varför, för behandlingshistoriken', text(500))
    .option(...jsonOption)
    .action(async (opened: number, { json, reason }: Json & { reason: string }) => {
      await asOwner((tx) => reopenYear(tx, opened, reason, ACTOR));
      print(json, { year: opened, status: 'open' }, `Räkenskapsåret ${opened} är öppet igen.`);
    });
}

function registerVerify(program: Command): void {
  program
    .command('verify')
    .description('kontrollera hashkedjor, saldon, luckor och månadssaldon')
    .option(...jsonOption)
    .action(async (options: Json) => {
      const bar = progressBar('Verifikat', options.json);
      const result = await withPool(async (pool) => {
        const found = await verifyBooks(db(pool), bar.update);
        await withTx(pool, (tx) => insertVerification(tx, found, ACTOR));
        return found;
      }).finally(bar.stop);
      const findings = result.problems.map(
        ({ series, number, year, message }) =>
          `  ${series ?? ''}${number ?? ''} (${year ?? '–'}): ${message}`,
      );
      const verdict =
        findings.length === 0 ? 'Allt stämmer.' : `${findings.length} fel:\n${findings.join('\n')}`;
      print(
        options.json,
        result,
        `${result.vouchers} verifikat i ${result.series} serier. ${verdict}`,
      );
      if (findings.length > 0) process.exitCode = 1;
    });
}
