/** Reading `npm run soak -- …`: each refusal says what to write instead. */
import { parseArgs } from 'node:util';

export interface Arguments {
  readonly minutes: number;
  /** Everything that is left to chance follows from it. */
  readonly seed: string;
  readonly json: boolean;
  /** So many rows of the bank are booked while what books them is killed, and nothing else; null soaks everything. */
  readonly bank: number | null;
}

export const usage = `Usage: npm run soak [-- options]
  --minutes <n>  how long there are traffic and faults, 0.2–1440 (10)
  --seed <text>  the faults of an earlier run again, as far as chance decides them
  --bank <rows>  only so many rows of the bank booked, while what books them is killed, 10–100000
  --json         the report as one JSON value on stdout`;

export class UsageError extends Error {}

export function readArguments(args: readonly string[], chance: () => string): Arguments {
  const { minutes: given, seed = chance(), json, bank: rows } = parse(args);
  const minutes = Number(given);
  if (!/^\d+(\.\d+)?$/.test(given) || minutes < 0.2 || minutes > 1440) {
    throw new UsageError(`--minutes takes a number 0.2–1440, not ${given}.`);
  }
  if (!/^[\w-]{1,40}$/.test(seed)) {
    throw new UsageError(`--seed takes 1–40 letters and digits, not ${seed}.`);
  }
  const bank = rows === undefined ? null : Number(rows);
  if (bank !== null && !(Number.isInteger(bank) && bank >= 10 && bank <= 100_000)) {
    throw new UsageError(`--bank takes a number 10–100000, not ${rows}.`);
  }
  return { minutes, seed, json, bank };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '10' },
        seed: { type: 'string' },
        bank: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
