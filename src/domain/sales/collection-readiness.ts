/**
 * Whether an invoice is ready to be handed to a collection agency: one check a thing that an agency, or
 * the debtor, would ask about. A person reads the list before exporting the case; only `blocking` stops it.
 */

import { daysBetween } from '../basics/dates.ts';
import { normalizeOrganizationNumber } from '../basics/identifiers.ts';
import { formatKronor, sum } from '../basics/money.ts';
import { type CollectionFacts, feeOn, interestOn, whyNoCase } from './collection-case.ts';

export type CheckState = 'ok' | 'warning' | 'blocking';

export interface ReadinessCheck {
  readonly name:
    | 'claim'
    | 'creditor'
    | 'debtor'
    | 'debtor_identity'
    | 'reminders'
    | 'payments'
    | 'interest'
    | 'rates'
    | 'disputed';
  readonly state: CheckState;
  readonly label: string;
  /** What was found and, unless it is ok, the way out. */
  readonly text: string;
}

type Finding = Pick<ReadinessCheck, 'state' | 'text'>;

/** A reminder shows the debtor that the claim stands; a demand without one before it is seldom reasonable. */
const reminderAgeDays = 8;

/** In the order in which they are worth reading. `day` is the last one interest is counted for. */
export function collectionReadiness(facts: CollectionFacts, day: string): ReadinessCheck[] {
  return [
    { name: 'claim', label: 'Fordran', ...claimCheck(facts, day) },
    { name: 'debtor', label: 'Gäldenärens adress', ...debtorCheck(facts) },
    { name: 'debtor_identity', label: 'Gäldenärens nummer', ...identityCheck(facts) },
    { name: 'creditor', label: 'Era uppgifter', ...creditorCheck(facts) },
    { name: 'reminders', label: 'Påminnelser', ...remindersCheck(facts, day) },
    { name: 'payments', label: 'Betalningar', ...paymentsCheck(facts) },
    { name: 'interest', label: 'Ränta', ...interestCheck(facts, day) },
    { name: 'rates', label: 'Räntesatser', ...ratesCheck(facts, day) },
    { name: 'disputed', label: 'Tvist', ...disputeCheck(facts) },
  ];
}

/** What the card as a whole says: the worst of its checks. */
export function readinessOf(checks: readonly ReadinessCheck[]): CheckState {
  const states = new Set(checks.map(({ state }) => state));
  if (states.has('blocking')) return 'blocking';
  return states.has('warning') ? 'warning' : 'ok';
}

const ok = (text: string): Finding => ({ state: 'ok', text });
const warning = (text: string): Finding => ({ state: 'warning', text });
const blocking = (text: string): Finding => ({ state: 'blocking', text });

function claimCheck(facts: CollectionFacts, day: string): Finding {
  const reason = whyNoCase(facts, day);
  if (reason !== null) return blocking(reason);
  const days = daysBetween(facts.invoice.dueDate, day);
  return ok(`Förföll ${facts.invoice.dueDate}, ${daysText(days)} sen.`);
}

/** Inkassolagen (1974:182) 5 §: the demand must reach the debtor. */
function debtorCheck({ debtor }: CollectionFacts): Finding {
  if (debtor.name.trim() === '') return blocking('Namn saknas på fakturan.');
  const missing = missingOf([
    ['adress', debtor.address],
    ['postnummer', debtor.postalCode],
    ['ort', debtor.city],
  ]);
  if (missing === '') return ok(`${debtor.name}, ${debtor.address}, ${debtor.city}.`);
  return warning(`På fakturan saknas ${missing}. Lämna den till ombudet vid sidan av ärendet.`);
}

function identityCheck({ debtor }: CollectionFacts): Finding {
  const isAbroad = debtor.country !== null && debtor.country !== 'SE';
  if (isAbroad) {
    const number = debtor.vatNumber ?? debtor.orgNumber;
    return warning(
      `Gäldenären finns utomlands (${debtor.country}${number ? `, ${number}` : ''}); fråga ombudet om kravet kan drivas där.`,
    );
  }
  if (!debtor.orgNumber) {
    return warning(
      'Organisations- eller personnummer saknas; Kronofogden kräver det i nästa steg.',
    );
  }
  return normalizeOrganizationNumber(debtor.orgNumber) === null
    ? warning(`${debtor.orgNumber} har fel form eller kontrollsiffra.`)
    : ok(debtor.orgNumber);
}

function creditorCheck({ creditor }: CollectionFacts): Finding {
  const isPayable = [creditor.bankgiro, creditor.plusgiro, creditor.iban].some((one) => one);
  const missing = missingOf([
    ['adress', creditor.address],
    ['postnummer', creditor.postalCode],
    ['ort', creditor.city],
    ['e-post eller telefon', creditor.email ?? creditor.phone],
    ['bankgiro, plusgiro eller IBAN', isPayable ? 'ja' : null],
  ]);
  return missing === ''
    ? ok('Adress, kontaktväg och konto finns.')
    : warning(`I företagets inställningar saknas ${missing}.`);
}

function remindersCheck({ reminders }: CollectionFacts, day: string): Finding {
  const last = reminders.at(-1);
  if (!last) return warning('Ingen påminnelse är registrerad. Påminn innan kravet lämnas vidare.');
  const fees = sum(reminders.map((one) => feeOn(one, day)));
  const count = reminders.length === 1 ? 'En påminnelse' : `${reminders.length} påminnelser`;
  const text = `${count}, senast ${last.sentDate}; avgifter ${formatKronor(fees)}.`;
  return daysBetween(last.sentDate, day) < reminderAgeDays
    ? warning(`${text} Vänta tills gäldenären har haft skälig tid att betala.`)
    : ok(text);
}

function paymentsCheck({ invoice, payments }: CollectionFacts): Finding {
  const paid = sum(payments.map(({ amountOre }) => amountOre));
  const left = formatKronor(invoice.totalOre - paid);
  if (payments.length === 0) return ok(`Inget är betalt; ${left} återstår av fakturan.`);
  const count = payments.length === 1 ? 'En betalning' : `${payments.length} betalningar`;
  return ok(`${count} eller kreditering på ${formatKronor(paid)}; ${left} återstår av fakturan.`);
}

function interestCheck(facts: CollectionFacts, day: string): Finding {
  const { amountOre, days, segments, rateSource, law } = interestOn(facts, day);
  if (law === null) {
    return warning(
      'Ingen ränta begärs: förfallodagen var inte avtalad, kunden är konsument och fakturan sade inte att ränta tas ut (räntelagen 4 §).',
    );
  }
  const source = rateSource === 'avtalad' ? 'avtalad ränta' : 'räntelagen';
  const from = law === 'rantelagen_3' ? 'förfallodagen' : '30 dagar efter att fakturan sändes';
  const stretches = segments.length === 1 ? 'en period' : `${segments.length} perioder`;
  return segments.length === 0
    ? warning('Ingen ränta har löpt.')
    : ok(
        `${formatKronor(amountOre)} för ${daysText(days)} i ${stretches}, ${source}, från ${from}.`,
      );
}

function ratesCheck(facts: CollectionFacts, day: string): Finding {
  const { missingPeriods } = interestOn(facts, day);
  if (missingPeriods.length === 0) return ok('Räntesatsen är känd för hela tiden.');
  const periods = missingPeriods.map(({ from, to }) => `${from} – ${to}`).join(', ');
  return warning(
    `Referensräntan är inte inlagd för ${periods}; för den tiden begärs ingen ränta. Lägg in den under Referensräntor.`,
  );
}

/** Inkassolagen 8 §: nothing is collected that probably lacks ground. */
function disputeCheck({ isDisputed }: CollectionFacts): Finding {
  return isDisputed
    ? warning('Kravet är antecknat som tvistigt. Red ut tvisten, eller låt en domstol pröva den.')
    : ok('Ingen tvist är antecknad.');
}

const daysText = (days: number): string => (days === 1 ? '1 dag' : `${days} dagar`);

/** The labels of what is empty, as a Swedish enumeration. */
/** What has no value, in words; empty when nothing is missing. */
export function missingOf(
  pairs: readonly (readonly [label: string, value: string | null])[],
): string {
  const labels = pairs.filter(([, value]) => !value).map(([label]) => label);
  return labels.length < 2
    ? labels.join('')
    : `${labels.slice(0, -1).join(', ')} och ${labels.at(-1)}`;
}
