/**
 * That whoever has chosen English reads English: what the pages that there are in it say is in the catalogue, and the
 * catalogue has nothing that nobody says.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roleNames } from '#src/access/users/roles.ts';
import { vatRateWords } from '#src/domain/ledger/vat.ts';
import { orderRejectionMeanings } from '#src/domain/sales/order-rejections.ts';
import { refundRejectionMeanings } from '#src/domain/sales/refund-rejections.ts';
import { tillRejectionMeanings } from '#src/domain/sales/till-rejections.ts';
import { readableOrder } from '#src/intake/orders/readable.ts';
import { kindNames } from '#src/ledger/accruals/words.ts';
import { english } from '#src/lib/english/index.ts';
import { say, sayOf, speaking, translated, worded } from '#src/lib/language.ts';
import { amountText, count, dayInWords, kronorText } from '#src/lib/numbers.ts';
import { generalSentences } from '#src/lib/sentences/general.ts';
import { orderSentences } from '#src/lib/sentences/orders.ts';
import { proposalSentences } from '#src/lib/sentences/proposals.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';
import { tillSentences } from '#src/lib/sentences/tills.ts';
import type { Sentences } from '#src/lib/sentences/words.ts';
import { parseTyped } from '#src/pages/inputs.ts';
import { paymentKinds } from '#src/pages/invoices/invoice-words.ts';
import { isInEnglish } from '#src/pages/language.ts';
import { mapWords, wordsIn } from '#src/render/template-words.ts';
import { loadTemplate } from '#src/render/templates.ts';
import { root } from '../support/house.ts';
import { readCode, readTemplate, type Said } from '../support/said.ts';

/** What these say is read on pages that there are in English, and nothing of it is to be in Swedish only. */
const spoken = [
  'src/pages/ledger/proposals/proposal-view.ts',
  'src/pages/ledger/proposals/proposals.ts',
  'src/pages/navigation.ts',
  'src/pages/inputs.ts',
  'src/pages/operations/audit.ts',
  'src/pages/operations/operations.ts',
  ...globSync('src/pages/orders/*.ts', { cwd: root }),
  ...globSync('src/pages/purchases/purchase{,s,-*}.ts', { cwd: root }),
  'src/pages/purchases/refused-documents.ts',
  'src/pages/registers/supply-mark.ts',
  ...globSync('src/pages/settings/{api-key,webhook}*.ts', { cwd: root }),
  'src/proposals/words.ts',
  'src/purchases/e-invoices/view.ts',
].filter((path) => !/order-invoice\.ts$/.test(path));

/** What stands in Swedish in these tables is said through `translated`. */
const tables = [
  'src/audit/wordings.ts',
  ...['general', 'order-fields', 'orders', 'proposals', 'tills'].map(
    (room) => `src/lib/sentences/${room}.ts`,
  ),
];

/** Names of things that are the same in every language, and what is written for machines or told between functions. */
const namesOnly =
  /^(Bearer|POST|PostgreSQL|JSON|UBL|SHA-256|IBAN|OCR-nummer|få tillbaka|Bankgiro|Plusgiro|SVG|SE:\w+|SEPA|[A-Z_]+|curl -H .*|Content-Type.*)$/;

const code = globSync('{src,workers}/**/*.ts', { cwd: root })
  .filter((path) => !path.startsWith('src/lib/english/'))
  .map((path) => [path, readCode(path)] as const);
const said = code.flatMap(([, { said: found }]) => found);

/** The templates of those pages, by what their code shows, and the page of an error. */
const templates = [
  'error',
  ...new Set(
    spoken.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/template: '([\w-]+)'/g)].map(
        ([, name = '']) => name,
      ),
    ),
  ),
];
/** A partial that is Swedish wherever it stands, and says so. */
const inSwedish = 'templates/partials/picture-preview.hbs';
const shown = templates
  .flatMap((name) => readTemplate(`templates/pages/${name}.hbs`))
  .filter(({ where }) => where !== inSwedish);

const recipe = 'give it its English in src/lib/english (CONTRIBUTING.md, "A sentence in English")';
const lacks = ({ words, context }: Said): boolean =>
  !english.has(words) && !english.has(`${context}|${words}`);
const missingOf = (all: readonly Said[]): string[] =>
  all.filter(lacks).map(({ where, words }) => `${where}: "${words}" has no English: ${recipe}`);

const constantsOf = (table: Sentences): string[] =>
  Object.values(table).flatMap((words) => {
    const page = typeof words === 'object' ? words.page : words;
    return typeof page === 'string' ? [page] : [];
  });

describe('the catalogue', () => {
  it('has all that the code says', () => {
    expect(said.length).toBeGreaterThan(1_000);
    expect(missingOf(said)).toEqual([]);
  });

  it('has all that the templates of those pages say', () => {
    expect(templates).toContain('api-keys');
    expect(shown.length).toBeGreaterThan(300);
    expect(missingOf(shown)).toEqual([]);
    expect(readFileSync(join(root, inSwedish), 'utf8')).toContain('lang="sv"');
  });

  it('has what stands ready in tables that others read too', () => {
    const ready = [
      ...constantsOf(orderSentences),
      ...constantsOf(proposalSentences),
      ...constantsOf(generalSentences),
      ...Object.values(orderRejectionMeanings),
      ...Object.values(refundRejectionMeanings),
      ...Object.values(tillRejectionMeanings),
      ...constantsOf(tillSentences),
      ...Object.values(kindNames),
      ...Object.values(roleNames),
      ...Object.values(paymentKinds).filter(Boolean),
    ];
    const missing = ready.filter((words) => !english.has(words));
    expect(missing.map((words) => `"${words}" has no English: ${recipe}`)).toEqual([]);
  });

  it('has nothing that nobody says any more', () => {
    const texts = new Set(code.flatMap(([, { texts: all }]) => [...all]));
    const known = new Set([
      ...said.flatMap(({ words, context }) => [words, `${context}|${words}`]),
      ...shown.flatMap(({ words, context }) => [words, `${context}|${words}`]),
    ]);
    const stale = [...english.keys()].filter((key) => !known.has(key) && !texts.has(key));
    expect(stale).toEqual([]);
  });

  it('has the same values in each sentence as the Swedish', () => {
    const valuesOf = (words: string) => [...words.matchAll(/\{\{[^}]*\}\}|\{\d+\}/g)].flat().sort();
    const wrong = [...english].filter(
      ([swedish, words]) => String(valuesOf(swedish)) !== String(valuesOf(words)),
    );
    expect(wrong).toEqual([]);
  });

  it('is in English', () => {
    const swedish = /[åäöÅÄÖ]|\b(och|är|inte|eller|som|från|med)\b/;
    const wrong = [...english.values()].filter((words) =>
      swedish.test(words.replaceAll(/\{[^}]*\}/g, '').replaceAll('öre', '')),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the code of those pages', () => {
  const bareIn = (paths: readonly string[]) =>
    code.flatMap(([path, { bare }]) => (paths.includes(path) ? bare : []));

  it('says everything by say`…`, so that nothing is in Swedish only', () => {
    const bare = bareIn(spoken).filter(({ words }) => !namesOnly.test(words));
    const wrong = bare.map(({ where, words }) => `${where}: write say\`${words}\`, and ${recipe}`);
    expect(wrong).toEqual([]);
  });

  it('has no sentence of a refusal or of the audit trail in Swedish only', () => {
    expect(missingOf(bareIn(tables).filter(({ words }) => words !== '; '))).toEqual([]);
  });

  it('says nothing before it is asked, when nobody has a language', () => {
    const early = said.filter(({ isTooEarly }) => isTooEarly).map(({ where }) => where);
    expect(early).toEqual([]);
  });
});

describe('what is said', () => {
  const inEnglish = <T>(work: () => T): T => speaking('en', work);

  it('is Swedish unless somebody has chosen English', () => {
    expect(say`Kvoten är ${'600'} anrop i timmen.`).toBe('Kvoten är 600 anrop i timmen.');
    expect(inEnglish(() => say`Kvoten är ${'600'} anrop i timmen.`)).toBe(
      'The quota is 600 calls an hour.',
    );
    expect(inEnglish(() => translated('Något som ingen har översatt'))).toBe(
      'Något som ingen har översatt',
    );
  });

  it('is by its place where one word is two', () => {
    expect(inEnglish(() => [say`Avvisad`, sayOf('order')`Avvisad`])).toEqual([
      'Rejected',
      'Dismissed',
    ]);
  });

  it('stays in the language it began in, whatever is waited for beside it', async () => {
    const words = worded(() => ({ quota: say`Kvot` }));
    const slowly = async () => {
      await Promise.resolve();
      return words().quota;
    };
    expect(await Promise.all([inEnglish(slowly), slowly(), inEnglish(slowly)])).toEqual([
      'Quota',
      'Kvot',
      'Quota',
    ]);
  });

  it('is Swedish to programs and at the command line, whoever sits at the page', () => {
    const fault = { path: 'total', reason: 'zero' } as const;
    expect(inEnglish(() => sentenceFor('page', fault))).toBe(
      'The amount that the customer paid is zero. Remove the row or give a quantity.',
    );
    expect(inEnglish(() => sentenceFor('api', fault))).toBe(sentenceFor('api', fault));
  });

  it('has what a shop sent, and which rates there are, as its language writes them', () => {
    const row = { description: 'Kaffe, malet', quantity: 1.5, unitPrice: -62.5 };
    const order = { rows: [row], payments: [{ method: 'card', amount: 1_234.5 }] };
    const read = () => {
      const { rows, paid } = readableOrder(order);
      return [
        rows[0]?.description,
        rows[0]?.quantity,
        rows[0]?.unitPrice,
        paid.payments[0]?.amount,
      ];
    };
    expect(inEnglish(read)).toEqual(['Kaffe, malet', '1.5', '−62.5', '1,234.50']);
    expect(read()).toEqual(['Kaffe, malet', '1,5', '−62,5', '1\u00a0234,50']);
    const params = { rate: 25.5, meant: null };
    const fault = { path: 'rows[0].vatRate', reason: 'vat_rate_not_supported', params } as const;
    expect(inEnglish(() => sentenceFor('page', fault))).toBe(
      'The VAT rate of row 1 is 25.5 %, which is no Swedish VAT rate. Write 25, 12, 6 or 0; foreign VAT (OSS) is booked by hand.',
    );
    // Both sentences have the rates written out: they are those there are.
    expect(sentenceFor('page', fault)).toContain(`Skriv ${vatRateWords};`);
    expect(inEnglish(() => sentenceFor('page', fault))).toContain(
      `Write ${vatRateWords.replace('eller', 'or')};`,
    );
  });

  it('has amounts, numbers and days as its language writes them, and reads both', () => {
    expect(kronorText(-123_450n)).toBe('−1\u00a0234,50\u00a0kr');
    expect(inEnglish(() => [kronorText(-123_450n), amountText(123_450n), count(12_345)])).toEqual([
      '−SEK\u00a01,234.50',
      '1,234.50',
      '12,345',
    ]);
    expect(inEnglish(() => dayInWords('2026-03-03'))).toBe('3 March 2026');
    for (const typed of ['1 234,50', '1234.5', '1,234.50', 'SEK 1,234.50', '1\u00a0234,50 kr']) {
      expect([typed, parseTyped(typed, 2)]).toEqual([typed, 123_450n]);
    }
    // Never one thing to one reader and a thousand times that to another.
    expect([parseTyped('1,234', 2), parseTyped('1.234', 2), parseTyped('1.234,50', 2)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has amounts read alike by the page, which counts while one types, and by the server, which books', async () => {
    const address = new URL('../../public/amounts.js', import.meta.url).href;
    const inPage: { parseTyped: typeof parseTyped } = await import(address);
    const typed =
      '1 234,50|1234.5|1,234.50|SEK 1,234.50|1\u00a0234,50 kr|-100|−62,5|1,234|1.234|1.234,50|12,3456|1e3|kr|';
    for (const text of typed.split('|')) {
      for (const scale of [2, 4]) {
        const read = inPage.parseTyped(text, scale) ?? undefined;
        expect([text, scale, read]).toEqual([text, scale, parseTyped(text, scale)]);
      }
    }
  });
});

describe('a template', () => {
  const source =
    '<p title="Senast {{at}}">Två {{#if a}}till{{/if}} <code>huvudbok key</code> &amp; {{../b}} c\n  d</p>{{! nej }}{{> part}}';

  it('has its words between tags and blocks, with the values within them', () => {
    expect(wordsIn(source)).toEqual(['Senast {{at}}', 'Två', 'till', '&amp; {{../b}} c d']);
  });

  it('keeps everything else as it stands', () => {
    expect(mapWords(source, (words) => words.toUpperCase().replace('{{AT}}', '{{at}}'))).toBe(
      '<p title="SENAST {{at}}">TVÅ {{#if a}}TILL{{/if}} <code>huvudbok key</code> &AMP; {{../B}} C D</p>{{! nej }}{{> part}}',
    );
  });

  it.each(templates)('%s can be made in English', (name) => {
    loadTemplate(`pages/${name}`, { page: 'en', frame: 'en' });
  });
});

describe('the scripts of those pages', () => {
  it('say both where they say anything', () => {
    const scripts = ['app', 'api-key', 'inbox', 'purchase', 'begun-form'];
    const swedish = /^(?!\s*(?:\*|\/\*)).*['`][^'`]*[åäöÅÄÖ][^'`]*['`]/gm;
    const wrong = scripts.flatMap((name) => {
      const text = readFileSync(join(root, `public/${name}.js`), 'utf8');
      const without = text.replaceAll(/say\([^;]*?\)[;,)]/gs, '');
      return [...without.matchAll(swedish)].map(([line]) => `${name}.js: ${line.trim()}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the pages', () => {
  it('are those by which other programs are connected, and no forms of others below them', () => {
    const routes = [
      '/installningar/api-nycklar/:id/prov',
      '/order/:id',
      '/leverantorsinkorg/dokument/:id',
      '/drift',
      '/handelser.csv',
      '/order/:id/faktura',
      '/leverantorsinkorg/ny',
      '/orderx',
      '/oversikt',
      '',
    ];
    expect(routes.filter(isInEnglish)).toEqual(routes.slice(0, 4));
  });
});
