/** Inställningar › Äldre hemligheter: what the environment still lets in, and the way to keys. */
import { z } from 'zod';
import { legacyScopes } from '../../access/keys/legacy.ts';
import { revokeKey } from '../../access/keys/service.ts';
import { listLegacyKeys } from '../../access/keys/store.ts';
import { type LegacyName, legacyNames } from '../../config/legacy-secrets.ts';
import { AppError } from '../../lib/errors.ts';
import { choice } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { Visit } from '../visit.ts';
import { keyView, scopeNames } from './api-keys.ts';

const url = '/installningar/aldre-hemligheter';

const uses: Readonly<Record<LegacyName, string>> = {
  STATS_API_KEY: 'Nyckeltal: GET /api/stats/overview, /monthly och /daily',
  ORDER_INBOUND_SECRET: 'Order: POST /api/inbound/order',
  PEPPOL_INBOUND_SECRET: 'E-fakturor: POST /api/inbound/peppol',
};

export function registerLegacySecretPages(pages: Pages): void {
  pages.show({
    url,
    right: 'administer',
    show: async (visit) => {
      const secrets = await secretsOf(visit);
      const hasKeys = secrets.some(({ key }) => key !== null);
      return {
        template: 'legacy-secrets',
        title: 'Äldre hemligheter',
        values: { secrets, hasKeys },
      };
    },
  });

  pages.act({
    url: `${url}/:name/aterkalla`,
    right: 'administer',
    params: z.object({
      name: choice(['STATS_API_KEY', 'ORDER_INBOUND_SECRET', 'PEPPOL_INBOUND_SECRET']),
    }),
    perform: async ({ tx, person, params: { name } }) => {
      const key = (await listLegacyKeys(tx)).find(({ legacy_name }) => legacy_name === name);
      if (!key) throw new AppError('not_found', 'Hemligheten är inte satt.');
      await revokeKey(tx, key.id, person.actor);
      return { to: url, notice: `${name} är återkallad. Nästa anrop nekas.` };
    },
  });
}

async function secretsOf(visit: Visit) {
  const keys = await listLegacyKeys(visit.tx);
  const configured = visit.deps.config.legacySecrets.map(({ name }) => name);
  return legacyNames.map((name) => {
    const key = keys.find(({ legacy_name }) => legacy_name === name);
    const isConfigured = configured.includes(name);
    return {
      name,
      use: uses[name],
      scopes: scopeNames([legacyScopes[name]]),
      isConfigured,
      key: key ? keyView(key, visit) : null,
      isOpen: isConfigured && key !== undefined && key.revoked_at === null,
    };
  });
}
