import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sentenceOf } from '#src/audit/wording.ts';

/** Actions written out where events are recorded: by the program, and by functions of the database. */
function recordedActions(): string[] {
  const actions = new Set<string>();
  const collect = (text: string, pattern: RegExp) => {
    for (const [, action = ''] of text.matchAll(pattern)) actions.add(action);
  };
  for (const file of globSync('{src,workers}/**/*.ts')) {
    collect(readFileSync(file, 'utf8'), /\baction: '([a-z_]+\.[a-z_]+)'/g);
  }
  for (const file of globSync('migrations/**/*.sql')) {
    const recording = /(?:insert into audit\.events\b|audit\.record\()[^;]*/g;
    for (const [statement] of readFileSync(file, 'utf8').matchAll(recording)) {
      collect(statement, /'([a-z_]+\.[a-z_]+)'/g);
    }
  }
  return [...actions].sort();
}

test('everything that is recorded is told in words, and not by its name in code', () => {
  const actions = recordedActions();
  expect(actions).toContain('user.recovery_code_used');
  expect(actions).toContain('dimension.removed');
  expect(actions.filter((action) => sentenceOf(action, '1', {}) === null)).toEqual([]);
});

test('one is told as one', () => {
  expect(sentenceOf('opening_items.customers_taken_over', '2026', { count: 1 })).toContain(
    'tog över 1 kundfaktura med',
  );
  expect(sentenceOf('jobs.retried', 'mail', { jobs: 2 })).toBe(
    'lät 2 misslyckade jobb i mail göras om',
  );
});

test('settings are called what the form calls them', () => {
  const told = (name: string, value: string) => sentenceOf('setting.changed', name, { value });
  expect(told('vat-period', 'month')).toBe('ändrade ”Moms redovisas” till Varje månad');
  expect(told('reminder-fees', 'on')).toBe('ändrade ”Påminnelseavgift är avtalad” till ja');
  expect(told('company-city', '')).toBe('ändrade ”Ort” till tomt');
  expect(told('of-tomorrow', 'x')).toBe('ändrade of-tomorrow till x');
});
