/** Reads the QR codes that we make as a scanner would: from what is drawn, by another hand's decoder. */
import decodeQR from 'qr/decode.js';
import type { QrCode } from '#src/lib/qr.ts';

const pixels = 4;

export function readQrCode({ side, strokes }: QrCode): string {
  const width = side * pixels;
  const data = new Uint8Array(width * width * 4).fill(255);
  const fill = (column: number, row: number) => {
    for (let line = row * pixels; line < (row + 1) * pixels; line += 1) {
      const from = (line * width + column * pixels) * 4;
      data.fill(0, from, from + pixels * 4);
    }
  };
  let [x, y] = [0, 0];
  for (const [, command, first = '', second] of strokes.matchAll(/([Mmh])(\d+)(?: ([\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Math.floor(Number(second))];
    else {
      const end = x + Number(first);
      for (let column = x; command === 'h' && column < end; column += 1) fill(column, y);
      x = end;
    }
  }
  return decodeQR({ width, height: width, data });
}
