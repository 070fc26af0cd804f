/** Inställningar › API-nycklar: the list, and a new one. */

import { z } from 'zod';
import {
  proposesAndBooks,
  type Scope,
  scopes,
  withNeededScopes,
} from '../../access/keys/scopes.ts';
import { type CreatedKey, createKey, endOfDay } from '../../access/keys/service.ts';
import { type KeyState, keyState } from '../../access/keys/state.ts';
import { type ApiKey, listApiKeys } from '../../access/keys/store.ts';
import { isDemo } from '../../installation/company/store.ts';
import { refuse } from '../../lib/errors.ts';
import { say, worded } from '../../lib/language.ts';
import { field, formOf } from '../fields.ts';
import { textsOf } from '../form-fields.ts';
import { count, moment } from '../format.ts';
import { day, integer, optional, text, ticked, tickedOf } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';

export const keysUrl = '/installningar/api-nycklar';
export const quotaMax = 1_000_000_000;
const quotaFirst = 600;

/** A scope as a person understands it. */
const scopeCards = worded(
  (): readonly {
    readonly scope: Scope;
    readonly name: string;
    readonly can: readonly string[];
    readonly cannot: readonly string[];
    readonly note: string | null;
  }[] => [
    {
      scope: 'data:read',
      name: say`Läser`,
      can: [
        say`Verifikat, fakturor, kunder och nyckeltal`,
        say`Händelser, och när det får bokföras`,
      ],
      note: null,
      cannot: [say`Ändra eller skapa något`, say`Se företagets uppgifter, användare eller nycklar`],
    },
    {
      scope: 'intake:write',
      name: say`Lämnar in`,
      can: [
        say`Skicka order och e-fakturor till inkorgarna`,
        say`Fråga hur det gick med det den själv skickat`,
      ],
      note: null,
      cannot: [
        say`Se något annat som finns här`,
        say`Bokföra: order blir utkast som ni råder över`,
      ],
    },
    {
      scope: 'documents:read',
      name: say`Läser underlag`,
      can: [
        say`Hämta kvitton, e-fakturor, ordrar och skickade fakturor som hör till bokförda verifikat`,
      ],
      note: null,
      cannot: [
        say`Se personalens underlag, eller dem som ni håller utanför API:t på verifikatets sida`,
        say`Se det som väntar i inkorgen`,
      ],
    },
    {
      scope: 'documents:write',
      name: say`Lämnar underlag`,
      can: [say`Skicka kvitton och fakturor till inkorgen för underlag`],
      note: null,
      cannot: [say`Se något som finns här`, say`Lägga ett underlag på ett verifikat: det gör ni`],
    },
    {
      scope: 'bank:write',
      name: say`Lämnar bankrader`,
      can: [say`Skicka rader och saldon från banken till ett bankkonto`],
      note: null,
      cannot: [say`Se något som finns här`, say`Para ihop rader med verifikat: det gör ni`],
    },
    {
      scope: 'bank:read',
      name: say`Läser bankrader`,
      can: [say`Bankens rader med betalningar, och vilka verifikat som bokför dem`],
      note: null,
      cannot: [say`Ändra något`, say`Se verifikat, fakturor eller kunder i övrigt`],
    },
    {
      scope: 'proposals:write',
      name: say`Föreslår`,
      can: [
        say`Lägga förslag till verifikat, rättelser, matchningar, fakturautkast och inköp`,
        say`Ta tillbaka sina egna`,
      ],
      note: say`Läser följer med. Kan inte väljas ihop med Bokför.`,
      cannot: [say`Bokföra eller skicka något: ni godkänner varje förslag`, say`Se andras förslag`],
    },
    {
      scope: 'ledger:write',
      name: say`Bokför`,
      can: [
        say`Skapa verifikat, och skapa och bokföra kundfakturor`,
        say`Genom samma lås som appen`,
      ],
      note: say`Läser följer med: konton och kunder slås upp när det bokförs.`,
      cannot: [say`Ändra eller ta bort det som är bokfört`, say`Lyfta lås`],
    },
  ],
);

export const scopeNames = (chosen: readonly Scope[]): string =>
  scopeCards()
    .filter(({ scope }) => chosen.includes(scope))
    .map(({ name }) => name)
    .join(', ');

const stateChips = worded(
  (): Readonly<Record<KeyState, { readonly word: string; readonly tone: string }>> => ({
    active: { word: say`Aktiv`, tone: 'good' },
    expiring: { word: say`Går ut`, tone: 'warn' },
    expired: { word: say`Utgången`, tone: '' },
    revoked: { word: say`Återkallad`, tone: 'bad' },
  }),
);

/** A key as lists and its own page show it. */
export function keyView(key: ApiKey, { deps }: Visit<unknown>) {
  const { timeZone } = deps.config;
  const state = keyState(key);
  const { used, quota_per_hour: quota } = key;
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: scopeNames(key.scopes),
    lastUsed: key.last_used_at ? moment(key.last_used_at, timeZone) : null,
    used: Math.min(used, quota),
    quota,
    /** From here on the meter says that it is soon full. */
    quotaNear: Math.floor(quota * 0.8),
    usedText: count(Math.min(used, quota)),
    quotaText: count(quota),
    refused: used > quota ? count(used - quota) : null,
    chip: stateChips()[state],
    isUsable: state === 'active' || state === 'expiring',
    endsAt: key.expires_at ? moment(key.expires_at, timeZone) : null,
    revokedAt: key.revoked_at ? moment(key.revoked_at, timeZone) : null,
    createdAt: moment(key.created_at, timeZone),
    successorId: key.successor_id,
    predecessorId: key.predecessor_id,
  };
}

export function registerApiKeyPages(pages: Pages): void {
  pages.show({
    url: keysUrl,
    right: 'administer',
    show: async (visit) => ({
      template: 'api-keys',
      title: 'API-nycklar',
      values: { keys: (await listApiKeys(visit.tx)).map((key) => keyView(key, visit)) },
    }),
  });

  pages.form({
    url: `${keysUrl}/ny`,
    right: 'administer',
    fields: z.object({
      name: text(100),
      scopes: tickedOf(scopes)
        .refine((chosen) => chosen.length > 0, { error: () => say`Välj minst en behörighet.` })
        .refine((chosen) => !proposesAndBooks(chosen), {
          error: () =>
            say`Välj Föreslår eller Bokför: den som själv får bokföra har ingen att fråga.`,
        }),
      quota: integer(1, quotaMax),
      expires: optional(day),
      test: ticked,
    }),
    show: async ({ tx }, input) => newKeyForm(input, await isDemo(tx)),
    perform: async (visit, values) => {
      const { tx, person, today } = visit;
      if (values.expires !== null && values.expires < today) {
        const message = say`Dagen har redan varit.`;
        throw refuse('unprocessable', [{ path: 'expires', reason: 'past', message }]);
      }
      const created = await createKey(
        tx,
        {
          name: values.name,
          scopes: withNeededScopes(values.scopes),
          quotaPerHour: values.quota,
          expiresAt: values.expires && endOfDay(values.expires, visit.deps.config.timeZone),
          isTest: values.test,
        },
        person.actor,
      );
      return { to: `${keysUrl}/${created.id}`, view: secretView(created, visit, null) };
    },
  });
}

/** Test keys are for the example company, so only there can one be asked for. */
function newKeyForm(input: FormInput, hasTestKeys: boolean): View {
  const chosen = input.isSent ? textsOf(input.fields, 'scopes') : [];
  const scopeError = input.problems.find(({ path }) => path.startsWith('scopes'))?.message ?? null;
  const form = formOf(input, {
    name: field(input, 'name', say`Namn`, {
      isRequired: true,
      maxLength: 100,
      help: say`Vad eller vem nyckeln är till, t.ex. Webbutiken eller Lönesystemet.`,
    }),
    quota: field(input, 'quota', say`Anrop i timmen`, {
      isRequired: true,
      value: String(quotaFirst),
      maxLength: 10,
      size: 10,
      help: say`Fler än så får svaret 429 och får vänta. 600 räcker gott för en butik.`,
    }),
    expires: field(input, 'expires', say`Sista dag`, {
      type: 'date',
      help: say`Nyckeln gäller dagen ut. Tomt: tills den återkallas.`,
    }),
    test: field(input, 'test', say`Testnyckel`, {
      type: 'checkbox',
      help: say`Börjar på svc_test_ och fungerar bara mot exempelföretaget, så att den aldrig kan användas mot riktiga böcker.`,
    }),
  });
  return {
    template: 'api-key-new',
    title: say`Ny API-nyckel`,
    scripts: ['api-key'],
    values: {
      form: { ...form, above: form.above.filter((message) => message !== scopeError) },
      scopeError,
      hasTestKeys,
      cards: scopeCards().map((card) => ({
        ...card,
        id: `scope-${card.scope.replace(':', '-')}`,
        isChosen: chosen.includes(card.scope),
      })),
    },
  };
}

/** The secret, this once, and all that is needed to try it. */
export function secretView(
  created: CreatedKey,
  { deps }: Visit<unknown>,
  oldEndsAt: Date | null,
): View {
  const { baseUrl, timeZone } = deps.config;
  return {
    template: 'api-key-secret',
    title: say`Nyckeln ${created.name}`,
    values: {
      id: created.id,
      name: created.name,
      secret: created.key,
      scopes: scopeNames(created.scopes),
      curl: `curl -H 'Authorization: Bearer ${created.key}' ${baseUrl}/api/v1/meta`,
      oldEndsAt: oldEndsAt && moment(oldEndsAt, timeZone),
      trial: { id: created.id, isWaiting: true, call: null },
    },
  };
}
