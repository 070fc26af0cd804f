/** What a key may do (contract section 5). */
export const scopeMeanings = {
  'data:read': 'Läser verifikat, fakturor och nyckeltal; ändrar inget',
  'intake:write': 'Lämnar order och e-fakturor; ser inget av det som finns',
  'documents:write': 'Lämnar underlag till inkorgen; ser inget av det som finns',
  'bank:write': 'Lämnar bankens rader; ser inget av det som finns',
  'bank:read': 'Läser bankens rader och vad de är bokförda på',
  'ledger:write': 'Bokför verifikat och fakturor, genom samma lås som appen',
} as const;
export type Scope = keyof typeof scopeMeanings;
export const scopes = Object.keys(scopeMeanings) as readonly Scope[];

/**
 * What a person chose, with what it needs: the routes that book look accounts and customers up, so
 * `ledger:write` opens nothing without `data:read` (contract section 5).
 */
export const withNeededScopes = (chosen: readonly Scope[]): Scope[] =>
  scopes.filter(
    (scope) => chosen.includes(scope) || (scope === 'data:read' && chosen.includes('ledger:write')),
  );
