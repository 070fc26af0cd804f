/**
 * What a PDF needs of a typeface that comes as WOFF (W3C, version 1): its TrueType tables, which glyph each character has
 * and how wide that is. For what is written straight as PDF (`pdf-file.ts`); browsers read their fonts themselves.
 */
import { inflateSync } from 'node:zlib';

export interface Typeface {
  /** A TrueType font with just the tables that drawing takes. */
  readonly sfnt: Buffer;
  /** Of a code point; undefined where the typeface has none. */
  readonly glyphs: ReadonlyMap<number, number>;
  /** Of a figure's glyph: the one that is as wide as all of them, so that they stand under each other. */
  readonly tabular: ReadonlyMap<number, number>;
  /** By glyph, thousandths of the size. */
  readonly widths: readonly number[];
  readonly box: readonly number[];
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
}

const drawn = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'];

export function readTypeface(woff: Buffer): Typeface {
  const tables = tablesOf(woff);
  const table = (tag: string): Buffer => {
    const found = tables.get(tag);
    if (!found) throw new Error(`the typeface has no ${tag}`);
    return found;
  };
  const [head, hhea, hmtx, os2] = [table('head'), table('hhea'), table('hmtx'), table('OS/2')];
  const unit = 1000 / head.readUInt16BE(18);
  const scaled = (value: number): number => Math.round(value * unit);
  const measured = hhea.readUInt16BE(34);
  const widths = Array.from({ length: table('maxp').readUInt16BE(4) }, (_, glyph) =>
    scaled(hmtx.readUInt16BE(Math.min(glyph, measured - 1) * 4)),
  );
  return {
    sfnt: sfntOf(tables),
    glyphs: glyphsOf(table('cmap')),
    tabular: substitutesOf(table('GSUB'), 'tnum'),
    widths,
    box: [36, 38, 40, 42].map((at) => scaled(head.readInt16BE(at))),
    ascent: scaled(hhea.readInt16BE(4)),
    descent: scaled(hhea.readInt16BE(6)),
    capHeight: scaled(os2.readInt16BE(88)),
  };
}

function tablesOf(woff: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: woff.readUInt16BE(12) }, (_, place) => {
    const at = 44 + place * 20;
    const [start, packed, length] = [4, 8, 12].map((step) => woff.readUInt32BE(at + step));
    const bytes = woff.subarray(start, (start ?? 0) + (packed ?? 0));
    const tag = woff.toString('latin1', at, at + 4);
    return [tag, bytes.length === length ? bytes : inflateSync(bytes)] as const;
  });
  return new Map(entries);
}

/** Four bytes a step, so that each table begins at one. */
const padded = (length: number): number => Math.ceil(length / 4) * 4;

function sfntOf(tables: ReadonlyMap<string, Buffer>): Buffer {
  const kept = drawn.flatMap((tag) => {
    const bytes = tables.get(tag);
    return bytes ? [{ tag, bytes }] : [];
  });
  const directory = Buffer.alloc(12 + kept.length * 16);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(kept.length, 4);
  const power = Math.floor(Math.log2(kept.length));
  directory.writeUInt16BE(16 << power, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE((kept.length - (1 << power)) * 16, 10);
  let offset = directory.length;
  const parts = kept.map(({ tag, bytes }, place) => {
    const at = 12 + place * 16;
    directory.write(tag, at, 'latin1');
    const part = Buffer.concat([bytes], padded(bytes.length));
    directory.writeUInt32BE(checksumOf(part), at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(bytes.length, at + 12);
    offset += part.length;
    return part;
  });
  return Buffer.concat([directory, ...parts]);
}

function checksumOf(bytes: Buffer): number {
  let all = 0;
  for (let at = 0; at < bytes.length; at += 4) all = (all + bytes.readUInt32BE(at)) >>> 0;
  return all;
}

/** Format 4 of `cmap`: code points to U+FFFF in segments (OpenType). */
function glyphsOf(cmap: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>();
  const at = cmap.readUInt32BE(8);
  if (cmap.readUInt16BE(at) !== 4) throw new Error('the typeface maps its characters otherwise');
  const segments = cmap.readUInt16BE(at + 6) / 2;
  const [ends, starts] = [at + 14, at + 16 + segments * 2];
  const [deltas, ranges] = [starts + segments * 2, starts + segments * 4];
  for (let segment = 0; segment < segments; segment += 1) {
    const step = segment * 2;
    const [first, last] = [cmap.readUInt16BE(starts + step), cmap.readUInt16BE(ends + step)];
    const [delta, range] = [cmap.readUInt16BE(deltas + step), cmap.readUInt16BE(ranges + step)];
    for (let point = first; point <= last && point !== 0xffff; point += 1) {
      const listed =
        range === 0 ? point : cmap.readUInt16BE(ranges + step + range + (point - first) * 2);
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(point, glyph);
    }
  }
  return glyphs;
}

/** Which glyph stands for which when the feature is asked for: single substitutions (OpenType, GSUB type 1). */
function substitutesOf(gsub: Buffer, feature: string): Map<number, number> {
  const word = (at: number): number => gsub.readUInt16BE(at);
  const list = (at: number): number[] =>
    Array.from({ length: word(at) }, (_, place) => word(at + 2 + place * 2));
  const [features, lookups] = [word(6), word(8)];
  const numbers = Array.from({ length: word(features) }, (_, place) => features + 2 + place * 6)
    .filter((at) => gsub.toString('latin1', at, at + 4) === feature)
    .flatMap((at) => list(features + word(at + 4) + 2));
  const found = new Map<number, number>();
  for (const lookup of new Set(numbers)) {
    const at = lookups + word(lookups + 2 + lookup * 2);
    if (word(at) !== 1) continue;
    for (const step of list(at + 4)) {
      const table = at + step;
      const isListed = word(table) === 2;
      for (const [place, glyph] of coveredBy(gsub, table + word(table + 2)).entries()) {
        const other = isListed
          ? word(table + 6 + place * 2)
          : (glyph + gsub.readInt16BE(table + 4)) & 0xffff;
        found.set(glyph, other);
      }
    }
  }
  return found;
}

/** The glyphs of a coverage table, in its order: listed, or in ranges. */
function coveredBy(table: Buffer, at: number): number[] {
  const [format, count] = [table.readUInt16BE(at), table.readUInt16BE(at + 2)];
  const glyphs: number[] = [];
  for (let place = 0; place < count; place += 1) {
    if (format === 1) {
      glyphs.push(table.readUInt16BE(at + 4 + place * 2));
      continue;
    }
    const range = at + 4 + place * 6;
    const last = table.readUInt16BE(range + 2);
    for (let glyph = table.readUInt16BE(range); glyph <= last; glyph += 1) glyphs.push(glyph);
  }
  return glyphs;
}
