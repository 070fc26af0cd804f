/** Whether the chart has every account that the program posts on, and what makes it whole again. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { readBasBaseChart } from './bas-base-chart.ts';
import { type ServiceAccount, serviceAccounts } from './service-accounts.ts';
import { readSruCodes } from './sru-codes.ts';
import {
  activateAccounts,
  findServiceGround,
  insertMissingAccounts,
  listAccountStates,
} from './store.ts';

export interface ChartFault extends ServiceAccount {
  readonly fault: 'missing' | 'inactive';
}

/** In the order of their numbers; none before there is a company. */
export async function listChartFaults(db: Db): Promise<ChartFault[]> {
  const ground = await findServiceGround(db);
  if (!ground) return [];
  const needed = serviceAccounts(ground.organization_number, ground.purchase_account);
  const states = await listAccountStates(
    db,
    needed.map(({ account }) => account),
  );
  const isActive = new Map(states.map(({ number, is_active }) => [number, is_active]));
  return needed
    .filter(({ account }) => isActive.get(account) !== true)
    .map((one) => ({ ...one, fault: isActive.has(one.account) ? 'inactive' : 'missing' }));
}

/** `Kontoplanen saknar 3999 (påminnelseavgifter). …` Undefined when the chart is whole. */
export function chartSentence(faults: readonly ChartFault[]): string | undefined {
  if (faults.length === 0) return undefined;
  const listed = (fault: ChartFault['fault']) =>
    faults
      .filter((one) => one.fault === fault)
      .map(({ account, use }) => `${account} (${use})`)
      .join(', ');
  const [missing, inactive] = [listed('missing'), listed('inactive')];
  return [
    ...(missing === '' ? [] : [`Kontoplanen saknar ${missing}.`]),
    ...(inactive === '' ? [] : [`Inaktiva i kontoplanen: ${inactive}.`]),
    'Huvudbok bokför på dem av sig självt, och det som behöver dem avvisas tills de finns.',
  ].join(' ');
}

/** Adds what is missing, named as in BAS, and takes into use what is inactive. Nothing else is touched. */
export async function completeChart(tx: Tx, actor: string): Promise<ChartFault[]> {
  const faults = await listChartFaults(tx);
  if (faults.length === 0) return [];
  const ground = await findServiceGround(tx);
  const sruOf = await readSruCodes(ground?.organization_number ?? '');
  const numbers = new Set(faults.map(({ account }) => account));
  const needed = (await readBasBaseChart()).filter(({ account }) => numbers.has(account));
  await insertMissingAccounts(
    tx,
    needed.map((account) => ({ ...account, sru: sruOf(account.account) })),
  );
  await activateAccounts(tx, [...numbers]);
  const detail = { accounts: [...numbers] };
  await recordEvent(tx, { actor, action: 'chart.completed', subject: 'chart', detail });
  return faults;
}
