/**
 * Whether an invoice is ready to be handed to a collection agency: one check a thing that an agency, or
 * the debtor, would ask about. A person reads the list before exporting the case; only `blocking` stops it.
 */

import type { Reasoned } from '../../lib/errors.ts';
import { daysBetween } from '../basics/dates.ts';
import { normalizeOrganizationNumber } from '../basics/identifiers.ts';
import { sum } from '../basics/money.ts';
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
  /** What was found. A page says it, with the way out unless it is ok. */
  readonly found: Finding['found'];
}

interface Finding {
  readonly state: CheckState;
  readonly found: Reasoned;
}

/** A reminder shows the debtor that the claim stands; a demand without one before it is seldom reasonable. */
const reminderAgeDays = 8;

/** In the order in which they are worth reading. `day` is the last one interest is counted for. */
export function collectionReadiness(facts: CollectionFacts, day: string): ReadinessCheck[] {
  return [
    { name: 'claim', ...claimCheck(facts, day) },
    { name: 'debtor', ...debtorCheck(facts) },
    { name: 'debtor_identity', ...identityCheck(facts) },
    { name: 'creditor', ...creditorCheck(facts) },
    { name: 'reminders', ...remindersCheck(facts, day) },
    { name: 'payments', ...paymentsCheck(facts) },
    { name: 'interest', ...interestCheck(facts, day) },
    { name: 'rates', ...ratesCheck(facts, day) },
    { name: 'disputed', ...disputeCheck(facts) },
  ];
}

/** What the card as a whole says: the worst of its checks. */
export function readinessOf(checks: readonly ReadinessCheck[]): CheckState {
  const states = new Set(checks.map(({ state }) => state));
  if (states.has('blocking')) return 'blocking';
  return states.has('warning') ? 'warning' : 'ok';
}

const finding =
  (state: CheckState) =>
  (found: Reasoned): Finding => ({ state, found });
const ok = finding('ok');
const warning = finding('warning');
const blocking = finding('blocking');

function claimCheck(facts: CollectionFacts, day: string): Finding {
  const none = whyNoCase(facts, day);
  if (none !== null) return blocking(none);
  const { dueDate } = facts.invoice;
  return ok({ reason: 'claim_overdue', params: { dueDate, days: daysBetween(dueDate, day) } });
}

/** Inkassolagen (1974:182) 5 §: the demand must reach the debtor. */
function debtorCheck({ debtor }: CollectionFacts): Finding {
  const { name, address, postalCode, city } = debtor;
  if (name.trim() === '') return blocking({ reason: 'debtor_name_missing' });
  if (address && postalCode && city) {
    return ok({ reason: 'debtor_known', params: { name, address, city } });
  }
  const missing = missingOf({ address, postalCode, city });
  return warning({ reason: 'debtor_address_missing', params: { missing } });
}

function identityCheck({ debtor }: CollectionFacts): Finding {
  const { country, orgNumber } = debtor;
  if (country !== null && country !== 'SE') {
    return warning({
      reason: 'debtor_abroad',
      params: { country, number: debtor.vatNumber ?? orgNumber },
    });
  }
  if (!orgNumber) return warning({ reason: 'debtor_number_missing' });
  return normalizeOrganizationNumber(orgNumber) === null
    ? warning({ reason: 'debtor_number_wrong', params: { orgNumber } })
    : ok({ reason: 'debtor_number', params: { orgNumber } });
}

function creditorCheck({ creditor }: CollectionFacts): Finding {
  const { address, postalCode, city } = creditor;
  const contact = creditor.email ?? creditor.phone;
  const account = [creditor.bankgiro, creditor.plusgiro, creditor.iban].find((one) => one) ?? null;
  const missing = missingOf({ address, postalCode, city, contact, account });
  return missing.length === 0
    ? ok({ reason: 'creditor_known' })
    : warning({ reason: 'creditor_lacks', params: { missing } });
}

function remindersCheck({ reminders }: CollectionFacts, day: string): Finding {
  const last = reminders.at(-1);
  if (!last) return warning({ reason: 'never_reminded' });
  const feesOre = sum(reminders.map((one) => feeOn(one, day)));
  const params = { count: reminders.length, last: last.sentDate, feesOre };
  return daysBetween(last.sentDate, day) < reminderAgeDays
    ? warning({ reason: 'reminded_lately', params })
    : ok({ reason: 'reminded', params });
}

function paymentsCheck({ invoice, payments }: CollectionFacts): Finding {
  const paidOre = sum(payments.map(({ amountOre }) => amountOre));
  const leftOre = invoice.totalOre - paidOre;
  return payments.length === 0
    ? ok({ reason: 'nothing_paid', params: { leftOre } })
    : ok({ reason: 'paid_in_part', params: { count: payments.length, paidOre, leftOre } });
}

function interestCheck(facts: CollectionFacts, day: string): Finding {
  const { amountOre, days, segments, rateSource, law } = interestOn(facts, day);
  if (law === null) return warning({ reason: 'no_interest_owed' });
  if (segments.length === 0) return warning({ reason: 'no_interest_yet' });
  const isAgreed = rateSource === 'avtalad';
  const isFromDueDate = law === 'rantelagen_3';
  const stretches = segments.length;
  return ok({
    reason: 'interest',
    params: { amountOre, days, stretches, isAgreed, isFromDueDate },
  });
}

function ratesCheck(facts: CollectionFacts, day: string): Finding {
  const { missingPeriods: periods } = interestOn(facts, day);
  return periods.length === 0
    ? ok({ reason: 'rates_known' })
    : warning({ reason: 'rates_missing', params: { periods } });
}

/** Inkassolagen 8 §: nothing is collected that probably lacks ground. */
function disputeCheck({ isDisputed }: CollectionFacts): Finding {
  return isDisputed ? warning({ reason: 'disputed' }) : ok({ reason: 'not_disputed' });
}

/** The names of what has no value. */
export const missingOf = (values: Readonly<Record<string, string | null>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value ? [] : name));
