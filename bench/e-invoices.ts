/** (i) E-invoices of ten lines that become drafts in the supplier inbox while the sender waits. */
import type { Figure } from './figure.ts';
import { requireAllWell } from './load.ts';
import { httpRequest, unique_mark } from './load-job.ts';
import { plain_buyer, plainInvoice } from './peppol-documents.ts';
import { analyze, company_number, type System } from './system.ts';
import { limitOf, watch } from './watch.ts';

const lines = 10;
const warm_up_seconds = 3;
const per_second_wanted = 1000;
/** So many that none waits for the others' round trips. */
const connections_many = 128;

export async function measureEInvoices(system: System, seconds: number): Promise<Figure[]> {
  const { load, port, key } = system;
  const document = plainInvoice(lines)
    .replace('<cbc:ID>F-1<', `<cbc:ID>${unique_mark}<`)
    .replaceAll(plain_buyer, company_number);
  const requests = [
    httpRequest('POST', '/api/inbound/peppol', { authorization: `Bearer ${key}` }, { document }),
  ];
  await load.run({ port, requests, connections: 32, seconds: Math.min(warm_up_seconds, seconds) });
  await analyze(system);
  const figures: Figure[] = [];
  for (const connections of [1, 32, connections_many]) {
    const { result, usage } = await watch(system, () =>
      load.run({ port, requests, connections, seconds }),
    );
    requireAllWell(result);
    const per_second = result.calls / result.seconds;
    figures.push({
      measurement: 'e-invoices',
      what: `POST /api/inbound/peppol, ${lines} lines, answered when it is a draft, ${connections} connections`,
      per_second,
      p50_ms: result.p50_ms,
      p99_ms: result.p99_ms,
      limited_by: limitOf(usage),
      usage,
      ...(connections < connections_many
        ? {}
        : { wanted: `≥ ${per_second_wanted}/s`, is_met: per_second >= per_second_wanted }),
    });
  }
  return figures;
}
