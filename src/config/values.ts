/** Settings as they are written, before anything is asked of them (config.ts). */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

export const defaultDataDir = './data';

/** `NAME_FILE` holds the path of a file with the value, as container secrets want it. `faults` gets those that cannot be read. */
export function readValues<Name extends string>(
  env: Environment,
  names: readonly Name[],
  faults: string[],
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = env[name];
    const file = env[`${name}_FILE`];
    if (value !== undefined && value !== '') values[name] = value;
    else if (file) {
      try {
        values[name] = readFileSync(file, 'utf8').trim();
      } catch (error) {
        faults.push(`${name}_FILE: filen ${file} kan inte läsas (${codeOf(error)})`);
      }
    }
  }
  return values;
}

export const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code ?? error;

/**
 * Where the database is embedded, for whoever begins with it before the settings have been looked through as a whole;
 * undefined when there is one of somebody's own, or a fault that is told then.
 */
export function peekDataDir(env: Environment): string | undefined {
  const faults: string[] = [];
  try {
    const known = { ...readEnvFile(), ...env };
    const { DATABASE_URL, DATA_DIR } = readValues(known, ['DATABASE_URL', 'DATA_DIR'], faults);
    if (faults.length > 0 || DATABASE_URL !== undefined) return undefined;
    return resolve(DATA_DIR ?? defaultDataDir);
  } catch {
    return undefined;
  }
}

function readEnvFile(): Environment {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw error;
  }
}
