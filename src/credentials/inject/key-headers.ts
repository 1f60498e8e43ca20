/**
 * Header fields that keys travel in. Where the session has a credential, a key of somebody else in any of them is an
 * account of an attacker's own: data can be exfiltrated to a host that is allowed by logging in there as oneself.
 */
export const keyHeaders = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-auth-token',
  'private-token',
] as const;
