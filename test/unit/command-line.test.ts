/** The command line without a database: what it says of words it does not know, files, and TAB. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completionScript } from '#src/cli/completion.ts';
import { createProgram, groups, programFor } from '#src/cli/program.ts';
import { explainUsage, WrongUsage } from '#src/cli/usage.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { compiled } from '../support/program.ts';
import { sieBytes, sieText, transferParts, voucher, yearFacts, yearParts } from './sie-file.ts';

async function complaint(words: string): Promise<string> {
  const program = await createProgram();
  const silence = { writeErr: () => undefined };
  for (const command of [program, ...program.commands]) command.configureOutput(silence);
  const error: unknown = await program
    .parseAsync(words.split(' '), { from: 'user' })
    .catch((thrown) => thrown);
  if (!(error instanceof WrongUsage)) throw error;
  return explainUsage(error);
}

test.each([
  ['kye', 'Det finns inget kommando kye. Menades key? Se huvudbok --help.'],
  ['key crate', 'Det finns inget kommando crate. Menades create? Se huvudbok key --help.'],
  [
    'key list --jsno',
    'Det finns ingen flagga --jsno. Menades --json? Se huvudbok key list --help.',
  ],
  ['key revoke', 'Argumentet <id> saknas. Se huvudbok key revoke --help.'],
  [
    'key revoke 1',
    'Argumentet <id> går inte att använda. Ange ett id (uuid). Se huvudbok key revoke --help.',
  ],
  [
    'worker intake fakturor',
    'Argumentet <namn> går inte att använda. Välj bland intake, booking, upkeep, webhooks, render, mail. Se huvudbok worker --help.',
  ],
  [
    'purchase list --status ny',
    '--status <läge> går inte att använda. Välj bland new, review, booked, rejected. Se huvudbok purchase list --help.',
  ],
  [
    'backup verfy',
    'Det finns inget kommando verfy, bara verify och done och restored. Se huvudbok backup --help.',
  ],
  ['restore', 'Argumentet <fil> saknas. Se huvudbok restore --help.'],
  [
    'secrets froget',
    'Det finns inget kommando froget. Menades forget? Se huvudbok secrets --help.',
  ],
  [
    'purchase pay 01a226d0-7b63-7467-8f8f-131972f1eb06 --date 2026-03-01 --amount 5 --currency-part x',
    '--currency-part <belopp> går inte att använda. Ange ett belopp i fakturans valuta med högst två decimaler, t.ex. 1250.50. Se huvudbok purchase pay --help.',
  ],
  [
    'year revalue 2025 --rate EUR=11,5=3',
    '--rate <valuta=kronor...> går inte att använda. Ange kronor för en av valutan med högst sex decimaler, t.ex. 11.2345. Se huvudbok year revalue --help.',
  ],
  [
    'opening-items customers remove F1',
    'Argumentet <id> går inte att använda. Ange ett id (uuid). Se huvudbok opening-items customers remove --help.',
  ],
  [
    'till-report retry Z344',
    'Argumentet <id> går inte att använda. Ange ett id (uuid). Se huvudbok till-report retry --help.',
  ],
  [
    'document add kvitto.pdf --amount 0',
    '--amount <kronor> går inte att använda. Ange mer än noll kronor, t.ex. 1250.50. Se huvudbok document add --help.',
  ],
  ['year close 2024 2025', 'Det är för många argument. Se huvudbok year close --help.'],
])('"%s" is explained with the way out', async (words, sentence) => {
  expect(await complaint(words)).toBe(sentence);
});

test('a command is there when it is loaded alone, as it is among the others', async () => {
  const helpOf = ({ commands }: Awaited<ReturnType<typeof createProgram>>, word: string) =>
    commands.find((one) => one.name() === word)?.helpInformation();
  const whole = await createProgram();
  const words = whole.commands.map((one) => one.name());
  expect(
    groups
      .flatMap(({ words }) => words)
      .concat('completion')
      .sort(),
  ).toEqual(words.sort());
  for (const word of words) expect(helpOf(await programFor(word), word)).toBe(helpOf(whole, word));
  for (const word of ['kye', '--help', undefined]) {
    expect((await programFor(word)).commands).toHaveLength(words.length);
  }
});

test('a setting that is not there is told with those that are', async () => {
  expect(await complaint('settings set company-seta Umeå')).toContain('company-seat');
});

test('help tells what holds when nothing is given, where something does', async () => {
  const program = await createProgram();
  const help = (...path: string[]) =>
    path
      .reduce((at, name) => at.commands.find((one) => one.name() === name) ?? at, program)
      .helpInformation();
  expect(help('user', 'create')).toMatch(/ användarens namn$/m);
  expect(help('key', 'create')).toContain(' om inget anges)');
});

describe('e-invoice check', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'huvudbok-files-'));
    await mkdir(join(folder, 'b', 'c'), { recursive: true });
    await writeFile(join(folder, 'a.xml'), eInvoice());
    const nameless = eInvoice().replace(/<cbc:ID>F-1001<\/cbc:ID>/, '');
    await writeFile(join(folder, 'b', 'c', 'numberless.XML'), nameless);
    await writeFile(join(folder, 'b', 'notes.txt'), 'no invoice');
    await writeFile(join(folder, 'b', 'torn.xml'), '<Invoice');
  });
  afterAll(() => rm(folder, { recursive: true }));
  const check = (args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        ['src/cli/huvudbok.ts', 'e-invoice', 'check', ...args],
        { env: { ...compiled, PATH: process.env['PATH'], ...env } },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
      child.stdin?.end(input);
    });

  test('takes folders, goes on past what cannot be read, and ends with a summary', async () => {
    const lost = join(folder, 'lost.xml');
    const { code, stdout, stderr } = await check([folder, lost]);
    const lines = stdout.trim().split('\n');
    expect([code, stderr]).toEqual([1, '']);
    expect(lines[0]).toBe(`${join(folder, 'a.xml')}: inget att anmärka på.`);
    expect(stdout).toContain(`${join(folder, 'b', 'c', 'numberless.XML')}: `);
    // The rule that asks for the number, not "unreadable".
    expect(stdout).toMatch(/^ {2}FEL BR-02: /m);
    expect(stdout).toContain('Den kan inte tas emot: Fakturanumret (ID) saknas.');
    expect(stdout).toContain(`${join(folder, 'b', 'torn.xml')}: går inte att läsa.`);
    expect(stdout).toContain(`${lost}: går inte att läsa. Filen finns inte.`);
    expect(lines.at(-1)).toBe(
      '4 filer: 1 utan anmärkning, 0 med bara varningar, 1 med fel, 2 gick inte att läsa.',
    );
    expect(stdout).not.toContain('\u001b');
  });

  test('reads standard input, counts in Swedish, and colours for those who want it', async () => {
    const file = Buffer.from('no PDF').toString('base64');
    const documents = `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>
      <cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="x.pdf">${file}</cbc:EmbeddedDocumentBinaryObject>
      </cac:Attachment></cac:AdditionalDocumentReference>`;
    const { code, stdout } = await check(['-'], eInvoice({ documents }), { FORCE_COLOR: '1' });
    expect(stdout).toContain(
      '-: 0 fel och 1 varning.\n  \u001b[33mvarning\u001b[39m HB-ATTACHMENT',
    );
    expect(code).toBe(0);
  });

  test('prints one JSON value and nothing else', async () => {
    const { stdout, stderr } = await check(['--json', folder]);
    expect(stderr).toBe('');
    const verdicts = JSON.parse(stdout).map(({ verdict }: { verdict: string }) => verdict);
    expect(verdicts).toEqual(['clean', 'fatal', 'unreadable']);
  });
});

test('bank check answers each file as one JSON value, and 1 when one is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-bank-'));
  const rows = ['8,1,2026-11-04,a,-50.00,100.50', '8,1,2026-11-03,b,150.5,150.50'];
  const good = `Clearingnummer,Kontonummer,Datum,Text,Belopp,Saldo\n${rows.join('\n')}\n`;
  await writeFile(join(folder, 'a.csv'), good);
  await writeFile(join(folder, 'b.xml'), '<!DOCTYPE x><x/>');
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['src/cli/huvudbok.ts', 'bank', 'check', ...args], {
      env: { ...compiled, PATH: process.env['PATH'] },
      encoding: 'utf8',
    });
  const json = run('--json', folder);
  const words = run(join(folder, 'a.csv'), join(folder, 'lost.xml'));
  await rm(folder, { recursive: true });
  expect([json.status, json.stderr]).toEqual([1, '']);
  const statement = { account: '8 1', currency: 'SEK', opening: 0, closing: 100.5 };
  expect(JSON.parse(json.stdout)).toEqual([
    {
      file: join(folder, 'a.csv'),
      verdict: 'ok',
      format: 'csv.swedbank-aldre',
      statements: [{ ...statement, entries: 2, credit: 150.5, debit: 50 }],
      problems: [],
    },
    {
      file: join(folder, 'b.xml'),
      verdict: 'refused',
      format: null,
      statements: [],
      problems: [
        {
          line: 1,
          path: null,
          reason: 'xml_doctype',
          message:
            'Filen har en DOCTYPE, som inget kontoutdrag har, och läses inte. Hämta filen igen från banken.',
        },
      ],
    },
  ]);
  expect(words.status).toBe(1);
  expect(words.stdout).toContain('a.csv: går att ta in.\n  csv.swedbank-aldre\n  konto');
  expect(words.stdout).toContain('FEL (file_unreadable): Filen finns inte.');
  expect(words.stdout).toContain('2 filer: 1 går att ta in, 0 behöver ses över först, 1 går inte');
});

describe('sie check', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'huvudbok-sie-'));
    const files = {
      'a.SE': sieText(yearParts),
      'b.si': sieText({ ...transferParts, vouchers: voucher('A 1 20260115', '1930 {} 1.50') }),
      'c.txt': 'no SIE file',
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), sieBytes(text));
    }
  });
  afterAll(() => rm(folder, { recursive: true }));
  const check = (...args: readonly string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        ['src/cli/huvudbok.ts', 'sie', 'check', ...args],
        { env: { ...compiled, PATH: process.env['PATH'] } },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });

  test('answers each file as one JSON value, and 1 when one is refused', async () => {
    const [good, bad] = [join(folder, 'a.SE'), join(folder, 'b.si')];
    const { code, stdout, stderr } = await check('--json', folder);
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual([
      {
        file: good,
        ...yearFacts,
        debit: 100,
        sums: { 'IB 0': 0, 'UB 0': 100, 'RES 0': -100 },
        problems: [],
      },
      expect.objectContaining({
        file: bad,
        verdict: 'refused',
        type: '4I',
        years: [],
        debit: 1.5,
        sums: {},
        problems: [
          {
            line: 10,
            rule: 'SIE #TRANS 4 unbalanced_voucher',
            message:
              'Verifikat A 1 balanserar inte: debet är 1,50\u00a0kr och kredit 0,00\u00a0kr. Rätta det i det gamla programmet och exportera igen.',
          },
        ],
      }),
    ]);
  });

  test('says the same to people, goes on past what cannot be read, and answers 0 when all is well', async () => {
    const lost = join(folder, 'lost.se');
    const { code, stdout } = await check(join(folder, 'a.SE'), lost, join(folder, 'c.txt'));
    expect(code).toBe(1);
    expect(stdout).toContain(
      `${join(folder, 'a.SE')}: går att ta in.\n  SIE 4E, CP437, Prov 1.0, Åkeriet`,
    );
    expect(stdout).toContain(
      `${lost}: går inte att ta in.\n  FEL (HB file_unreadable): Filen finns inte.`,
    );
    expect(stdout).toContain('FEL rad 1 (SIE 5.12 not_sie): Det är ingen SIE-fil');
    expect(stdout.trim().split('\n').at(-1)).toBe(
      '3 filer: 1 går att ta in, 0 behöver ses över först, 2 går inte att ta in.',
    );
    expect((await check(join(folder, 'a.SE'))).code).toBe(0);
  });
});

describe('completion', () => {
  let program: Awaited<ReturnType<typeof createProgram>>;
  beforeAll(async () => {
    program = await createProgram();
  });
  const script = (shell: 'bash' | 'zsh' | 'fish') => completionScript(program, shell);
  const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;
  const cases: readonly (readonly [typed: string, suggested: readonly string[]])[] = [
    ['huvudbok k', ['key']],
    ['huvudbok key re', ['revoke']],
    ['huvudbok key create --sc', ['--scope']],
    ['huvudbok user create --role l', ['lasare']],
    ['huvudbok settings set company-s', ['company-seat company-swish']],
    ['huvudbok completion z', ['zsh']],
  ];

  test.runIf(has('bash'))('suggests in bash', () => {
    const asked = cases.map(
      ([typed]) => `COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _huvudbok
        echo "\${COMPREPLY[@]}"`,
    );
    const { stdout } = spawnSync('bash', ['-c', [script('bash'), ...asked].join('\n')], {
      encoding: 'utf8',
    });
    expect(stdout.trim().split('\n')).toEqual(cases.map(([, words]) => words.join(' ')));
  });

  test.runIf(has('zsh'))('suggests in zsh', () => {
    // In place of zsh's own, which work in a terminal only.
    const stubs = `compdef() {}; _files() {}
      compadd() { shift; print -rl -- $@ }
      _describe() { local one; for one in $suggested; do print -r -- \${one%%:*}; done }`;
    const asked = cases.map(
      ([typed]) => `words=(${typed}); CURRENT=$#words; _huvudbok; print -- ----`,
    );
    const { stdout, stderr } = spawnSync(
      'zsh',
      ['-fc', [stubs, script('zsh'), ...asked].join('\n')],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    const answers = stdout.split('----\n').map((answer) => answer.split('\n'));
    for (const [index, [, words]] of cases.entries()) {
      expect(answers[index]).toEqual(expect.arrayContaining([...words]));
    }
  });

  test.runIf(has('fish'))('suggests in fish', () => {
    const asked = cases.map(([typed]) => `complete -C '${typed}'; echo ----`);
    const { stdout } = spawnSync(
      'fish',
      ['--no-config', '-c', [script('fish'), ...asked].join('\n')],
      {
        encoding: 'utf8',
      },
    );
    const answers = stdout
      .split('----\n')
      .map((answer) => answer.split('\n').flatMap((line) => line.split('\t')[0] || []));
    for (const [index, [, words]] of cases.entries()) {
      expect(answers[index]).toEqual(expect.arrayContaining([...words]));
    }
  });
});
