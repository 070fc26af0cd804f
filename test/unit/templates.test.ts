import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { expect, it } from 'vitest';
import { field } from '#src/pages/fields.ts';
import { loadTemplate } from '#src/render/templates.ts';

const { parse } = Handlebars;

/** Of a template as it is parsed, what is looked at here. */
interface Program {
  readonly body: readonly {
    readonly type: string;
    readonly value?: string;
    readonly params?: readonly { readonly original?: string }[];
    readonly program?: Program;
    readonly inverse?: Program;
  }[];
}

it('keeps the lines of a text as they were typed, however deep its field stands', () => {
  const typed = 'Första raden\nandra raden\n  indragen <rad>';
  const input = { fields: { note: typed }, problems: [], isSent: true };
  const html = loadTemplate('pages/dimension')({
    form: {
      fields: {
        kind: field(input, 'kind', 'Slag', { type: 'hidden' }),
        code: field(input, 'note', 'Anteckning', { type: 'textarea' }),
        name: field(input, 'name', 'Namn'),
        externalId: field(input, 'externalId', 'Namn i det andra systemet'),
        isActive: field(input, 'isActive', 'Används', { type: 'checkbox' }),
      },
      above: [],
      faults: 0,
    },
    frame: {
      title: 'Prov',
      language: 'sv',
      ownLanguage: null,
      otherLanguage: { code: 'en', name: 'English' },
      noticeLanguage: null,
      company: 'Prov',
      person: { name: '', email: '', roleName: '' },
      navigation: [],
      notice: null,
      unsaid: [],
      scripts: [],
      csrf: '',
      once: '',
      may: { keepBooks: true, administer: true, own: true },
    },
  });
  expect(html).toContain('>Första raden\nandra raden\n  indragen &lt;rad&gt;</textarea>');
});

it('leads nobody to a page that only administrators are let in to, where others read it too', () => {
  const folder = new URL('../../templates/', import.meta.url);
  const sections = new URL('../../src/pages/', import.meta.url);
  const rooms = [...readdirSync(new URL('settings/', sections)).map((name) => `settings/${name}`)];
  rooms.push('operations/operations.ts', 'ledger/archive/section.ts', 'account/first-visit.ts');
  const own = new Set(
    rooms.flatMap((name) => {
      const code = readFileSync(new URL(name, sections), 'utf8');
      return [...code.matchAll(/'([a-z-]+)'/g)].map(([, one]) => one);
    }),
  );
  const guard = /may\.(administer|own)|mayAdminister|maySet/;
  const leads = /href="(\/(?:drift|installningar|arkiv|sie\/import\/|rakenskapsar\/nytt)[^"]*)/g;
  const found: string[] = [];
  const look = (name: string, program: Program | undefined): void => {
    for (const one of program?.body ?? []) {
      if (one.type === 'ContentStatement') {
        for (const [, href] of one.value?.matchAll(leads) ?? []) found.push(`${name}: ${href}`);
      }
      const isGuard = guard.test(one.params?.[0]?.original ?? '');
      const [inside, otherwise] = [one.program, one.inverse];
      if (!isGuard) look(name, inside);
      look(name, otherwise);
    }
  };
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const [, template = ''] = /([a-z-]+)\.hbs$/.exec(name) ?? [];
    if (template === '' || own.has(template)) continue;
    look(name, parse(readFileSync(new URL(name, folder), 'utf8')) as unknown as Program);
  }
  expect(found).toEqual([]);
});

it('says why where a file cannot be had: a link told to download saves the refusal, or the log-in, as the file', () => {
  const folder = new URL('../../templates/', import.meta.url);
  const told = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.hbs'))
    .filter((name) => / download[ >=]/.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(told).toEqual([]);
});
