/** Every sentence by its reason, and what each must be given. */
import { accessSentences } from './access.ts';
import { collectionSentences } from './collection.ts';
import { generalSentences } from './general.ts';
import { installationSentences } from './installation.ts';
import { ledgerSentences } from './ledger.ts';
import { orderSentences } from './orders.ts';
import { payableSentences } from './payables.ts';
import { proposalSentences } from './proposals.ts';
import { purchaseSentences } from './purchases.ts';
import { salesSentences } from './sales.ts';
import { tillSentences } from './tills.ts';

export const sentences = {
  ...accessSentences,
  ...collectionSentences,
  ...generalSentences,
  ...installationSentences,
  ...ledgerSentences,
  ...orderSentences,
  ...payableSentences,
  ...proposalSentences,
  ...purchaseSentences,
  ...salesSentences,
  ...tillSentences,
};

type Table = typeof sentences;

/** Every reason that has a sentence. */
export type Reason = keyof Table;

/** The words of a reason, to whomever. */
type WordsOf<Entry> = Entry extends string | ((...all: never) => string)
  ? Entry
  : Entry[keyof Entry];

/** Takes what the words read; plain texts take anything. */
type Taker<Words> = Words extends (params: infer Params, ...more: never) => string
  ? (params: Params) => void
  : (params: unknown) => void;

/** What the sentences of a reason read, whoever they are for; of several reasons, what they all do. */
export type ParamsOf<R extends Reason> =
  Taker<WordsOf<Table[R]>> extends (params: infer Params) => void ? Params : never;
