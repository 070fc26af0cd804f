/**
 * The first sheet of a workbook of Excel (ECMA-376), read row by row. A file is trusted in nothing it says of itself:
 * what it unpacks to is bounded before and while it is unpacked, and checked (CRC).
 */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { rowCharactersMax } from '../../domain/ledger/bank-files/csv-rows.ts';
import { type BankFileProblems, shownText } from '../../domain/ledger/bank-files/problems.ts';
import type { SheetCalendar, SheetCell, SheetRow } from '../../domain/ledger/bank-files/sheet.ts';
import { bankFileBytesMax } from '../../domain/ledger/bank-files/statement.ts';

/** Of the file itself, which is held in memory; and what may be in it. */
export const workbookBytesMax = 64 * 1024 * 1024;
const entriesMax = 2_000;
/** XML of sheets packs some ten to one, and a bomb a thousand. */
const expansionMax = 100;
const smallBytes = 16 * 1024 * 1024;
/** Texts of cells, which are held in memory too; and one of them. */
const textsMax = 1_000_000;
const textCharactersMax = 16 * 1024 * 1024;
const cellCharactersMax = 32_767;
/** No list of a bank has so many columns. */
const columnsMax = 200;
const depthMax = 32;
const attributesMax = 64;
/** Characters without an element, an attribute or an end of either, which the parser gathers. */
const stretchMax = 1024 * 1024;
const rowsAtOnce = 500;
/** The names and relations of sheets, in memory. */
const smallPartBytesMax = 4 * 1024 * 1024;
const pieceLength = 64 * 1024;
const xml10 = { defaultXMLVersion: '1.0', forceXMLVersion: true } as const;

export interface WorkbookTarget {
  readonly problems: BankFileProblems;
  readonly setCalendar: (calendar: SheetCalendar) => void;
  readonly take: (rows: readonly SheetRow[]) => void;
}

/** Thrown once the file cannot be read further, which has been told. */
class Stop extends Error {}

/** False when it could not be read to its end, which is told. */
export async function readWorkbook(bytes: Buffer, target: WorkbookTarget): Promise<boolean> {
  const { problems } = target;
  const at = { line: null };
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
  } catch {
    problems.add('workbook_damaged', at, {});
    return false;
  }
  try {
    await new Workbook(zip, bytes.length, target).read();
    return true;
  } catch (error) {
    if (!(error instanceof Stop)) {
      // What the unpacking or the parser says; anything else is our own fault.
      if (!(error instanceof Error) || isOurs(error)) throw error;
      problems.add('workbook_damaged', at, {});
    }
    return false;
  }
}

const isOurs = (error: Error): boolean =>
  error instanceof TypeError || error instanceof ReferenceError;

interface Handlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

class Workbook {
  readonly #zip: ZipFile;
  readonly #size: number;
  readonly #target: WorkbookTarget;
  readonly #entries = new Map<string, Entry>();
  #unpacked = 0;

  constructor(zip: ZipFile, size: number, target: WorkbookTarget) {
    this.#zip = zip;
    this.#size = size;
    this.#target = target;
  }

  async read(): Promise<void> {
    await this.#listEntries();
    const workbook = await this.#readWorkbook();
    const texts = await this.#readTexts(this.#entries.get(`${workbook.folder}sharedStrings.xml`));
    this.#target.setCalendar(workbook.is1904 ? 1904 : 1900);
    await this.#readSheet(workbook.sheet, texts);
  }

  #stop(reason: 'workbook_damaged' | 'not_a_workbook'): never {
    const at = { line: null };
    if (reason === 'workbook_damaged') this.#target.problems.add(reason, at, {});
    else this.#target.problems.add('not_a_statement', at, { kind: 'zip' });
    throw new Stop();
  }

  #tooLarge(): never {
    const max = Math.min(bankFileBytesMax, Math.max(smallBytes, expansionMax * this.#size));
    this.#target.problems.add('workbook_too_large', { line: null }, { max });
    throw new Stop();
  }

  async #listEntries(): Promise<void> {
    if (this.#zip.entryCount > entriesMax) this.#stop('not_a_workbook');
    let packed = 0;
    for await (const entry of this.#zip.eachEntry()) {
      packed += entry.compressedSize;
      // Parts that lie on each other are more together than the file they are in.
      if (packed > this.#size || this.#entries.has(entry.fileName)) this.#stop('workbook_damaged');
      this.#entries.set(entry.fileName, entry);
    }
  }

  /** Where the first sheet that is shown is, and by which calendar it counts days. */
  async #readWorkbook(): Promise<{ sheet: Entry; folder: string; is1904: boolean }> {
    const path = [...this.#entries.keys()].find((name) => /^(?:[^/]+\/)?workbook\.xml$/.test(name));
    if (path === undefined) this.#stop('not_a_workbook');
    const folder = path.slice(0, -'workbook.xml'.length);
    let is1904 = false;
    const sheets: string[] = [];
    await this.#parse(this.#small(path), {
      open: (name, attributes) => {
        if (name === 'workbookPr') is1904 = isTrue(attributes['date1904']);
        const isShown = (attributes['state'] ?? 'visible') === 'visible';
        if (name === 'sheet' && isShown) sheets.push(attributes['id'] ?? '');
      },
    });
    let target: string | undefined;
    await this.#parse(this.#small(`${folder}_rels/workbook.xml.rels`), {
      open: (name, attributes) => {
        if (name === 'Relationship' && attributes['Id'] === sheets[0]) {
          target ??= attributes['Target'];
        }
      },
    });
    const sheet =
      target === undefined
        ? undefined
        : this.#entries.get(target.startsWith('/') ? target.slice(1) : `${folder}${target}`);
    return sheet ? { sheet, folder, is1904 } : this.#stop('workbook_damaged');
  }

  #small(path: string): Entry {
    const entry = this.#entries.get(path);
    if (!entry || entry.uncompressedSize > smallPartBytesMax) this.#stop('workbook_damaged');
    return entry;
  }

  async #readTexts(entry: Entry | undefined): Promise<readonly string[]> {
    if (!entry) return [];
    const texts: string[] = [];
    let characters = 0;
    let text = '';
    let isText = false;
    // How the text is pronounced is none of it.
    let isSpoken = false;
    await this.#parse(entry, {
      open: (name) => {
        if (name === 'si') text = '';
        else if (name === 'rPh') isSpoken = true;
        else if (name === 't') isText = true;
      },
      text: (some) => {
        if (isText && !isSpoken) text = (text + some).slice(0, cellCharactersMax);
      },
      close: (name) => {
        if (name === 't') isText = false;
        else if (name === 'rPh') isSpoken = false;
        else if (name === 'si') {
          texts.push(text);
          characters += text.length;
          if (characters > textCharactersMax || texts.length > textsMax) this.#tooLarge();
        }
      },
    });
    return texts;
  }

  async #readSheet(entry: Entry, texts: readonly string[]): Promise<void> {
    let rows: SheetRow[] = [];
    let cells: SheetCell[] = [];
    let line = 0;
    let place = 0;
    let kind = '';
    let value = '';
    let isValue = false;
    let size = 0;
    const handOver = (): void => {
      this.#target.take(rows);
      rows = [];
    };
    await this.#parse(entry, {
      open: (name, attributes) => {
        if (name === 'row') {
          const told = Number(attributes['r']);
          line = Number.isSafeInteger(told) && told > line ? told : line + 1;
          cells = [];
          place = 0;
          size = 0;
        } else if (name === 'c') {
          place = columnOf(attributes['r']) ?? place;
          kind = attributes['t'] ?? 'n';
          value = '';
        } else if (name === 'v' || name === 't') isValue = true;
      },
      text: (some) => {
        if (isValue) value = (value + some).slice(0, cellCharactersMax);
      },
      close: (name) => {
        if (name === 'v' || name === 't') isValue = false;
        else if (name === 'c') {
          const cell = cellOf(kind, value, texts);
          size += cell.text.length;
          if (place < columnsMax && size <= rowCharactersMax) {
            while (cells.length < place) cells.push(emptyCell);
            cells[place] = cell;
          }
          place += 1;
        } else if (name === 'row') {
          rows.push({ line, cells, isTooLong: size > rowCharactersMax });
          if (rows.length >= rowsAtOnce) handOver();
        }
      },
    });
    handOver();
  }

  /** An entry's elements by their local names, whatever prefixes there are. */
  async #parse(entry: Entry, { open, text, close }: Handlers): Promise<void> {
    const { problems } = this.#target;
    this.#unpacked += entry.uncompressedSize;
    const max = Math.min(bankFileBytesMax, Math.max(smallBytes, expansionMax * this.#size));
    if (this.#unpacked > max) this.#tooLarge();
    const parser = new SaxesParser(xml10);
    const at = () => ({ line: parser.line, path: entry.fileName });
    let depth = 0;
    let fed = 0;
    let lastMark = 0;
    let count = 0;
    let attributes: Record<string, string> = Object.create(null);
    parser.on('doctype', () => {
      problems.add('xml_doctype', at(), {});
      throw new Stop();
    });
    parser.on('error', (error) => {
      problems.add('xml_malformed', at(), {
        found: shownText(error.message.replace(/^\d+:\d+: /, '')),
      });
      throw new Stop();
    });
    parser.on('attribute', ({ name, value }) => {
      lastMark = fed;
      count += 1;
      if (count > attributesMax) {
        problems.add('xml_too_many_attributes', at(), { max: attributesMax });
        throw new Stop();
      }
      attributes[localName(name)] ??= value;
    });
    parser.on('opentag', ({ name }) => {
      lastMark = fed;
      count = 0;
      depth += 1;
      if (depth > depthMax) {
        problems.add('xml_too_deep', at(), { max: depthMax });
        throw new Stop();
      }
      open?.(localName(name), attributes);
      attributes = Object.create(null);
    });
    if (text) parser.on('text', text);
    parser.on('closetag', ({ name }) => {
      lastMark = fed;
      depth -= 1;
      close?.(localName(name));
    });
    let crc = 0;
    let bytes = 0;
    const decoder = new TextDecoder(undefined, { fatal: true });
    const stream: Readable = await this.#zip.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      crc = crc32(chunk as Buffer, crc);
      bytes += (chunk as Buffer).length;
      if (bytes > entry.uncompressedSize) this.#stop('workbook_damaged');
      const some = decode(decoder, chunk as Buffer);
      if (some === null) this.#stop('workbook_damaged');
      for (let from = 0; from < some.length; from += pieceLength) {
        const piece = some.slice(from, from + pieceLength);
        fed += piece.length;
        parser.write(piece);
        if (fed - lastMark <= stretchMax) continue;
        problems.add('text_too_long', at(), { max: stretchMax });
        throw new Stop();
      }
    }
    if (crc !== entry.crc32) this.#stop('workbook_damaged');
    parser.close();
  }
}

/** Null where it is not UTF-8, which Excel always writes. */
function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer): string | null {
  try {
    return decoder.decode(chunk, { stream: true }).replaceAll('\0', '');
  } catch {
    return null;
  }
}

const emptyCell: SheetCell = { text: '', isNumber: false };

const numberForm = /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;

function cellOf(kind: string, value: string, texts: readonly string[]): SheetCell {
  if (kind === 's') return { text: texts[Number(value)] ?? '', isNumber: false };
  // What is no number, in a cell of numbers, is told of where it is read.
  const isNumber = kind === 'n' && numberForm.test(value) && Number.isFinite(Number(value));
  return { text: value, isNumber };
}

/** `BC12` is column 54, counted from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const [, letters] = /^([A-Z]{1,3})\d+$/.exec(reference ?? '') ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
