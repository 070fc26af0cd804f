/** What the API's description tells of refusals as a table, for whoever writes a client's retries. */
import { errorCodes } from '../lib/errors.ts';
import { orderReasons } from './orders/reasons.ts';

/**
 * `x-error-codes`: every `error` there is, with its status and whether the same call may be sent again:
 * `true`, `after` the seconds of Retry-After, or `false`. `x-order-reasons`: every reason of a stopped order;
 * the same bytes are always stopped again, until a person has mended what they rely on.
 */
export const refusalTables = () => ({
  'x-error-codes': Object.fromEntries(
    Object.entries(errorCodes).map(([code, { status, retryable, meaning }]) => [
      code,
      { status, retryable, description: meaning },
    ]),
  ),
  'x-order-reasons': Object.fromEntries(
    Object.entries(orderReasons).map(([reason, description]) => [
      reason,
      { retryable: false, description },
    ]),
  ),
});
