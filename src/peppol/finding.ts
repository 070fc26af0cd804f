/** What is wrong in a document, for people and for programs. */
import type { XmlDocument, XmlElement } from './xml/tree.ts';

export type Severity = 'fatal' | 'warning';

export interface Finding {
  /** The official rule id, or for the document's form one of our own: `XML-…`, `UBL21-…`. */
  readonly rule: string;
  readonly severity: Severity;
  /** In Swedish: what was expected and what stood there. */
  readonly message: string;
  /** Path from the root, `/Invoice/cac:InvoiceLine[2]/cbc:ID`. */
  readonly location: string;
  /** Of the element's start tag, from 1. */
  readonly line: number;
  readonly column: number;
}

/** One rule can be broken on every one of thousands of lines; a person needs to see a few. */
const findingsPerRuleMax = 10;
const quotedLengthMax = 80;

export class Findings {
  readonly #document: XmlDocument;
  readonly #found: { finding: Finding; offset: number }[] = [];
  readonly #counts = new Map<string, number>();

  constructor(document: XmlDocument) {
    this.#document = document;
  }

  /** Says that a rule is broken; the message is made only when it will be shown. */
  add(rule: string, severity: Severity, element: XmlElement, message: () => string): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count > findingsPerRuleMax) return;
    const finding = {
      rule,
      severity,
      message: message(),
      location: element.location,
      ...this.#document.place(element),
    };
    this.#found.push({ finding, offset: element.offset });
  }

  has(rule: string): boolean {
    return this.#counts.has(rule);
  }

  /** In document order. */
  get list(): readonly Finding[] {
    return this.#found.sort((a, b) => a.offset - b.offset).map(({ finding }) => finding);
  }

  /** Rules broken more often than they are listed, and how many times in all. */
  get counts_beyond_list(): ReadonlyMap<string, number> {
    return new Map([...this.#counts].filter(([, count]) => count > findingsPerRuleMax));
  }
}

/** What stood there, when nothing did. */
export const nothing = 'inget';

/** A text from the document inside a sentence: in quotes, on one line, not too long. */
export function quote(text: string): string {
  const start = text
    .slice(0, quotedLengthMax * 2)
    .replace(/\s+/g, ' ')
    .trim();
  if (start === '') return nothing;
  const shown =
    start.length > quotedLengthMax ? `${start.slice(0, quotedLengthMax).trimEnd()}…` : start;
  return `”${shown}”`;
}
