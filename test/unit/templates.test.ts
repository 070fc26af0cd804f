import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { field } from '#src/pages/fields.ts';
import { loadTemplate } from '#src/render/templates.ts';

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
      scripts: [],
      csrf: '',
      once: '',
      may: { keepBooks: true, administer: true, own: true },
    },
  });
  expect(html).toContain('>Första raden\nandra raden\n  indragen &lt;rad&gt;</textarea>');
});

it('says why where a file cannot be had: a link told to download saves the refusal, or the log-in, as the file', () => {
  const folder = new URL('../../templates/', import.meta.url);
  const told = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.hbs'))
    .filter((name) => / download[ >=]/.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(told).toEqual([]);
});
