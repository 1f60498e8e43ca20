import { HoldfastError } from '../../errors/index.ts';

export function unusableKey(why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_USAGE', `the key cannot be used: ${why}`, { remedy: 'name a public key: of minisign, or of Ed25519 in PEM as `openssl pkey -pubout` writes it', ...(cause === undefined ? {} : { cause }) });
}
