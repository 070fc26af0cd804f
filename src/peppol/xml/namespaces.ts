/** Namespace declarations in force, and the fixed prefixes our own code writes names with. */
import type { XmlAttribute } from './tree.ts';

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
/** Of the declarations themselves; nothing may be bound to it. */
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';
/** A part of a name that the parser has passed: no colon, and no character that cannot begin one. */
const namePart = /^(?![\u0300-\u036f]|[-.0-9\u00b7\u203f\u2040])[^:]+$/;
const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** Namespace → how names of it begin. UBL's two roots are written without prefix. */
const prefixes: ReadonlyMap<string, string> = new Map([
  [`${ubl}CommonAggregateComponents-2`, 'cac:'],
  [`${ubl}CommonBasicComponents-2`, 'cbc:'],
  [`${ubl}CommonExtensionComponents-2`, 'ext:'],
  ['http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader', 'sbdh:'],
]);

const roots: ReadonlyMap<string, string> = new Map([
  [`${ubl}Invoice-2`, 'Invoice'],
  [`${ubl}CreditNote-2`, 'CreditNote'],
]);

export class Namespaces {
  static readonly none = new Namespaces(new Map([['xml', xmlNamespace]]));
  readonly #by_prefix: ReadonlyMap<string, string>;

  private constructor(by_prefix: ReadonlyMap<string, string>) {
    this.#by_prefix = by_prefix;
  }

  get size(): number {
    return this.#by_prefix.size;
  }

  /** These with more declarations, or in Swedish why the declarations are not allowed. */
  with(declarations: readonly XmlAttribute[]): Namespaces | string {
    const by_prefix = new Map(this.#by_prefix);
    for (const { name: prefix, value } of declarations) {
      const is_reserved =
        prefix === 'xmlns' ||
        value === xmlnsNamespace ||
        (prefix === 'xml') !== (value === xmlNamespace);
      const is_wrong = prefix !== '' && (value === '' || !namePart.test(prefix));
      if (is_reserved || is_wrong) {
        return `Namnrymden "${value}" får inte förklaras som ${prefix || 'standard'}.`;
      }
      by_prefix.set(prefix, value);
    }
    return new Namespaces(by_prefix);
  }

  /** The namespace of a prefix ('' = the default one), or undefined when it is not declared. */
  get(prefix: string): string | undefined {
    return this.#by_prefix.get(prefix);
  }

  /** `{namespace}name` for a prefixed attribute, its name for another; null when undeclared. */
  attributeName(raw_name: string): string | null {
    const [prefix, local, ...more] = raw_name.split(':');
    if (local === undefined) return raw_name;
    const namespace = this.get(prefix ?? '');
    if (!prefix || more.length > 0 || !namePart.test(local)) return null;
    if (namespace === undefined) return null;
    return `{${namespace}}${local}`;
  }
}

/** An element's name with our fixed prefix, or null when its own prefix is not declared. */
export function canonicalName(raw_name: string, namespaces: Namespaces): string | null {
  const colon = raw_name.indexOf(':');
  const prefix = colon < 0 ? '' : raw_name.slice(0, colon);
  const local = raw_name.slice(colon + 1);
  const namespace = namespaces.get(prefix) ?? (colon < 0 ? '' : undefined);
  if (namespace === undefined || colon === 0 || !namePart.test(local)) return null;
  if (prefix === 'xmlns') return null;
  const known = prefixes.get(namespace);
  if (known) return known + local;
  return roots.get(namespace) === local ? local : `{${namespace}}${local}`;
}

/** A canonical name as people are told of it. */
export function tellName(name: string): string {
  const [, namespace, local] = /^\{(.*)\}([^}]*)$/s.exec(name) ?? [];
  if (local === undefined) return name;
  return namespace ? `${local} i namnrymden ${namespace}` : `${local} utan namnrymd`;
}
