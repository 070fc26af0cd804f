/**
 * How often something made at random is tried: so many times in `npm test`, and six times as many where the same file
 * is run among what is slow (`triedMore` in order.ts).
 */
export const tries = (few: number): number => few * Number(process.env['TRIES'] ?? 1);
