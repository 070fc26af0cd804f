/** Lines out of bytes that come in chunks: any line end (LF, CRLF, CR), and no line longer than can be kept. */

/** No post needs a tenth of it; what is longer is cut there, so that a line of gigabytes fills no memory. */
export const lineBytesMax = 65_536;

export interface SieLine {
  /** Counted from 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Whether it was longer, and the rest was thrown away. */
  readonly isCut: boolean;
}

const lineFeed = 10;
const carriageReturn = 13;
const nothing = new Uint8Array();

export class SieLines {
  #number = 0;
  /** The beginning of a line whose end has not come. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;
  #isCut = false;
  /** A line feed right after belongs to the carriage return before. */
  #endedInReturn = false;

  /** The lines that end in the chunk. They hold no bytes of it that change later. */
  read(chunk: Uint8Array): SieLine[] {
    const lines: SieLine[] = [];
    let from = 0;
    if (this.#endedInReturn && chunk.length > 0) {
      if (chunk[0] === lineFeed) from = 1;
      this.#endedInReturn = false;
    }
    let feed = chunk.indexOf(lineFeed, from);
    let back = chunk.indexOf(carriageReturn, from);
    while (feed >= 0 || back >= 0) {
      const isFeed = back < 0 || (feed >= 0 && feed < back);
      const end = isFeed ? feed : back;
      if (end === from && this.#begunBytes === 0) {
        // Nothing is gathered for an empty line, of which a hostile file has millions.
        this.#number += 1;
        lines.push({ number: this.#number, bytes: nothing, isCut: false });
      } else {
        this.#add(chunk.subarray(from, end));
        lines.push(this.#take());
      }
      from = end + 1;
      if (!isFeed && from === chunk.length) this.#endedInReturn = true;
      else if (!isFeed && chunk[from] === lineFeed) from += 1;
      if (feed >= 0 && feed < from) feed = chunk.indexOf(lineFeed, from);
      if (back >= 0 && back < from) back = chunk.indexOf(carriageReturn, from);
    }
    this.#add(chunk.slice(from, from + lineBytesMax + 1));
    return lines;
  }

  /** The last line, when no line end followed it. */
  end(): SieLine[] {
    return this.#begunBytes > 0 ? [this.#take()] : [];
  }

  #add(bytes: Uint8Array): void {
    const room = lineBytesMax - this.#begunBytes;
    if (bytes.length > room) this.#isCut = true;
    const kept = bytes.subarray(0, room);
    if (kept.length > 0) this.#begun.push(kept);
    this.#begunBytes += kept.length;
  }

  #take(): SieLine {
    const [only = nothing] = this.#begun;
    let bytes = only;
    if (this.#begun.length > 1) {
      bytes = new Uint8Array(this.#begunBytes);
      let at = 0;
      for (const part of this.#begun) {
        bytes.set(part, at);
        at += part.length;
      }
    }
    this.#number += 1;
    const line = { number: this.#number, bytes, isCut: this.#isCut };
    this.#begun = [];
    this.#begunBytes = 0;
    this.#isCut = false;
    return line;
  }
}
