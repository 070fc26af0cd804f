/** Smaller pictures, as the mean of what each of their pixels covers. Pure. */

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** Bytes of a pixel, red, green and blue first. */
  readonly channels: number;
  readonly data: Uint8Array;
}

export interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Lays a picture of four channels on white, where it lies; `isPremultiplied` has its colours weighed by how opaque they are. */
export function onWhite({ channels, data }: Picture, isPremultiplied: boolean): void {
  for (let at = 0; at + channels <= data.length; at += channels) {
    const opaque = (data[at + 3] ?? 0) / 255;
    for (let colour = at; colour < at + 3; colour += 1) {
      const own = (data[colour] ?? 0) * (isPremultiplied ? 1 : opaque);
      data[colour] = Math.min(255, Math.round(own + 255 * (1 - opaque)));
    }
  }
}

/** No side longer than `sideMax`; a picture that is small enough keeps its size. */
export function shrink(picture: Picture, sideMax: number): Rgba {
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const data = new Uint8Array(width * height * 4).fill(255);
  const columns = edgesOf(picture.width, width);
  const rows = edgesOf(picture.height, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const cell = { left: columns[x], right: columns[x + 1], top: rows[y], bottom: rows[y + 1] };
      data.set(meanOf(picture, cell as Cell), (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

interface Cell {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where each of `to` parts of a side begins, and the last ends. */
const edgesOf = (from: number, to: number): number[] =>
  Array.from({ length: to + 1 }, (_, at) => Math.round((at * from) / to));

function meanOf({ stride, channels, data }: Picture, cell: Cell): [number, number, number] {
  const { left, right, top, bottom } = cell;
  const sums: [number, number, number] = [0, 0, 0];
  for (let y = top; y < bottom; y += 1) {
    for (
      let at = y * stride + left * channels;
      at < y * stride + right * channels;
      at += channels
    ) {
      sums[0] += data[at] ?? 0;
      sums[1] += data[at + 1] ?? 0;
      sums[2] += data[at + 2] ?? 0;
    }
  }
  const count = (right - left) * (bottom - top);
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}
