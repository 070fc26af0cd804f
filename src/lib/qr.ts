/** A text as a QR code that a page or a document draws with `partials/qr-code`. */
import { encode } from 'uqr';

/** Squares of white around it that scanners want. */
const quiet = 4;

export interface QrCode {
  /** Squares along a side, the white ones around it among them. */
  readonly side: number;
  /** Strokes through the dark squares of each row, as SVG writes them: short, since pages are kept as they are. */
  readonly strokes: string;
}

export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { border: quiet, ecc: 'M' });
  return { side: size, strokes: data.map(strokesOf).join('') };
}

function strokesOf(squares: readonly boolean[], row: number): string {
  const runs = [
    ...squares
      .map((isDark) => (isDark ? '#' : ' '))
      .join('')
      .matchAll(/#+/g),
  ];
  let end = 0;
  return runs
    .map(({ 0: { length }, index }, nth) => {
      const move = nth === 0 ? `M${index} ${row}.5` : `m${index - end} 0`;
      end = index + length;
      return `${move}h${length}`;
    })
    .join('');
}
