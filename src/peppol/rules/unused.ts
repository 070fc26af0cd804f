/**
 * UBL-CR-* and UBL-DT-08 … 28: elements and attributes of UBL that EN 16931 has no use for. The ids
 * and paths are rows in data/unused-elements.ts; the few with a condition stand at the end here. The
 * official rules report each at most once for a document, and so does this: at the first place.
 */
import { unused } from '../data/unused-elements.ts';
import type { Severity } from '../finding.ts';
import { type ElementPlace, PlaceFact, type XmlDocument, type XmlElement } from '../xml/tree.ts';
import { root } from './places.ts';
import { type Family, fatal, type Rule, warning } from './rule.ts';
import type { Report } from './walk.ts';

/** Paths read backwards: from the element's own name over its ancestors' to the root. */
interface Step {
  readonly above: Map<string, Step>;
  /** The rule when the path may begin anywhere here. */
  anywhere?: Rule;
  /** The rule when the next ancestor must be the root. */
  below_root?: Rule;
}

const elements: Step = { above: new Map() };
const attributes: Step = { above: new Map() };

for (const row of unused) {
  const [id = '', severity, path = ''] = row.split(' ');
  addPath(id, severity === 'fatal' ? 'fatal' : 'warning', path);
}

function addPath(id: string, severity: Severity, path: string): void {
  const is_anywhere = path.startsWith('//');
  const steps = path
    .replace(/^\/\/|^\/Invoice\//, '')
    .split('/')
    .reverse();
  const [last = ''] = steps;
  const is_attribute = last.startsWith('@');
  const what = is_attribute ? 'Attributet' : 'Elementet';
  const rule: Rule = {
    id,
    severity,
    expected: `${what} ${path.replace(/^\/+(Invoice\/)?/, '')} används inte i EN 16931.`,
    check: () => false,
  };
  for (const variant of eitherLine(is_attribute ? [last.slice(1), ...steps.slice(1)] : steps)) {
    let step = is_attribute ? attributes : elements;
    for (const name of variant) {
      let next = step.above.get(name);
      if (!next) {
        next = { above: new Map() };
        step.above.set(name, next);
      }
      step = next;
    }
    if (is_anywhere) step.anywhere = rule;
    else step.below_root = rule;
  }
}

function eitherLine(steps: readonly string[]): readonly (readonly string[])[] {
  if (!steps.includes('cac:InvoiceLine')) return [steps];
  return [steps, steps.map((name) => (name === 'cac:InvoiceLine' ? 'cac:CreditNoteLine' : name))];
}

/** Every rule of the table. */
export const unusedRules: readonly Rule[] = (() => {
  const rules = new Map<string, Rule>();
  const visit = (step: Step): void => {
    for (const rule of [step.anywhere, step.below_root]) if (rule) rules.set(rule.id, rule);
    for (const next of step.above.values()) visit(next);
  };
  visit(elements);
  visit(attributes);
  return [...rules.values()];
})();

/** Reports each element or attribute that is not used, once per rule. */
export function judgeUnused(document: XmlDocument, report: Report): void {
  const reported = new Set<Rule>();
  const once = (rules: readonly Rule[], element: XmlElement): void => {
    for (const rule of rules) {
      if (reported.has(rule)) continue;
      reported.add(rule);
      report(rule, element, true);
    }
  };
  for (const name of document.names) {
    for (const element of document.named(name)) {
      const { place } = element;
      once(unusedThere.of(place), element);
      for (const attribute of element.attributes) {
        const first = attributes.above.get(attribute.name);
        if (first) once(rulesAlong(first, place), element);
      }
    }
  }
}

/** The rules that say an element at a place is not used. */
const unusedThere = new PlaceFact(({ name, parent }): readonly Rule[] => {
  const step = elements.above.get(name);
  return step ? rulesAlong(step, parent) : [];
});

/** The rules met on a path upwards from `above`, the next place it may go through. */
function rulesAlong(step: Step, above: ElementPlace | null): readonly Rule[] {
  const rules: Rule[] = [];
  let at = above;
  let here: Step | undefined = step;
  while (here) {
    if (here.anywhere) rules.push(here.anywhere);
    if (here.below_root && at && at.parent === null) rules.push(here.below_root);
    if (!at) break;
    here = here.above.get(at.name);
    at = at.parent;
  }
  return rules;
}

const hasTypeCode130 = (element: XmlElement): boolean =>
  element.all('cbc:DocumentTypeCode').some(({ value }) => value === '130');

/** The rules of these families that ask for more than a path. */
export const unusedWithCondition: Family = [
  [
    root,
    warning('UBL-CR-002', 'UBLVersionID ska utelämnas eller vara 2.1.', (root) => {
      const version = root.first('cbc:UBLVersionID');
      return !version || version.value === '2.1' || `”${version.value}”`;
    }),
    warning(
      'UBL-CR-412',
      'En fakturas förfallodag ska stå i DueDate, inte i PaymentMeans/PaymentDueDate.',
      (root, { is_credit_note }) =>
        is_credit_note || !root.has('cac:PaymentMeans/cbc:PaymentDueDate'),
    ),
    warning(
      'UBL-CR-665',
      'Id för en bilaga får ha schemeID bara när bilagan är ett fakturerat objekt (typ 130).',
      (_, { document }) =>
        !document
          .named('cac:AdditionalDocumentReference')
          .some(
            (reference) =>
              isOtherThan130(reference) &&
              reference.all('cbc:ID').some((id) => id.hasAttribute('schemeID')),
          ),
    ),
    fatal(
      'UBL-CR-666',
      'En hänvisning till ett fakturerat objekt (typ 130) ska inte ha någon bifogad fil.',
      (_, { document }) =>
        !document
          .named('cac:AdditionalDocumentReference')
          .some((reference) => hasTypeCode130(reference) && reference.has('cac:Attachment')),
    ),
    fatal(
      'UBL-CR-673',
      'En hänvisning till ett fakturerat objekt (typ 130) ska inte ha någon beskrivning.',
      (_, { document }) =>
        !document
          .named('cac:AdditionalDocumentReference')
          .some(
            (reference) => hasTypeCode130(reference) && reference.has('cbc:DocumentDescription'),
          ),
    ),
    warning('UBL-DT-18', 'Attributet name ska bara stå på PaymentMeansCode.', (_, { document }) => {
      for (const name of document.names) {
        if (name === 'cbc:PaymentMeansCode') continue;
        if (document.named(name).some((element) => element.hasAttribute('name')))
          return `på ${name}`;
      }
      return true;
    }),
  ],
];

function isOtherThan130(reference: XmlElement): boolean {
  const codes = reference.all('cbc:DocumentTypeCode');
  return codes.length === 0 || codes.some(({ value }) => value !== '130');
}
