/**
 * Whether a document follows UBL 2.1: which elements stand where, in what order and how many, what
 * their texts look like and which attributes they carry. The source is the OASIS schemas of 2013-11-04.
 * The rules of EN 16931 are run on what breaks this too, as far as they go.
 */
import { anyUri, ublLeaves, ublTypes } from './data/ubl-structure.ts';
import { isDecimal, trimBlanks } from './decimal.ts';
import { type Findings, quote } from './finding.ts';
import { tellName } from './xml/namespaces.ts';
import { type ElementPlace, PlaceFact, type XmlElement } from './xml/tree.ts';
import { boolean, isDate } from './xpath.ts';

interface ChildRule {
  readonly order: number;
  readonly min: number;
  readonly max: number;
  readonly type: string;
}

interface ElementType {
  readonly children: ReadonlyMap<string, ChildRule>;
  readonly required: readonly string[];
}

interface LeafType {
  readonly isText: (text: string) => boolean;
  readonly wanted: string;
  readonly attributes: ReadonlyMap<string, Lexical>;
  readonly required: readonly string[];
}

const xsi = '{http://www.w3.org/2001/XMLSchema-instance}';
/** Not `nil`: nothing in UBL may be. */
const xsiAttributes = new Set(
  ['type', 'schemaLocation', 'noNamespaceSchemaLocation'].map((name) => xsi + name),
);

const timeLexical =
  /^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?|24:00:00(?:\.0+)?)(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?$/;
const languageLexical = /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/;

/** What a lexical type is called in Swedish, and the test. */
type Lexical = readonly [string, (text: string) => boolean];

const anyText: Lexical = ['text', () => true];
const lexical: Readonly<Record<string, Lexical>> = {
  decimal: ['ett decimaltal', isDecimal],
  date: ['ett datum (ÅÅÅÅ-MM-DD)', isDate],
  time: ['ett klockslag', (text) => timeLexical.test(trimBlanks(text))],
  boolean: ['true eller false', (text) => boolean(text) !== undefined],
  base64Binary: ['base64', isBase64],
  language: ['en språkkod', (text) => languageLexical.test(trimBlanks(text))],
  anyURI: ['en adress (URI)', (text) => anyUri.test(trimBlanks(text))],
  string: anyText,
  normalizedString: anyText,
};

const elementTypes = new Map<string, ElementType | null>(
  Object.entries(ublTypes).map(([name, rows]) => [name, rows && elementType(rows)]),
);
const leafTypes = new Map<string, LeafType>(
  Object.entries(ublLeaves).map(([name, [base, attributes]]) => [name, leafType(base, attributes)]),
);

function elementType(rows: readonly string[]): ElementType {
  const children = new Map<string, ChildRule>();
  for (const [order, row] of rows.entries()) {
    const [name = '', min, max, type = ''] = row.split(' ');
    const limit = max === '*' ? Number.POSITIVE_INFINITY : Number(max);
    children.set(name, { order, min: Number(min), max: limit, type });
  }
  const required = [...children].filter(([, { min }]) => min > 0).map(([name]) => name);
  return { children, required };
}

function leafType(base: string, attributes: string): LeafType {
  const rows = attributes === '' ? [] : attributes.split(' ').map((row) => row.split(':'));
  const [wanted, isText] = lexical[base] ?? anyText;
  return {
    wanted,
    isText,
    attributes: new Map(
      rows.map(([name = '', type = '']) => [name.replace('!', ''), lexical[type] ?? anyText]),
    ),
    required: rows.flatMap(([name = '']) => (name.endsWith('!') ? [name.slice(0, -1)] : [])),
  };
}

/** What UBL allows at a place: how often it may occur in what is above, and what it may hold. */
interface Allowed {
  /** Null at the root, and at what UBL does not know there. */
  readonly rule: ChildRule | null;
  readonly leaf: LeafType | null;
  /** Null of a leaf, and of extensions, which may hold anything. */
  readonly type: ElementType | null;
}

const allowed = new PlaceFact(allowedAt);

function allowedAt({ name, parent }: ElementPlace): Allowed {
  const rule = (parent && allowed.of(parent).type?.children.get(name)) ?? null;
  const type_name = parent === null ? `${name}Type` : (rule?.type ?? '');
  return {
    rule,
    leaf: leafTypes.get(type_name) ?? null,
    type: elementTypes.get(type_name) ?? null,
  };
}

/** Reports every departure from UBL 2.1 below the root of an Invoice or CreditNote. */
export function checkStructure(root: XmlElement, findings: Findings): void {
  checkElement(root, allowed.of(root.place), findings);
}

function checkElement(element: XmlElement, { leaf, type }: Allowed, findings: Findings): void {
  if (leaf) {
    checkLeaf(element, leaf, findings);
    return;
  }
  if (!type) return;
  checkChildren(element, type, findings);
  for (const { name } of element.attributes) {
    if (!xsiAttributes.has(name)) unknownAttribute(element, name, findings);
  }
  if (element.text !== '' && trimBlanks(element.text) !== '') {
    findings.add('UBL21-TEXT', 'fatal', element, () => {
      return `${element.name} ska bara innehålla element. Här står texten ${quote(element.text)}.`;
    });
  }
}

function checkChildren(element: XmlElement, type: ElementType, findings: Findings): void {
  let last_order = -1;
  let last_name = '';
  let count = 0;
  let required_seen = 0;
  for (const child of element.children) {
    const there = allowed.of(child.place);
    const { rule } = there;
    if (!rule) {
      findings.add('UBL21-ELEMENT', 'fatal', child, () => {
        return `${tellName(child.name)} finns inte i ${element.name} i UBL 2.1.`;
      });
      continue;
    }
    if (rule.order < last_order) misplaced(element, child, last_name, findings);
    count = rule.order === last_order ? count + 1 : 1;
    if (count === 1 && rule.min > 0) required_seen += 1;
    if (count === rule.max + 1) repeated(element, child, rule.max, findings);
    if (rule.order >= last_order) {
      last_order = rule.order;
      last_name = child.name;
    }
    checkElement(child, there, findings);
  }
  if (required_seen < type.required.length) reportMissing(element, type, findings);
}

function misplaced(
  parent: XmlElement,
  child: XmlElement,
  before: string,
  findings: Findings,
): void {
  findings.add('UBL21-ORDER', 'fatal', child, () => {
    return `${child.name} ska stå före ${before} i ${parent.name}. Här står det efter.`;
  });
}

function repeated(parent: XmlElement, child: XmlElement, max: number, findings: Findings): void {
  findings.add('UBL21-REPEATED', 'fatal', child, () => {
    const number = parent.children.filter(({ name }) => name === child.name).length;
    return `${child.name} får stå högst ${max} gång i ${parent.name}. Här står det ${number} gånger.`;
  });
}

function reportMissing(element: XmlElement, type: ElementType, findings: Findings): void {
  const present = new Set(element.children.map(({ name }) => name));
  for (const name of type.required) {
    if (present.has(name)) continue;
    findings.add('UBL21-MISSING', 'fatal', element, () => {
      return `${element.name} ska innehålla ${name}. Här saknas det.`;
    });
  }
}

function checkLeaf(element: XmlElement, leaf: LeafType, findings: Findings): void {
  const [child] = element.children;
  if (child) {
    findings.add('UBL21-ELEMENT', 'fatal', child, () => {
      return `${element.name} ska bara innehålla text. Här står elementet ${tellName(child.name)}.`;
    });
  } else if (!leaf.isText(element.text)) {
    findings.add('UBL21-VALUE', 'fatal', element, () => {
      return `${element.name} ska vara ${leaf.wanted}. Här står ${quote(element.text)}.`;
    });
  }
  for (const { name, value } of element.attributes) {
    const type = leaf.attributes.get(name);
    if (type === undefined) {
      if (!xsiAttributes.has(name)) unknownAttribute(element, name, findings);
      continue;
    }
    const [wanted, isText] = type;
    if (isText(value)) continue;
    findings.add('UBL21-ATTRIBUTE', 'fatal', element, () => {
      return `Attributet ${name} ska vara ${wanted}. Här står ${quote(value)}.`;
    });
  }
  for (const name of leaf.required) {
    if (element.hasAttribute(name)) continue;
    findings.add('UBL21-ATTRIBUTE', 'fatal', element, () => {
      return `${element.name} ska ha attributet ${name}. Här saknas det.`;
    });
  }
}

function unknownAttribute(element: XmlElement, name: string, findings: Findings): void {
  findings.add('UBL21-ATTRIBUTE', 'fatal', element, () => {
    return `Attributet ${name} finns inte på ${element.name} i UBL 2.1.`;
  });
}

/**
 * Whether a text is base64 with any blanks: scanned by hand, since an attachment may be megabytes.
 * Padding must leave no stray bits.
 */
function isBase64(text: string): boolean {
  let count = 0;
  let padding = 0;
  let last = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) continue;
    count += 1;
    if (code === 0x3d) padding += 1;
    else if (padding > 0) return false;
    else {
      last = base64Values[code] ?? -1;
      if (last < 0) return false;
    }
  }
  if (count % 4 !== 0 || padding > 2) return false;
  return padding === 0 || (padding === 1 ? last % 4 === 0 : last % 16 === 0);
}

const base64Values: readonly number[] = (() => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)));
})();
