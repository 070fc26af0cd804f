/** The ways a document may come (contract 2.7, 4.9): the UBL itself, or in a JSON envelope. */

import { findJsonProblems, parseJson } from '../../domain/basics/json.ts';
import { type Fault, type Refusal, refuse } from '../../lib/errors.ts';

const utf8Bom = Buffer.from([0xef, 0xbb, 0xbf]);
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** As far as a declaration reaches, if there is one. */
const declarationMax = 1_000;
const declaredEncoding = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']/;

/** The document's bytes; throws 400 naming what is wrong with the way they came. */
export function documentOf(contentType: string | undefined, body: Buffer): Buffer {
  const [type = ''] = (contentType ?? '').split(';');
  switch (type.trim().toLowerCase()) {
    case 'application/xml':
      return body;
    case 'application/json':
      return fromEnvelope(body);
    default:
      throw refuseBody({ path: 'Content-Type', reason: 'not_supported' });
  }
}

function fromEnvelope(body: Buffer): Buffer {
  const { text, value } = parseJson(body);
  const problems = findJsonProblems(text, value);
  if (problems.length > 0) throw refuse('invalid_request', problems);
  // Typed senders write the field that they leave out as null.
  const { document = null, documentBase64 = null } = (value ?? {}) as Record<string, unknown>;
  if ((document === null) === (documentBase64 === null)) {
    throw refuseBody({
      path: 'document',
      reason: 'required',
      params: { expected: 'document' },
    });
  }
  return document === null ? fromBase64(documentBase64) : fromText(document);
}

function fromText(document: unknown): Buffer {
  if (typeof document !== 'string' || !document.isWellFormed()) {
    throw refuseBody({
      path: 'document',
      reason: 'wrong_type',
      params: { expected: 'document' },
    });
  }
  const bytes = Buffer.from(document);
  const encoding = declaredEncoding.exec(document.slice(0, declarationMax))?.[1] ?? 'UTF-8';
  // Text in JSON has no encoding of its own any more; the mark says so, whatever the declaration claims.
  return /^utf-?8$/i.test(encoding) ? bytes : Buffer.concat([utf8Bom, bytes]);
}

function fromBase64(documentBase64: unknown): Buffer {
  const text = typeof documentBase64 === 'string' ? documentBase64.replace(/[\t\n\r ]/g, '') : '';
  if (text === '' || !base64Form.test(text)) {
    throw refuseBody({ path: 'documentBase64', reason: 'not_base64' });
  }
  return Buffer.from(text, 'base64');
}

const refuseBody = (fault: Fault): Refusal => refuse('invalid_request', [fault]);
