/** GET /api/v1/oss: what a quarter's return in the one stop shop tells, by country and rate. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { parseDecimal } from '../../domain/basics/money.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { ossFacts, readOss } from '../../ledger/vat-filings/oss.ts';
import { readOssBooksByKey } from '../../ledger/vat-filings/oss-store.ts';
import { ossAnswer, ossQuery } from './schemas.ts';

export function registerOss(app: App, { readers }: AppDeps, access: Access): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/api/v1/oss',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    schema: {
      operationId: 'getOssReturn',
      summary: 'Sales with the VAT of other EU countries, by country and rate',
      description:
        'What the return in the one stop shop tells for a quarter, from booked invoices and credit notes of orders. What was sold in euro is told as it is; other currencies are converted by `rate`. None of it is in the Swedish VAT return.',
      tags: ['Figures'],
      security: [{ apiKey: [] }],
      querystring: ossQuery,
      response: { 200: ossAnswer, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request) => {
      const { quarter, rate = [] } = request.query;
      const rates = new Map(rate.map((given) => [given.slice(0, 3), millionths(given.slice(4))]));
      const read = await withKey(readers, callerOf(request), (tx) =>
        readOss(tx, quarter, rates, readOssBooksByKey),
      );
      return ossFacts(read);
    },
  });
}

const millionths = (text: string): bigint => parseDecimal(Number(text), 6) ?? 0n;
