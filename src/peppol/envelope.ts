/**
 * The Standard Business Document Header that access points wrap documents in (UN/CEFACT SBDH 1.3 as
 * Peppol's Business Message Envelope uses it). Many strip it before delivery, so both are accepted.
 */
import { tellName } from './xml/namespaces.ts';
import type { XmlDocument, XmlElement } from './xml/tree.ts';
import { UnreadableDocument } from './xml/unreadable.ts';
import { normalizeSpace } from './xpath.ts';

/** An electronic address: the scheme (ISO 6523 ICD or EAS code) and the identifier in it. */
export interface Participant {
  readonly scheme: string | null;
  readonly identifier: string;
}

export interface Envelope {
  readonly sender: Participant | null;
  readonly receiver: Participant | null;
  /** InstanceIdentifier: the same when the network delivers the same message again. */
  readonly instance_id: string | null;
  /** CreationDateAndTime as written. */
  readonly created_at: string | null;
  /** Scope DOCUMENTID, PROCESSID and COUNTRY_C1 as written. */
  readonly document_type: string | null;
  readonly process: string | null;
  readonly sender_country: string | null;
  /** The bytes of the Invoice or CreditNote as they stand inside the envelope. */
  readonly document_bytes: Uint8Array;
}

/** A document's Invoice or CreditNote, and its header when there is one. */
export interface Unwrapped {
  readonly document: XmlDocument;
  readonly header: XmlElement | null;
}

/** Throws UnreadableDocument (UBL-ROOT) when there is no Invoice or CreditNote inside. */
export function unwrap(outer: XmlDocument): Unwrapped {
  if (isRoot(outer.root)) return { document: outer, header: null };
  if (outer.root.name !== 'sbdh:StandardBusinessDocument') throw notInvoice(outer, outer.root);
  const header = outer.root.first('sbdh:StandardBusinessDocumentHeader') ?? null;
  const payload = outer.root.children.filter((child) => child !== header);
  const [invoice, ...more] = payload;
  if (!invoice || more.length > 0 || !isRoot(invoice))
    throw notInvoice(outer, invoice ?? outer.root);
  return { document: outer.detach(invoice), header };
}

export function readEnvelope(header: XmlElement, document_bytes: Uint8Array): Envelope {
  const text = (path: string): string | null => normalizeSpace(header.valueOf(path)) || null;
  const scopes = header.all('sbdh:BusinessScope/sbdh:Scope');
  const scope = (type: string): string | null => {
    const found = scopes.find((one) => normalizeSpace(one.valueOf('sbdh:Type')) === type);
    return normalizeSpace(found?.valueOf('sbdh:InstanceIdentifier')) || null;
  };
  return {
    sender: participant(text('sbdh:Sender/sbdh:Identifier')),
    receiver: participant(text('sbdh:Receiver/sbdh:Identifier')),
    instance_id: text('sbdh:DocumentIdentification/sbdh:InstanceIdentifier'),
    created_at: text('sbdh:DocumentIdentification/sbdh:CreationDateAndTime'),
    document_type: scope('DOCUMENTID'),
    process: scope('PROCESSID'),
    sender_country: scope('COUNTRY_C1'),
    document_bytes,
  };
}

/** `0007:5566778899` → scheme 0007 and the number. */
function participant(text: string | null): Participant | null {
  if (text === null) return null;
  const match = /^([^:]{2,4}):(.+)$/s.exec(text);
  if (!match) return { scheme: null, identifier: text };
  return { scheme: match[1] ?? null, identifier: match[2] ?? '' };
}

const isRoot = ({ name }: XmlElement): boolean => name === 'Invoice' || name === 'CreditNote';

function notInvoice(document: XmlDocument, element: XmlElement): UnreadableDocument {
  const { line, column } = document.place(element);
  const message = `Dokumentet ska vara en Invoice eller CreditNote enligt UBL 2.1. Här står ${tellName(element.name)}.`;
  return new UnreadableDocument('UBL-ROOT', message, line, column);
}
