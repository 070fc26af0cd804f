/** huvudbok invoice pdf · reminder-pdf · e-invoice */

import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
import { type Tx, withTx } from '../db/pool.ts';
import type { PreparedDocument } from '../sales/invoices/documents.ts';
import { note, withPool } from './context.ts';
import { integer, text, uuid } from './options.ts';
import { printed, writeOut } from './pdf.ts';

const id = ['<id>', 'fakturans id', uuid] as const;
const outOption = ['--out <fil>', 'dit den skrivs; annars på standard ut', text(4_000)] as const;

interface Out {
  readonly out?: string;
}

export function registerDocuments(invoice: Command): void {
  invoice
    .command('pdf')
    .description('skriv fakturan, kreditfakturan eller utkastet som PDF; görs av worker render')
    .argument(...id)
    .option(...outOption)
    .action((invoiceId: string, { out }: Out) =>
      writePdf(out, async (tx) =>
        (await import('../sales/invoices/documents.ts')).prepareInvoicePdf(tx, invoiceId),
      ),
    );

  invoice
    .command('reminder-pdf')
    .description('skriv en registrerad betalningspåminnelse som PDF; görs av worker render')
    .argument(...id)
    .option('--number <nummer>', 'vilken påminnelse, 1 är den första', integer(1, 99), 1)
    .option(...outOption)
    .action((invoiceId: string, { number, out }: Out & { number: number }) =>
      writePdf(out, async (tx) =>
        (await import('../sales/invoices/documents.ts')).prepareReminderPdf(
          tx,
          invoiceId,
          number,
          loadProcessConfig().timeZone,
        ),
      ),
    );

  invoice
    .command('e-invoice')
    .description(
      'skriv en bokförd faktura eller kreditfaktura som e-faktura (Peppol BIS Billing 3)',
    )
    .argument(...id)
    .option('--to <peppol-id>', 'mottagaren, annars 0007 och organisationsnumret', text(60))
    .option('--reference <text>', 'mottagarens referens, annars fakturans', text(200))
    .option(...outOption)
    .action(writeEInvoice);
}

interface EInvoiceOptions extends Out {
  readonly to?: string;
  readonly reference?: string;
}

async function writeEInvoice(
  invoiceId: string,
  { out, to, reference }: EInvoiceOptions,
): Promise<void> {
  const [{ getInvoiceDocument }, { eInvoiceOf }] = await Promise.all([
    import('../sales/invoices/documents.ts'),
    import('../sales/invoices/e-invoice.ts'),
  ]);
  await withPool(async (pool) => {
    const invoice = await withTx(pool, (tx) => getInvoiceDocument(tx, invoiceId));
    const { text, fileName } = eInvoiceOf(invoice, {
      peppolId: to ?? null,
      buyerReference: reference ?? null,
    });
    await writeOut(out, text);
    if (out !== undefined) note(`${fileName} är skriven till ${out}.`);
  });
}

async function writePdf(
  out: string | undefined,
  prepare: (tx: Tx) => Promise<PreparedDocument>,
): Promise<void> {
  await withPool(async (pool, url) => {
    const { html, fileName } = await withTx(pool, prepare);
    await writeOut(out, await printed(pool, url, html));
    if (out !== undefined) note(`${fileName} är skriven till ${out}.`);
  });
}
