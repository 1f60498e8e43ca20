import { HoldfastError } from '../errors/index.ts';
import { timeText } from './bundle-fields.ts';
import { openBundle, shownKey } from './envelope.ts';
import { clockSkew, currentOf } from './record.ts';
import { type CentralPin, type CentralRecord, type KnownBundle, type PolicyBundle, refusedBundle } from './types.ts';

export interface Offer {
  readonly bytes: Uint8Array;
  /** The URL without its query, or a path. */
  readonly source: string;
  /** 32 bytes in base64. Required for the first fetch. */
  readonly key?: string | undefined;
  /** Default: the pinned name. At the first fetch, any name. */
  readonly name?: string | undefined;
  /** SHA-256 of the only policy that may come into force from now on. */
  readonly policy?: string | undefined;
  /** Treatment of a managed policy file that did not come from a bundle. */
  readonly foreign: 'keep' | 'replace';
}

/** An offer whose signature is valid. */
export interface Opened {
  /** The pin that will be stored. */
  readonly pin: CentralPin;
  readonly bundle: PolicyBundle;
}

/** Only a bundle that the pinned key has also signed can move the pin to another key. */
export function opened({ bytes, key, policy }: Offer, record: CentralRecord | undefined): Opened {
  if (record === undefined) {
    if (key === undefined)
      throw new HoldfastError('HF_USAGE', 'no key is pinned here yet', {
        remedy: 'name the public key of the administrator: --key FILE',
      });
    const bundle = openBundle(bytes, [key]);
    return { pin: { name: bundle.name, key, policy }, bundle };
  }
  const { pin } = record;
  const next = { ...pin, key: key ?? pin.key, policy: policy ?? pin.policy };
  if (next.key === pin.key) return { pin: next, bundle: openBundle(bytes, [pin.key]) };
  try {
    return { pin: next, bundle: openBundle(bytes, [pin.key, next.key]) };
  } catch (cause) {
    throw refusedBundle(
      `the key ${shownKey(pin.key)} is pinned here, and ${shownKey(next.key)} is another one`,
      'leave --key out; only a bundle that both keys have signed moves the pin',
      cause,
    );
  }
}

/** `pinned` is the name of this machine's fleet. `asked` is the name that the administrator expects. */
export function checkFleet({ name }: PolicyBundle, pinned: string | undefined, asked: string | undefined): void {
  if (pinned !== undefined && name !== pinned)
    throw refusedBundle(
      `the bundle is for "${name}", and this machine is pinned to "${pinned}"`,
      'fetch the bundle of that name',
    );
  if (asked !== undefined && name !== asked)
    throw refusedBundle(`the bundle is for "${name}", but "${asked}" was requested`, 'fetch the bundle of that name');
}

export function checkPinned(policy: string, pin: CentralPin): void {
  if (pin.policy !== undefined && policy !== pin.policy)
    throw refusedBundle(
      `the policy of the bundle has the SHA-256 ${policy}, and ${pin.policy} is pinned here`,
      'review it, and name its digest with --sha256',
    );
}

/**
 * Returns the bundle in force if it is the offered one, and undefined if the offered one is newer.
 *
 * Attack: an old bundle, whose signature is still valid, would bring an old policy back.
 */
export function knownInForce(offered: KnownBundle, record: CentralRecord): KnownBundle | undefined {
  const { serial } = offered;
  const newest = record.bundles.at(-1)?.serial ?? 0;
  if (serial > newest) return undefined;
  if (serial > record.current)
    throw refusedBundle(
      `serial ${serial} was rolled back here: ${record.current} is in force`,
      `publish a serial above ${newest}, or name it: \`holdfast policy rollback --to ${serial}\``,
    );
  if (serial < record.current)
    throw refusedBundle(
      `serial ${serial} is older than ${record.current} in force`,
      'publish a newer serial; `holdfast policy rollback` goes back on purpose',
    );
  const known = currentOf(record);
  if (known.policy === offered.policy && known.issued === offered.issued && known.expires === offered.expires)
    return known;
  throw refusedBundle(`serial ${serial} is in force with different content`, 'publish each change under a new serial');
}

export function checkTimes({ expires, issued }: KnownBundle, now: number): void {
  if (Date.parse(expires) <= now)
    throw refusedBundle(`the bundle expired at ${expires}`, 'publish a newer one; the policy in force is unchanged');
  if (Date.parse(issued) > now + clockSkew)
    throw refusedBundle(
      `the bundle was issued at ${issued}, and the clock of this machine says ${timeText(now)}`,
      'set the clock of this machine, or of the machine that signed the bundle',
    );
}
