/** What the API's description tells of refusals as a table, for whoever writes a client's retries. */
import { errorCodes } from '../lib/errors.ts';
import { orderReasons, refundReasons } from './orders/reasons.ts';
import { tillReasons } from './till-reports/reasons.ts';

/**
 * `x-error-codes`: every `error` there is, with its status and whether the same call may be sent again:
 * `true`, `after` the seconds of Retry-After, or `false`. `x-order-reasons`, `x-refund-reasons` and `x-till-reasons`:
 * every reason of a stopped order, refund or till report. What was stopped is kept, so that none of them is worth
 * sending again as it is: a person mends what it relies on, or it is judged again by itself, as the reason says.
 */
export const refusalTables = () => ({
  'x-error-codes': Object.fromEntries(
    Object.entries(errorCodes).map(([code, { status, retryable, meaning }]) => [
      code,
      { status, retryable, description: meaning },
    ]),
  ),
  'x-order-reasons': reasonTable(orderReasons),
  'x-refund-reasons': reasonTable(refundReasons),
  'x-till-reasons': reasonTable(tillReasons),
});

const reasonTable = (reasons: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(reasons).map(([reason, description]) => [
      reason,
      { retryable: false, description },
    ]),
  );
