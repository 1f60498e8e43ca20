/**
 * The credentials room: secrets that never enter a box, phantoms that stand for them, and the places where one is put in
 * for the other.
 *
 * A secret lives in the supervisor's memory from its first use to the end of the session, and in no file, event, argument,
 * environment or error text. What may be reached is decided before anything here is asked. Boxes, plans and backends may
 * not enter.
 */
export { withoutClaims } from './delivery/claims.ts';
export { extractSecret, type Extracted, type Wanted } from './delivery/extract.ts';
export type { SecretField } from './delivery/fields.ts';
export { generatedFile } from './delivery/generate.ts';
export { isFor } from './delivery/is-for.ts';
export { syntheticFile } from './delivery/synthesise.ts';
export { credentialInterceptor, refusedUse } from './inject/index.ts';
export { contentCodings, createDetector, decodeBody } from './masking/index.ts';
export { encodingsOf } from './masking/encodings.ts';
export { createMatcher } from './masking/matcher.ts';
export { decodedAnswer, readableCodings } from './inject/codings.ts';
export { createPhantomRegistry } from './phantoms/index.ts';
export { createPostgresBroker } from './postgres/index.ts';
export { createRedisBroker } from './redis/index.ts';
export { clearFromKeyring, createSecretStore, type ExtractSecret, keepOutOfCoreDumps, type KeyringOptions, readHostFile, type SecretStoreOptions, type SourceEvent, sourceState, storeInKeyring } from './sources/index.ts';
export { createTokenStore, type TokenClient, type TokenStore } from './tokens/index.ts';
export type * from './types.ts';
export { createFrameReader, type Ending, framedTunnel, FrameViolation, opcodes, type Passed, type Piece, writeFrame } from './websocket/index.ts';
