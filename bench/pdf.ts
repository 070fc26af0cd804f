/**
 * (j) PDFs: how many collection cases one and two render workers print in a second, beside a browser that
 * is made to print the same pages with nothing around it; and how long one click on an invoice takes.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { Decisions } from '#src/db/decisions.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { launchChromium } from '#src/render/chromium.ts';
import { fontStyles } from '#src/render/fonts.ts';
import { type Printing, printPdf } from '#src/render/print.ts';
import { loadTemplate } from '#src/render/templates.ts';
import { caseView } from '#src/sales/collection/view.ts';
import { prepareInvoicePdf } from '#src/sales/invoices/documents.ts';
import type { Figure, Rate } from './figure.ts';
import { measureInTurn } from './in-turn.ts';
import { bookedInvoices, exampleCase } from './pdf-documents.ts';
import { percentile } from './statistics.ts';
import type { System } from './system.ts';

/** Pages at work at the same time in one worker, and so in one bare browser. */
const pages_per_worker = 2;
/** Who waits at the same time, for each worker: enough that it never does. */
const clients_per_worker = 4;
const lines = 5;
const ratio_wanted = 0.7;
const click_ms_wanted = 150;
const click_pause_ms = 100;
const warm_up_seconds = 2;

export async function measurePdf(system: System, seconds: number): Promise<Figure[]> {
  const printing = await openPrinting(system.url);
  try {
    const figures = await compare(printing, 1, seconds);
    figures.push(...(await measureClicks(system, printing, seconds)));
    const second = await startWorker(system);
    try {
      figures.push(...(await compare(printing, 2, seconds)));
    } finally {
      await second.stop();
    }
    return figures;
  } finally {
    await printing.decisions.stop();
    await printing.pool.end();
  }
}

async function openPrinting(url: string): Promise<Printing> {
  const login = await roleUrl(url, 'hb_app');
  const pool = createPool({ url: login, max: 12, applicationName: 'bench pdf' });
  const decisions = new Decisions();
  await decisions.start(login);
  return { pool, decisions };
}

const template = loadTemplate('documents/collection');
/** A page that has never been printed. */
const newCase = (): string => template(caseView(exampleCase(lines), randomUUID(), 'UTC'));

async function compare(printing: Printing, workers: number, seconds: number): Promise<Figure[]> {
  const bare = await openBare(workers);
  const who = workers === 1 ? 'one worker' : `${workers} workers`;
  try {
    const work = (time: number) =>
      repeat(
        `collection case of ${lines} rows as PDF, ${who}`,
        workers * clients_per_worker,
        time,
        () => printPdf(printing, newCase()),
      );
    const bareWork = (time: number) =>
      repeat(
        `bare page.pdf() of the same pages, ${who.replace('worker', 'browser')}`,
        bare.pages.length,
        time,
        bare.print,
      );
    await Promise.all([work(warm_up_seconds), bareWork(warm_up_seconds)]);
    const { base, rate, ratio } = await measureInTurn(
      () => bareWork(seconds / 2),
      () => work(seconds / 2),
    );
    return [
      base,
      rate,
      {
        measurement: 'pdf',
        what: `ratio of the two, ${who}, median of ${ratio.all}`,
        value: `${ratio.median.toFixed(2)} ×`,
        wanted: `≥ ${ratio_wanted}`,
        is_met: ratio.median >= ratio_wanted,
      },
    ];
  } finally {
    await bare.close();
  }
}

/** Browsers with as many pages as the workers have, which nothing is asked of but to print. */
async function openBare(count: number) {
  const browsers: Browser[] = [];
  const pages: Page[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const browser = await launchChromium(undefined);
    browsers.push(browser);
    for (let n = 0; n < pages_per_worker; n += 1) {
      const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
      pages.push(await context.newPage());
    }
  }
  const fonts = `<head><style>${fontStyles()}</style>`;
  const idle = [...pages];
  return {
    pages,
    async print() {
      const page = idle.pop();
      if (!page) throw new Error('more prints than pages');
      await page.setContent(newCase().replace('<head>', () => fonts));
      await page.pdf({
        preferCSSPageSize: true,
        printBackground: true,
        tagged: true,
        outline: true,
      });
      idle.push(page);
    },
    close: () => Promise.all(browsers.map((browser) => browser.close())),
  };
}

/** So many at the same time, over and over. */
async function repeat(
  what: string,
  clients: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<Rate> {
  const times: number[] = [];
  const started = performance.now();
  const client = async () => {
    while (performance.now() - started < seconds * 1000) times.push(await timed(work));
  };
  await Promise.all(Array.from({ length: clients }, client));
  const per_second = (times.length * 1000) / (performance.now() - started);
  return { measurement: 'pdf', what: `${what}, ${clients} at once`, per_second, ...spread(times) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function spread(times: number[]): { p50_ms: number; p99_ms: number } {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50_ms: percentile(sorted, 0.5), p99_ms: percentile(sorted, 0.99) };
}

/** From the click on an invoice, read from the books and made a page, to its PDF. */
async function measureClicks(
  { owner }: System,
  printing: Printing,
  seconds: number,
): Promise<Figure[]> {
  const ids = await bookedInvoices(owner, Math.ceil((seconds * 1000) / click_pause_ms));
  const click = async (id: string) => {
    const { html } = await withTx(owner, (tx) => prepareInvoicePdf(tx, id));
    return printPdf(printing, html);
  };
  const first: number[] = [];
  for (const id of ids) {
    first.push(await timed(() => click(id)));
    await sleep(click_pause_ms);
  }
  const again: number[] = [];
  for (const id of ids) again.push(await timed(() => click(id)));
  const warm = spread(first);
  return [
    {
      measurement: 'pdf',
      what: `click on an invoice to its PDF, one every ${click_pause_ms} ms, warm`,
      ...warm,
      wanted: `p50 ≤ ${click_ms_wanted} ms`,
      is_met: warm.p50_ms <= click_ms_wanted,
    },
    { measurement: 'pdf', what: 'the same click again', ...spread(again) },
  ];
}

/** One more render worker, beside the one of the system. */
async function startWorker({ url, owner }: System): Promise<{ stop(): Promise<void> }> {
  const entry = fileURLToPath(new URL('../src/cli/huvudbok.ts', import.meta.url));
  const child = spawn(process.execPath, [entry, 'worker', 'render'], {
    env: { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isUp = async () =>
    (
      await db(owner).query(
        sql`select from pg_stat_activity where application_name = 'huvudbok render'`,
      )
    ).length > 0;
  while (!(await isUp())) await sleep(100);
  return {
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
