/** Statements that no program sends: every function that a login may call, every column that it may write and every table that takes rows, with odd values. */
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

/** What must be written down of a new row of a table. */
type EntriesDue = (
  table: string,
  row: object,
) => Promise<readonly { readonly action: string; readonly subject: string }[]>;

export class AnySql {
  /** What was answered otherwise than by rows or a refusal. */
  readonly faults: string[] = [];
  /** Statements that were done. */
  done = 0;
  readonly #client: pg.Client;
  readonly #hash: string;
  readonly #entriesDue: EntriesDue;
  #seed: number;

  /** `hash`, hexadecimal, is of a key that functions may know. */
  constructor(client: pg.Client, hash: string, entriesDue: EntriesDue, seed: number) {
    this.#client = client;
    this.#hash = hash;
    this.#entriesDue = entriesDue;
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

  /** New rows in every table that takes them: odd throughout, and as another row but for one value. */
  async addRows(times: number): Promise<void> {
    const { rows } = await this.#client.query(`select c.oid::regclass::text as table,
        array_agg(a.attname::text order by a.attnum) as columns, array_agg(format_type(a.atttypid, null) order by a.attnum) as types
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where n.nspname !~ '^pg|^information_schema' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and has_schema_privilege(n.oid, 'usage')
        and has_column_privilege(c.oid, a.attnum, 'insert') group by 1 order by 1`);
    for (const { table, columns, types } of rows) {
      for (let n = 0; n < times; n += 1) {
        const values = types.map((type: string) => this.#value(type));
        await this.#add(table, columns, `select ${values.join()}`);
        // As another row of it has them but for one.
        const odd = this.#below(columns.length);
        const copied = columns.map((column: string, at: number) =>
          at === odd ? values[at] : column === 'id' ? 'gen_random_uuid()' : column,
        );
        const from = `from ${table} offset ${this.#below(3)} limit 1`;
        await this.#add(table, columns, `select ${copied.join()} ${from}`);
      }
    }
  }

  /** Written down in the audit log as it should be, which nothing else holds back then. */
  async #add(table: string, columns: readonly string[], rows: string): Promise<void> {
    const name = table.split('.').at(-1);
    await this.#client.query('begin');
    const added = await this.#run(
      `insert into ${table} as t (${columns.join()}) ${rows} returning to_jsonb(t) as row`,
    );
    for (const { row } of added) {
      for (const { action, subject } of await this.#entriesDue(`${name}`, row)) {
        await this.#run(`select audit.record('x', '${action}', '${subject}', '{}')`);
      }
    }
    if (added.length === 0) await this.#client.query('rollback');
    else await this.#run('commit');
  }

  async #run(text: string): Promise<{ row: object }[]> {
    try {
      const { rows } = await this.#client.query(text);
      this.done += 1;
      return rows;
    } catch (error) {
      const code = databaseErrorOf(error)?.code ?? `Error ${error}`;
      if (isBroken(code)) this.faults.push(`${code}: ${text.slice(0, 500)}`);
      return [];
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
