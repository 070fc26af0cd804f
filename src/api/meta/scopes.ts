import type { Scope } from '../../access/keys/scopes.ts';

/** What each scope lets a key do, for whoever writes a client. */
export const scopesInEnglish: Readonly<Record<Scope, string>> = {
  'data:read': 'Reads vouchers, invoices and figures; changes nothing',
  'intake:write': 'Hands in orders and e-invoices; sees nothing of what is there',
  'documents:read':
    'Reads the documents of vouchers, but never those of staff or those that are held back',
  'documents:write': 'Hands in documents to the inbox; sees nothing of what is there',
  'bank:write': 'Hands in rows of the bank; sees nothing of what is there',
  'bank:read': 'Reads rows of the bank and what they are booked on',
  'proposals:write':
    'Proposes what people approve; posts nothing, and is refused to a key with ledger:write',
  'ledger:write': 'Posts vouchers and invoices, through the same locks as the application',
};
