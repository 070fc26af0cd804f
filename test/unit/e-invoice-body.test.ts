import { describe, expect, test } from 'vitest';
import { AppError } from '#src/lib/errors.ts';
import { documentOf } from '#src/purchases/e-invoices/body.ts';
import { documentBytes } from '#src/purchases/e-invoices/identity.ts';

const xml = '<?xml version="1.0" encoding="UTF-8"?><Invoice>å</Invoice>';
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('the document in the body', () => {
  test('is the body itself, or what the envelope holds as text or base64: the same bytes', () => {
    const bytes = Buffer.from(xml);
    expect(documentOf('application/xml', bytes)).toEqual(bytes);
    expect(documentOf('Application/XML; charset=utf-8', bytes)).toEqual(bytes);
    expect(documentOf('application/json', json({ document: xml }))).toEqual(bytes);
    const documentBase64 = bytes.toString('base64');
    expect(documentOf('application/json', json({ documentBase64 }))).toEqual(bytes);
    const wrapped = documentBase64.replace(/.{10}/g, '$&\r\n');
    expect(documentOf('application/json', json({ documentBase64: wrapped }))).toEqual(bytes);
  });

  test('as text is UTF-8, whatever its declaration says it was', () => {
    const document = xml.replace('UTF-8', 'ISO-8859-1');
    const bytes = documentOf('application/json', json({ document }));
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.toString()).toContain('å');
  });

  test.each([
    ['text/plain', xml, 'Content-Type'],
    [undefined, xml, 'Content-Type'],
    ['application/json', '{', ''],
    ['application/json', '[]', 'document'],
    ['application/json', 'null', 'document'],
    ['application/json', '{}', 'document'],
    ['application/json', '{"document":"a","documentBase64":"YQ=="}', 'document'],
    ['application/json', '{"document":1}', 'document'],
    ['application/json', '{"document":"\\ud800"}', 'document'],
    ['application/json', '{"documentBase64":"%%%"}', 'documentBase64'],
    ['application/json', '{"documentBase64":"YQ"}', 'documentBase64'],
    ['application/json', '{"documentBase64":""}', 'documentBase64'],
    ['application/json', '{"document":"<a/>","document":"<b/>"}', 'document'],
    ['application/json', '{"document":"<a>\\ud800</a>"}', 'document'],
  ])('%s %s is refused by name', (type, body, path) => {
    try {
      documentOf(type, Buffer.from(body));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      const problems = (error as AppError).detail?.['problems'] as { path: string }[] | undefined;
      if (path !== '') expect(problems?.[0]?.path).toBe(path);
    }
  });
});

describe('what a document is known by', () => {
  const invoice = '<Invoice xmlns="urn:x">å</Invoice>';
  const envelope = (prefix: string, inner: string) =>
    `<?xml version="1.0"?>\n<!-- x -->\n<${prefix}StandardBusinessDocument xmlns="u">` +
    `<${prefix}StandardBusinessDocumentHeader>h</${prefix}StandardBusinessDocumentHeader>` +
    `\n  ${inner}\n</${prefix}StandardBusinessDocument>\n`;

  test('is found behind a hundred thousand comments, closed or not', () => {
    const comments = '<!----> '.repeat(100_000);
    const enveloped = Buffer.from(comments + envelope('', invoice).replace(/^<\?.*\?>/, ''));
    expect(documentBytes(enveloped).toString()).toBe(invoice);
    for (const rest of ['', '<!--', '<?x', '<x/>']) {
      const bytes = Buffer.from(comments + rest);
      expect(documentBytes(bytes)).toBe(bytes);
    }
  });

  test.each(['', 'sh:'])('is the same in an envelope with prefix %j as without one', (prefix) => {
    const bytes = Buffer.from(envelope(prefix, invoice));
    expect(documentBytes(bytes).toString()).toBe(invoice);
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    expect(documentBytes(marked).toString()).toBe(invoice);
  });

  test('is all of it when there is no envelope, or half of one', () => {
    for (const text of [invoice, '', '<StandardBusinessDocument>', 'x']) {
      expect(documentBytes(Buffer.from(text)).toString()).toBe(text);
    }
  });
});
