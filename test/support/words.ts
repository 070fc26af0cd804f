/** Refusals as people hear them: services throw reasons, surfaces say them. */
import { AppError, type Fault, type Reasoned } from '#src/lib/errors.ts';
import { said, sentenceFor } from '#src/lib/sentences/say.ts';

/** The same work; what it refuses is thrown in the words of a page. */
export async function inWords<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw error instanceof AppError ? said('page', error) : error;
  });
}

export const wordsOf = (refusal: AppError | null | undefined): string | undefined =>
  refusal ? said('page', refusal).message : undefined;

/** What the API says of a fault. */
export const apiWords = (fault: Fault | undefined): string =>
  fault ? sentenceFor('api', fault) : '';

/** What a page says of a reason. */
export const pageWords = (reason: Reasoned | undefined): string =>
  reason ? sentenceFor('page', reason) : '';
