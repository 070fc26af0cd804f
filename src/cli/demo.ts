/** huvudbok demo: an example company, so that every command of the README works when pasted. */
import type { Command } from 'commander';
import { roleNames } from '../access/users/roles.ts';
import { loadProcessConfig } from '../config/config.ts';
import { createPool, withTx } from '../db/pool.ts';
import { type Demo, readDemo, seedDemo } from '../demo/service.ts';
import { systemClock } from '../lib/clock.ts';
import { note, print, withDatabase } from './context.ts';
import { keyringFor } from './secrets.ts';

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('fyll en tom installation med ett exempelföretag')
    .option('--json', 'ett JSON-värde på stdout')
    .action(async ({ json }: { json?: boolean }) => {
      const demo = await withDatabase(fillDemo, { mayCreate: true });
      print(json, forWire(demo), demoLines(demo).join('\n'));
    });
}

export async function runDemo(url: string): Promise<string[]> {
  return demoLines(await fillDemo(url));
}

async function fillDemo(url: string): Promise<Demo> {
  const { timeZone } = loadProcessConfig();
  const pool = createPool({ url, max: 2, applicationName: 'huvudbok demo' });
  try {
    const today = systemClock(timeZone).today();
    const options = { today, timeZone, keyring: await keyringFor(pool) };
    return await withTx(pool, async (tx) => {
      const found = await readDemo(tx);
      if (found) return found;
      note('Lägger upp exempelföretaget; det kan ta en minut.');
      return seedDemo(tx, options, 'demo');
    });
  } finally {
    await pool.end();
  }
}

const forWire = ({ company, vouchers, secrets }: Demo) => ({
  company,
  vouchers,
  key: secrets?.key ?? null,
  agency_key: secrets?.agencyKey ?? null,
  assistant_key: secrets?.assistantKey ?? null,
  password: secrets?.password ?? null,
  people: secrets?.people ?? [],
});

function demoLines({ company, vouchers, secrets }: Demo): string[] {
  const ready = `Exempelföretaget ${company} är klart, med ${vouchers} verifikat.`;
  if (!secrets) {
    return [
      ready,
      'Det var upplagt redan; nyckel och lösenord visades då. Ny nyckel: huvudbok key create …',
    ];
  }
  const { key, agencyKey, assistantKey, password, people } = secrets;
  return [
    ready,
    'Logga in på /logga-in som någon av dem, alla med samma lösenord:\n',
    ...people.map(({ email, role }) => `  ${email.padEnd(40)} ${roleNames[role]}`),
    `\n  Lösenord: ${password}\n`,
    `Byrånyckel: ${agencyKey}`,
    `Assistentens nyckel, som läser och föreslår: ${assistantKey}\n`,
    `Nyckel för alla exempel:\n\n  export HUVUDBOK_KEY=${key}\n`,
    'Lösenordet och nycklarna visas bara nu.',
  ];
}
