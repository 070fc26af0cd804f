/** Invoices, reminders and collection cases as files: printed by the render worker, or made here. */
import { z } from 'zod';
import { bearerOf } from '../../http/headers.ts';
import { problemsOf } from '../../http/problems.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { type CaseFormat, exportCase } from '../../sales/collection/service.ts';
import {
  type PreparedDocument,
  prepareInvoicePdf,
  prepareReminderPdf,
} from '../../sales/invoices/documents.ts';
import { integer, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FileAnswer } from '../visit.ts';
import { collectionRouteSchema } from './collection-schema.ts';
import { invoiceParams } from './invoice.ts';

export function registerInvoiceFiles(pages: Pages): void {
  const { deps } = pages;
  const invoicePdf = {
    url: '/kundfakturor/:id/pdf',
    right: 'read',
    params: invoiceParams,
  } as const;
  pages.answer(invoicePdf, async (request) => {
    const document = await pages.visit(request, invoicePdf, ({ tx, params }) =>
      prepareInvoicePdf(tx, params.id),
    );
    return pdfOf(await pages.print(request, invoicePdf, document.html), document);
  });

  const reminderPdf = {
    url: '/kundfakturor/:id/paminnelser/:no/pdf',
    right: 'read',
    params: z.object({ id: uuid, no: integer(1, 999) }),
  } as const;
  pages.answer(reminderPdf, async (request) => {
    const document = await pages.visit(request, reminderPdf, ({ tx, params }) =>
      prepareReminderPdf(tx, params.id, params.no, deps.config.timeZone),
    );
    return pdfOf(await pages.print(request, reminderPdf, document.html), document);
  });
  registerCollection(pages);
}

function pdfOf(content: Buffer, { fileName }: PreparedDocument): FileAnswer {
  return {
    type: 'application/pdf',
    content,
    headers: { 'content-disposition': `inline; filename="${fileName}"` },
  };
}

const formats = ['pdf', 'json', 'csv'] as const;
const types: Readonly<Record<(typeof formats)[number], string>> = {
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

const collectionQuery = z.strictObject({
  format: z.enum(formats, { error: () => `ska vara något av ${formats.join(', ')}` }),
});

/**
 * GET /fakturor/{fakturaId}/inkasso (contract 4.12): for people who have logged in, never for a key.
 * Refusals in the order 401, 403, 400, 404, 422.
 */
function registerCollection(pages: Pages): void {
  const { deps } = pages;
  const place = {
    url: '/fakturor/:fakturaId/inkasso',
    right: 'read',
    // Whether it is an id is asked after who wants to know.
    params: z.object({ fakturaId: z.string() }),
    schema: collectionRouteSchema,
  } as const;
  pages.answer(place, async (request) => {
    if (bearerOf(request) !== undefined) throw keyRefusal();
    const { format, content, digest, invoiceNo } = await pages.visit(
      request,
      place,
      async ({ tx, params, person, today }) => {
        const format = readFormat(request.query);
        const id = z.guid().safeParse(params.fakturaId);
        if (!id.success) throw new AppError('not_found', 'Fakturan finns inte.');
        const { timeZone } = deps.config;
        const options = { day: today, preparedAt: deps.clock.now(), timeZone, format };
        return { format, ...(await exportCase(tx, id.data, options, person.actor)) };
      },
    );
    return {
      type: types[format],
      content: format === 'pdf' ? await pages.print(request, place, content) : content,
      headers: {
        'content-disposition': `attachment; filename="inkasso-${invoiceNo}.${format}"`,
        'x-case-digest': digest,
      },
    };
  });
}

function readFormat(query: unknown): (typeof formats)[number] & CaseFormat {
  const result = collectionQuery.safeParse(query);
  if (result.success) return result.data.format;
  throw refuse('invalid_request', problemsOf(result.error.issues, 'querystring'));
}

const keyRefusal = (): AppError =>
  new AppError(
    'unauthorized',
    'Inkassounderlag hämtas av den som är inloggad i appen; ingen API-nyckel öppnar dem.',
  );
