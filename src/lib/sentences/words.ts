/** What the tables of sentences are written with. */
import type { Fault, Params } from '../errors.ts';

/** Who reads a sentence: a program's author, a person at a page, or one at the command line. */
export type Reader = 'api' | 'page' | 'command';

/** What a sentence is made of. `at` is the fault's path, as the API names the field. */
interface Told {
  readonly at: string;
  /** Says another fault, to the same reader. */
  readonly say: (fault: Omit<Fault, 'path'>) => string;
}

// biome-ignore lint/suspicious/noExplicitAny: what a reason carries is said by the one function that reads it.
export type Words = string | ((params: any, told: Told) => string);

/** Sentences by reason: one for everybody, or one for each who must hear it in other words. */
export type Sentences = Readonly<
  Record<string, Words | { readonly api?: Words; readonly page: Words; readonly command?: Words }>
>;

export type { Params };
