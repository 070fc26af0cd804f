/**
 * Patterns made ready to run. One walk over the tree: an element's place tells at once which rules of
 * which patterns are for it, so most elements are judged by few or none.
 */
import type { Facts } from '../facts.ts';
import { type ElementPlace, PlaceFact, type XmlDocument, type XmlElement } from '../xml/tree.ts';
import { Uncomputable } from '../xpath.ts';
import type { Family, Rule, RuleScope } from './rule.ts';

interface Station {
  readonly place: RuleScope;
  readonly rules: Rule[];
  readonly routes: readonly Route[];
}

/** A path read backwards: the element's own name, then its ancestors'. */
interface Route {
  readonly name: string;
  readonly ancestors: readonly string[];
  readonly is_from_root: boolean;
}

export type Report = (rule: Rule, element: XmlElement, found: boolean | string) => void;

export type Pattern = readonly Station[];

/** Families in the pattern's order; rules for the same place are judged together. */
export function pattern(...families: readonly Family[]): Pattern {
  const stations = new Map<RuleScope, Station>();
  for (const [place, ...rules] of families.flat()) {
    const station = stations.get(place);
    if (station) station.rules.push(...rules);
    else stations.set(place, { place, rules: [...rules], routes: place.paths.map(routeOf) });
  }
  refuseHidden([...stations.keys()]);
  return [...stations.values()];
}

/** A place that repeats another would never be reached: rules for one place must share the object. */
function refuseHidden(places: readonly RuleScope[]): void {
  const seen = new Set<string>();
  for (const { paths, when } of places) {
    if (when) continue;
    for (const path of paths) {
      if (seen.has(path)) throw new Error(`Rules at ${path} are hidden by others in the pattern.`);
      seen.add(path);
    }
  }
}

/** Where the rules for the document as a whole look; they come before those for the root by its name. */
const wholeDocument = '/*';

function routeOf(path: string): Route {
  if (path === wholeDocument) return { name: path, ancestors: [], is_from_root: true };
  const is_from_root = path.startsWith('/');
  const [name = '', ...ancestors] = (is_from_root ? path.slice(1) : path).split('/').reverse();
  return { name, ancestors, is_from_root };
}

/** For one place and one pattern: the stations on whose routes it lies, in order. */
type Line = readonly Station[];

export class RuleBook {
  readonly #patterns: readonly Pattern[];
  readonly #lines = new PlaceFact((place) => this.#linesAt(place));

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
  }

  /** Every rule, in the order of the patterns. */
  get rules(): readonly Rule[] {
    return this.#patterns.flat().flatMap(({ rules }) => rules);
  }

  /** Judges every element and reports each rule that does not hold. */
  judge({ root }: XmlDocument, facts: Facts, report: Report): void {
    this.#judgeFrom(root, facts, report);
  }

  /** In document order, which is also the order in memory. Nesting is limited by the reader. */
  #judgeFrom(element: XmlElement, facts: Facts, report: Report): void {
    judgeElement(element, this.#lines.of(element.place), facts, report);
    for (const child of element.children) this.#judgeFrom(child, facts, report);
  }

  #linesAt(place: ElementPlace): readonly Line[] {
    const lines = this.#linesWhere(({ routes }) => routes.some((route) => isOnRoute(place, route)));
    if (place.parent !== null) return lines;
    const ofDocument = ({ routes }: Station): boolean =>
      routes.some(({ name }) => name === wholeDocument);
    return [...this.#linesWhere(ofDocument), ...lines];
  }

  #linesWhere(isThere: (station: Station) => boolean): readonly Line[] {
    return this.#patterns
      .map((stations) => stations.filter(isThere))
      .filter((line) => line.length > 0);
  }
}

function judgeElement(
  element: XmlElement,
  lines: readonly Line[],
  facts: Facts,
  report: Report,
): void {
  for (const line of lines) {
    for (const { place, rules } of line) {
      if (place.when?.(element, facts) === false) continue;
      for (const rule of rules) judgeOne(rule, element, facts, report);
      break;
    }
  }
}

function judgeOne(rule: Rule, element: XmlElement, facts: Facts, report: Report): void {
  let verdict: boolean | string;
  try {
    verdict = rule.check(element, facts);
  } catch (error) {
    if (!(error instanceof Uncomputable)) throw error;
    verdict = `${error.message}, som inte går att räkna med`;
  }
  if (verdict !== true) report(rule, element, verdict);
}

function isOnRoute(place: ElementPlace, { name, ancestors, is_from_root }: Route): boolean {
  if (!fits(name, place.name)) return false;
  let at: ElementPlace = place;
  for (const ancestor of ancestors) {
    if (!at.parent) return false;
    at = at.parent;
    if (ancestor !== '*' && at.name !== ancestor) return false;
  }
  return !is_from_root || at.parent === null;
}

function fits(wanted: string, name: string): boolean {
  if (wanted === name) return true;
  return wanted.startsWith('*') && name.endsWith(wanted.slice(1));
}
