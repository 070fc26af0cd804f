/**
 * A PDF (ISO 32000-1) written while its pages are made, so that memory does not grow with them: for tables that are too
 * long for a browser to print (docs/decisions/0018-pdfs-of-reports.md). Text in Inter, embedded and searchable; tagged when asked to.
 */
import { deflateSync } from 'node:zlib';
import { subsets, typefaceFile } from './fonts.ts';
import { readTypeface, type Typeface } from './typeface.ts';

export type Weight = 'regular' | 'strong';

const weights = { regular: 400, strong: 600 } as const;

interface Face extends Typeface {
  readonly id: number;
  /** As pages call it. */
  readonly key: string;
  readonly name: string;
  /** What has been written of it: the character that a glyph shows. */
  readonly used: Map<number, number>;
}

/** Some text as it is drawn: a run of glyphs (hexadecimal) for each typeface that it takes. */
export interface Drawn {
  readonly runs: readonly { readonly key: string; readonly show: string }[];
  /** Thousandths of the size. */
  readonly width: number;
}

export type Color = readonly [red: number, green: number, blue: number];

const replacement = 0xfffd;
const hex = (value: number): string => value.toString(16).padStart(4, '0');
const number = (value: number): string => String(Math.round(value * 100) / 100);
const reference = (id: number): string => `${id} 0 R`;
const utf16 = (text: string): string =>
  `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

export class PdfFile {
  /** As many of Inter's files as has been needed, in the order of `subsets`. */
  readonly #faces: Readonly<Record<Weight, Face[]>> = { regular: [], strong: [] };
  /** Where each object begins; none at 0. */
  readonly #places: number[] = [0];
  readonly #pages: number[] = [];
  #chunks: Buffer[] = [];
  #length = 0;
  readonly #catalog = this.reserve();
  readonly #tree = this.reserve();
  readonly #resources = this.reserve();
  readonly #pageCount = this.reserve();
  readonly #tags: Tags | undefined;
  readonly #title: string;

  /** `isTagged` gives what reads it aloud the table's structure, at an object for each cell. */
  constructor({ title, isTagged }: { readonly title: string; readonly isTagged: boolean }) {
    this.#title = title;
    this.#tags = isTagged ? new Tags(this) : undefined;
    // Four bytes above 127, so that nobody takes the file for text.
    this.#push(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  }

  get tags(): Tags | undefined {
    return this.#tags;
  }

  /** The next of Inter's files; undefined when all have been read. */
  #moreOf(weight: Weight): Face | undefined {
    const faces = this.#faces[weight];
    const subset = subsets[faces.length];
    if (!subset) return undefined;
    const [code, name] = weight === 'strong' ? ['S', 'SemiBold'] : ['R', 'Regular'];
    const more = subset === 'latin' ? '' : `-${subset}`;
    const face = {
      ...readTypeface(typefaceFile(subset, weights[weight])),
      id: this.reserve(),
      key: `${code}${faces.length}`,
      name: `Inter${more}-${name}`,
      used: new Map<number, number>(),
    };
    faces.push(face);
    return face;
  }

  /** The first that has the character, else the first of all, which draws an empty box. */
  #faceOf(point: number, weight: Weight): Face {
    const faces = this.#faces[weight];
    let face = faces.find(({ glyphs }) => glyphs.has(point));
    while (!face) {
      const more = this.#moreOf(weight);
      if (!more) break;
      if (more.glyphs.has(point)) face = more;
    }
    const [main] = faces;
    if (!main) throw new Error('Inter has no file');
    return face ?? main;
  }

  /** The number of an object that is written later. */
  reserve(): number {
    return this.#places.push(0) - 1;
  }

  write(id: number, body: string): void {
    this.#begin(id);
    this.#push(Buffer.from(`${body}\nendobj\n`, 'latin1'));
  }

  #writeStream(id: number, entries: string, content: Buffer): void {
    const packed = deflateSync(content);
    this.#begin(id);
    const head = `<<${entries} /Filter /FlateDecode /Length ${packed.length}>>\nstream\n`;
    this.#push(Buffer.from(head, 'latin1'), packed, Buffer.from('\nendstream\nendobj\n', 'latin1'));
  }

  #begin(id: number): void {
    this.#places[id] = this.#length;
    this.#push(Buffer.from(`${id} 0 obj\n`, 'latin1'));
  }

  #push(...chunks: Buffer[]): void {
    for (const chunk of chunks) this.#length += chunk.length;
    this.#chunks.push(...chunks);
  }

  /** What has been written since the last time. */
  take(): Buffer {
    const taken = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return taken;
  }

  /** Characters that no typeface has are drawn as an empty box. `isTabular` has figures of one width. */
  draw(text: string, weight: Weight, isTabular = false): Drawn {
    const runs: { key: string; show: string }[] = [];
    let width = 0;
    for (const { face, glyph, point } of this.#glyphsOf(text, weight, isTabular)) {
      face.used.set(glyph, glyph === 0 ? replacement : point);
      width += face.widths[glyph] ?? 0;
      const run = runs.at(-1);
      if (run?.key === face.key) run.show += hex(glyph);
      else runs.push({ key: face.key, show: hex(glyph) });
    }
    return { runs, width };
  }

  /** How wide it would be drawn, thousandths of the size. */
  measure(text: string, weight: Weight, isTabular = false): number {
    let width = 0;
    for (const { face, glyph } of this.#glyphsOf(text, weight, isTabular)) {
      width += face.widths[glyph] ?? 0;
    }
    return width;
  }

  *#glyphsOf(text: string, weight: Weight, isTabular: boolean) {
    for (const sign of text.normalize('NFC')) {
      // Tabs and ends of lines are a space.
      const point = Math.max(sign.codePointAt(0) ?? replacement, 0x20);
      const face = this.#faceOf(point, weight);
      const usual = face.glyphs.get(point) ?? 0;
      const glyph = isTabular ? (face.tabular.get(usual) ?? usual) : usual;
      yield { face, glyph, point };
    }
  }

  page(): PdfPage {
    return new PdfPage();
  }

  /** `width` and `height` in points; `tagged` is what the page's marked content belongs to. */
  endPage(page: PdfPage, width: number, height: number): void {
    const [id, content] = [page.idIn(this), this.reserve()];
    this.#writeStream(content, '', Buffer.from(page.content(), 'latin1'));
    const tagged = this.#tags ? ` /StructParents ${this.#pages.length} /Tabs /S` : '';
    this.write(
      id,
      `<</Type /Page /Parent ${reference(this.#tree)} /MediaBox [0 0 ${number(width)} ${number(height)}] /Resources ${reference(this.#resources)} /Contents ${reference(content)}${tagged}>>`,
    );
    this.#tags?.endPage();
    this.#pages.push(id);
  }

  /** After the last page. */
  end(size: number): void {
    const fonts = Object.values(this.#faces)
      .flat()
      .filter(({ used }) => used.size > 0);
    const count = this.draw(` ${this.#pages.length}`, 'regular');
    const text = new PdfPage().text(count, { x: 0, y: 0, size, color: quiet }).content();
    this.#writeStream(
      this.#pageCount,
      `/Type /XObject /Subtype /Form /BBox [0 -${size} ${number((count.width / 1000) * size + 1)} ${size}] /Resources ${reference(this.#resources)}`,
      Buffer.from(text, 'latin1'),
    );
    for (const face of fonts) this.#writeFace(face);
    const fontList = fonts.map(({ key, id }) => `/${key} ${reference(id)}`).join(' ');
    this.write(
      this.#resources,
      `<</Font <<${fontList}>> /XObject <</Count ${reference(this.#pageCount)}>>>>`,
    );
    this.write(
      this.#tree,
      `<</Type /Pages /Count ${this.#pages.length} /Kids [${this.#pages.map(reference).join(' ')}]>>`,
    );
    const tagged = this.#tags
      ? ` /MarkInfo <</Marked true>> /StructTreeRoot ${reference(this.#tags.end())}`
      : '';
    this.write(
      this.#catalog,
      `<</Type /Catalog /Pages ${reference(this.#tree)} /Lang (sv-SE) /ViewerPreferences <</DisplayDocTitle true>>${tagged}>>`,
    );
    const info = this.reserve();
    this.write(info, `<</Title ${utf16(this.#title)} /Producer (Huvudbok)>>`);
    const begins = this.#length;
    const lines = this.#places.map((place, id) =>
      id === 0 ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`,
    );
    this.#push(
      Buffer.from(`xref\n0 ${lines.length}\n${lines.join('')}`, 'latin1'),
      Buffer.from(
        `trailer\n<</Size ${lines.length} /Root ${reference(this.#catalog)} /Info ${reference(info)}>>\nstartxref\n${begins}\n%%EOF\n`,
        'latin1',
      ),
    );
  }

  /** A composite font whose codes are glyphs, and what characters they are, for search. */
  #writeFace({ id, name, used, sfnt, widths, box, ascent, descent, capHeight }: Face): void {
    const [descendant, descriptor, file, unicode] = [
      this.reserve(),
      this.reserve(),
      this.reserve(),
      this.reserve(),
    ];
    this.write(
      id,
      `<</Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${reference(descendant)}] /ToUnicode ${reference(unicode)}>>`,
    );
    const glyphs = [...used].sort(([one], [other]) => one - other);
    const wide = glyphs.map(([glyph]) => `${glyph} [${widths[glyph] ?? 0}]`).join(' ');
    this.write(
      descendant,
      `<</Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /FontDescriptor ${reference(descriptor)} /CIDToGIDMap /Identity /DW 0 /W [${wide}]>>`,
    );
    this.write(
      descriptor,
      `<</Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [${box.join(' ')}] /ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight ${capHeight} /StemV 80 /FontFile2 ${reference(file)}>>`,
    );
    this.#writeStream(file, `/Length1 ${sfnt.length}`, sfnt);
    this.#writeStream(unicode, '', Buffer.from(unicodeMap(glyphs), 'latin1'));
  }
}

/** At most a hundred lines stand in one block. */
function unicodeMap(glyphs: readonly (readonly [glyph: number, point: number])[]): string {
  const blocks: string[] = [];
  for (let at = 0; at < glyphs.length; at += 100) {
    const lines = glyphs
      .slice(at, at + 100)
      .map(([glyph, point]) => `<${hex(glyph)}> <${hex(point)}>`);
    blocks.push(`${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`;
}

export const ink: Color = [0.09, 0.129, 0.114];
export const quiet: Color = [0.337, 0.388, 0.365];

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly color?: Color;
  /** Squeezed to no more than this, points. */
  readonly widthMax?: number;
}

/** What is drawn on one page; points from its lower left corner. */
export class PdfPage {
  readonly #parts: string[] = [];
  #id: number | undefined;

  /** Its object's number, once there is one. */
  idIn(file: PdfFile): number {
    this.#id ??= file.reserve();
    return this.#id;
  }

  text({ runs, width }: Drawn, { x, y, size, color = ink, widthMax }: Place): this {
    const taken = (width / 1000) * size;
    const squeeze = widthMax !== undefined && taken > widthMax ? (widthMax / taken) * 100 : 100;
    const shown = runs.map(({ key, show }) => `/${key} ${number(size)} Tf <${show}> Tj`).join(' ');
    this.#parts.push(
      `BT ${color.join(' ')} rg ${number(squeeze)} Tz 1 0 0 1 ${number(x)} ${number(y)} Tm ${shown} ET`,
    );
    return this;
  }

  line(x: number, y: number, right: number, width: number, color: Color): this {
    this.#parts.push(
      `${width} w ${color.join(' ')} RG ${number(x)} ${number(y)} m ${number(right)} ${number(y)} l S`,
    );
    return this;
  }

  /** How many pages there are, which is known when the last is done. */
  pageCount(x: number, y: number): this {
    this.#parts.push(`q 1 0 0 1 ${number(x)} ${number(y)} cm /Count Do Q`);
    return this;
  }

  /** What `draw` draws belongs to a tag, or to nothing that is read. */
  mark(tag: { readonly kind: string; readonly id: number } | undefined, draw: () => void): this {
    this.#parts.push(tag ? `/${tag.kind} <</MCID ${tag.id}>> BDC` : '/Artifact BMC');
    draw();
    this.#parts.push('EMC');
    return this;
  }

  content(): string {
    return this.#parts.join('\n');
  }
}

/** The structure of a document that is a heading and a table: rows, and cells that know where they are drawn. */
export class Tags {
  readonly #file: PdfFile;
  readonly #root: number;
  readonly #document: number;
  readonly #table: number;
  readonly #headings: number[] = [];
  readonly #rows: number[] = [];
  /** Of the page under way, by their marks. */
  #marks: number[] = [];
  /** Each page's marks, as an object. */
  readonly #pages: number[] = [];

  constructor(file: PdfFile) {
    this.#file = file;
    this.#root = file.reserve();
    this.#document = file.reserve();
    this.#table = file.reserve();
  }

  heading(kind: 'H1' | 'P', page: PdfPage): { readonly kind: string; readonly id: number } {
    const id = this.#file.reserve();
    this.#headings.push(id);
    return this.#marked(id, kind, this.#document, page);
  }

  row(): TaggedRow {
    const id = this.#file.reserve();
    this.#rows.push(id);
    const cells: number[] = [];
    return {
      cell: (kind, page) => {
        const cell = this.#file.reserve();
        cells.push(cell);
        return this.#marked(cell, kind, id, page);
      },
      end: () =>
        this.#file.write(
          id,
          `<</Type /StructElem /S /TR /P ${reference(this.#table)} /K [${cells.map(reference).join(' ')}]>>`,
        ),
    };
  }

  #marked(id: number, kind: string, parent: number, page: PdfPage) {
    const mark = this.#marks.push(id) - 1;
    const scope = kind === 'TH' ? ' /A <</O /Table /Scope /Column>>' : '';
    this.#file.write(
      id,
      `<</Type /StructElem /S /${kind} /P ${reference(parent)} /Pg ${reference(page.idIn(this.#file))} /K ${mark}${scope}>>`,
    );
    return { kind, id: mark };
  }

  endPage(): void {
    const id = this.#file.reserve();
    this.#file.write(id, `[${this.#marks.map(reference).join(' ')}]`);
    this.#pages.push(id);
    this.#marks = [];
  }

  end(): number {
    const kids = (ids: readonly number[]): string => `[${ids.map(reference).join(' ')}]`;
    const element = (id: number, kind: string, parent: number, of: readonly number[]): void =>
      this.#file.write(
        id,
        `<</Type /StructElem /S /${kind} /P ${reference(parent)} /K ${kids(of)}>>`,
      );
    element(this.#table, 'Table', this.#document, this.#rows);
    element(this.#document, 'Document', this.#root, [...this.#headings, this.#table]);
    const pages = this.#pages.map((id, page) => `${page} ${reference(id)}`).join(' ');
    this.#file.write(
      this.#root,
      `<</Type /StructTreeRoot /K ${reference(this.#document)} /ParentTree <</Nums [${pages}]>> /ParentTreeNextKey ${this.#pages.length}>>`,
    );
    return this.#root;
  }
}

export interface TaggedRow {
  readonly cell: (
    kind: 'TH' | 'TD',
    page: PdfPage,
  ) => { readonly kind: string; readonly id: number };
  readonly end: () => void;
}
