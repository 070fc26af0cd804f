/** kill -9 of each of our own processes, of PostgreSQL and of the supervisor, while vouchers and orders pour in. */
import { expect, it } from 'vitest';
import { tries } from '../support/tries.ts';
import { Load, patienceOf, proveWhole, type Service, startService } from './crash.ts';
import { postmasterOf } from './embedded.ts';

const killings: readonly (readonly [string, (service: Service) => unknown])[] = [
  ['the HTTP process', (service) => kill(service.children().get('http'))],
  ['the worker', (service) => kill(service.children().get('intake'))],
  ['PostgreSQL', async (service) => kill(await postmasterOf(service.dataDir))],
];

function kill(pid: number | undefined): void {
  expect(pid).toBeGreaterThan(1);
  process.kill(pid ?? Number.NaN, 'SIGKILL');
}

it('no voucher or order is lost or doubled, whichever is killed under load', {
  timeout: 300_000,
}, async () => {
  const service = await startService();
  const load = new Load(service);
  await load.goOn(tries(50), tries(25));
  for (const [name, killIt] of killings) {
    await killIt(service);
    await load.goOn(tries(50), tries(25));
    expect(load.slowest_ms, name).toBeLessThan(patienceOf(service));
  }
  // The whole service goes with its supervisor, and is started by somebody.
  await service.killSupervisor();
  await service.start();
  await load.goOn(tries(50), tries(25));
  await load.end();
  await proveWhole(service, load);
});
