/** Inställningar › API-nycklar › a key: its latest calls, its quota, another secret, and its end. */

import { z } from 'zod';
import { type KeyCall, listCalls } from '../../access/keys/call-store.ts';
import { changeQuota, overlapHoursMax, rotateKey } from '../../access/keys/rotation.ts';
import { revokeKey } from '../../access/keys/service.ts';
import { getKey } from '../../access/keys/store.ts';
import { secondOf } from '../../lib/clock.ts';
import { say, worded } from '../../lib/language.ts';
import { field, formOf } from '../fields.ts';
import { count } from '../format.ts';
import { choice, integer, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { keysUrl, keyView, quotaMax, secretView } from './api-keys.ts';

const params = z.object({ id: uuid });
type KeyVisit = Visit<{ id: string }>;
const url = `${keysUrl}/:id`;

const overlaps = worded(
  () =>
    [
      { value: '0', label: say`Sluta gälla genast` },
      { value: '1', label: say`I en timme` },
      { value: '24', label: say`I ett dygn` },
      { value: '168', label: say`I sju dagar` },
      { value: '336', label: say`I fjorton dagar` },
      { value: String(overlapHoursMax), label: say`I trettio dagar` },
    ] as const,
);
const overlapHours = overlaps().map(({ value }) => value) as unknown as readonly [string];

export function registerApiKeyPage(pages: Pages): void {
  pages.form({
    url,
    right: 'administer',
    params,
    fields: z.object({ quota: integer(1, quotaMax) }),
    show: showKey,
    perform: async ({ tx, person, params: { id } }, { quota }) => {
      await changeQuota(tx, id, quota, person.actor);
      return { to: `${keysUrl}/${id}`, notice: say`Kvoten är ${count(quota)} anrop i timmen.` };
    },
  });

  pages.show({
    url: `${url}/prov`,
    right: 'administer',
    params,
    show: async (visit) => ({
      template: 'api-key-trial',
      title: say`Prov av nyckeln`,
      values: { trial: await trialOf(visit) },
    }),
  });

  pages.act({
    url: `${url}/byt`,
    right: 'administer',
    params,
    fields: z.object({ overlap: choice(overlapHours) }),
    show: showKey,
    perform: async (visit, { overlap }) => {
      const {
        tx,
        person,
        params: { id },
      } = visit;
      const rotated = await rotateKey(tx, id, Number(overlap), person.actor);
      return {
        to: `${keysUrl}/${rotated.created.id}`,
        view: secretView(rotated.created, visit, rotated.oldEndsAt),
      };
    },
  });

  pages.act({
    url: `${url}/aterkalla`,
    right: 'administer',
    params,
    perform: async ({ tx, person, params: { id } }) => {
      const { name } = await getKey(tx, id);
      await revokeKey(tx, id, person.actor);
      return { to: `${keysUrl}/${id}`, notice: say`${name} är återkallad. Nästa anrop nekas.` };
    },
  });
}

async function showKey(visit: KeyVisit, input: FormInput): Promise<View> {
  const {
    tx,
    params: { id },
    deps,
  } = visit;
  const key = await getKey(tx, id);
  const calls = await listCalls(tx, id);
  return {
    template: 'api-key',
    title: key.name,
    values: {
      key: { ...keyView(key, visit), isLegacy: key.legacy_name !== null },
      canRotate: key.successor_id === null && key.legacy_name === null,
      calls: calls.map((call) => callView(call, deps.config.timeZone)),
      trial: trialView(id, calls, deps.config.timeZone),
      form: formOf(input, {
        quota: field(input, 'quota', say`Anrop i timmen`, {
          isRequired: true,
          value: String(key.quota_per_hour),
          maxLength: 10,
          size: 10,
        }),
        overlap: field(input, 'overlap', say`Den gamla ska`, {
          type: 'select',
          isRequired: true,
          value: '24',
          options: overlaps(),
          help: say`Så länge hinner ni byta i de system som använder den.`,
        }),
      }),
    },
  };
}

async function trialOf({ tx, params: { id }, deps }: KeyVisit) {
  await getKey(tx, id);
  return trialView(id, await listCalls(tx, id), deps.config.timeZone);
}

/** Waits until something has been called with the key; then says how the latest call went. */
function trialView(id: string, calls: readonly KeyCall[], timeZone: string) {
  const latest = calls[0];
  return {
    id,
    isWaiting: latest === undefined,
    call: latest ? callView(latest, timeZone) : null,
  };
}

function callView(call: KeyCall, timeZone: string) {
  const { status } = call;
  return {
    // Calls come close together.
    at: secondOf(call.calledAt, timeZone),
    route: call.route,
    status,
    code: call.code,
    duration: count(call.durationMs),
    requestId: call.requestId,
    tone: status < 400 ? 'good' : status < 500 ? 'warn' : 'bad',
    isWell: status < 400,
  };
}
