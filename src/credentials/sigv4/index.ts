/**
 * Requests to AWS that a box has signed with phantoms are signed again here with the real keys, from the specification
 * ("AWS Signature Version 4 for API requests", IAM User Guide). What cannot be signed again is refused with the reason.
 * Only the injector touches a secret; clocks come in with the context. Sockets and SDKs may not enter.
 */
export { sigv4 } from './sigv4.ts';
