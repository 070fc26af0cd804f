/** What child processes inherit: the same settings, through the same door. */
export function inheritedEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
