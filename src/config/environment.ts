/** What the one that started this process has found out meanwhile, beside what it gave along. */
export function adoptEnvironment(told: Readonly<Record<string, string>>): void {
  Object.assign(process.env, told);
}

/** What child processes inherit: the same settings, through the same door. */
export function inheritedEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
