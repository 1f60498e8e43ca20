/**
 * The credentials room: secrets that never enter a box, phantoms that stand for them, and the places where one is put
 * in for the other.
 *
 * A secret lives in the supervisor's memory from its first use to the end of the session, and in no file, event,
 * argument, environment or error text. What may be reached is decided before anything here is asked. Boxes, plans and
 * backends may not enter.
 */
export { withoutClaims } from './tokens/inject/capture-answer.ts';
export type { SecretField } from './delivery/fields.ts';
export { generatedFile } from './delivery/generate.ts';
export { type Extracted, extractSecret, isFor, type Wanted } from './delivery/is-for.ts';
export { syntheticFile } from './delivery/synthesise.ts';
export { credentialInterceptor, refusedUse } from './inject/interceptor.ts';
export { contentCodings, decodeBody } from './masking/content-codings.ts';
export { createDetector } from './masking/detector.ts';
export { encodingsOf } from './masking/encodings.ts';
export { createMatcher } from './masking/matcher.ts';
export { decodedAnswer, readableCodings } from './inject/codings.ts';
export { createPhantomRegistry } from './phantoms/registry.ts';
export { createPostgresBroker } from './postgres/broker.ts';
export { createRedisBroker } from './redis/broker.ts';
export { clearFromKeyring, type KeyringOptions, storeInKeyring } from './sources/keyring-entry.ts';
export { createSecretStore, type SecretStoreOptions } from './sources/secret-store.ts';
export type { ExtractSecret, SourceEvent } from './sources/types.ts';
export { keepOutOfCoreDumps } from './sources/keep-out-of-core-dumps.ts';
export { readHostFile } from './sources/read-host-file.ts';
export { sourceState } from './sources/source-state.ts';
export { createTokenStore } from './tokens/token-store.ts';
export type { TokenClient } from './tokens/types.ts';
export type * from './types.ts';
export { createFrameReader, type Piece } from './websocket/frame-reader.ts';
export { type Ending, framedTunnel, type Passed, writeFrame } from './websocket/framed-tunnel.ts';
export { FrameViolation, opcodes } from './websocket/frame-head.ts';
