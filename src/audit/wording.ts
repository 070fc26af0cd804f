/** What each audit event says, as a Swedish sentence, and the page of what it was done to. */

/** What an event of a kind is called, and where its subject is shown (`:id` stands for it). */
interface Wording {
  /** In the list of what can be searched for. */
  readonly name: string;
  /** After who did it: `bokförde …`. */
  readonly sentence: (subject: string, detail: Detail) => string;
  readonly page?: string;
}

export type Detail = Readonly<Record<string, unknown>>;

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
/** ` namn`, or nothing. */
const named = (value: unknown): string => (text(value) === '' ? '' : ` ${text(value)}`);
const because = (reason: unknown): string => (text(reason) === '' ? '' : `: ${text(reason)}`);
const month = (day: string): string => day.slice(0, 7);

const wordings: Readonly<Record<string, Wording>> = {
  'agency.created': {
    name: 'Byrånyckel skapad',
    sentence: (_, { name }) => `skapade byrånyckeln${named(name)}`,
  },
  'agency.revoked': {
    name: 'Byrånyckel återkallad',
    sentence: (_, { name }) => `återkallade byrånyckeln${named(name)}`,
  },
  'attachment.added': {
    name: 'Underlag tillagt',
    sentence: () => 'lade ett underlag till ett verifikat',
    page: '/verifikat/:id',
  },
  'backup.done': {
    name: 'Säkerhetskopia tagen',
    sentence: (subject) => `antecknade en säkerhetskopia från ${subject}`,
    page: '/drift',
  },
  'bank.matched': {
    name: 'Bankrad matchad',
    sentence: () => 'matchade en bankrad mot ett verifikat',
  },
  'bank.unmatched': {
    name: 'Matchning borttagen',
    sentence: () => 'tog bort matchningen av en bankrad',
  },
  'bank_account.created': {
    name: 'Bankkonto upplagt',
    sentence: (_, { name }) => `lade upp bankkontot${named(name)}`,
  },
  'books.verified': {
    name: 'Böckerna kontrollerade',
    sentence: (_, { vouchers, problems }) =>
      `kontrollerade ${text(vouchers)} verifikat: ${Number(problems) === 0 ? 'allt stämmer' : `${text(problems)} fel`}`,
    page: '/drift',
  },
  'collection.exported': {
    name: 'Inkassounderlag hämtat',
    sentence: (_, { format }) => `hämtade inkassounderlag${named(format)}`,
    page: '/kundfakturor/:id',
  },
  'company.created': {
    name: 'Företag upplagt',
    sentence: (_, { name }) => `lade upp företaget${named(name)}`,
  },
  'fiscal_year.created': {
    name: 'Räkenskapsår upplagt',
    sentence: (subject) => `lade upp räkenskapsåret ${subject}`,
    page: '/rakenskapsar',
  },
  'fiscal_year.closed': {
    name: 'Räkenskapsår stängt',
    sentence: (subject) => `stängde räkenskapsåret ${subject}`,
    page: '/rakenskapsar',
  },
  'invoice.disputed': {
    name: 'Faktura tvistig',
    sentence: (_, { reason }) => `antecknade en kundfaktura som tvistig${because(reason)}`,
    page: '/kundfakturor/:id',
  },
  'invoice.dispute_over': {
    name: 'Tvist avslutad',
    sentence: () => 'antecknade att en kundfaktura inte längre är tvistig',
    page: '/kundfakturor/:id',
  },
  'jobs.retried': {
    name: 'Jobb gjorda om',
    sentence: (subject, { jobs }) => `lät ${text(jobs)} misslyckade jobb i ${subject} göras om`,
    page: '/drift',
  },
  'key.created': {
    name: 'API-nyckel skapad',
    sentence: (_, { name }) => `skapade API-nyckeln${named(name)}`,
    page: '/installningar/api-nycklar/:id',
  },
  'key.legacy_set': {
    name: 'Äldre hemlighet satt',
    sentence: (_, { name }) => `satte den äldre hemligheten${named(name)}`,
  },
  'key.revoked': {
    name: 'API-nyckel återkallad',
    sentence: (_, { name }) => `återkallade API-nyckeln${named(name)}`,
    page: '/installningar/api-nycklar/:id',
  },
  'lock.period': {
    name: 'Perioden låst',
    sentence: (to) => (to === 'none' ? 'hävde periodlåset' : `låste perioden till ${to}`),
    page: '/rakenskapsar',
  },
  'lock.vat': {
    name: 'Momsen låst',
    sentence: (to) => (to === 'none' ? 'hävde momslåset' : `låste momsen till ${to}`),
    page: '/rakenskapsar',
  },
  'month.acknowledged': {
    name: 'Månad kvitterad',
    sentence: (subject, { reason }) =>
      `kvitterade ${month(subject)}${text(reason) === '' ? '' : `, trots villkor som återstod: ${text(reason)}`}`,
    page: '/manadsavslut',
  },
  'month.reopened': {
    name: 'Månad öppnad igen',
    sentence: (subject) => `öppnade ${month(subject)} igen`,
    page: '/manadsavslut',
  },
  'purchase.coded': {
    name: 'Leverantörsfaktura konterad',
    sentence: () => 'ändrade konteringen av en leverantörsfaktura',
    page: '/leverantorsinkorg/:id',
  },
  'purchase.matched': {
    name: 'Leverantörsfaktura kopplad',
    sentence: () => 'kopplade en leverantörsfaktura till en leverantör',
    page: '/leverantorsinkorg/:id',
  },
  'purchase.rejected': {
    name: 'Leverantörsfaktura avvisad',
    sentence: (_, { reason }) => `avvisade en leverantörsfaktura${because(reason)}`,
    page: '/leverantorsinkorg/:id',
  },
  'setting.changed': {
    name: 'Inställning ändrad',
    sentence: (subject, { value }) => `ändrade ${subject} till ${text(value) || 'tomt'}`,
    page: '/installningar',
  },
  'supplier.created': {
    name: 'Leverantör upplagd',
    sentence: (_, { name }) => `lade upp leverantören${named(name)}`,
    page: '/leverantorer/:id',
  },
  'user.created': {
    name: 'Användare upplagd',
    sentence: (_, { email }) => `lade upp användaren${named(email)}`,
    page: '/installningar/anvandare/:id',
  },
  'user.logged_in': {
    name: 'Inloggning',
    sentence: (_, { address }) =>
      `loggade in${text(address) === '' ? '' : ` från ${text(address)}`}`,
  },
  'user.login_refused': {
    name: 'Inloggning nekad',
    sentence: () => 'skrev fel lösenord till en användare',
  },
  'vat.filed': {
    name: 'Momsdeklaration lämnad',
    sentence: (subject) => `antecknade momsdeklarationen till ${subject} som lämnad`,
  },
  'webhook.created': {
    name: 'Webhook upplagd',
    sentence: (_, { url }) => `lade upp webhooken${named(url)}`,
  },
  'webhook.deleted': {
    name: 'Webhook borttagen',
    sentence: (_, { url }) => `tog bort webhooken${named(url)}`,
  },
  'webhook.disabled': { name: 'Webhook avstängd', sentence: () => 'stängde av en webhook' },
  'webhook.enabled': { name: 'Webhook påslagen', sentence: () => 'slog på en webhook' },
  'webhook.resent': {
    name: 'Leverans skickad igen',
    sentence: () => 'skickade en webhookleverans igen',
  },
  'webhook.rotated': {
    name: 'Webhook fick ny hemlighet',
    sentence: () => 'gav en webhook en ny hemlighet',
  },
};

/** The sentence, or the action as it is written when this version does not know it. */
export function sentenceOf(action: string, subject: string, detail: Detail): string {
  const wording = wordings[action];
  return wording ? wording.sentence(subject, detail) : action;
}

/** Every action that has a name, in the order of the alphabet. */
export const actionNames: readonly { readonly action: string; readonly name: string }[] =
  Object.entries(wordings)
    .map(([action, { name }]) => ({ action, name }))
    .sort((one, other) => one.name.localeCompare(other.name, 'sv'));

/** Where things of a kind are shown, for actions that have no page of their own: `invoice.booked`. */
const pagesByNoun: Readonly<Record<string, string>> = {
  voucher: '/verifikat/:id',
  invoice: '/kundfakturor/:id',
  payment: '/kundfakturor/:id',
  reminder: '/kundfakturor/:id',
  order: '/order/:id',
  purchase: '/leverantorsinkorg/:id',
  customer: '/kunder/:id',
  supplier: '/leverantorer/:id',
  dimension: '/dimensioner/:id',
};

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The route of the page that shows what an event was about; undefined when none does. */
export function pageOf(action: string, subject: string): string | undefined {
  const page = wordings[action]?.page ?? pagesByNoun[action.split('.', 1)[0] ?? ''];
  const hasId = page?.includes(':id') ?? false;
  return hasId && !uuidForm.test(subject) ? undefined : page;
}
