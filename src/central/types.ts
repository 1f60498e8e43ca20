/**
 * The central room: managed policies that an administrator signs, and that machines take into force.
 *
 * It reads hostile bytes: nothing in a bundle counts before its signature. It decides which bundle is in force, and
 * knows policies as texts only. A session never enters: a bundle in force is an ordinary managed policy file.
 */
import { HoldfastError } from '../errors/index.ts';

/** The signed content of a bundle. */
export interface PolicyBundle {
  /** The fleet that it is for. A machine takes bundles of one name. */
  readonly name: string;
  /** Never goes back on a machine. */
  readonly serial: number;
  /** ISO 8601 in UTC, to the second. */
  readonly issued: string;
  readonly expires: string;
  /** Text of the managed policy file. */
  readonly policy: string;
}

/** A bundle that this machine has had in force. */
export interface KnownBundle extends Omit<PolicyBundle, 'policy' | 'name'> {
  /** SHA-256 of the policy file. */
  readonly policy: string;
  /** URL without its query, or path. */
  readonly source: string;
  /** Time at which this machine first accepted it. */
  readonly taken: string;
}

/** The identity that later bundles have to match. */
export interface CentralPin {
  readonly name: string;
  /** 32 bytes of an Ed25519 key, base64. */
  readonly key: string;
  /** SHA-256 of the only policy file that may be in force, if someone named one. */
  readonly policy?: string | undefined;
}

/** A machine's memory of its bundles. */
export interface CentralRecord {
  readonly pin: CentralPin;
  /** Serial of the bundle in force. */
  readonly current: number;
  /** By serial, rising. */
  readonly bundles: readonly KnownBundle[];
}

/** A bundle that must not come into force. */
export function refusedBundle(message: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_BUNDLE_REFUSED', message, { remedy, ...(cause === undefined ? {} : { cause }) });
}

/** A bundle that cannot be got, or a record that cannot be relied on. */
export function failedBundle(message: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_BUNDLE_FAILED', message, { remedy, ...(cause === undefined ? {} : { cause }) });
}
