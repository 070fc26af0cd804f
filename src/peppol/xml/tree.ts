/**
 * The document as a tree. Names are written with fixed prefixes whatever the sender used
 * (`cbc:ID`, `cac:Party`, `Invoice`), so that rules compare plain strings.
 */

export interface XmlAttribute {
  /** Local name; attributes of a namespace are written `{namespace}name`. */
  readonly name: string;
  readonly value: string;
}

/**
 * The names from the root down to an element: one object for all elements at the same path, in whatever
 * document. What our own tables say of a path is looked up once for the place (`PlaceFact`), not for
 * each element.
 */
export class ElementPlace {
  readonly name: string;
  /** Null for a document's root. */
  readonly parent: ElementPlace | null;
  /** Of the `PlaceFact`s, by their numbers. */
  readonly facts: unknown[] = [];
  readonly #below = new Map<string, ElementPlace>();

  constructor(name: string, parent: ElementPlace | null) {
    this.name = interned(name);
    this.parent = parent;
  }

  /** The place of elements of that name in this one. */
  below(name: string): ElementPlace {
    let place = this.#below.get(name);
    if (!place) {
      place = new ElementPlace(name, this);
      this.#below.set(name, place);
      placesKnown += 1;
    }
    return place;
  }
}

/** UBL's invoices use some hundreds; senders choose what else there is, so that all are forgotten at times. */
const placesMax = 5000;
let placesKnown = 0;
let roots = new Map<string, ElementPlace>();

/** The places of documents by the root's name, to begin a document with. */
export function placesOfRoots(): (name: string) => ElementPlace {
  if (placesKnown > placesMax) {
    roots = new Map();
    placesKnown = 0;
  }
  const known = roots;
  return (name) => {
    let place = known.get(name);
    if (!place) {
      place = new ElementPlace(name, null);
      known.set(name, place);
      placesKnown += 1;
    }
    return place;
  };
}

let factCount = 0;

/** What follows from an element's place alone: worked out the first time that it is asked for. */
export class PlaceFact<T extends object> {
  readonly #index = factCount++;
  readonly #compute: (place: ElementPlace) => T;

  constructor(compute: (place: ElementPlace) => T) {
    this.#compute = compute;
  }

  of(place: ElementPlace): T {
    const known = place.facts[this.#index];
    // Only this fact writes at its number, so the type is the one computed here.
    if (known !== undefined) return known as T;
    const computed = this.#compute(place);
    place.facts[this.#index] = computed;
    return computed;
  }
}

/** The engine's one copy of a text. Two of these are compared as pointers; others, letter by letter. */
function interned(text: string): string {
  const [key = text] = Object.keys({ [text]: null });
  return key;
}

const noElements: readonly XmlElement[] = [];
const noAttributes: readonly XmlAttribute[] = [];

export class XmlElement {
  readonly name: string;
  readonly place: ElementPlace;
  parent: XmlElement | null;
  readonly attributes: readonly XmlAttribute[];
  /** Where the start tag's `<` stands in the document's text. */
  readonly offset: number;
  children: readonly XmlElement[] = noElements;
  /** Offset after the end tag; kept for the outermost two levels only. */
  end = 0;
  /** The element's own character data; comments and processing instructions leave no trace. */
  text = '';

  constructor(
    place: ElementPlace,
    parent: XmlElement | null,
    attributes: readonly XmlAttribute[] | null,
    offset: number,
  ) {
    this.name = place.name;
    this.place = place;
    this.parent = parent;
    this.attributes = attributes ?? noAttributes;
    this.offset = offset;
  }

  /** XPath's string value: for a leaf its text, otherwise all text below it. */
  get value(): string {
    if (this.children.length === 0) return this.text;
    return this.text + this.children.map((child) => child.value).join('');
  }

  attribute(name: string): string | undefined {
    for (const attribute of this.attributes) if (attribute.name === name) return attribute.value;
    return undefined;
  }

  hasAttribute(name: string): boolean {
    return this.attribute(name) !== undefined;
  }

  /** The first element at a path of child steps, such as `cac:Party/cbc:EndpointID`. */
  first(path: string): XmlElement | undefined {
    const steps = stepsOf(path);
    return firstAt(this, steps, 0);
  }

  /** All elements at a path of child steps, in document order. */
  all(path: string): readonly XmlElement[] {
    const steps = stepsOf(path);
    const found: XmlElement[] = [];
    collect(this, steps, 0, found);
    return found;
  }

  /** The one element at a path; undefined when there is none, null when there are several. */
  only(path: string): XmlElement | undefined | null {
    if (path.includes('/')) {
      const found = this.all(path);
      return found.length > 1 ? null : found[0];
    }
    const [name] = stepsOf(path);
    let only: XmlElement | undefined;
    for (const child of this.children) {
      if (child.name !== name) continue;
      if (only) return null;
      only = child;
    }
    return only;
  }

  has(path: string): boolean {
    return this.first(path) !== undefined;
  }

  /** The string value of the first element at a path, or undefined when there is none. */
  valueOf(path: string): string | undefined {
    return this.first(path)?.value;
  }

  /** A readable path from the root, counted where siblings share a name. */
  get location(): string {
    if (!this.parent) return `/${this.name}`;
    const same = this.parent.children.filter((sibling) => sibling.name === this.name);
    const place = same.length > 1 ? `[${same.indexOf(this) + 1}]` : '';
    return `${this.parent.location}/${this.name}${place}`;
  }
}

/** A place in the document as people count: the first line and column are 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A document that has been read, with its elements also listed by name. */
export class XmlDocument {
  readonly root: XmlElement;
  readonly #text: string;
  readonly #by_name: ReadonlyMap<string, readonly XmlElement[]>;
  #line_starts: readonly number[] | undefined;

  constructor(root: XmlElement, text: string, by_name: ReadonlyMap<string, readonly XmlElement[]>) {
    this.root = root;
    this.#text = text;
    this.#by_name = by_name;
  }

  /** Every element of that name, in document order. */
  named(name: string): readonly XmlElement[] {
    return this.#by_name.get(name) ?? noElements;
  }

  /** Every name in use. */
  get names(): Iterable<string> {
    return this.#by_name.keys();
  }

  place(element: XmlElement): TextPlace {
    this.#line_starts ??= lineStarts(this.#text);
    let low = 0;
    let high = this.#line_starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#line_starts[middle] ?? 0) <= element.offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: element.offset - (this.#line_starts[low] ?? 0) + 1 };
  }

  /** The part below an element as a document of its own; the element loses its parent. */
  detach(root: XmlElement): XmlDocument {
    const kept = new Map<string, readonly XmlElement[]>();
    for (const [name, elements] of this.#by_name) {
      const inside = elements.filter((element) => isInside(element, root));
      if (inside.length > 0) kept.set(name, inside);
    }
    root.parent = null;
    return new XmlDocument(root, this.#text, kept);
  }
}

function isInside(element: XmlElement, root: XmlElement): boolean {
  for (let at: XmlElement | null = element; at; at = at.parent) if (at === root) return true;
  return false;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

// The paths are literals in our own rules, so this holds a few hundred entries and then no more.
const paths = new Map<string, readonly string[]>();

function stepsOf(path: string): readonly string[] {
  let steps = paths.get(path);
  if (!steps) {
    steps = path.split('/').map(interned);
    paths.set(path, steps);
  }
  return steps;
}

function firstAt(
  from: XmlElement,
  steps: readonly string[],
  depth: number,
): XmlElement | undefined {
  const name = steps[depth];
  const is_last = depth === steps.length - 1;
  for (const child of from.children) {
    if (child.name !== name) continue;
    const found = is_last ? child : firstAt(child, steps, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function collect(
  from: XmlElement,
  steps: readonly string[],
  depth: number,
  found: XmlElement[],
): void {
  const name = steps[depth];
  const is_last = depth === steps.length - 1;
  for (const child of from.children) {
    if (child.name !== name) continue;
    if (is_last) found.push(child);
    else collect(child, steps, depth + 1, found);
  }
}
