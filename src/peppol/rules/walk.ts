/**
 * Patterns made ready to run. Elements are taken name by name from the document's lists, so an element
 * that no rule mentions costs nothing and each of the others is looked at once per pattern.
 */
import type { Facts } from '../facts.ts';
import type { XmlDocument, XmlElement } from '../xml/tree.ts';
import { Uncomputable } from '../xpath.ts';
import type { Family, Place, Rule } from './rule.ts';

interface Station {
  readonly place: Place;
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
  const stations = new Map<Place, Station>();
  for (const [place, ...rules] of families.flat()) {
    const station = stations.get(place);
    if (station) station.rules.push(...rules);
    else stations.set(place, { place, rules: [...rules], routes: place.paths.map(routeOf) });
  }
  refuseHidden([...stations.keys()]);
  return [...stations.values()];
}

/** A place that repeats another would never be reached: rules for one place must share the object. */
function refuseHidden(places: readonly Place[]): void {
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

export class RuleBook {
  readonly #patterns: readonly Pattern[];
  readonly #lines = new Map<string, readonly Line[]>();
  readonly #root_lines: readonly Line[];
  readonly #wildcards: readonly string[];

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
    const names = patterns.flat().flatMap(({ routes }) => routes.map(({ name }) => name));
    this.#root_lines = this.#linesFor('/*');
    this.#wildcards = [...new Set(names.filter((name) => name.startsWith('*')))];
    for (const name of new Set(names)) {
      if (!name.startsWith('*')) this.#lines.set(name, this.#linesFor(name));
    }
  }

  /** Every rule, in the order of the patterns. */
  get rules(): readonly Rule[] {
    return this.#patterns.flat().flatMap(({ rules }) => rules);
  }

  /** Judges every element and reports each rule that does not hold. */
  judge(document: XmlDocument, facts: Facts, report: Report): void {
    judgeAll([document.root], this.#root_lines, facts, report);
    for (const name of document.names) {
      const lines = this.#lines.get(name) ?? this.#wildcardLines(name);
      if (lines.length > 0) judgeAll(document.named(name), lines, facts, report);
    }
  }

  #wildcardLines(name: string): readonly Line[] {
    const fitting = this.#wildcards.filter((wildcard) => fits(wildcard, name)).join(' ');
    let lines = this.#lines.get(fitting);
    if (!lines) {
      lines = this.#linesFor(name);
      this.#lines.set(fitting, lines);
    }
    return lines;
  }

  #linesFor(name: string): readonly Line[] {
    const lines = this.#patterns.map((stations) =>
      stations
        .map((station) => ({
          station,
          routes: station.routes.filter((route) => fits(route.name, name)),
        }))
        .filter(({ routes }) => routes.length > 0),
    );
    return lines.filter((line) => line.length > 0);
  }
}

function fits(wanted: string, name: string): boolean {
  if (wanted === name) return true;
  return wanted.startsWith('*') && name !== '/*' && name.endsWith(wanted.slice(1));
}

function judgeAll(
  elements: readonly XmlElement[],
  lines: readonly Line[],
  facts: Facts,
  report: Report,
): void {
  for (const element of elements) {
    for (const line of lines) {
      for (const { station, routes } of line) {
        if (!isAt(element, routes) || station.place.when?.(element, facts) === false) continue;
        for (const rule of station.rules) judgeOne(rule, element, facts, report);
        break;
      }
    }
  }
}

function judgeOne(rule: Rule, element: XmlElement, facts: Facts, report: Report): void {
  let verdict: boolean | string;
  try {
    verdict = rule.check(element, facts);
  } catch (error) {
    if (!(error instanceof Uncomputable)) throw error;
    verdict = error.message ? `”${error.message}”, som inte går att räkna med` : false;
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
