/** What opens an encrypted backup: words, or an identity made by `age-keygen`. */
export type BackupKey = { readonly passphrase: string } | { readonly identity: string };
