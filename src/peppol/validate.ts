/**
 * An e-invoice judged: read as XML, taken out of its envelope, held against UBL 2.1's structure and
 * against every rule of EN 16931 and Peppol BIS Billing 3.
 */
import { type Envelope, readEnvelope, unwrap } from './envelope.ts';
import { Facts } from './facts.ts';
import { type Finding, Findings, quote } from './finding.ts';
import type { EInvoice } from './model.ts';
import { readModel } from './read-model.ts';
import { ruleBookFor } from './rules/catalogue.ts';
import type { Rule } from './rules/rule.ts';
import { judgeUnused } from './rules/unused.ts';
import { checkStructure } from './structure.ts';
import { bytesBetween, decodeXml } from './xml/decode.ts';
import { defaultLimits, type XmlLimits } from './xml/limits.ts';
import { readXml } from './xml/read.ts';
import type { XmlDocument, XmlElement } from './xml/tree.ts';
import { UnreadableDocument } from './xml/unreadable.ts';

export interface Options {
  readonly limits?: Partial<XmlLimits>;
}

/** A document that could be read. */
export interface ReadEInvoice {
  readonly document: XmlDocument;
  readonly envelope: Envelope | null;
  /** The invoice as EN 16931 means it; read when first asked for. */
  readonly model: EInvoice;
}

export interface JudgedEInvoice extends ReadEInvoice {
  /** In document order; at most ten for one rule. */
  readonly findings: readonly Finding[];
  /** Rules broken more often than listed, and how often in all. */
  readonly counts_beyond_list: ReadonlyMap<string, number>;
}

/** A document that is no readable e-invoice: the one finding says why. */
export interface UnreadableEInvoice {
  readonly document: null;
  readonly envelope: null;
  readonly model: null;
  readonly findings: readonly [Finding];
}

/**
 * Reads the bytes of an Invoice or CreditNote, bare or in an SBDH envelope.
 * Throws UnreadableDocument, and nothing else.
 */
export function readEInvoice(bytes: Uint8Array, options: Options = {}): ReadEInvoice {
  const limits = { ...defaultLimits, ...options.limits };
  if (bytes.length > limits.bytes_max) {
    throw new UnreadableDocument('XML-LIMIT', `Dokumentet är större än ${limits.bytes_max} byte.`);
  }
  const decoded = decodeXml(bytes);
  const { document, header } = unwrap(readXml(decoded.text, limits));
  const { offset, end } = document.root;
  const inner_bytes = (): Uint8Array => bytesBetween(bytes, decoded, offset, end);
  return new Read(document, header && readEnvelope(header, inner_bytes()));
}

class Read implements ReadEInvoice {
  readonly document: XmlDocument;
  readonly envelope: Envelope | null;
  #model: EInvoice | undefined;

  constructor(document: XmlDocument, envelope: Envelope | null) {
    this.document = document;
    this.envelope = envelope;
  }

  get model(): EInvoice {
    this.#model ??= readModel(this.document);
    return this.#model;
  }
}

class Judged extends Read implements JudgedEInvoice {
  readonly findings: readonly Finding[];
  readonly counts_beyond_list: ReadonlyMap<string, number>;

  constructor({ document, envelope }: ReadEInvoice, { list, counts_beyond_list }: Findings) {
    super(document, envelope);
    this.findings = list;
    this.counts_beyond_list = counts_beyond_list;
  }
}

/** Reads and judges the bytes of an e-invoice. Never throws because of what they hold. */
export function validateEInvoice(
  bytes: Uint8Array,
  options: Options = {},
): JudgedEInvoice | UnreadableEInvoice {
  try {
    const read = readEInvoice(bytes, options);
    return new Judged(read, judge(read.document));
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    return { document: null, envelope: null, model: null, findings: [unreadable(error)] };
  }
}

/** Holds a document that has been read against structure and rules. */
export function judge(document: XmlDocument): Findings {
  const findings = new Findings(document);
  checkStructure(document.root, findings);
  const report = (rule: Rule, element: XmlElement, found: boolean | string): void =>
    findings.add(rule.id, rule.severity, element, () => sentence(rule, element, found));
  const facts = new Facts(document);
  ruleBookFor(facts).judge(document, facts, report);
  judgeUnused(document, report);
  return findings;
}

function sentence({ expected }: Rule, element: XmlElement, found: boolean | string): string {
  if (typeof found === 'string') return `${expected} Här står ${found}.`;
  const is_leaf = found === false && element.children.length === 0;
  return is_leaf ? `${expected} Här står ${quote(element.value)}.` : expected;
}

function unreadable({ code, message, line, column }: UnreadableDocument): Finding {
  return { rule: code, severity: 'fatal', message, location: '/', line, column };
}
