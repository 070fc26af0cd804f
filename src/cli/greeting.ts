/** What a person sees when everything answers. */
import { connect, db } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

export async function greet(address: string, url: string): Promise<readonly string[]> {
  const client = await connect(url, 'huvudbok greeting');
  try {
    const [company] = await db(client).query<{ name: string }>(
      sql`select name from restricted.company`,
    );
    const next = company
      ? [
          `  Företag          ${company.name}`,
          '  Ny nyckel        npm run -s huvudbok -- key create --name Butiken --scope intake:write',
        ]
      : [
          '  Kom igång        npm run -s huvudbok -- setup --company "Mitt Bolag AB" --org-number 556036-0793',
          '  Eller prova      npm run -s huvudbok -- demo',
        ];
    return [
      '',
      `  Huvudbok         ${address}`,
      `  API-dokument     ${address}/docs`,
      ...next,
      '  Stoppa           Ctrl-C',
      '',
    ];
  } finally {
    await client.end();
  }
}
