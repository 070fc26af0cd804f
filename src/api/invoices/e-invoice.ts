/** GET /api/v1/kundfakturor/{id}/e-faktura: an invoice as an access point sends it. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorAnswer, errorResponses, keyErrors, problems } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { idSchema, textSchema } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { eInvoiceOf } from '../../sales/invoices/e-invoice.ts';
import { findInvoiceDocument } from '../../sales/invoices/printing-store.ts';

const asked = z.strictObject({
  peppolId: textSchema(60)
    .describe(
      'The address of the receiver in Peppol, for example 0088:7300010000001, when it is another than 0007 and the organisation number of the buyer',
    )
    .optional(),
  buyerReference: textSchema(200)
    .describe('The reference that the receiver wants, when it is another than your_reference')
    .optional(),
});

const document = {
  description: 'UBL 2.1 in UTF-8, without an envelope',
  content: {
    'application/xml': {
      schema: z.string().meta({ description: 'An Invoice or a CreditNote' }),
    },
  },
};

export function registerOutgoingEInvoices(
  app: App,
  { quickReaders }: AppDeps,
  access: Access,
): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/api/v1/kundfakturor/:id/e-faktura',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    schema: {
      operationId: 'getCustomerEInvoice',
      summary: 'Fetch a booked invoice or credit note as an e-invoice',
      description:
        'Peppol BIS Billing 3, held against every rule before it is handed out: 422 says which one the invoice would break, or what the receiver must be told and nobody has said. The event invoice.booked tells when there is one to send; Huvudbok does not send it.',
      tags: ['Customer invoices'],
      security: [{ apiKey: [] }],
      params: z.strictObject({
        id: idSchema.describe('The id, as a list or an event gives it'),
      }),
      querystring: asked,
      response: {
        200: document,
        ...errorResponses(
          ...keyErrors,
          'invalid_request',
          'not_found',
          errorAnswer(
            'unprocessable',
            'EInvoiceUnprocessableError',
            z.object({ problems }).partial(),
          ),
        ),
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const { peppolId = null, buyerReference = null } = request.query;
      const invoice = await withKey(quickReaders, callerOf(request), (tx) =>
        findInvoiceDocument(tx, id, 'key'),
      );
      if (!invoice) throw new AppError('not_found', 'Det finns ingen kundfaktura med det id:t.');
      const { text, fileName } = eInvoiceOf(invoice, { peppolId, buyerReference });
      return reply
        .type('application/xml; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(text);
    },
  });
}
