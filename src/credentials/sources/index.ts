/**
 * Where secrets come from: one file for each kind of source, the programs that they run, and the store that keeps what they
 * say while it is good. Whether a secret may be used is decided elsewhere; phantoms and traffic may not enter.
 */
export { createSecretStore, type SecretStoreOptions } from './secret-store.ts';
export { readHostFile } from './read-host-file.ts';
export { sourceState } from './source-state.ts';
export { keepOutOfCoreDumps } from './keep-out-of-core-dumps.ts';
export { clearFromKeyring, storeInKeyring, type KeyringOptions } from './keyring-entry.ts';
export type { ExtractSecret, SourceEvent } from './types.ts';
