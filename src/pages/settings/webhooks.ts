/** Inställningar › Webhooks: the endpoints, and a new one. */

import { z } from 'zod';
import { type EventType, eventTypes } from '../../events/types.ts';
import { createEndpoint } from '../../events/webhooks/service.ts';
import { type Endpoint, listEndpoints } from '../../events/webhooks/store.ts';
import { say, translated, worded } from '../../lib/language.ts';
import { field, formOf } from '../fields.ts';
import { count, moment } from '../format.ts';
import { optionalText, text, tickedOf } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';

export const webhooksUrl = '/installningar/webhooks';

const typeNames = worded(
  (): Readonly<Record<EventType, string>> => ({
    'voucher.posted': say`Verifikat bokfört`,
    'invoice.drafted': say`Faktura utkast`,
    'invoice.booked': say`Faktura bokförd`,
    'invoice.paid': say`Faktura betald`,
    'order.received': say`Order mottagen`,
    'order.rejected': say`Order stoppad`,
    'e_invoice.received': say`E-faktura mottagen`,
    'bank.imported': say`Kontoutdrag inlästa`,
    'payment.matched': say`Bankrad bokförd`,
    'payment_file.created': say`Betalfil skapad`,
    'documents.changed': say`Underlag ändrade`,
    'record.removed': say`Post borttagen`,
    'proposal.created': say`Förslag lagt`,
    'proposal.decided': say`Förslag avgjort`,
    'proposal.withdrawn': say`Förslag återtaget`,
  }),
);

/** An event's type in words; the test message is none of them. */
export const typeName = (type: string): string =>
  type === 'webhook.test' ? say`Provmeddelande` : (typeNames()[type as EventType] ?? type);

export function registerWebhookPages(pages: Pages): void {
  pages.show({
    url: webhooksUrl,
    right: 'administer',
    show: async (visit) => ({
      template: 'webhooks',
      title: say`Webhooks`,
      values: {
        endpoints: (await listEndpoints(visit.tx)).map((one) => endpointView(one, visit)),
      },
    }),
  });

  pages.form({
    url: `${webhooksUrl}/ny`,
    right: 'administer',
    fields: z.object({
      url: text(2_000),
      description: optionalText(200),
      types: tickedOf(eventTypes),
    }),
    show: async (_visit, input) => newForm(input),
    perform: async ({ tx, person, deps }, { url, description, types }) => {
      const created = await createEndpoint(
        tx,
        { url, types, description: description ?? '' },
        deps.config,
        person.actor,
      );
      return {
        to: `${webhooksUrl}/${created.id}`,
        view: webhookSecret(created.id, created.secret, url, false),
      };
    },
  });
}

export const webhookSecret = (
  id: string,
  secret: string,
  url: string,
  isRotated: boolean,
): View => ({
  template: 'webhook-secret',
  title: say`Webhookens hemlighet`,
  values: { id, secret, url, isRotated },
});

/** An endpoint as its list and page show it. */
export function endpointView(endpoint: Endpoint, { deps }: Visit<unknown>) {
  const { timeZone } = deps.config;
  const { disabled_at: disabledAt, failing_since: failingSince, held_until: heldUntil } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    types:
      endpoint.types.length === 0 ? say`Alla händelser` : endpoint.types.map(typeName).join(', '),
    createdAt: moment(endpoint.created_at, timeZone),
    isEnabled: disabledAt === null,
    disabledAt: disabledAt && moment(disabledAt, timeZone),
    reason: endpoint.disabled_reason && translated(endpoint.disabled_reason),
    failingSince: failingSince && moment(failingSince, timeZone),
    heldUntil: heldUntil && moment(heldUntil, timeZone),
    outstanding: count(endpoint.outstanding),
  };
}

const newForm = (input: FormInput): View => ({
  template: 'webhook-new',
  title: say`Ny webhook`,
  values: {
    form: formOf(input, {
      url: field(input, 'url', say`Adress`, {
        isRequired: true,
        maxLength: 2_000,
        placeholder: 'https://',
        help: say`Dit händelserna skickas med POST. Mottagaren svarar 2xx inom 15 sekunder.`,
      }),
      description: field(input, 'description', say`Vad den är till`, { maxLength: 200 }),
      types: field(input, 'types', say`Händelser`, {
        type: 'choices',
        value: [],
        options: eventTypes.map((type) => ({
          value: type,
          label: `${typeNames()[type]} (${type})`,
        })),
        help: say`Inget valt betyder alla, också de som kommer till senare.`,
      }),
    }),
  },
});
