/** GET /api/v1/meta (contract 2.4, 4.2): what this installation is, and what the key may do. */
import { z } from 'zod';
import { nextVatDueDate } from '../../domain/ledger/vat-deadlines.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { noQuery, openEnum } from '../../http/schemas.ts';
import { getInstallation, listFiscalYears } from '../../installation/meta/store.ts';
import { appVersion } from '../../lib/version.ts';
import { scopesInEnglish } from './scopes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scopes a key needs for the route; absent on routes that no key opens. */
    scopes?: readonly string[];
  }
}

const dateText = z.string().meta({ format: 'date' });

const yearStatuses = { open: 'Can be booked in, unless a lock hinders', closed: 'Closed' };

const meta = z
  .object({
    api_version: z.literal('v1'),
    schema_version: z.int().describe('The form of the answers, 1; never lowered'),
    app_version: z.string(),
    installation_schema_version: z.int(),
    key: z.object({ name: z.string(), scopes: z.array(openEnum(scopesInEnglish)) }),
    fiscal_years: z.array(
      z.object({ year: z.int(), start: dateText, end: dateText, status: openEnum(yearStatuses) }),
    ),
    period_locked_to: dateText.nullable(),
    vat_locked_to: dateText.nullable(),
    vat_due_date: dateText,
    ledger_head: z
      .object({ vouchers: z.int(), hash: z.string() })
      .describe(
        'Number of vouchers and the heads of their hash chains: change only when something is booked',
      ),
    endpoints: z.array(z.object({ method: z.string(), path: z.string(), scope: z.string() })),
  })
  .meta({ id: 'Meta', description: 'The installation and the key' });

type Endpoint = z.infer<typeof meta>['endpoints'][number];

export function registerMeta(app: App, { quickReaders, clock }: AppDeps, access: Access): void {
  const endpoints: Endpoint[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const one of [method].flat()) {
      if (config?.scopes) {
        // As OpenAPI writes it: :id of the router is {id} to who calls.
        const path = url.replace(/:(\w+)/g, '{$1}');
        endpoints.push({ method: one, path, scope: config.scopes.join(' ') });
      }
    }
  });
  app.route({
    method: 'GET',
    url: '/api/v1/meta',
    config: { scopes: [] },
    onRequest: access.hook([]),
    schema: {
      operationId: 'getMeta',
      summary: 'The installation and the key: 200 means that the key lives',
      description:
        'Ask this first: any key may. It tells what the key may do, which fiscal years there are and to which day the books are locked.',
      tags: ['Installation'],
      security: [{ apiKey: [] }],
      querystring: noQuery,
      response: { 200: meta, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      return withKey(quickReaders, caller, async (tx) => {
        const fiscalYears = await listFiscalYears(tx);
        const installation = await getInstallation(tx);
        const reporting = {
          period: installation.vat_period,
          largeTaxpayer: installation.vat_large_taxpayer,
          yearly: installation.vat_yearly,
          digital: installation.vat_digital,
        };
        return {
          api_version: 'v1' as const,
          schema_version: 1,
          app_version: appVersion,
          installation_schema_version: installation.schema_version,
          key: { name: caller.keyName, scopes: [...caller.scopes] },
          fiscal_years: fiscalYears,
          period_locked_to: installation.period_locked_to,
          vat_locked_to: installation.vat_locked_to,
          vat_due_date: nextVatDueDate(reporting, fiscalYears, clock.today()),
          ledger_head: {
            vouchers: Number(installation.vouchers),
            hash: installation.head_hash.toString('hex'),
          },
          endpoints,
        };
      });
    },
  });
}
