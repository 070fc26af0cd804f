/** What a key may do (contract section 5). */
export const scopes = ['data:read', 'intake:write', 'ledger:write'] as const;
export type Scope = (typeof scopes)[number];
