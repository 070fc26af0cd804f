/**
 * `npm run peppol:corpus -- <folder> [--show <id>]`: judges every document of a corpus and compares
 * with what its authors expect and with the official rules' complete verdict. The folder holds
 * manifest.json: cases with `file`, `expect` and `oracle` (rule ids), and `xsdValid`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { validateEInvoice } from '#src/peppol/validate.ts';

interface Verdict {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

interface Case {
  readonly id: string;
  readonly file: string;
  readonly xsdValid: boolean;
  readonly expect: Verdict & { readonly success: readonly string[] };
  readonly oracle: Verdict;
}

type Level = 'errors' | 'warnings';

/** How well our verdicts agree with the official ones, at one level. */
class Agreement {
  exact = 0;
  total = 0;
  readonly missed = new Map<string, string[]>();
  readonly extra = new Map<string, string[]>();

  count(id: string, ours: ReadonlySet<string>, official: ReadonlySet<string>): void {
    const missed = [...official.difference(ours)];
    const extra = [...ours.difference(official)];
    this.total += 1;
    if (missed.length + extra.length === 0) this.exact += 1;
    for (const rule of missed) push(this.missed, rule, id);
    for (const rule of extra) push(this.extra, rule, id);
  }

  get percent(): string {
    return `${((100 * this.exact) / this.total).toFixed(2)} %`;
  }
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const isOfficial = (rule: string): boolean => !/^(?:XML|UBL21|UBL-ROOT)/.test(rule);

async function run(folder: string, shown: string | undefined): Promise<void> {
  const manifest: { readonly cases: readonly Case[] } = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8'),
  );
  const levels: Record<Level, Agreement> = { errors: new Agreement(), warnings: new Agreement() };
  const unexpected: string[] = [];
  const structure: string[] = [];
  for (const one of manifest.cases) {
    if (shown !== undefined && one.id !== shown) continue;
    const { findings } = validateEInvoice(await readFile(join(folder, one.file)));
    const ours = (severity: 'fatal' | 'warning'): ReadonlySet<string> =>
      new Set(
        findings
          .filter((finding) => finding.severity === severity && isOfficial(finding.rule))
          .map(({ rule }) => rule),
      );
    const [errors, warnings] = [ours('fatal'), ours('warning')];
    levels.errors.count(one.id, errors, new Set(one.oracle.errors));
    levels.warnings.count(one.id, warnings, new Set(one.oracle.warnings));
    const all = new Set([...errors, ...warnings]);
    for (const rule of [...one.expect.errors, ...one.expect.warnings]) {
      if (!all.has(rule)) unexpected.push(`${one.id}: ${rule} did not fire`);
    }
    for (const rule of one.expect.success) {
      if (all.has(rule)) unexpected.push(`${one.id}: ${rule} fired`);
    }
    const is_valid = !findings.some(({ rule }) => !isOfficial(rule));
    if (is_valid !== one.xsdValid)
      structure.push(`${one.id}: ${is_valid ? 'accepted' : 'refused'}`);
    if (shown !== undefined) console.log(findings);
  }
  report(levels, unexpected, structure, manifest.cases.length);
}

function report(
  levels: Record<Level, Agreement>,
  unexpected: readonly string[],
  structure: readonly string[],
  cases: number,
): void {
  for (const [level, agreement] of Object.entries(levels)) {
    console.log(`${level}: ${agreement.exact} of ${agreement.total} exact (${agreement.percent})`);
    for (const [what, rules] of [
      ['missed', agreement.missed],
      ['extra', agreement.extra],
    ] as const) {
      for (const [rule, ids] of [...rules].sort()) {
        console.log(`  ${what} ${rule}: ${ids.length} (${ids.slice(0, 4).join(', ')})`);
      }
    }
  }
  console.log(`expectations not met: ${unexpected.length}`);
  for (const line of unexpected) console.log(`  ${line}`);
  console.log(`structure judged otherwise than the schema: ${structure.length} of ${cases}`);
  for (const line of structure) console.log(`  ${line}`);
}

const [folder, flag, shown] = process.argv.slice(2);
if (!folder || (flag !== undefined && flag !== '--show')) {
  console.error('npm run peppol:corpus -- <folder> [--show <id>]');
  process.exit(2);
}
await run(folder, shown);
