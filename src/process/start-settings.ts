/** What `start` goes by, read from the settings. */
export interface StartSettings {
  /** Where the database is embedded; undefined for a server of somebody's own. */
  readonly folder: string | undefined;
  /** That server; undefined for the embedded one. */
  readonly databaseUrl: string | undefined;
  /** Where the figures of all parts are served; undefined serves none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** What the parts are told beside what they inherit. */
  readonly env: Readonly<Record<string, string>>;
}
