/**
 * What a rule is, and where it looks. The official rules are written as patterns; within a pattern an
 * element is judged only at the first place that fits it (ISO Schematron, 5.4.12), so places are
 * objects that several files of rules share, and their order within a pattern means something.
 */
import type { Facts } from '../facts.ts';
import type { Severity } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';

/**
 * Judges one element: true when the rule holds, otherwise what stood there instead (in Swedish, to
 * follow "Här står"), or false when the element's own text says that.
 */
export type Check = (element: XmlElement, facts: Facts) => boolean | string;

export interface Rule {
  /** The official id. */
  readonly id: string;
  readonly severity: Severity;
  /** What is expected: a whole Swedish sentence. */
  readonly expected: string;
  readonly check: Check;
}

export function fatal(id: string, expected: string, check: Check): Rule {
  return { id, severity: 'fatal', expected, check };
}

export function warning(id: string, expected: string, check: Check): Rule {
  return { id, severity: 'warning', expected, check };
}

/** Where rules look: elements at one of the paths that also fulfil the condition. */
export interface RuleScope {
  /**
   * Steps from an ancestor to the element, `cac:Party/cbc:EndpointID`; one that begins with `/` is
   * counted from the root, and `/*` is the root. The last step may be `*`, or `*Amount` for names
   * that end so.
   */
  readonly paths: readonly string[];
  readonly when?: (element: XmlElement, facts: Facts) => boolean;
}

export function at(paths: string | readonly string[], when?: RuleScope['when']): RuleScope {
  const list = typeof paths === 'string' ? [paths] : paths;
  return when ? { paths: list, when } : { paths: list };
}

/** Rules and the place they are for. */
export type Placed = readonly [RuleScope, ...Rule[]];

/** The rules of one file. */
export type Family = readonly Placed[];
