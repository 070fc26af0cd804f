/** Reading `npm run bench -- …`: each refusal says what to write instead. */
import { parseArgs } from 'node:util';
import { type Measurement, measurements } from './figure.ts';

export interface Arguments {
  readonly chosen: readonly Measurement[];
  readonly seconds: number;
  readonly vouchers: number;
  readonly seed: number;
  readonly keep: boolean;
  readonly save: boolean;
  readonly folder: string | undefined;
}

export const usage = `Usage: npm run bench [-- ${measurements.join('|')} …] [options]
  profile: where the processor time of a voucher and of an order goes, part by part
  overload: too much at once, and how soon the service is itself again
  open-transaction: writing while somebody's transaction stays open, for as long as --seconds
  --seconds <n>    how long each load lasts (10)
  --vouchers <n>   how many vouchers the pages are read among (1000000)
  --seed <n>       which variations of the bank rows are matched (1)
  --keep           keep the folder with the books
  --data <folder>  use a folder that was kept; missing vouchers are added
  --no-save        print the table and leave bench/results alone`;

export class UsageError extends Error {}

export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const unknown = positionals.filter((given) => !measurements.some((name) => name === given));
  if (unknown.length > 0) {
    throw new UsageError(
      `There is no measurement ${unknown.join(', ')}; choose among ${measurements.join(', ')}.`,
    );
  }
  const chosen = measurements.filter((name) => positionals.includes(name));
  return {
    chosen: chosen.length > 0 ? chosen : measurements,
    seconds: integer('seconds', values.seconds, 1, 600),
    vouchers: integer('vouchers', values.vouchers, 1000, 20_000_000),
    seed: integer('seed', values.seed, 0, 1_000_000),
    keep: values.keep,
    save: !values['no-save'],
    folder: values.data,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '10' },
        vouchers: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: '1' },
        keep: { type: 'boolean', default: false },
        'no-save': { type: 'boolean', default: false },
        data: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function integer(name: string, given: string, min: number, max: number): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= min && value <= max) return value;
  throw new UsageError(`--${name} takes a whole number ${min}–${max}, not ${given}.`);
}
