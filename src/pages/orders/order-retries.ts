/** After trying again: wait a little for the worker, and say what came of it. */

import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listRetried, type RetryOutcome } from '../../intake/orders/inbox-store.ts';
import type { ReceivedKind } from '../../intake/orders/store.ts';
import { say } from '../../lib/language.ts';
import { capitalized } from '../../lib/sentences/words.ts';
import { textOf } from '../form-fields.ts';
import { count } from '../format.ts';
import type { PagePlace, Pages } from '../page.ts';
import type { Visit } from '../visit.ts';
import { receivedWords } from './order-words.ts';

/** What a person waits for the worker. */
const waitMsMax = 4_000;

export const isUuid = (value: string): boolean => z.uuid().safeParse(value).success;

/** Waits a little, outside any transaction, for the worker to judge what the address says was retried. */
export async function waitForRetried<Params>(
  pages: Pages,
  request: FastifyRequest,
  place: PagePlace<Params>,
): Promise<void> {
  const { decisions, config } = pages.deps;
  const requestId = new URLSearchParams(request.url.split('?', 2)[1] ?? '').get('provas') ?? '';
  if (!isUuid(requestId)) return;
  const deadline = performance.now() + Math.min(config.intakeWaitMs, waitMsMax);
  const read = () =>
    pages.visit(request, place, async ({ tx }) =>
      (await listRetried(tx, requestId)).filter(isWaiting).map((one) => one.attempt_id),
    );
  for (let waiting = await read(); ; ) {
    const [first] = waiting;
    const timeoutMs = deadline - performance.now();
    if (first === undefined || timeoutMs <= 0) return;
    waiting = await decisions.wait(first, { timeoutMs }, read, (left) => !left.includes(first));
  }
}

const isWaiting = ({ status, is_invoiced }: RetryOutcome): boolean =>
  status === 'received' && !is_invoiced;

/** What came of the orders that were just tried again, in words; null when none were. */
export async function outcomeOf({
  tx,
  query,
}: Pick<Visit, 'tx' | 'query'>): Promise<{ tone: string; text: string } | null> {
  const requestId = textOf(query, 'provas');
  if (!isUuid(requestId)) return null;
  const retried = await listRetried(tx, requestId);
  if (retried.length === 0) return null;
  const invoiced = retried.filter((one) => one.is_invoiced).length;
  const waiting = retried.filter(isWaiting).length;
  const stopped = retried.length - invoiced - waiting;
  const kinds = new Set(retried.map(({ kind }) => kind));
  const [only] = kinds.size === 1 ? kinds : [];
  const drafts = only ? receivedWords()[only].draft : say`utkast`;
  const sentences = [
    say`${tried(retried.length, only)} prövades igen.`,
    invoiced > 0 ? say`${count(invoiced)} blev ${drafts}.` : '',
    stopped > 0 ? say`${count(stopped)} stoppades på nytt.` : '',
    waiting > 0 ? say`${count(waiting)} prövas fortfarande; ladda om sidan strax.` : '',
  ];
  const tone = stopped > 0 ? 'warning' : waiting > 0 ? 'hint' : 'notice';
  return { tone, text: sentences.filter(Boolean).join(' ') };
}

/** Those that were tried, all of the kind; of both when none is given. */
function tried(n: number, kind: ReceivedKind | undefined): string {
  if (kind === undefined) return say`${count(n)} order och återbetalningar`;
  const { the, several } = receivedWords()[kind];
  return n === 1 ? capitalized(the) : `${count(n)} ${several}`;
}
