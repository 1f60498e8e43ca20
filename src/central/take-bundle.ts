import { hash } from 'node:crypto';
import { appendEvents } from '../audit/index.ts';
import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import { timeText } from './bundle-fields.ts';
import { openBundle, shownKey } from './envelope.ts';
import { checkFleet, checkPinned, checkTimes, knownInForce, type Offer, opened } from './check-offer.ts';
import { currentOf, withCurrent } from './record.ts';
import {
  type CentralPaths,
  changeForce,
  type PolicyFile,
  policyFile,
  readBundle,
  readRecord,
  writeBundle,
  writeForce,
} from './store.ts';
import {
  type CentralPin,
  type CentralRecord,
  failedBundle,
  type KnownBundle,
  type PolicyBundle,
  refusedBundle,
} from './types.ts';

/** The machine whose policy changes. */
export interface CentralMachine {
  readonly paths: CentralPaths;
  readonly journal: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Throws for a policy with which no box could start on this machine. */
  readonly check: (policy: string) => void;
}

export interface InForce {
  readonly change: 'fetch' | 'restore' | 'rollback' | 'none';
  readonly name: string;
  readonly bundle: KnownBundle;
}

/**
 * Puts an offered bundle into force, or throws `HF_BUNDLE_REFUSED` and changes nothing. The journal records a change
 * before it takes effect, and every refusal.
 */
export function takeBundle(machine: CentralMachine, offer: Offer): InForce {
  return changeForce(machine.paths, () => {
    const record = readRecord(machine.paths);
    try {
      return take(machine, offer, record);
    } catch (error) {
      noteRefusal(machine, offer, error);
      throw error;
    }
  });
}

function take(machine: CentralMachine, offer: Offer, record: CentralRecord | undefined): InForce {
  const { pin, bundle } = opened(offer, record);
  const policy = hash('sha256', bundle.policy);
  checkFleet(bundle, record?.pin.name, offer.name);
  checkPinned(policy, pin);
  const offered = knownOf({ ...bundle, policy }, { source: offer.source, taken: timeText(machine.now()) });
  const known = record === undefined ? undefined : knownInForce(offered, record);
  if (known === undefined) checkTimes(offered, machine.now());
  const file = policyFile(machine.paths);
  const isWhole = file.kind === 'file' && file.sha256 === policy;
  if (known !== undefined && isWhole && isSamePin(pin, record?.pin))
    return { change: 'none', name: pin.name, bundle: known };
  if (record === undefined && offer.foreign === 'keep' && file.kind !== 'absent' && !isWhole)
    throw foreignPolicy(machine.paths.policy);
  machine.check(bundle.policy);
  writeBundle(machine.paths, bundle.serial, offer.bytes);
  const next = withCurrent({ pin, bundles: record?.bundles ?? [] }, known ?? offered);
  return enforce(machine, {
    action: known === undefined ? 'fetch' : 'restore',
    record: next,
    text: bundle.policy,
    file,
  });
}

function isSamePin(pin: CentralPin, before: CentralPin | undefined): boolean {
  return pin.key === before?.key && pin.policy === before.policy;
}

/** Puts a bundle that this machine had earlier into force again. Default: the one before the bundle in force. */
export function rollBack(machine: CentralMachine, serial?: number): InForce {
  return changeForce(machine.paths, () => {
    const record = readRecord(machine.paths);
    if (record === undefined)
      throw failedBundle('no bundle is in force here', 'fetch one with `holdfast policy fetch`');
    const target = targetOf(record, serial);
    const { policy: text } = openBundle(readBundle(machine.paths, target.serial), [record.pin.key]);
    if (hash('sha256', text) !== target.policy)
      throw failedBundle(`the stored bundle ${target.serial} is not the one in the record`, 'fetch a newer bundle');
    machine.check(text);
    const pin = record.pin.policy === undefined ? record.pin : { ...record.pin, policy: target.policy };
    const next = withCurrent({ ...record, pin }, target);
    return enforce(machine, { action: 'rollback', record: next, text, file: policyFile(machine.paths) });
  });
}

function targetOf({ bundles, current }: CentralRecord, serial: number | undefined): KnownBundle {
  const found = bundles.findLast((each) => (serial === undefined ? each.serial < current : each.serial === serial));
  if (found !== undefined) return found;
  const known = bundles.map((each) => each.serial).join(', ');
  throw new HoldfastError(
    'HF_USAGE',
    serial === undefined
      ? `no bundle before serial ${current} is stored here`
      : `no bundle with serial ${serial} is stored here`,
    { remedy: `name one of these with --to: ${known}` },
  );
}

interface Enforcing {
  readonly action: 'fetch' | 'restore' | 'rollback';
  readonly record: CentralRecord;
  readonly text: string;
  /** The policy file before the change. */
  readonly file: PolicyFile;
}

function enforce({ paths, journal }: CentralMachine, { action, record, text, file }: Enforcing): InForce {
  const bundle = currentOf(record);
  const { name, key } = record.pin;
  const { serial, policy, expires, source } = bundle;
  const before = file.kind === 'file' ? { before: file.sha256 } : {};
  appendEvents(journal, [
    { type: 'bundle.enforced', action, name, serial, policy, expires, source, key: shownKey(key), ...before },
  ]);
  writeForce(paths, record, text);
  return { change: action, name, bundle };
}

/** Records the refusal of these bytes, because they may be an attempted attack. */
function noteRefusal({ journal }: CentralMachine, { source }: Offer, error: unknown): void {
  if (isHoldfastError(error) && error.code === 'HF_BUNDLE_REFUSED')
    appendEvents(journal, [{ type: 'bundle.refused', source, reason: error.message }]);
}

function knownOf(
  { serial, issued, expires, policy }: PolicyBundle,
  more: Pick<KnownBundle, 'source' | 'taken'>,
): KnownBundle {
  return { serial, issued, expires, policy, ...more };
}

function foreignPolicy(path: string): HoldfastError {
  return refusedBundle(
    `${path} exists, and did not come from a bundle`,
    'put its rules into the bundle, then fetch with --replace',
  );
}
