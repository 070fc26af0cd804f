/** What a page's handler is given, and what it answers with. */
import type { Readable } from 'node:stream';
import type { PasswordTry } from '../access/users/account.ts';
import type { Config } from '../config/config.ts';
import type { Decisions } from '../db/decisions.ts';
import type { Pool, Tx } from '../db/pool.ts';
import type { Readers } from '../http/readers.ts';
import type { Spool } from '../http/spool.ts';
import type { Clock } from '../lib/clock.ts';
import type { Problem } from '../lib/errors.ts';
import type { Language } from '../lib/language.ts';
import type { Fields } from './form-fields.ts';
import type { Person } from './person.ts';
import type { Upload } from './uploads.ts';

export interface PageDeps {
  /** Connections of the role hb_app, for what people write. */
  readonly appPool: Pool;
  /** The same role's, for what they look at. */
  readonly appReaders: Readers;
  readonly config: Config;
  readonly clock: Clock;
  readonly decisions: Decisions;
  /** Where files wait that are being sent; one of its own when none is given. */
  readonly spool?: Spool;
}

/** One call of a person, in one transaction. */
export interface Visit<Params = Record<string, string>> {
  readonly tx: Tx;
  readonly person: Person;
  readonly params: Params;
  /** Of the address, without its query. */
  readonly path: string;
  /** The query of the address, as texts. */
  readonly query: Fields;
  /** YYYY-MM-DD in the installation's time zone. */
  readonly today: string;
  readonly deps: PageDeps;
  /** Files that came with the form. */
  readonly files: readonly Upload[];
  /** For the log and for what is written down. */
  readonly requestId: string;
  /** Of the password that `shownPassword` found in the form. */
  readonly passwordTry?: PasswordTry | undefined;
}

/** What a page shows of forms begun on it, as `frame.begun`. */
export interface BegunView {
  /** Of the form on the page, begun or not. */
  readonly id: string;
  /** Where it goes on. */
  readonly address: string;
  /** When what stands in it was typed; null when it was now. */
  readonly at: string | null;
  readonly offers: readonly { id: string; at: string; words: string; href: string }[];
}

/** A page: a template of `templates/pages` and what it shows. */
export interface View {
  readonly template: string;
  readonly title: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly status?: number;
  /** Scripts of `public/` that this page alone needs, as in `voucher`. */
  readonly scripts?: readonly string[];
  /** The address of a form whose typing is kept by itself (`begun-form.ts`), where it can be gone on with. */
  readonly begunAt?: string;
  /** What has been begun there, found out by itself. */
  readonly begun?: BegunView;
  /** What the form on the page showed of what is stored, when it changes that (`changed-meanwhile.ts`). */
  readonly seen?: string;
  /** Where Back and a reload lead from a refusal, found out by itself. */
  readonly resume?: string;
  /**
   * Why the form was refused, sentence by sentence: what the page has no place for is said above it. Told by a page
   * that words it otherwise; else found out by itself.
   */
  readonly refused?: readonly string[];
}

/** Where to go when something is done, and what to say there. */
export interface Goto {
  readonly to: string;
  readonly notice?: string;
  /** That of the page it is done on, unless said. */
  readonly noticeLanguage?: Language;
  /** Shown instead of going there, for what can be shown only once. */
  readonly view?: View;
  /**
   * What is done outside, such as mailing, once all of it is committed: adds what it came to to the values of `view`.
   * Never throws.
   */
  readonly afterwards?: () => Promise<Readonly<Record<string, unknown>>>;
  /** By this they gave up a right or the login of their own, which is no loss meanwhile. */
  readonly hasGivenUp?: boolean;
  /** Nothing of the form is done yet. */
  readonly isBegun?: boolean;
  /** What the form was sent to have made elsewhere: kept as it is, at `from`, until it is there for `field`. */
  readonly asks?: { readonly from: string; readonly field: string };
  /** What was made, as a form that asked for it calls it; and its id, when the form has a place for that. */
  readonly made?: { readonly value: string; readonly id?: string };
}

/** Something else than a page. */
export interface FileAnswer {
  readonly type: string;
  /** A stream when it may be long. */
  readonly content: string | Buffer | Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What somebody typed into a form, and what was wrong with it; both empty the first time. */
export interface FormInput {
  readonly fields: Fields;
  readonly problems: readonly Problem[];
  /** Whether it was sent at all: a box that is not ticked is not sent either. */
  readonly isSent: boolean;
}

export const nothingTyped: FormInput = { fields: {}, problems: [], isSent: false };
