/** An example company: two years of plausible books, with something on every page, and keys to try it. */

import { createSecret } from '../access/keys/secrets.ts';
import { recordEvent } from '../audit/store.ts';
import type { Keyring } from '../config/keyring.ts';
import { preparing, type Tx } from '../db/pool.ts';
import { findCompany } from '../installation/company/store.ts';
import { verifyBooks } from '../ledger/verification/service.ts';
import { insertVerification } from '../ledger/verification/store.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { addKeys, addPeople, addWebhook } from './access.ts';
import { connectBank } from './bank-account.ts';
import type { Books } from './books.ts';
import { receive } from './buy.ts';
import { calendarOn } from './calendar.ts';
import { acknowledgeMonths, lockBooks, mendLatestQuarter } from './closing.ts';
import { company, type DemoPerson } from './company.ts';
import { leaveDocuments } from './inbox.ts';
import { leaveProposals } from './propose.ts';
import { refusedDocuments } from './purchases.ts';
import { leaveRecurring } from './recurring.ts';
import { fillRegisters, retireCustomers, setUpCompany } from './registers.ts';
import { leaveDrafts } from './sell.ts';
import { specialInvoices } from './special-invoices.ts';
import { clearJobs, countVouchers, emptyDemo, passEvents } from './store.ts';
import { tellStory } from './story.ts';
import { takeSpecialOrders } from './take-orders.ts';
import { stopTillReport } from './till.ts';

export interface Demo {
  readonly company: string;
  readonly vouchers: number;
  /** Null when the company was there already: a secret is shown once. */
  readonly secrets: DemoSecrets | null;
}

/** Of what was there already, null: a secret is shown once. */
export interface DemoSecrets {
  readonly key: string | null;
  readonly agencyKey: string | null;
  /** Reads and proposes (docs/assistants.md). */
  readonly assistantKey: string | null;
  /** That of `people`. */
  readonly password: string | null;
  readonly people: readonly Pick<DemoPerson, 'email' | 'role'>[];
}

export interface DemoOptions {
  /** The books are a function of it: the same day gives the same books. */
  readonly today: string;
  readonly timeZone: string;
  /** What the webhook's secret is sealed with; without it there is no webhook. */
  readonly keyring: Keyring | undefined;
}

/** The demo company as it stands, undefined in an empty installation. */
export async function readDemo(tx: Tx): Promise<Demo | undefined> {
  const found = await findCompany(tx);
  if (!found) return undefined;
  if (found.organization_number !== company.organizationNumber) {
    throw new OperatorError(
      `Installationen tillhör ${found.name}; exempelföretaget läggs bara i en tom. Prova med en egen DATA_DIR.`,
    );
  }
  return { company: company.name, vouchers: await countVouchers(tx), secrets: null };
}

/**
 * The example company as on its first day, in the caller's transaction, which must have done nothing yet. People, keys,
 * agencies and webhooks stay as they are; what they knew of the books (ids, answers to an Idempotency-Key, documents) is
 * gone. Refuses any other company. Cut off, the books are as they were.
 */
export async function resetDemo(tx: Tx, options: DemoOptions, actor: string): Promise<Demo> {
  await emptyDemo(tx);
  const demo = await seedDemo(tx, options, actor);
  await passEvents(tx);
  await recordEvent(tx, { actor, action: 'demo.reset', subject: company.organizationNumber });
  return demo;
}

/** All of it in the caller's transaction, through the services that everything else goes through. */
export async function seedDemo(given: Tx, options: DemoOptions, actor: string): Promise<Demo> {
  const tx = preparing(given);
  const calendar = calendarOn(options.today);
  const password = createSecret('').slice(0, passwordCharacters);
  await setUpCompany(tx, calendar, actor);
  const { actors, added } = await addPeople(tx, password, actor);
  const keys = await addKeys(tx, actors);
  const books: Books = { tx, calendar, actors, ...(await fillRegisters(tx, actors)) };
  await tellStory(books, keys);
  await connectBank(books);
  await acknowledgeMonths(books, options.timeZone);
  await lockBooks(books, options.timeZone);

  // What waits for somebody, after the months that were fine before it came.
  await mendLatestQuarter(books);
  await leaveDrafts(
    books,
    specialInvoices(calendar).filter(({ isDraft }) => isDraft),
  );
  await leaveRecurring(books);
  await takeSpecialOrders(books, keys.webShop);
  await stopTillReport(books, keys.till);
  await receive(books, refusedDocuments(calendar), keys.accessPoint);
  await leaveDocuments(books);
  await leaveProposals(books, keys.assistant);
  await clearJobs(tx);
  await retireCustomers(books);
  await addWebhook(books, options.keyring);
  await verify(books);
  const { key, agencyKey, assistantKey } = keys;
  const secrets = {
    key,
    agencyKey,
    assistantKey,
    password: added.length > 0 ? password : null,
    people: added,
  };
  return { company: company.name, vouchers: await countVouchers(tx), secrets };
}

const passwordCharacters = 16;

async function verify({ tx, actors }: Books): Promise<void> {
  const found = await verifyBooks(tx, () => undefined);
  if (found.problems.length > 0) {
    throw new Error(`the demo books do not hold: ${JSON.stringify(found.problems)}`);
  }
  await insertVerification(tx, found, actors.administrator);
}
