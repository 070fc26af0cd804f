/**
 * Roles and what each may. The database holds the same order (`app.role_may`) and is the one
 * that decides; here it is what pages show and refuse early.
 */
export const roles = ['lasare', 'medarbetare', 'administrator', 'agare'] as const;
export type Role = (typeof roles)[number];

/** `read` the books, `keep_books` (post, invoice, settle), `administer` (settings, keys, locks), `own` (users). */
export const rights = ['read', 'keep_books', 'administer', 'own'] as const;
export type Right = (typeof rights)[number];

/** Each role has the rights up to its own place. */
export const mayDo = (role: Role, right: Right): boolean =>
  roles.indexOf(role) >= rights.indexOf(right);

export const roleNames: Readonly<Record<Role, string>> = {
  lasare: 'Läsare',
  medarbetare: 'Medarbetare',
  administrator: 'Administratör',
  agare: 'Ägare',
};

/** What each role is for, as whoever gives it reads it. */
export const roleHelp: Readonly<Record<Role, string>> = {
  lasare: 'Ser bokföringen, ändrar ingenting. För revisorn eller styrelsen.',
  medarbetare: 'Bokför, fakturerar och registrerar betalningar.',
  administrator: 'Dessutom inställningar, nycklar, lås och räkenskapsår.',
  agare: 'Dessutom användarna. Minst en ägare finns alltid.',
};
