/** A report as a PDF, written while its lines are read; its pages have the heads of the columns and their numbers. */
import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/pool.ts';
import { findCompany } from '../../installation/company/store.ts';
import { amountText } from '../../lib/swedish.ts';
import {
  type Color,
  type Drawn,
  ink,
  PdfFile,
  type PdfPage,
  quiet,
  type Weight,
} from '../../render/pdf-file.ts';
import { orgNumberText } from '../../render/wording.ts';
import { requireRoom } from './files.ts';
import {
  type BookReport,
  type Cell,
  type Column,
  daysText,
  type ReportLine,
  type ReportOptions,
} from './table.ts';

/** Points. Months side by side need a larger sheet than ledgers do, and a statement none that is turned. */
const sheets = {
  upright: { width: 595.28, height: 841.89 },
  turned: { width: 841.89, height: 595.28 },
  large: { width: 1190.55, height: 841.89 },
} as const;
const margin = { side: 45, top: 45, bottom: 57 };
const size = 7.5;
const titleSize = 18;
const lineHeight = 10;
const padding = 2.2;
const gap = 8;
const rule: Color = [0.867, 0.89, 0.875];
/** A text column is never narrower than about this. */
const textWidthLeast = 40;
/** Room for it is kept in each column of amounts of a listing, whose later lines nobody knows yet. */
const amountLeast = -99_999_999_99n;
/** Longer ones have no structure for what reads aloud: at an object a cell it would be most of the file. */
export const taggedLinesMax = 10_000;

export interface Printed {
  readonly report: BookReport;
  readonly options: ReportOptions;
  readonly company: { readonly name: string; readonly orgNumber: string | null };
  /** About how many lines there are. */
  readonly lines: number;
}

/** Throws 422 when the report is longer than a PDF may be. */
export async function readPrinted(
  db: Db,
  report: BookReport,
  options: ReportOptions,
): Promise<Printed> {
  const lines = await requireRoom(db, report, options, 'pdf');
  const company = await findCompany(db);
  const { name = '', organization_number: orgNumber = null } = company ?? {};
  return { report, options, company: { name, orgNumber }, lines };
}

export async function* reportPdf(
  { report, options, company, lines }: Printed,
  portions: AsyncIterable<readonly ReportLine[]>,
): AsyncGenerator<Buffer> {
  const title = `${report.title} ${daysText(report, options)}`;
  const file = new PdfFile({ title, isTagged: lines <= taggedLinesMax });
  let table: Table | undefined;
  for await (const some of portions) {
    table ??= new Table(file, {
      title,
      company: company.name,
      foot: [company.name, orgNumberText(company.orgNumber)].filter(Boolean).join(' · '),
      of: options.dimension ? `${options.dimension.code} ${options.dimension.name}` : '',
      columns: report.columns(options),
      sample: some,
      isListing: report.isListing === true,
    });
    for (const line of some) {
      table.add(line);
      if (!table.hasEndedPage()) continue;
      yield file.take();
      // Others are answered between two pages.
      await setImmediate();
    }
  }
  table?.end();
  yield file.take();
}

interface Shown {
  readonly title: string;
  readonly company: string;
  readonly foot: string;
  readonly of: string;
  readonly columns: readonly Column[];
  /** The first lines, which the columns are as wide as. */
  readonly sample: readonly ReportLine[];
  readonly isListing: boolean;
}

interface Room {
  readonly column: Column;
  readonly x: number;
  readonly width: number;
}

const textOf = (cell: Cell): string => (typeof cell === 'bigint' ? amountText(cell) : (cell ?? ''));

class Table {
  readonly #file: PdfFile;
  readonly #shown: Shown;
  readonly #sheet: { readonly width: number; readonly height: number };
  readonly #rooms: readonly Room[];
  #page: PdfPage | undefined;
  #pages = 0;
  #y = 0;
  #hasEndedPage = false;

  constructor(file: PdfFile, shown: Shown) {
    this.#file = file;
    this.#shown = shown;
    const { columns } = shown;
    this.#sheet =
      columns.length > 9 ? sheets.large : columns.length > 5 ? sheets.turned : sheets.upright;
    this.#rooms = this.#roomsOf();
  }

  /** Amounts and days as wide as they are, text in what is left of the sheet, by what it wants. */
  #roomsOf(): Room[] {
    const { columns, sample, isListing } = this.#shown;
    const wanted = columns.map((column, place) => {
      const texts = sample.map(({ cells }) => textOf(cells[place] ?? null));
      const head =
        column.kind === 'text' ? this.#measured(column.label) : this.#longestWord(column.label);
      const least =
        column.kind === 'amount' && isListing ? this.#measured(amountText(amountLeast), true) : 0;
      return texts.reduce(
        (widest, text) => Math.max(widest, this.#measured(text, column.kind === 'amount')),
        Math.max(head, least),
      );
    });
    const gaps = gap * (columns.length - 1);
    const fixed = columns.map(({ kind }, place) => (kind === 'text' ? 0 : (wanted[place] ?? 0)));
    const room = this.#sheet.width - 2 * margin.side - gaps;
    const left = Math.max(
      room - fixed.reduce((all, width) => all + width, 0),
      textWidthLeast * columns.filter(({ kind }) => kind === 'text').length,
    );
    // No word of a head is broken. A long text asks for less than its length: it may have several lines.
    const heads = columns.map(({ kind, label }) =>
      kind === 'text' ? this.#longestWord(label) : 0,
    );
    const asked = columns.map(({ kind }, place) =>
      kind === 'text'
        ? Math.max(Math.min(wanted[place] ?? 0, room / 3) - (heads[place] ?? 0), 1)
        : 0,
    );
    const allAsked = asked.reduce((all, width) => all + width, 0) || 1;
    const toShare = Math.max(left - heads.reduce((all, width) => all + width, 0), 0);
    const widths = columns.map(({ kind }, place) =>
      kind === 'text'
        ? (heads[place] ?? 0) + ((asked[place] ?? 0) / allAsked) * toShare
        : (fixed[place] ?? 0),
    );
    const squeeze = Math.min(1, room / widths.reduce((all, width) => all + width, 0));
    let x = margin.side;
    return columns.map((column, place) => {
      const width = (widths[place] ?? 0) * squeeze;
      const at = { column, x, width };
      x += width + gap;
      return at;
    });
  }

  #measured(text: string, isTabular = false): number {
    return (this.#file.measure(text, 'strong', isTabular) / 1000) * size;
  }

  #longestWord(text: string): number {
    return Math.max(...text.split(/\s+/).map((word) => this.#measured(word)));
  }

  /** In as many lines as it takes; a word that is longer than a line is broken. */
  #wrapped(text: string, width: number, weight: Weight, isTabular: boolean): Drawn[] {
    const draw = (part: string): Drawn => this.#file.draw(part, weight, isTabular);
    const fits = (part: string): boolean =>
      (this.#file.measure(part, weight, isTabular) / 1000) * size <= width;
    if (text === '') return [];
    if (isTabular || fits(text)) return [draw(text)];
    const lines: Drawn[] = [];
    let line = '';
    const keep = (part: string): void => void lines.push(draw(part));
    for (const word of text.split(/\s+/)) {
      if (line !== '' && fits(`${line} ${word}`)) {
        line = `${line} ${word}`;
        continue;
      }
      if (line !== '') keep(line);
      line = '';
      for (const sign of word) {
        if (line !== '' && !fits(line + sign)) {
          keep(line);
          line = '';
        }
        line += sign;
      }
    }
    if (line !== '') keep(line);
    return lines;
  }

  /** Whether a page has been ended since this was last asked. */
  hasEndedPage(): boolean {
    const has = this.#hasEndedPage;
    this.#hasEndedPage = false;
    return has;
  }

  add({ kind, cells }: ReportLine): void {
    const weight = kind === 'row' ? 'regular' : 'strong';
    let parts = this.#rooms.map(({ column, width }, place) =>
      this.#wrapped(textOf(cells[place] ?? null), width, weight, column.kind === 'amount'),
    );
    // What a page has no room for goes on in another row.
    const most = Math.floor((this.#top - margin.bottom - 2 * padding) / lineHeight) - 6;
    for (;;) {
      this.#row(
        parts.map((lines) => lines.slice(0, most)),
        'TD',
      );
      parts = parts.map((lines) => lines.slice(most));
      if (parts.every((lines) => lines.length === 0)) return;
    }
  }

  #row(parts: readonly (readonly Drawn[])[], kind: 'TH' | 'TD'): void {
    const lines = Math.max(1, ...parts.map(({ length }) => length));
    const height = lines * lineHeight + 2 * padding;
    if (this.#page && this.#y - height < margin.bottom) this.#endPage();
    const page = this.#page ?? this.#begin();
    this.#drawRow(page, parts, height, kind, true);
  }

  #drawRow(
    page: PdfPage,
    parts: readonly (readonly Drawn[])[],
    height: number,
    kind: 'TH' | 'TD',
    isRead: boolean,
  ): void {
    const row = isRead ? this.#file.tags?.row() : undefined;
    for (const [place, { column, x, width }] of this.#rooms.entries()) {
      const lines = parts[place] ?? [];
      if (lines.length === 0 && !row) continue;
      page.mark(row?.cell(kind, page), () => {
        for (const [n, drawn] of lines.entries()) {
          const taken = Math.min((drawn.width / 1000) * size, width);
          page.text(drawn, {
            x: column.kind === 'amount' ? x + width - taken : x,
            y: this.#y - padding - size - n * lineHeight,
            size,
            color: kind === 'TH' ? quiet : ink,
            widthMax: width,
          });
        }
      });
    }
    row?.end();
    this.#y -= height;
    const isHead = kind === 'TH';
    page.mark(undefined, () =>
      page.line(
        margin.side,
        this.#y,
        this.#sheet.width - margin.side,
        isHead ? 0.75 : 0.5,
        isHead ? ink : rule,
      ),
    );
  }

  get #top(): number {
    return this.#sheet.height - margin.top;
  }

  /** A page with its margins and the heads of the columns; the first has the title. */
  #begin(): PdfPage {
    const { title, company, foot, of, columns } = this.#shown;
    const page = this.#file.page();
    this.#page = page;
    this.#pages += 1;
    this.#y = this.#top;
    const small = (text: string) => this.#file.draw(text, 'regular');
    if (this.#pages === 1) {
      this.#y -= titleSize;
      page.mark(this.#file.tags?.heading('H1', page), () =>
        page.text(this.#file.draw(title, 'regular'), {
          x: margin.side,
          y: this.#y,
          size: titleSize,
        }),
      );
      this.#y -= 16;
      page.mark(this.#file.tags?.heading('P', page), () =>
        page.text(small([company, of].filter(Boolean).join(', ')), {
          x: margin.side,
          y: this.#y,
          size: 9,
          color: quiet,
        }),
      );
      this.#y -= 12;
    }
    page.mark(undefined, () => {
      const right = this.#sheet.width - margin.side;
      const below = { y: 33, size, color: quiet };
      const widthMax = right - margin.side - 110;
      page.text(small(foot), { ...below, x: margin.side, widthMax });
      const number = small(`Sida ${this.#pages} av`);
      const room = (small(' 9999').width / 1000) * size;
      page.text(number, { ...below, x: right - room - (number.width / 1000) * size });
      page.pageCount(right - room, below.y);
      if (this.#pages === 1) return;
      page.text(small(`${company} · ${title}`), {
        x: margin.side,
        y: this.#sheet.height - 28,
        size,
        color: quiet,
      });
    });
    const heads = columns.map(({ label }, place) =>
      this.#wrapped(label, this.#rooms[place]?.width ?? 0, 'regular', false),
    );
    const height = Math.max(...heads.map(({ length }) => length)) * lineHeight + 2 * padding;
    this.#drawRow(page, heads, height, 'TH', this.#pages === 1);
    return page;
  }

  #endPage(): void {
    if (!this.#page) return;
    this.#file.endPage(this.#page, this.#sheet.width, this.#sheet.height);
    this.#page = undefined;
    this.#hasEndedPage = true;
  }

  end(): void {
    if (this.#pages === 0) this.#begin();
    this.#endPage();
    this.#file.end(size);
  }
}
