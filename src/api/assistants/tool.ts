/** What a tool is, and what it is called with. */
import { z } from 'zod';
import type { Caller } from '../../http/access.ts';
import type { AppDeps } from '../../http/fastify.ts';
import { dateSchema } from '../../http/schemas.ts';
import { itemsMax } from './answers.ts';

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
  readonly description: string;
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
