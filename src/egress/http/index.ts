/**
 * Interception of HTTP: every request on a connection that has been decided is decided itself, sent on and answered.
 *
 * HTTP/1.1, HTTP/2 and WebSocket, each to the same at the destination, and nothing is buffered. Names are never resolved
 * here, nothing is dialled and no certificate is looked at: connections come in, and new ones are asked for. Credentials
 * and language models enter as interceptors, without a line here that knows of them.
 */
export { type ByteSource, byteSource } from './byte-source.ts';
export { field, valueOf, valuesOf, withField, withoutField } from './fields.ts';
export type { IdleConnections, IdleOptions } from './h1/idle-connections.ts';
export { interceptHttp } from './intercept.ts';
export { bodyFrom, type BodyObserver, type BodyParts, type InterceptedConnection, type Interceptor, observeBody, type Send, textBody } from './interceptor.ts';
export type * from './message.ts';
export type { RefusalAnswer, RefusalOptions } from './refusals.ts';
export type { InterceptContext, Upstream } from './types.ts';
export { readingsOf } from './url-path.ts';
