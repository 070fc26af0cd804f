/** huvudbok demo: an example company, so that every command of the README works when pasted. */
import type { Command } from 'commander';
import { roleNames } from '../access/users/roles.ts';
import { loadProcessConfig } from '../config/config.ts';
import { createJobPool, withTx } from '../db/pool.ts';
import { type Demo, readDemo, resetDemo, seedDemo } from '../demo/service.ts';
import { systemClock } from '../lib/clock.ts';
import { programName } from '../lib/program-name.ts';
import { note, print, today, withDatabase } from './context.ts';
import { keyringFor } from './secrets.ts';

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('fyll en tom installation med ett exempelföretag')
    .option(
      '--reset',
      'töm exempelföretagets böcker och fyll dem på nytt; användare, nycklar och webhookar finns kvar',
    )
    .option('--json', 'ett JSON-värde på stdout')
    .action(async ({ json, reset = false }: { json?: boolean; reset?: boolean }) => {
      const demo = await withDatabase((url) => fillDemo(url, reset), { mayCreate: true });
      print(json, forWire(demo), demoLines(demo, loadProcessConfig().baseUrl).join('\n'));
    });
}

/** What is told of it where everything answers at `address`. */
export async function runDemo(url: string, address: string): Promise<string[]> {
  return demoLines(await fillDemo(url, false), address);
}

async function fillDemo(url: string, isReset: boolean): Promise<Demo> {
  const { timeZone } = loadProcessConfig();
  const pool = createJobPool({ url, max: 2, applicationName: 'huvudbok demo' });
  try {
    const options = {
      today: systemClock(timeZone).today(),
      timeZone,
      keyring: await keyringFor(pool),
    };
    return await withTx(pool, async (tx) => {
      const found = await readDemo(tx);
      if (found && !isReset) return found;
      if (found) {
        note(
          'Tömmer exempelföretaget och fyller det på nytt; det kan ta en minut, och anrop väntar eller får svaret 503 under tiden.',
        );
        return resetDemo(tx, options, 'demo');
      }
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

function demoLines({ company, vouchers, secrets }: Demo, address: string): string[] {
  return [
    `Exempelföretaget ${company} är klart, med ${vouchers} verifikat.`,
    ...(secrets === null ? [] : accessLines(secrets)),
    ...curlLines(secrets?.key ?? null, address),
  ];
}

function accessLines({
  key,
  agencyKey,
  assistantKey,
  password,
  people,
}: NonNullable<Demo['secrets']>): string[] {
  const lines = [
    ...(password === null
      ? []
      : [
          'Logga in på /logga-in som någon av dem, alla med samma lösenord:\n',
          ...people.map(({ email, role }) => `  ${email.padEnd(40)} ${roleNames[role]}`),
          `\n  Lösenord: ${password}\n`,
        ]),
    ...(agencyKey === null ? [] : [`Byrånyckel: ${agencyKey}`]),
    ...(assistantKey === null
      ? []
      : [`Assistentens nyckel, som läser och föreslår: ${assistantKey}`]),
  ];
  const isAllNew = key !== null && password !== null;
  return [
    ...lines,
    lines.length === 0
      ? 'Användare, nycklar och webhookar är desamma som förut.'
      : `Lösenordet och nycklarna visas bara nu${isAllNew ? '' : '; de andra är desamma som förut'}.`,
  ];
}

/** Calls to paste into a shell, one a line, with a key that works. */
function curlLines(key: string | null, address: string): string[] {
  const day = today();
  const curl = (path: string, more = '') =>
    `  curl -s "${address}${path}" -H "Authorization: Bearer $HUVUDBOK_KEY"${more}`;
  const json = (body: object) => ` -d '${JSON.stringify(body)}'`;
  const voucher = {
    seriesCode: 'A',
    date: day,
    description: 'Kontantförsäljning',
    rows: [
      { account: 1930, debit: 125, credit: 0 },
      { account: 3001, debit: 0, credit: 100 },
      { account: 2611, debit: 0, credit: 25 },
    ],
  };
  const order = {
    externalId: `demo-${day}`,
    orderDate: day,
    currency: 'SEK',
    pricesIncludeVat: true,
    total: 199,
    customer: { name: 'Anna Andersson' },
    rows: [{ description: 'Kaffebryggare', quantity: 1, unitPrice: 199, vatRate: 25 }],
  };
  const scopes = 'data:read intake:write documents:write bank:write bank:read ledger:write';
  const ask = scopes
    .split(' ')
    .map((scope) => `--scope ${scope}`)
    .join(' ');
  return [
    ...(key === null
      ? [
          'Nycklarna visades när de skapades. En ny testnyckel, och anrop att klistra in:\n',
          `  export HUVUDBOK_KEY=$(${programName} key create --test --name Prov ${ask} --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).key')`,
        ]
      : ['\nAnrop att klistra in:\n', `  export HUVUDBOK_KEY=${key}`]),
    curl('/api/v1/meta'),
    curl('/api/v1/verifikat?limit=2'),
    curl('/api/v1/verifikat?dryRun=true', json(voucher)),
    curl('/api/v1/verifikat', ` -H "Idempotency-Key: demo-${day}"${json(voucher)}`),
    curl('/api/inbound/order?dryRun=true', json(order)),
    curl('/api/inbound/order', json(order)),
    '',
    `Mer: ${address}/docs. Börja om: ${programName} demo --reset`,
  ];
}
