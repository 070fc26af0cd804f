/**
 * XML to a tree in one pass. Every limit is looked at while reading, so that a hostile document
 * costs no more than an honest one. Namespaces are resolved here rather than by the parser: its own
 * resolution takes time that grows with the square of the depth.
 */
import { SaxesParser } from 'saxes';
import { isBlank } from '../decimal.ts';
import { findIllFormedInstruction } from './instructions.ts';
import { defaultLimits, type XmlLimits } from './limits.ts';
import { canonicalName, Namespaces } from './namespaces.ts';
import {
  type ElementPlace,
  placesOfRoots,
  type XmlAttribute,
  XmlDocument,
  XmlElement,
} from './tree.ts';
import { UnreadableDocument } from './unreadable.ts';
import { inSwedish } from './well-formedness.ts';

const pieceLength = 256 * 1024;
/** Of the header that access points wrap documents in. */
const envelopeName = 'sbdh:StandardBusinessDocument';
/** Whatever 1.x is declared (XML 1.0, 2.8): version 1.1 would let control characters in. */
const xml10 = { defaultXMLVersion: '1.0', forceXMLVersion: true } as const;

/** Reads a document's text. Throws UnreadableDocument; never anything else. */
export function readXml(text: string, limits: XmlLimits = defaultLimits): XmlDocument {
  const reading = new Reading(text, limits);
  return reading.run();
}

interface NameInScope {
  readonly name: string;
  /** Where the last of its elements stood: the next mostly stands there too. */
  place: ElementPlace | null;
  /** The document's list of elements with that name. */
  readonly elements: XmlElement[];
}

interface Scope {
  readonly namespaces: Namespaces;
  readonly names: Map<string, NameInScope>;
}

class Reading {
  readonly #text: string;
  readonly #limits: XmlLimits;
  readonly #parser = new SaxesParser(xml10);
  readonly #by_name = new Map<string, XmlElement[]>();
  readonly #scopes: Scope[] = [];
  #scope: Scope = { namespaces: Namespaces.none, names: new Map() };
  #root: XmlElement | null = null;
  #open: XmlElement | null = null;
  #children: XmlElement[][] = [];
  #depth = 0;
  #count = 0;
  #offset = 0;
  #attributes: XmlAttribute[] | null = null;
  #declarations: XmlAttribute[] | null = null;
  #attribute_count = 0;
  readonly #rootPlace = placesOfRoots();

  constructor(text: string, limits: XmlLimits) {
    this.#text = text;
    this.#limits = limits;
    const parser = this.#parser;
    parser.on('opentagstart', ({ name }) => this.#start(name));
    parser.on('attribute', (attribute) => this.#attribute(attribute));
    parser.on('opentag', ({ name }) => this.#element(name));
    parser.on('closetag', () => this.#close());
    parser.on('text', (data) => this.#characters(data));
    parser.on('cdata', (data) => this.#characters(data));
    parser.on('doctype', () => {
      throw this.#refusal('XML-REFUSED', 'Dokumentet har en DOCTYPE; det har aldrig en e-faktura.');
    });
  }

  run(): XmlDocument {
    try {
      this.#parse();
    } catch (error) {
      // Without a handler for errors the parser throws them. An eighth handler on its object would
      // make it several times slower: that is how many properties V8 keeps in fast mode.
      const is_from_parser = error instanceof Error && error.constructor === Error;
      if (!is_from_parser) throw error;
      throw this.#refusal('XML-FORM', inSwedish(error.message));
    }
    if (!this.#root) throw this.#refusal('XML-FORM', 'Dokumentet är tomt.');
    this.#checkInstructions();
    // An instruction to fetch something. Nothing here would, but whoever shows the document might.
    if (this.#text.slice(0, this.#root.offset).includes('<?xml-stylesheet')) {
      throw new UnreadableDocument(
        'XML-REFUSED',
        'Dokumentet begär en formatmall (xml-stylesheet).',
      );
    }
    return new XmlDocument(this.#root, this.#text, this.#by_name);
  }

  #parse(): void {
    const parser = this.#parser;
    // The parser would drop it, and what decodes the bytes already has taken one.
    if (this.#text.startsWith('\ufeff')) {
      throw this.#refusal('XML-FORM', 'Dokumentet börjar med två byteordningsmärken.');
    }
    const before = process.threadCpuUsage();
    for (let from = 0; from < this.#text.length; from += pieceLength) {
      parser.write(this.#text.slice(from, from + pieceLength));
      const { user, system } = process.threadCpuUsage(before);
      if ((user + system) / 1_000 > this.#limits.cpu_ms_max) {
        throw this.#limit('tar för lång tid att läsa');
      }
    }
    parser.close();
  }

  #checkInstructions(): void {
    const at = findIllFormedInstruction(this.#text);
    if (at < 0) return;
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const message = 'En processinstruktion (<?…?>) är felaktigt skriven.';
    throw new UnreadableDocument('XML-FORM', message, line, at - before.lastIndexOf('\n'));
  }

  #start(name: string): void {
    if (name.length > this.#limits.name_length_max) throw this.#limit('har orimligt långa namn');
    // The parser has taken one character beyond the name.
    this.#offset = this.#parser.position - name.length - 2;
    this.#attributes = null;
    this.#declarations = null;
    this.#attribute_count = 0;
  }

  #attribute(attribute: XmlAttribute): void {
    const { name, value } = attribute;
    const limits = this.#limits;
    this.#attribute_count += 1;
    if (this.#attribute_count > limits.attributes_per_element_max) {
      throw this.#limit('har för många attribut på ett element');
    }
    if (name.length > limits.name_length_max || value.length > limits.attribute_length_max) {
      throw this.#limit('har ett orimligt långt attribut');
    }
    // A prefix is at least a character; without one it is an attribute, and refused as such.
    if (name === 'xmlns' || (name.startsWith('xmlns:') && name.length > 6)) {
      this.#declarations ??= [];
      this.#declarations.push({ name: name === 'xmlns' ? '' : name.slice(6), value });
    } else {
      this.#attributes ??= [];
      this.#attributes.push(attribute);
    }
  }

  #element(raw_name: string): void {
    const limits = this.#limits;
    this.#depth += 1;
    this.#count += 1;
    if (this.#depth > limits.depth_max) throw this.#limit('är för djupt nästlat');
    if (this.#count > limits.elements_max) throw this.#limit('har för många element');
    this.#scopes.push(this.#scope);
    if (this.#declarations) this.#scope = this.#innerScope(this.#declarations);
    let named = this.#scope.names.get(raw_name);
    if (!named) {
      named = this.#resolve(raw_name);
      this.#scope.names.set(raw_name, named);
    }
    const attributes = this.#attributes ? this.#resolveAttributes(this.#attributes) : null;
    const parent = this.#open;
    const place = this.#placeOf(named, parent);
    const element = new XmlElement(place, parent, attributes, this.#offset);
    named.elements.push(element);
    if (parent) this.#append(parent, element);
    else this.#root = element;
    this.#open = element;
  }

  #placeOf(named: NameInScope, parent: XmlElement | null): ElementPlace {
    // What stands in an envelope is placed as if there were none.
    const isOutermost = parent === null || (parent.parent === null && parent.name === envelopeName);
    const above = isOutermost ? null : parent.place;
    if (named.place === null || named.place.parent !== above) {
      named.place = above === null ? this.#rootPlace(named.name) : above.below(named.name);
    }
    return named.place;
  }

  #append(parent: XmlElement, element: XmlElement): void {
    const siblings = this.#children[this.#depth - 2];
    if (siblings && parent.children === siblings) {
      siblings.push(element);
      if (siblings.length > this.#limits.children_per_aggregate_max) this.#refuseCrowd(parent);
      return;
    }
    const children = [element];
    parent.children = children;
    this.#children[this.#depth - 2] = children;
    if (isBlank(parent.text)) parent.text = '';
  }

  #refuseCrowd({ name }: XmlElement): void {
    if (name.startsWith('cac:')) throw this.#limit(`har för många element i ${name}`);
  }

  #close(): void {
    const element = this.#open;
    if (!element) return;
    // Only the outermost ends are ever asked for.
    if (this.#depth <= 2) element.end = this.#parser.position;
    this.#depth -= 1;
    this.#scope = this.#scopes.pop() ?? this.#scope;
    this.#open = element.parent;
  }

  #characters(data: string): void {
    const element = this.#open;
    if (!element) return;
    if (element.children.length > 0 && isBlank(data)) return;
    element.text = element.text === '' ? data : element.text + data;
  }

  #innerScope(declarations: readonly XmlAttribute[]): Scope {
    const namespaces = this.#scope.namespaces.with(declarations);
    if (typeof namespaces === 'string') throw this.#refusal('XML-FORM', namespaces);
    if (namespaces.size > this.#limits.namespaces_max)
      throw this.#limit('har för många namnrymder');
    return { namespaces, names: new Map() };
  }

  #resolve(raw_name: string): NameInScope {
    const name = canonicalName(raw_name, this.#scope.namespaces);
    if (name === null) throw this.#refusal('XML-FORM', `Prefixet i ${raw_name} är inte förklarat.`);
    let elements = this.#by_name.get(name);
    if (!elements) {
      if (this.#by_name.size >= this.#limits.names_max)
        throw this.#limit('har för många olika namn');
      elements = [];
      this.#by_name.set(name, elements);
    }
    return { name, place: null, elements };
  }

  #resolveAttributes(attributes: XmlAttribute[]): readonly XmlAttribute[] {
    if (!attributes.some(({ name }) => name.includes(':'))) return attributes;
    const seen = new Set<string>();
    return attributes.map(({ name: raw_name, value }) => {
      const name = this.#scope.namespaces.attributeName(raw_name);
      if (name === null || seen.has(name)) {
        throw this.#refusal('XML-FORM', `Attributet ${raw_name} är dubbelt eller oförklarat.`);
      }
      seen.add(name);
      return { name, value };
    });
  }

  #limit(what: string): UnreadableDocument {
    return this.#refusal('XML-LIMIT', `Dokumentet ${what}.`);
  }

  #refusal(code: 'XML-FORM' | 'XML-LIMIT' | 'XML-REFUSED', message: string): UnreadableDocument {
    const { line, columnIndex } = this.#parser;
    return new UnreadableDocument(code, message, line, columnIndex + 1);
  }
}
