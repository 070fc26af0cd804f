/**
 * HTML to PDF in a browser that is kept warm. What is printed can fetch nothing and run nothing, whatever
 * it holds; a browser that crashes, hangs or has printed much is replaced.
 */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { fontStyles } from './fonts.ts';

export interface PrinterLimits {
  /** Pages after which a browser is replaced: memory that it does not give back goes with it. */
  readonly printsMax: number;
  /** For one document. */
  readonly timeoutMs: number;
  /** Documents printed at the same time; others wait. Each takes a process of its own in the browser. */
  readonly atOnce: number;
}

const usual: PrinterLimits = { printsMax: 500, timeoutMs: 30_000, atOnce: 2 };
const attempts = 2;
/**
 * Prints between two collections of a page's garbage. With no script running Chromium sees no reason to
 * collect any: a page grows by some 3 MB a print, two gigabytes in 450 (measured), and by nothing with this.
 */
const printsPerCollection = 20;

export class PdfPrinter {
  readonly #chromiumPath: string | undefined;
  readonly #limits: PrinterLimits;
  readonly #open = new Set<Warm>();
  /** Who waits for their turn. */
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #current: Warm | undefined;
  #fonts: string | undefined;

  constructor(chromiumPath: string | undefined, limits: Partial<PrinterLimits> = {}) {
    this.#chromiumPath = chromiumPath;
    this.#limits = { ...usual, ...limits };
  }

  /** A tagged, searchable A4 document. Its own style sheet says what stands in the margins. */
  async print(html: string): Promise<Buffer> {
    if (this.#underWay < this.#limits.atOnce) this.#underWay += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#print(html);
    } finally {
      // The turn goes to the next, or nobody has it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#underWay -= 1;
    }
  }

  async #print(html: string): Promise<Buffer> {
    this.#fonts ??= `<head><style>${fontStyles()}</style>`;
    const whole = html.replace('<head>', () => this.#fonts ?? '');
    for (let attempt = 1; ; attempt += 1) {
      const browser = this.#warm();
      try {
        return await browser.print(whole, this.#limits.timeoutMs);
      } catch (error) {
        this.#retire(browser);
        if (attempt === attempts) throw error;
      }
    }
  }

  async close(): Promise<void> {
    this.#current = undefined;
    await Promise.all([...this.#open].map((browser) => browser.close()));
  }

  #warm(): Warm {
    if (this.#current && this.#current.prints >= this.#limits.printsMax) {
      this.#retire(this.#current);
    }
    if (!this.#current) {
      const warm = new Warm(launchChromium(this.#chromiumPath), () => this.#open.delete(warm));
      this.#open.add(warm);
      this.#current = warm;
    }
    return this.#current;
  }

  /** New prints go to another browser; this one ends with the last that it has under way. */
  #retire(browser: Warm): void {
    if (this.#current === browser) this.#current = undefined;
    browser.retire();
  }
}

interface FormAsTyped {
  readonly page: Page;
  readonly session: CDPSession;
  prints: number;
}

/** One running browser with pages that wait for their next print. */
class Warm {
  prints = 0;
  readonly #browser: Promise<Browser>;
  readonly #onClosed: () => void;
  #underWay = 0;
  #isRetired = false;
  #idle: FormAsTyped[] = [];

  constructor(browser: Promise<Browser>, onClosed: () => void) {
    this.#browser = browser;
    this.#onClosed = onClosed;
    // Whoever prints is told; nobody may be printing yet.
    browser.catch(() => undefined);
  }

  async print(html: string, timeoutMs: number): Promise<Buffer> {
    this.prints += 1;
    this.#underWay += 1;
    try {
      return await inTime(timeoutMs, async () => {
        const kept = this.#idle.pop() ?? (await this.#openPage());
        const { page } = kept;
        await page.setContent(html, { waitUntil: 'load', timeout: timeoutMs });
        const pdf = await page.pdf({
          format: 'A4',
          printBackground: true,
          preferCSSPageSize: true,
          tagged: true,
          outline: true,
        });
        kept.prints += 1;
        if (kept.prints % printsPerCollection === 0) collectGarbage(kept);
        // Kept pages are several times quicker than new ones (measured).
        this.#idle.push(kept);
        return pdf;
      });
    } finally {
      this.#underWay -= 1;
      this.#endIfDone();
    }
  }

  retire(): void {
    this.#isRetired = true;
    this.#endIfDone();
  }

  async close(): Promise<void> {
    this.#isRetired = true;
    this.#onClosed();
    await this.#browser.then((running) => running.close()).catch(() => undefined);
  }

  #endIfDone(): void {
    if (this.#isRetired && this.#underWay === 0) void this.close();
  }

  async #openPage(): Promise<FormAsTyped> {
    const browser = await this.#browser;
    const context = await browser.newContext({
      javaScriptEnabled: false,
      offline: true,
      locale: 'sv-SE',
    });
    await context.route('**/*', (route) => route.abort());
    const page = await context.newPage();
    return { page, session: await context.newCDPSession(page), prints: 0 };
  }
}

/** Nobody waits for it but the page's next print. */
function collectGarbage({ session }: FormAsTyped): void {
  session.send('HeapProfiler.collectGarbage').catch(() => undefined);
}

async function inTime<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the browser did not print in time')), timeoutMs);
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
