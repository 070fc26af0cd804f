/** How people call the program where it stands: by npm in a checkout, by its own name where npm has put it as a package. */
import { existsSync } from 'node:fs';

/** npm packs no package-lock.json (as in src/process/install.mjs). */
const isPackage = !existsSync(new URL('../../package-lock.json', import.meta.url));

export const programName = isPackage ? 'npx huvudbok' : 'npm run -s huvudbok --';
export const startCommand = isPackage ? 'npx huvudbok start' : 'npm start';
