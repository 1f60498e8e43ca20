import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { rawKeyOf, sealBundle } from '../envelope.ts';
import type { PolicyBundle } from '../types.ts';

export interface Signer {
  readonly secret: KeyObject;
  /** 32 bytes, base64. */
  readonly key: string;
}

export function newSigner(): Signer {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { secret: privateKey, key: rawKeyOf(privateKey) };
}

export const day = 86_400_000;
/** Issue time of the tests' bundles. */
export const issuedAt = Date.parse('2026-03-01T12:00:00Z');

export function policyOf(serial: number): string {
  return `version = 1\n[limits]\nprocesses = ${serial}\n`;
}

export function bundleOf(serial: number, more: Partial<PolicyBundle> = {}): PolicyBundle {
  return {
    name: 'team',
    serial,
    issued: '2026-03-01T12:00:00Z',
    expires: '2026-06-01T12:00:00Z',
    policy: policyOf(serial),
    ...more,
  };
}

export function sealed(signer: Signer, serial: number, more: Partial<PolicyBundle> = {}): Buffer {
  return sealBundle(bundleOf(serial, more), [signer.secret]);
}

export function digestOf(text: string): string {
  return hash('sha256', text);
}
