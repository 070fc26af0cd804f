/** What a tool is, what it is called with, and the one shape of those that list. */
import { z } from 'zod';
import type { Scope } from '../../access/keys/scopes.ts';
import type { Tx } from '../../db/pool.ts';
import { type Caller, withKey } from '../../http/access.ts';
import type { AppDeps } from '../../http/fastify.ts';
import { dateSchema } from '../../http/schemas.ts';
import { isUuid } from '../../lib/uuid.ts';
import { cursorAt, fitPage, itemsMax, placeAt } from './answers.ts';

export type ToolDeps = Pick<AppDeps, 'pool' | 'readers' | 'quickReaders' | 'config' | 'clock'>;

export interface ToolCall {
  /** Let in for this very call. */
  readonly caller: Caller;
  readonly deps: ToolDeps;
  readonly requestId: string;
}

export interface Tool<Input = never, Output extends object = object> {
  readonly name: string;
  readonly title: string;
  /** What it does; the scopes that it needs are told after it. */
  readonly description: string;
  /** Asked for before it runs: row level security asks too, but of nothing that is there it says only that. */
  readonly scopes: readonly Scope[];
  /** Strict: what is not known is refused by its name. */
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** Whether something is kept by it: a proposal, or that one is withdrawn. Nothing is ever booked, sent or fetched. */
  readonly writes?: boolean;
  /** Takes what was sent and not what was read of it: a payload is kept as it came. */
  readonly takesRaw?: boolean;
  run(call: ToolCall, input: Input): Promise<Output>;
}

export const tool = <Input, Output extends object>(one: Tool<Input, Output>): Tool =>
  one as unknown as Tool;

export const paging = {
  limit: z.int().min(1).max(itemsMax).default(20).describe('At most this many'),
  cursor: z.string().max(800).optional().describe('next_cursor of the answer before'),
};
export const days = {
  from: dateSchema.optional().describe('First day, YYYY-MM-DD'),
  to: dateSchema.optional().describe('Last day, YYYY-MM-DD'),
};
export const nextCursor = z.string().nullable().describe('More follows: send it as cursor');
export const kronor = z.number().describe('Kronor');
export const isoDate = z.string();

/** The place of what is in the order of ids. */
export const isId = (parts: readonly unknown[]): parts is readonly [string] => isUuid(parts[0]);

type Shape = z.ZodRawShape;
type Read<Given extends Shape> = z.output<z.ZodObject<Given>>;

/** A tool that lists, page by page, on behalf of the key. */
interface ListTool<
  Asked extends Shape,
  Items extends string,
  Item extends Shape,
  Row,
  Place extends readonly [unknown, ...unknown[]],
> extends Pick<Tool, 'name' | 'title' | 'description' | 'scopes'> {
  /** What may be asked, beside `limit` and `cursor`. */
  readonly asked: Asked;
  /** What the answer calls its items. */
  readonly items: Items;
  readonly item: Item;
  /** What a cursor stands for: the place of the last item. */
  readonly isPlace: (parts: readonly unknown[]) => parts is Place;
  readonly placeOf: (row: Row) => Place;
  /** One more than `limit` where there is one, unless `isFollowed` tells. */
  read(
    tx: Tx,
    asked: Read<Asked>,
    page: { readonly after: Place | undefined; readonly limit: number },
  ): Promise<readonly Row[]>;
  /** Whether more follows the last that was read. */
  isFollowed?(last: Row): boolean;
  answer(row: Row, call: ToolCall): Read<Item>;
}

export function listTool<
  Asked extends Shape,
  Items extends string,
  Item extends Shape,
  Row,
  Place extends readonly [unknown, ...unknown[]],
>(one: ListTool<Asked, Items, Item, Row, Place>): Tool {
  const { name, title, description, scopes, items: called, isPlace, placeOf } = one;
  return tool({
    name,
    title,
    description,
    scopes,
    input: z.strictObject({ ...one.asked, ...paging }),
    output: z.object({ [called]: z.array(z.object(one.item)), next_cursor: nextCursor }),
    run: async (call, input) => {
      const { limit, cursor, ...rest } = input as Read<typeof paging>;
      const asked = rest as Read<Asked>;
      const bound = [name, call.caller.keyId, asked] as const;
      const after = placeAt(bound, cursor, isPlace);
      const found = await withKey(call.deps.readers, call.caller, (tx) =>
        one.read(tx, asked, { after, limit }),
      );
      const last = found.at(-1);
      const { items, next_cursor } = fitPage(found, {
        limit,
        isFollowed: last !== undefined && one.isFollowed?.(last) === true,
        answer: (row) => one.answer(row, call),
        cursorOf: (row) => cursorAt(bound, placeOf(row)),
      });
      return { [called]: items, next_cursor };
    },
  });
}
