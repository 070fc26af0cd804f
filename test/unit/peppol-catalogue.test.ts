import { describe, expect, it } from 'vitest';
import { codeLists } from '#src/peppol/data/code-lists.ts';
import { releases } from '#src/peppol/data/releases.ts';
import { fatalRules, inertRules, warningRules } from '#src/peppol/data/rule-ids.ts';
import { allRules } from '#src/peppol/rules/catalogue.ts';

describe('the catalogue of rules', () => {
  const ids = (severity: string): string[] =>
    allRules.filter((rule) => rule.severity === severity).map(({ id }) => id);

  it('has every rule of the releases, each once, with its severity', () => {
    expect(ids('fatal').sort()).toEqual([...fatalRules].sort());
    expect(ids('warning').sort()).toEqual([...warningRules].sort());
    expect(allRules).toHaveLength(1144);
  });

  it('says in a whole sentence what each rule expects', () => {
    for (const { expected } of allRules) expect(expected).toMatch(/^[A-ZÅÄÖ].*\.$/);
  });

  it('knows which rules can never be broken as they are written', () => {
    expect([...inertRules].sort()).toEqual([
      'BR-CO-05',
      'BR-CO-06',
      'BR-CO-07',
      'BR-CO-08',
      'BR-DEC-13',
      'BR-DEC-15',
    ]);
  });

  it('says which releases it follows, and since when they count', () => {
    expect(releases.map(({ version }) => version)).toEqual(['1.3.16', '3.0.21', '3.0.2']);
    for (const { mandatory_from } of releases) expect(mandatory_from).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('has code lists of the right kind', () => {
    expect(codeLists.ISO4217.has('SEK')).toBe(true);
    expect(codeLists.EAS.has('9955')).toBe(false);
    expect(codeLists['REC20-21'].has('H87')).toBe(true);
    for (const codes of Object.values(codeLists)) expect(codes.size).toBeGreaterThan(0);
  });
});
