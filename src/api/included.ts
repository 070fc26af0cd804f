/** `include=`: what a list tells beside the numbers and ids that stand in it anyway. One way of it, wherever it can be asked for. */
import { z } from 'zod';
import type { Db } from '../db/pool.ts';
import {
  type DimensionName,
  listAccountNames,
  listDimensionNames,
  type NamedRow,
} from './names-store.ts';
import { several } from './registers/schemas.ts';

export type Included = 'account_names' | 'dimensions';

export const includeNames = several(z.enum(['account_names'])).describe(
  'account_names: the name of each account, beside its number',
);
export const includeNamesAndDimensions = several(z.enum(['account_names', 'dimensions'])).describe(
  'account_names: the name of each account; dimensions: cost centre and project of each row, with code and name. Both as ?include=account_names&include=dimensions',
);

/** In a schema, of whatever has an account. */
export const accountNameField = {
  account_name: z
    .string()
    .optional()
    .describe('The name of the account; with include=account_names'),
};
const named = z.string().nullable().optional();
/** In a schema, of a row that may carry dimensions; their ids stand beside. */
export const dimensionNameFields = {
  cost_center_code: named.describe('Code of the cost centre; with include=dimensions'),
  cost_center_name: named.describe('Name of the cost centre; with include=dimensions'),
  project_code: named.describe('Code of the project; with include=dimensions'),
  project_name: named.describe('Name of the project; with include=dimensions'),
};

/** What has been asked for, of what stands in the answer; nothing of what has not. */
export interface Names {
  ofAccount(row: Pick<NamedRow, 'account'>): { account_name?: string };
  ofDimensions(row: Omit<NamedRow, 'account'>): {
    cost_center_code?: string | null;
    cost_center_name?: string | null;
    project_code?: string | null;
    project_name?: string | null;
  };
}

/** Row level security asks for data:read. */
export async function readNames(
  db: Db,
  include: readonly Included[] = [],
  rows: readonly NamedRow[] = [],
): Promise<Names> {
  const accounts = include.includes('account_names')
    ? await listAccountNames(db, [...new Set(rows.map(({ account }) => account))])
    : undefined;
  const ids = new Set(rows.flatMap((row) => [row.cost_center ?? [], row.project ?? []].flat()));
  const dimensions = include.includes('dimensions')
    ? await listDimensionNames(db, [...ids])
    : undefined;
  const nameOf = new Map(accounts?.map(({ number, name }) => [number, name]));
  const dimensionOf = new Map(dimensions?.map((one) => [one.id, one]));
  const found = (id: string | null | undefined): DimensionName | undefined =>
    dimensionOf.get(id ?? '');
  return {
    ofAccount: ({ account }) => (accounts ? { account_name: nameOf.get(account) ?? '' } : {}),
    ofDimensions: ({ cost_center, project }) =>
      dimensions
        ? {
            cost_center_code: found(cost_center)?.code ?? null,
            cost_center_name: found(cost_center)?.name ?? null,
            project_code: found(project)?.code ?? null,
            project_name: found(project)?.name ?? null,
          }
        : {},
  };
}
