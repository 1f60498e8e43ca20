import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { ScramVerifier } from '../types.ts';

/** What PostgreSQL takes by default (`scram_iterations`); RFC 7677 §4 asks for as many. The password has 128 bits already. */
const iterations = 4096;

/** SCRAM-SHA-256's StoredKey and ServerKey. ASCII only, which SASLprep leaves as it is. Sources: RFC 5802 §3, RFC 7677. */
export function scramVerifier(password: string, salt: Buffer): ScramVerifier {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  return { salt, iterations, storedKey: createHash('sha256').update(keyed('Client Key')).digest(), serverKey: keyed('Server Key') };
}
