/**
 * Patterns made ready to run. One walk over the tree: an element's name and its parent's tell at once
 * which places of which patterns it may be judged at, so most elements are compared with few or none.
 */
import type { Facts } from '../facts.ts';
import type { XmlDocument, XmlElement } from '../xml/tree.ts';
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

/** For one element name and one pattern: where it may be judged, in order. */
type Line = readonly { readonly station: Station; readonly routes: readonly Route[] }[];

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

function routeOf(path: string): Route {
  if (path === '/*') return { name: path, ancestors: [], is_from_root: true };
  const is_from_root = path.startsWith('/');
  const [name = '', ...ancestors] = (is_from_root ? path.slice(1) : path).split('/').reverse();
  return { name, ancestors, is_from_root };
}

/** UBL has some 600 names in invoices; names beyond these are looked up anew each time. */
const unmentionedMax = 1000;

/** For one element name: the lines for each parent that some route names, and for any other. */
interface Lines {
  readonly below: ReadonlyMap<string, readonly Line[]>;
  readonly other: readonly Line[];
}

export class RuleBook {
  readonly #patterns: readonly Pattern[];
  readonly #lines = new Map<string, Lines>();
  readonly #root_lines: readonly Line[];
  /** What is left of the patterns for a name that no rule mentions: places with `*`. */
  readonly #wild: readonly Pattern[];
  /** Lines of names that no rule mentions, as they are met. Senders choose these: so many, no more. */
  readonly #unmentioned = new Map<string, Lines>();

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
    this.#wild = patterns.map((stations) =>
      stations.filter((station) => station.routes.some(({ name }) => name.startsWith('*'))),
    );
    const routes = patterns.flat().flatMap((station) => station.routes);
    for (const name of new Set(routes.map((route) => route.name))) {
      if (!name.startsWith('*')) this.#lines.set(name, this.#linesFor(name));
    }
    this.#root_lines = this.#linesFor('/*').other;
  }

  /** Every rule, in the order of the patterns. */
  get rules(): readonly Rule[] {
    return this.#patterns.flat().flatMap(({ rules }) => rules);
  }

  /** Judges every element and reports each rule that does not hold. */
  judge({ root }: XmlDocument, facts: Facts, report: Report): void {
    judgeElement(root, this.#root_lines, facts, report);
    this.#judgeBelow(root, '', facts, report);
  }

  /** In document order, which is also the order in memory. Nesting is limited by the reader. */
  #judgeBelow(element: XmlElement, parent: string, facts: Facts, report: Report): void {
    const { name, children } = element;
    const lines = this.#lines.get(name) ?? this.#linesOfUnmentioned(name);
    judgeElement(element, lines.below.get(parent) ?? lines.other, facts, report);
    for (const child of children) this.#judgeBelow(child, name, facts, report);
  }

  #linesOfUnmentioned(name: string): Lines {
    let lines = this.#unmentioned.get(name);
    if (!lines) {
      lines = { below: new Map(), other: linesBelow(this.#wild, name, null) };
      if (this.#unmentioned.size < unmentionedMax) this.#unmentioned.set(name, lines);
    }
    return lines;
  }

  #linesFor(name: string): Lines {
    const routes = this.#patterns.flat().flatMap((station) => station.routes);
    const parents = new Set(
      routes.filter((route) => fits(route.name, name)).map(({ ancestors }) => ancestors[0] ?? '*'),
    );
    parents.delete('*');
    const linesUnder = (parent: string | null): readonly Line[] =>
      linesBelow(this.#patterns, name, parent);
    const below = [...parents].map((parent) => [parent, linesUnder(parent)] as const);
    return { below: new Map(below), other: linesUnder(null) };
  }
}

/** Where an element may be judged; a parent of null is one that no route of the name begins with. */
function linesBelow(
  patterns: readonly Pattern[],
  name: string,
  parent: string | null,
): readonly Line[] {
  const isPossible = (route: Route): boolean => {
    const [above = '*'] = route.ancestors;
    return fits(route.name, name) && (above === '*' || above === parent);
  };
  const lines = patterns.map((stations) =>
    stations.flatMap((station) => {
      const routes = station.routes.filter(isPossible);
      return routes.length > 0 ? [{ station, routes }] : [];
    }),
  );
  return lines.filter((line) => line.length > 0);
}

function fits(wanted: string, name: string): boolean {
  if (wanted === name) return true;
  return wanted.startsWith('*') && name !== '/*' && name.endsWith(wanted.slice(1));
}

function judgeElement(
  element: XmlElement,
  lines: readonly Line[],
  facts: Facts,
  report: Report,
): void {
  for (const line of lines) {
    for (const { station, routes } of line) {
      if (!isAt(element, routes) || station.place.when?.(element, facts) === false) continue;
      for (const rule of station.rules) judgeOne(rule, element, facts, report);
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

function isAt(element: XmlElement, routes: readonly Route[]): boolean {
  for (const route of routes) if (isOnRoute(element, route)) return true;
  return false;
}

function isOnRoute(element: XmlElement, { ancestors, is_from_root }: Route): boolean {
  let at: XmlElement | null = element;
  for (const ancestor of ancestors) {
    at = at.parent;
    if (!at || (ancestor !== '*' && at.name !== ancestor)) return false;
  }
  return !is_from_root || at.parent === null;
}
