/** huvudbok demo: an example company, so that every command of the README works when pasted. */
import type { Command } from 'commander';
import { createPool, withTx } from '../db/pool.ts';
import { readDemo, seedDemo } from '../demo/service.ts';
import { print, withDatabase } from './context.ts';

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('fyll en tom installation med ett exempelföretag')
    .option('--json', 'ett JSON-värde på stdout')
    .action(async ({ json }: { json?: boolean }) => {
      const demo = await withDatabase(fillDemo);
      print(json, demo, demoLines(demo).join('\n'));
    });
}

export async function runDemo(url: string): Promise<string[]> {
  return demoLines(await fillDemo(url));
}

type Demo = Awaited<ReturnType<typeof seedDemo>>;

async function fillDemo(url: string): Promise<Demo> {
  const pool = createPool({ url, max: 2, applicationName: 'huvudbok demo', statementTimeoutMs: 0 });
  try {
    return await withTx(pool, async (tx) => (await readDemo(tx)) ?? (await seedDemo(tx, 'demo')));
  } finally {
    await pool.end();
  }
}

function demoLines({ company, vouchers, key }: Demo): string[] {
  return [
    `Exempelföretaget ${company} är klart, med ${vouchers} verifikat.`,
    key === null
      ? 'Det var upplagt redan; nyckeln visades då. Ny: huvudbok key create …'
      : `Nyckel för alla exempel:\n\n  export HUVUDBOK_KEY=${key}\n`,
  ];
}
