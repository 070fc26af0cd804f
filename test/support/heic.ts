/** Pictures in HEIC, built box by box (ISO/IEC 14496-12, 23008-12), so that any of them can say what is not so. */

/**
 * One tile of 64 × 64, of which 48 rows are shown: red, green, blue and nearly white, a quarter each. A drawing of ours,
 * encoded by `heif-enc` 1.15 (x265).
 */
const codec = Buffer.from(
  'AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQAnQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5sCAAAAMAIAAAAwAhIgABAAZEAcFzwIk=',
  'base64',
);
const tile = Buffer.from(
  'AAAAlSgBrxOA5TH3/79lP+HdP8tyZk6gxC/8FD7sSr+muLEG44j6eVO/Xw/ww4go0C9rHJWUWMyiDMa6kzb0oHQYbQkT8pViO3db9LV3/dk/9ynEP98coQARjUi/lwJBwB/iMTj8jFyQo9/WeeR/0NKyOiDLSLyBRn/x3HXM6UZslLpYJWhN2gqru/Wu11dQ6VDdz0/ns6oY',
  'base64',
);

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const u16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => bytes(value >> 8, value & 255)));
const u32 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)));
const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
};
const full = (type: string, version: number, ...parts: readonly Buffer[]): Buffer =>
  box(type, bytes(version, 0, 0, 0), ...parts);

export interface HeicOptions {
  readonly brand?: string;
  /** What the file says that it shows; 64 × 48 is what it has. */
  readonly width?: number;
  readonly height?: number;
  /** Tiles across and down: items of their own that are all the same picture. */
  readonly across?: number;
  readonly down?: number;
  /** Quarters of a turn, against the clock. */
  readonly turned?: number;
  /** Upside down (0), or left for right (1). */
  readonly mirrored?: number;
  /** The whole is made of itself. */
  readonly isLoop?: boolean;
}

/** The picture, 64 × 48 unless it is to say otherwise. */
export function heicOf(options: HeicOptions = {}): Buffer {
  const { brand = 'heic', width = 64, height = 48, across = 1, down = 1 } = options;
  const { turned, mirrored, isLoop = false } = options;
  const tiles = Array.from({ length: across * down }, (_, at) => at + 2);
  const whole = 1;
  const grid = Buffer.concat([bytes(0, 1, down - 1, across - 1), u32(width, height)]);
  const turns = [
    ...(turned === undefined ? [] : [box('irot', bytes(turned))]),
    ...(mirrored === undefined ? [] : [box('imir', bytes(mirrored))]),
  ];
  const size = (...pixels: readonly [number, number]) => full('ispe', 0, u32(...pixels));
  const properties = [box('hvcC', codec), size(64, 64), size(width, height), ...turns];
  const ofWhole = [3, ...turns.map((_, at) => 0x84 + at)];
  const has = (item: number, of: readonly number[]) =>
    Buffer.concat([u16(item), bytes(of.length, ...of)]);
  const item = (id: number, type: string) =>
    full('infe', 2, u16(id, 0), Buffer.from(`${type}\0`, 'latin1'));
  const count = tiles.length + 1;
  /** Where the items lie: every tile in the file from `at`, the grid in the box idat. */
  const meta = (at: number): Buffer =>
    full(
      'meta',
      0,
      full('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      full('pitm', 0, u16(whole)),
      box('idat', grid),
      full(
        'iloc',
        1,
        bytes(0x44, 0),
        u16(count),
        Buffer.concat([u16(whole, 1, 0, 1), u32(0, grid.length)]),
        ...tiles.map((id) => Buffer.concat([u16(id, 0, 0, 1), u32(at, tile.length)])),
      ),
      full('iinf', 0, u16(count), item(whole, 'grid'), ...tiles.map((id) => item(id, 'hvc1'))),
      box(
        'iprp',
        box('ipco', ...properties),
        full('ipma', 0, u32(count), has(whole, ofWhole), ...tiles.map((id) => has(id, [0x81, 2]))),
      ),
      full('iref', 0, box('dimg', u16(whole, tiles.length, ...(isLoop ? [whole] : tiles)))),
    );
  const head = box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1heic`, 'latin1'));
  return Buffer.concat([head, meta(head.length + meta(0).length + 8), box('mdat', tile)]);
}

/** 16 × 16 and transparent, with black in the middle: a drawing of ours, encoded as the tile above is. */
export const blackOnNothing = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAvxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAGGlkYXQAAAAAABAAEAAAAAAAEAAQAAAAYGlsb2MBAAAAREAABAABAAAAAAAAAyAAAQAAAAAAAAAjAAIAAQAAAAAAAAABAAAAAAAAAAgAAwAAAAAAAANDAAEAAAAAAAAARwAEAAEAAAAAAAAAAQAAAAgAAAAIAAAAYmlpbmYAAAAAAAQAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAAAVaW5mZQIAAAEAAwAAaHZjMQAAAAAVaW5mZQIAAAAABAAAZ3JpZAAAAAGxaXBycAAAAYRpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAAcWh2Y0MBBAgAAAAAAAAAAAAe8AD8/Pj4AAAPAyAAAQAXQAEMAf//BAgAAAMAn/gAAAMAAB66AkAhAAEAJkIBAQQIAAADAJ/4AAADAAAewIIEFluqumubAgAAAwACAAADAAIQIgABAAZEAcFzwYkAAAAUaXNwZQAAAAAAAABAAAAAQAAAABRpc3BlAAAAAAAAABAAAAAQAAAADnBpeGkAAAAAAQgAAAAnYXV4QwAAAAB1cm46bXBlZzpoZXZjOjIwMTU6YXV4aWQ6MQAAAAAlaXBtYQAAAAAAAAAEAAECgQIAAgIDhAADAoUGAAQDB4iJAAAANmlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAAOZGltZwAEAAEAAwAAAA5hdXhsAAQAAQACAAAAcm1kYXQAAAAfKAGvGSEpDu4j81//owicFkKAp6fkyeCZ/jKXjocgmAAAAEMoAa4yQ1Q4cPXSRIQToQaiuXrkub+2nUavGCpu8Wp4pZGuSBo5y8LG/KSxsAjap/slUsz4nblfrUuCmqANsxKUModQ',
  'base64',
);
