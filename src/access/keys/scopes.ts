/** What a key may do (contract section 5). */
export const scopeMeanings = {
  'data:read': 'Läser verifikat, fakturor och nyckeltal; ändrar inget',
  'intake:write': 'Lämnar order och e-fakturor; ser inget av det som finns',
  'documents:read':
    'Läser underlag till verifikat, men aldrig personalens eller dem som hålls utanför API:t',
  'documents:write': 'Lämnar underlag till inkorgen; ser inget av det som finns',
  'bank:write': 'Lämnar bankens rader; ser inget av det som finns',
  'bank:read': 'Läser bankens rader och vad de är bokförda på',
  'proposals:write':
    'Föreslår det som människor godkänner; bokför inget, och inte ihop med ledger:write',
  'ledger:write': 'Bokför verifikat och fakturor, genom samma lås som appen',
} as const;
export type Scope = keyof typeof scopeMeanings;
export const scopes = Object.keys(scopeMeanings) as readonly Scope[];

/** Look accounts and customers up, so they open nothing without `data:read` (contract section 5). */
const lookingUp: readonly Scope[] = ['ledger:write', 'proposals:write'];

/** What a person chose, with what it needs. */
export const withNeededScopes = (chosen: readonly Scope[]): Scope[] =>
  scopes.filter(
    (scope) =>
      chosen.includes(scope) ||
      (scope === 'data:read' && lookingUp.some((one) => chosen.includes(one))),
  );

/** Whether it is asked to propose and to book: whoever can book has nobody to ask. */
export const proposesAndBooks = (chosen: readonly Scope[]): boolean =>
  chosen.includes('proposals:write') && chosen.includes('ledger:write');
