import { describe, expect, test } from 'vitest';
import { isPictureSequence, mediaTypeOf, plainFileName } from '#src/domain/ledger/attachment.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('what a file is', () => {
  test.each([
    ['%PDF-1.7\n', 'kvitto.txt', 'application/pdf'],
    ['\x89PNG\r\n\x1a\n....', 'bild', 'image/png'],
    ['\xff\xd8\xff\xe0....', 'bild.png', 'image/jpeg'],
    ['\x00\x00\x00\x24ftypheic....', 'IMG_0001.HEIC', 'image/heic'],
    ['\x00\x00\x00\x18ftypmif1....', 'bild.jpg', 'image/heic'],
    ['<?xml version="1.0"?><a/>', 'a.csv', 'application/xml'],
    ['a;b\r\n1;2\r\n', 'rader.CSV', 'text/csv'],
    ['Hej', 'anteckning.txt', 'text/plain'],
    ['Hej', 'program.exe', 'text/plain'],
  ])('is told by its content: %j named %s', (content, name, type) => {
    expect(mediaTypeOf(latin1(content), name)).toBe(type);
  });

  const heif = (...brands: string[]) =>
    latin1(
      `\0\0\0${String.fromCharCode(12 + 4 * brands.length)}ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`,
    );

  test.each([
    ['image/heic', ['hevc', 'mif1', 'heic']],
    ['image/heic', ['msf1', 'hevc', 'mif1', 'heix']],
    ['image/heic', ['mif1', 'miaf']],
    ['sequence', ['hevc', 'msf1']],
    ['sequence', ['msf1']],
    [null, ['mif1', 'avif', 'miaf']],
    [null, ['avif', 'mif1']],
    ['sequence', ['avis', 'msf1', 'mif1', 'avif']],
    [null, ['isom', 'mp42']],
  ] as const)('%s is told by all brands of %j, as the decoder shows it', (what, brands) => {
    const bytes = heif(...brands);
    expect(isPictureSequence(bytes) ? 'sequence' : mediaTypeOf(bytes, 'IMG_1.HEIC')).toBe(what);
    // Cut off anywhere, nothing breaks.
    for (let end = 0; end < bytes.length; end += 1) isPictureSequence(bytes.subarray(0, end));
  });

  test('text is UTF-8, with or without a byte order mark', () => {
    expect(mediaTypeOf(Buffer.from('Räksmörgås'), 'a.txt')).toBe('text/plain');
    expect(mediaTypeOf(Buffer.from('\ufeff<?xml version="1.0"?>'), 'a')).toBe('application/xml');
    expect(mediaTypeOf(latin1('Räksmörgås'), 'a.txt')).toBeNull();
  });

  test.each([
    ['MZ\x90\x00\x03', 'a.pdf'],
    ['PK\x03\x04', 'a.docx'],
    ['\xd0\xcf\x11\xe0', 'a.doc'],
    ['a\x00b', 'a.txt'],
    ['\x00\x00\x00\x20ftypisom....', 'film.heic'],
  ])('%j is not kept, whatever it is called', (content, name) => {
    expect(mediaTypeOf(latin1(content), name)).toBeNull();
  });
});

describe('what a file is called', () => {
  test.each([
    ['kvitto.pdf', 'kvitto.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\anna\\Kvitto å ä ö.pdf', 'Kvitto å ä ö.pdf'],
    ['a\r\nSet-Cookie: x.pdf', 'aSet-Cookie: x.pdf'],
    ['faktura\u202efdp.exe', 'fakturafdp.exe'],
    ['..', 'underlag'],
    ['', 'underlag'],
    ['mapp/', 'underlag'],
    ['\u0000', 'underlag'],
  ])('%j is kept as %j', (given, kept) => {
    expect(plainFileName(given)).toBe(kept);
  });

  test('keeps the end, with its extension, of a very long name', () => {
    const kept = plainFileName(`${'å'.repeat(500)}.pdf`);
    expect([...kept]).toHaveLength(200);
    expect(kept.endsWith('å.pdf')).toBe(true);
  });
});
