/** Statements that no program sends: every function that a login may call and every column that it may write, with odd values. */
import type pg from 'pg';
import { databaseErrorOf } from '#src/db/pool.ts';

/** By type; what is of no type here is null. */
const odd: Readonly<Record<string, readonly string[]>> = {
  uuid: [`'10000000-0000-0000-0000-000000000000'`, 'gen_random_uuid()'],
  text: [`''`, `'x'`, `'job:mail'`, `'A'`, `'invoice'`, `'manuell-1'`, `'%'`, `repeat('å', 20000)`],
  bytea: [`'\\x'`, `'\\x00'`, `sha256('x')`, `decode(repeat('00', 100000), 'hex')`],
  smallint: ['0', '1', '-32768'],
  integer: ['0', '1', '-1', '1930', '2026', '2147483647', '-2147483648'],
  bigint: ['0', '1', '-1', '9223372036854775807', '-9223372036854775808'],
  numeric: ['0', `'NaN'`, `'infinity'`],
  'double precision': ['0', `'NaN'`, `'infinity'`],
  boolean: ['true', 'false'],
  date: [`'2026-03-31'`, `'infinity'`, `'-infinity'`, `'4713-01-01 BC'`, `'5874897-12-31'`],
  'timestamp with time zone': ['now()', `'infinity'`, `'-infinity'`, `'294276-12-31'`],
  interval: [`'0'`, `'178000000 years'`],
  jsonb: [
    `'{}'`,
    `'[]'`,
    `'[null]'`,
    `'null'`,
    `'7'`,
    `'"x"'`,
    `'[[[]]]'`,
    `'{"reason":7}'`,
    `'{"name":["x"]}'`,
  ],
  inet: [`'192.0.2.1'`, `'0.0.0.0/0'`],
  xid8: [`'0'`, `'18446744073709551615'`],
};

/** Answers that are no refusal: broken inside, out of memory or locks, cut short for its time, gone. */
const isBroken = (code: string): boolean => /^(XX|53|57|58|08|Error)/.test(code);

export class AnySql {
  /** What was answered otherwise than by rows or a refusal. */
  readonly faults: string[] = [];
  /** Statements that were done. */
  done = 0;
  readonly #client: pg.Client;
  readonly #hash: string;
  #seed: number;

  /** `hash`, hexadecimal, is of a key that functions may know. */
  constructor(client: pg.Client, hash: string, seed: number) {
    this.#client = client;
    this.#hash = hash;
    this.#seed = seed;
  }

  async callFunctions(times: number): Promise<void> {
    const { rows } = await this.#client.query(`select p.oid::regproc::text as name,
        array(select format_type(t, null) from unnest(p.proargtypes::oid[]) with ordinality as a (t, n) order by n) as types
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname !~ '^pg|^information_schema' and p.prorettype <> 'trigger'::regtype
        and has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute') order by 1`);
    for (const { name, types } of rows) {
      // Who attacks would have to log in again.
      if (name === 'app.end_session') continue;
      for (let n = 0; n <= times; n += 1) {
        const values = types.map((type: string) => (n === 0 ? `null::${type}` : this.#value(type)));
        await this.#run(`select * from ${name}(${values.join()})`);
      }
    }
  }

  async writeColumns(times: number): Promise<void> {
    const { rows } =
      await this.#client.query(`select c.oid::regclass::text as table, a.attname as column,
        format_type(a.atttypid, null) as type
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where n.nspname !~ '^pg|^information_schema' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'update') order by 1, 2`);
    for (const { table, column, type } of rows) {
      if (/^restricted\.(users|sessions)$/.test(table)) continue;
      for (let n = 0; n < times; n += 1) {
        await this.#run(`update ${table} set ${column} = ${this.#value(type)}
          where ctid = any (array(select ctid from ${table} offset ${this.#below(3)} limit 1))`);
      }
    }
  }

  async #run(text: string): Promise<void> {
    try {
      await this.#client.query(text);
      this.done += 1;
    } catch (error) {
      const code = databaseErrorOf(error)?.code ?? `Error ${error}`;
      if (isBroken(code)) this.faults.push(`${code}: ${text.slice(0, 500)}`);
    }
  }

  #value(type: string): string {
    if (!type.endsWith('[]')) return `${this.#scalar(type)}::${type}`;
    const of = type.slice(0, -2);
    const [one, other] = [this.#scalar(of), this.#scalar(of)];
    const lists = [
      "'{}'",
      "'{null}'",
      `array[array[${one}], array[${other}]]`,
      `array_fill(${one}::${of}, array[200])`,
    ];
    return `${this.#below(5) === 0 ? this.#pick(lists) : `array[${one}]`}::${type}`;
  }

  #scalar(type: string): string {
    if (this.#below(8) === 0) return 'null';
    if (type === 'bytea' && this.#below(2) === 0) return `'\\x${this.#hash}'`;
    return this.#pick(odd[type] ?? ['null']);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  #below(limit: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (this.#seed >> 8) % limit;
  }
}
