/**
 * HTML to PDF in a browser that is kept warm. What is printed can fetch nothing and run nothing, whatever
 * it holds; a browser that crashes, hangs or has printed much is replaced.
 */
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

const TIMEOUT_MS = 30_000;
/** Memory that a browser does not give back goes with it. */
const PRINTS_MAX = 500;
const ATTEMPTS = 2;

const footer = `<div style="width: 100%; margin: 0 16mm; font: 7.5pt sans-serif; color: #55625c; text-align: right">
  <span class="pageNumber"></span> (<span class="totalPages"></span>)</div>`;

export class PdfPrinter {
  readonly #chromiumPath: string | undefined;
  #browser: Promise<Browser> | undefined;
  #prints = 0;
  #underWay = 0;
  /** Pages that wait for their next print. */
  #idle: Page[] = [];

  constructor(chromiumPath: string | undefined) {
    this.#chromiumPath = chromiumPath;
  }

  /** A tagged, searchable A4 document with numbered pages. */
  async print(html: string): Promise<Buffer> {
    for (let attempt = 1; ; attempt += 1) {
      // Nobody's page is taken from them for the sake of memory.
      if (this.#prints >= PRINTS_MAX && this.#underWay === 0) await this.close();
      this.#underWay += 1;
      try {
        return await this.#print(html);
      } catch (error) {
        await this.close();
        if (attempt === ATTEMPTS) throw error;
      } finally {
        this.#underWay -= 1;
      }
    }
  }

  async close(): Promise<void> {
    const browser = this.#browser;
    this.#browser = undefined;
    this.#idle = [];
    this.#prints = 0;
    await browser?.then((running) => running.close()).catch(() => undefined);
  }

  async #print(html: string): Promise<Buffer> {
    this.#prints += 1;
    const page = this.#idle.pop() ?? (await this.#openPage());
    const pdf = await inTime(async () => {
      await page.setContent(html, { waitUntil: 'load', timeout: TIMEOUT_MS });
      return page.pdf({
        format: 'A4',
        printBackground: true,
        preferCSSPageSize: true,
        tagged: true,
        outline: true,
        displayHeaderFooter: true,
        headerTemplate: '<span></span>',
        footerTemplate: footer,
      });
    });
    // Kept pages are several times quicker than new ones (measured).
    this.#idle.push(page);
    return pdf;
  }

  async #openPage(): Promise<Page> {
    this.#browser ??= launchChromium(this.#chromiumPath);
    const browser = await this.#browser;
    const context = await browser.newContext({
      javaScriptEnabled: false,
      offline: true,
      locale: 'sv-SE',
    });
    await context.route('**/*', (route) => route.abort());
    return context.newPage();
  }
}

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error('the browser did not print in time')),
    TIMEOUT_MS,
  );
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
