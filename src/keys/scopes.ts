/** What a key may do (contract section 5). */
export const scopes = ['data:read', 'intake:write', 'ledger:write'] as const;
export type Scope = (typeof scopes)[number];

/**
 * What a person chose, with what it needs: the routes that book look accounts and customers up, so
 * `ledger:write` opens nothing without `data:read` (contract section 5).
 */
export const withNeededScopes = (chosen: readonly Scope[]): Scope[] =>
  scopes.filter(
    (scope) => chosen.includes(scope) || (scope === 'data:read' && chosen.includes('ledger:write')),
  );
