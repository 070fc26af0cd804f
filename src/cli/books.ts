/** huvudbok setup · verify */
import type { Command } from 'commander';
import { hashOfPassword } from '../access/users/passwords.ts';
import { db, withTx } from '../db/pool.ts';
import { type SetUpResult, setUp } from '../installation/company/service.ts';
import type { YearSpan } from '../ledger/fiscal-years/service.ts';
import { verifyBooks } from '../ledger/verification/service.ts';
import { insertVerification } from '../ledger/verification/store.ts';
import { asOwner, print, thisDay, withPool } from './context.ts';
import {
  actor,
  email,
  type Json,
  jsonOption,
  organizationNumber,
  text,
  yearSpan,
} from './options.ts';
import { progressBar } from './progress.ts';
import { readSetupChart } from './setup-chart.ts';
import { readPassword } from './users.ts';

export function registerBooks(program: Command): void {
  registerSetup(program);
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
      const result = await asOwner(
        (tx) =>
          setUp(
            tx,
            {
              company: options.company,
              organizationNumber: options.orgNumber,
              fiscalYear: options.fiscalYear ?? yearSpan(year),
              owner,
              ...(accounts && { accounts }),
            },
            actor,
          ),
        { mayCreate: true },
      );
      print(options.json, result, setUpInWords(result, options.company));
    });
}

function setUpInWords(result: SetUpResult, asked: string): string {
  const { company, created, fiscal_year: year, fiscal_year_created: isNewYear } = result;
  if (created) {
    return `${company} är uppsatt med räkenskapsåret ${year}. Skapa en nyckel: huvudbok key create --name … --scope …`;
  }
  const sentences = [
    `${company} var redan uppsatt; bara det som saknades är tillagt.`,
    isNewYear ? `Räkenskapsåret ${year} är upplagt.` : `Räkenskapsåret ${year} fanns redan.`,
    ...(asked === company
      ? []
      : [`Namnet är inte ändrat; det görs med huvudbok settings set company-name "${asked}".`]),
  ];
  return sentences.join(' ');
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

async function readOwner({ ownerEmail, ownerPasswordStdin, company }: SetupOptions) {
  if (ownerEmail === undefined) return null;
  const password = await readPassword(ownerPasswordStdin, [ownerEmail, company]);
  return { email: ownerEmail, passwordHash: await hashOfPassword(password) };
}

function registerVerify(program: Command): void {
  program
    .command('verify')
    .description('kontrollera hashkedjor, luckor, saldon, reskontror och databasens egna spärrar')
    .option(...jsonOption)
    .action(async (options: Json) => {
      const bar = await progressBar('Verifikat', options.json);
      const result = await withPool(async (pool) => {
        const found = await verifyBooks(db(pool), bar.update);
        await withTx(pool, (tx) => insertVerification(tx, found, actor));
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
