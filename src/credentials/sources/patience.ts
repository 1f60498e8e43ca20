/** Milliseconds that a password manager has: it may ask a person for a fingerprint, or its server for an answer. */
export const patience = 60_000;
