/** Supporting documents of the example company: receipts, photographs and notes, made as they are needed. */
import { crc32, deflateSync } from 'node:zlib';
import { type Ore, sum } from '../domain/basics/money.ts';
import { sha256Of } from '../lib/sha256.ts';
import { formatKronor } from '../lib/swedish.ts';
import type { PostedVoucher } from './books.ts';
import { company } from './company.ts';

export interface DemoFile {
  readonly fileName: string;
  readonly bytes: Buffer;
}

export function documentOf(voucher: PostedVoucher): DemoFile | null {
  const { document, series, number, date } = voucher;
  const name = `${date} ${series}${number}`;
  switch (document) {
    case 'receipt':
      return { fileName: `Kvitto ${name}.pdf`, bytes: pdfOf(linesOf(voucher)) };
    case 'photo':
      return { fileName: `Foto ${name}.png`, bytes: pngOf(linesOf(voucher).join('\n')) };
    case 'note':
      return { fileName: `Underlag ${name}.txt`, bytes: textOf(linesOf(voucher)) };
    case undefined:
      return null;
    default:
      return document satisfies never;
  }
}

function linesOf({ counterparty, description, date, rows }: PostedVoucher): string[] {
  const total = sum(rows.map(({ ore }) => (ore > 0n ? ore : 0n)));
  return [
    counterparty ?? company.name,
    description,
    `Datum ${date}`,
    `Belopp ${plain(total)}`,
    'Exempel: detta är inget riktigt underlag.',
  ];
}

const plain = (ore: Ore): string => formatKronor(ore).replaceAll('\u00a0', ' ');

const textOf = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

/** What the bank has to say of a month, which documents all that has only gone through the account. */
export function bankList(month: string, lines: readonly string[]): DemoFile {
  const head = ['datum;text;belopp'];
  return { fileName: `Kontoutdrag ${month}.csv`, bytes: textOf([...head, ...lines]) };
}

/** One page of plain text in a font every reader has (ISO 32000-1). */
export function pdfOf(lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf 16 TL 40 260 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 298] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  // Latin-1 is what WinAnsi has for Swedish letters, and makes a character a byte.
  return Buffer.from(`${text}${head}${table}${end}`, 'latin1');
}

const pictureCells = 16;
const cellPixels = 8;

/** A picture in grey that no two texts have alike (PNG, RFC 2083). */
function pngOf(text: string): Buffer {
  const side = pictureCells * cellPixels;
  const cells = sha256Of(text);
  const rows = Array.from({ length: side }, (_, y) => {
    const row = Buffer.alloc(side + 1);
    for (let x = 0; x < side; x += 1) {
      const cell = Math.floor(y / cellPixels) * 2 + Math.floor(x / cellPixels / 8);
      row[x + 1] =
        (cells[cell % cells.length] ?? 0) & (1 << (Math.floor(x / cellPixels) % 8)) ? 70 : 235;
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits a pixel, grey.
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, bytes: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), bytes]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(bytes.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
