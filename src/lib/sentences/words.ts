/** What the tables of sentences are written with. */
import { amountText, kronorText } from '../numbers.ts';

/** Who reads a sentence: a program's author, a person at a page, or one at the command line. */
export type Reader = 'api' | 'page' | 'command';

/** An amount in öre; stored, it is its digits. */
export type Amount = bigint | string;

/** As a sentence or a label begins. */
export const capitalized = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export const kronor = (ore: Amount): string => kronorText(BigInt(ore));

/** Of an invoice that is not in kronor: which currency its amounts are in. */
export type InWhich = {
  readonly currency?: string;
};

/** An amount in hundredths of a currency; kronor when none is said. */
export const money = (amount: Amount, { currency }: InWhich): string =>
  currency === undefined ? kronor(amount) : `${amountText(BigInt(amount))} ${currency}`;

/**
 * The params that a sentence reads, by their names: amounts are named `…Ore`, all else stands in the sentence as
 * it is given. Whoever refuses must give them, so that nobody ever reads "undefined".
 */
export type Given<Names extends string> = {
  readonly [Name in Names]: Name extends `${string}Ore` ? Amount : string | number;
};

/** What a sentence is made of beside its params. `at` is the fault's path, as the API names the field. */
export interface Told {
  readonly at: string;
  /** Says another reason, to the same reader. */
  readonly tell: (other: Unsaid) => string;
}

/** A reason as a sentence about another one holds it. */
export interface Unsaid {
  readonly reason: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A stretch of days, both counted. */
export interface Stretch {
  readonly start: string;
  readonly end: string;
}

export type Words<P> = string | ((params: P, told: Told) => string);

// biome-ignore lint/suspicious/noExplicitAny: each function says which params it reads; here they are any.
export type AnyWords = Words<any>;

/** Sentences by reason: one for everybody, or one for each who must hear it in other words. */
export type Sentences = Readonly<
  Record<
    string,
    AnyWords | { readonly api?: AnyWords; readonly page: AnyWords; readonly command?: AnyWords }
  >
>;
