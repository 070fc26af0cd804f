/** Checks that many rules share. Each says what stood there when it does not hold. */
import { nothing, quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { lengthAfterPoint, normalizeSpace, textAt } from '../xpath.ts';
import type { Check } from './rule.ts';

export { nothing };

/** exists(path). */
export const present =
  (...paths: readonly string[]): Check =>
  (element) =>
    paths.some((path) => element.has(path)) || nothing;

/** not(path), for one or more paths. */
export const absent =
  (...paths: readonly string[]): Check =>
  (element) => {
    const found = paths.map((path) => element.first(path)).find((one) => one !== undefined);
    return found ? quoteElement(found) : true;
  };

/** normalize-space(path) != ''. */
export const filled =
  (path: string): Check =>
  (element) =>
    textAt(element, path) !== '' || nothing;

/** path[boolean(normalize-space(.))]: at least one of the elements has text. */
export const someFilled =
  (path: string): Check =>
  (element) =>
    element.all(path).some(({ value }) => normalizeSpace(value) !== '') || nothing;

/** string-length(substring-after(path, '.')) <= 2. */
export const twoDecimals =
  (path: string): Check =>
  (element) => {
    const value = element.valueOf(path);
    return lengthAfterPoint(value) <= 2 || quote(value ?? '');
  };

/** count(path) <= max. */
export const atMost =
  (max: number, path: string): Check =>
  (element) => {
    const { length } = element.all(path);
    return length <= max || `${length} stycken`;
  };

/** exists(@name). */
export const withAttribute =
  (name: string): Check =>
  (element) =>
    element.hasAttribute(name) || nothing;

/** The element's text, without blanks at its ends, is one of the codes. */
export const codeIn =
  (codes: ReadonlySet<string>): Check =>
  (element) =>
    codes.has(normalizeSpace(element.value));

/** An attribute's value, without blanks at its ends, is one of the codes. */
export const attributeIn =
  (name: string, codes: ReadonlySet<string>): Check =>
  (element) => {
    const value = element.attribute(name) ?? '';
    return codes.has(normalizeSpace(value)) || quote(value);
  };

/** An element in a sentence: its text, or its name when it holds other elements. */
export function quoteElement(element: XmlElement | undefined): string {
  if (!element) return nothing;
  return element.children.length > 0 ? element.name : quote(element.value);
}
