/** kill -9 of PostgreSQL and of the supervisor while vouchers and orders pour in. */
import { expect, it } from 'vitest';
import { Load, patienceOf, proveWhole, startService } from './crash.ts';
import { postmasterOf } from './embedded.ts';

it('no voucher or order is lost or doubled when PostgreSQL is killed under load', async () => {
  const service = await startService();
  const load = new Load(service);
  await load.goOn(100, 50);
  process.kill(await postmasterOf(service.dataDir), 'SIGKILL');
  await load.goOn(100, 50);
  await load.end();
  await proveWhole(service, load);
  expect(load.slowest_ms).toBeLessThan(patienceOf(service));
});

it('no voucher or order is lost or doubled when the supervisor is killed under load', async () => {
  const service = await startService();
  const load = new Load(service);
  await load.goOn(100, 50);
  await service.killSupervisor();
  await service.start();
  await load.goOn(100, 50);
  await load.end();
  await proveWhole(service, load);
});
