/**
 * The one place where reasons become sentences, for each who reads them: the API's callers, people at pages, people
 * at the command line. The sentences stand in the tables beside this file, one a reason. They are Swedish; a person
 * at a page who reads English gets what the catalogue has for them (`../language.ts`), and nobody else does.
 */

import {
  AppError,
  type Fault,
  type Params,
  type Problem,
  type Reasoned,
  Refusal,
} from '../errors.ts';
import { say, speaking, translated } from '../language.ts';
import { sentences } from './tables.ts';
import type { AnyWords, Reader, Sentences, Unsaid } from './words.ts';

export type { Reader } from './words.ts';

/** The sentence of a fault, for whoever reads it. One that has its own words (`Problem`) keeps them. */
export function sentenceFor(
  reader: Reader,
  fault: (Reasoned & { path?: string }) | Problem,
): string {
  if ('message' in fault && typeof fault.message === 'string') return fault.message;
  return sentenceOf(reader, fault);
}

/** The sentence of what was kept earlier, perhaps by SQL of somebody's, and may be of no shape that programs keep. */
export function sentenceOfKept(tell: () => string): string {
  try {
    return tell();
  } catch {
    return say`Orsaken går inte att läsa.`;
  }
}

interface Unspoken extends Unsaid {
  readonly path?: string;
}

const sentenceOf = (reader: Reader, fault: Unspoken): string =>
  reader === 'page' ? saidOf(reader, fault) : speaking('sv', () => saidOf(reader, fault));

function saidOf(reader: Reader, { path: at = '', reason, params = {} }: Unspoken): string {
  const words = wordsFor(reader, reason);
  if (typeof words === 'string') return translated(words);
  return words(params, { at, tell: (other) => saidOf(reader, other) });
}

function wordsFor(reader: Reader, reason: string): AnyWords {
  const found = Object.hasOwn(sentences, reason) ? (sentences as Sentences)[reason] : undefined;
  if (found === undefined)
    return (_, { at }) => say`${at || say`Det`} kan inte användas (${reason}).`;
  if (typeof found !== 'object') return found;
  return (reader === 'page' ? undefined : found[reader]) ?? found.page;
}

/** What a program is told beside the sentence, in the words of the contract. */
const told = [
  'account',
  'account_vat_rate',
  'buyer_country',
  'buyer_vat_number',
  'date',
  'dimension',
  'series',
  'vat_box',
  'vat_code',
  'vat_rate',
  'year',
] as const;

/** A fault as an answer of the API holds it. */
export function apiProblem(fault: Fault | Problem): Problem {
  const { path, reason, params = {} } = fault;
  const given = params as Params;
  const extra = told.filter((name) => given[name] !== undefined);
  const facts = Object.fromEntries(extra.map((name) => [name, given[name]]));
  return { path, reason, ...facts, message: sentenceFor('api', fault) };
}

/** A fault as it stands on a page, beside its field. */
export function pageProblem(fault: Fault | Problem): Problem {
  return { path: fault.path, reason: fault.reason, message: sentenceFor('page', fault) };
}

/** A fault as the command line tells of it. */
export function commandProblem(fault: Fault | Problem): Problem {
  return { path: fault.path, reason: fault.reason, message: sentenceFor('command', fault) };
}

const problemFor = { api: apiProblem, page: pageProblem, command: commandProblem } as const;

/** The refusal in words; one that a surface has made is in words already. */
export function said(reader: Reader, refusal: AppError): AppError {
  if (!(refusal instanceof Refusal)) return refusal;
  const { code, whole, faults, detail, headers } = refusal;
  const first = whole ?? faults[0];
  const message = first ? sentenceFor(reader, first) : say`Anropet kunde inte behandlas.`;
  if (faults.length === 0) return new AppError(code, message, { detail, headers, cause: refusal });
  const problems = faults.map(problemFor[reader]);
  return new AppError(code, message, {
    detail: { ...detail, problems },
    headers,
    cause: refusal,
  });
}
