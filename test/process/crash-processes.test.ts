/** kill -9 of each of our own processes while vouchers and orders pour in. */
import { expect, it } from 'vitest';
import { Load, patienceOf, proveWhole, startService } from './crash.ts';

it.each([
  ['the HTTP process', 'http'],
  ['the worker', 'intake'],
])('no voucher or order is lost or doubled when %s is killed under load', async (_, name) => {
  const service = await startService();
  const load = new Load(service);
  await load.goOn(100, 50);
  process.kill(service.children().get(name) ?? 0, 'SIGKILL');
  await load.goOn(100, 50);
  await load.end();
  await proveWhole(service, load);
  expect(load.slowest_ms).toBeLessThan(patienceOf(service));
});
