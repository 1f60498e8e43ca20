/**
 * The central room puts managed policies into force that an administrator has signed.
 *
 * It reads hostile bytes, so nothing in a bundle counts before its signature is verified. It decides which bundle is in
 * force, and knows policies only as texts. It knows no sessions: to them, a bundle in force is an ordinary managed
 * policy file.
 */
import { HoldfastError } from '../errors/index.ts';

/** The signed content of a bundle. */
export interface PolicyBundle {
  /** Name of the fleet that the bundle is for. A machine accepts bundles of one name only. */
  readonly name: string;
  /** On a machine, the serial never decreases. */
  readonly serial: number;
  /** ISO 8601 in UTC, to the second. */
  readonly issued: string;
  readonly expires: string;
  /** Text of the managed policy file. */
  readonly policy: string;
}

/** A bundle that was in force on this machine. */
export interface KnownBundle extends Omit<PolicyBundle, 'policy' | 'name'> {
  /** SHA-256 of the policy file. */
  readonly policy: string;
  /** The URL without its query, or a path. */
  readonly source: string;
  /** Time at which this machine first accepted the bundle. */
  readonly taken: string;
}

/** The identity that later bundles have to match. */
export interface CentralPin {
  readonly name: string;
  /** The 32 bytes of an Ed25519 key, in base64. */
  readonly key: string;
  /** SHA-256 of the only policy file that may be in force, if the administrator named one. */
  readonly policy?: string | undefined;
}

/** The bundles that a machine remembers. */
export interface CentralRecord {
  readonly pin: CentralPin;
  /** Serial of the bundle in force. */
  readonly current: number;
  /** In ascending order of serials. */
  readonly bundles: readonly KnownBundle[];
}

/** A bundle that must not come into force. */
export function refusedBundle(message: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_BUNDLE_REFUSED', message, { remedy, ...(cause === undefined ? {} : { cause }) });
}

/** A bundle that cannot be fetched, or a record that cannot be trusted. */
export function failedBundle(message: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_BUNDLE_FAILED', message, { remedy, ...(cause === undefined ? {} : { cause }) });
}
