/** No rule without an example of what it stops and of what it lets through. */
import { describe, expect, test } from 'vitest';
import { fatalRules, inertRules, warningRules } from '#src/peppol/data/rule-ids.ts';
import { examples as core } from './peppol-examples/core.ts';
import { examples as peppol } from './peppol-examples/peppol.ts';
import { examples as syntax } from './peppol-examples/syntax.ts';
import { examples as vat } from './peppol-examples/vat.ts';
import { brokenRules } from './peppol-invoice.ts';

const examples = new Map(Object.entries({ ...core, ...vat, ...peppol, ...syntax }));

test('every rule that can be broken has an example', () => {
  const rules = [...fatalRules, ...warningRules].filter((rule) => !inertRules.has(rule));
  expect([...examples.keys()].sort()).toEqual([...new Set(rules)].sort());
});

describe('a sender is told', () => {
  test.each([...examples])('%s', (rule, { breaks, holds }) => {
    expect(brokenRules(breaks)).toContain(rule);
    expect(brokenRules(holds)).not.toContain(rule);
    expect(breaks).not.toBe(holds);
  });
});
