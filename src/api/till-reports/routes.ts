/** POST /api/inbound/dagskassa: a till's Z report. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { keyRefusal } from '../../access/keys/refusal.ts';
import { createBatcher } from '../../db/batching/batcher.ts';
import { db } from '../../db/pool.ts';
import { parseJson } from '../../domain/basics/json.ts';
import { type Access, callerOf } from '../../http/access.ts';
import { bytesOf } from '../../http/body.ts';
import { errorResponses, keyErrors, writeErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { checkAllBut } from '../../http/problems.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { receivedTillReport } from '../../intake/till-reports/received.ts';
import { readTillReport } from '../../intake/till-reports/service.ts';
import {
  type SentTillReport,
  type StoredTillReport,
  storeTillReports,
} from '../../intake/till-reports/store.ts';
import { refuse } from '../../lib/errors.ts';
import { intakeQuery } from '../trials.ts';
import {
  acceptedTillReport,
  checkedTillReport,
  rejectedTillReport,
  tillReportInput,
} from './schemas.ts';

const bodyLimit = 256 * 1024;

/**
 * The answer says that the report is kept, or what is wrong with what it says itself: never what it met in the books,
 * which a key that hands in does not see.
 */
export function registerTillReports(app: App, { pool }: AppDeps, access: Access): void {
  const store = createBatcher<SentTillReport, StoredTillReport>({
    name: 'till reports',
    maxItems: 100,
    maxInFlight: 2,
    maxWeight: 4 * bodyLimit,
    weigh: ({ raw }) => raw.length,
    holderOf: holderOfCall,
    run: (reports) => storeTillReports(db(pool), reports),
  });
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/api/inbound/dagskassa',
    bodyLimit,
    config: { scopes: ['intake:write'] },
    onRequest: access.hook(['intake:write']),
    schema: {
      operationId: 'receiveTillReport',
      summary: "Receive a till's Z report",
      description:
        'Becomes one voucher, whose document is the body as it came. VAT is calculated back by rate from sales less returns: net = gross − round(gross × rate ÷ (100 + rate)). `tillId` and `zNumber` together are booked once, whatever way they come: sent again the answer is `duplicate: true`, whatever the body. The answer tells nothing of what exists: a report that cannot be booked (a locked day, a means of payment without an account, another body of a number that is booked) is kept with its reason for a person. One whose own sums do not agree, or that cannot be read, is kept too and answered 422; send it mended under the same number. A number out of sequence is booked, and people are told which are missing. With ?dryRun=true its form and its sums are judged and nothing is kept.',
      tags: ['Inbound'],
      security: [{ apiKey: [] }],
      querystring: intakeQuery,
      body: tillReportInput,
      response: {
        200: z.union([acceptedTillReport, checkedTillReport]),
        ...errorResponses(...keyErrors, ...writeErrors, rejectedTillReport),
      },
    },
    // The body is described for readers only: what breaks the shape is kept with its reason.
    validatorCompiler: checkAllBut('headers', 'body'),
    handler: async (request) => {
      const raw = bytesOf(request);
      const { hash: keyHash, hasHungUp } = callerOf(request);
      const received = receivedTillReport(raw, parseJson(raw).value);
      const { dryRun = false } = request.query;
      const stored = dryRun
        ? null
        : await store({ ...received, keyHash, requestId: request.id }, hasHungUp);
      if (stored && stored.outcome !== 'stored') throw keyRefusal(stored.outcome);
      const read = readTillReport(raw);
      if ('problems' in read) {
        const { till: till_id, zNumber: z_number } = received;
        const detail = { till_id, z_number, reason: read.reason, stored: !dryRun };
        throw refuse('unprocessable', read.problems, { detail });
      }
      if (!stored) return { ok: true as const, dry_run: true as const };
      return stored.is_known === true
        ? { ok: true as const, duplicate: true as const }
        : { ok: true as const };
    },
  });
}
