import { currentOf, isClockBehind } from './record.ts';
import { type CentralPaths, policyFile, readRecord } from './store.ts';
import type { CentralRecord, KnownBundle } from './types.ts';

/** The state of a machine's central policy. */
export type Standing =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'bundle';
      readonly record: CentralRecord;
      readonly current: KnownBundle;
      /** The policy file, compared with the bundle in force. */
      readonly file: 'whole' | 'changed' | 'absent';
      /** `unknown`: the clock is behind an earlier fetch. */
      readonly age: 'valid' | 'expired' | 'unknown';
    };

export function centralStanding(paths: CentralPaths, now: number): Standing {
  const record = readRecord(paths);
  if (record === undefined) return { kind: 'none' };
  const current = currentOf(record);
  const file = policyFile(paths);
  return {
    kind: 'bundle',
    record,
    current,
    file:
      file.kind === 'absent' ? 'absent' : file.kind === 'file' && file.sha256 === current.policy ? 'whole' : 'changed',
    age: ageOf(record, current, now),
  };
}

function ageOf(record: CentralRecord, { expires }: KnownBundle, now: number): 'valid' | 'expired' | 'unknown' {
  if (Date.parse(expires) <= now) return 'expired';
  return isClockBehind(record, now) ? 'unknown' : 'valid';
}

/** Returns one line for each problem, with its remedy. An expired policy stays in force. */
export function standingFaults(standing: Standing, { policy }: Pick<CentralPaths, 'policy'>): readonly string[] {
  if (standing.kind === 'none') return [];
  const { record, current, file, age } = standing;
  const bundle = `${record.pin.name} ${current.serial}`;
  const again = `run \`holdfast policy fetch ${current.source}\``;
  return [
    ...(age === 'expired'
      ? [`the policy ${bundle} EXPIRED at ${current.expires} and stays in force: publish a newer bundle, then ${again}`]
      : []),
    ...(age === 'unknown'
      ? [`the clock is BEHIND an earlier fetch, so it is unknown whether ${bundle} has expired: set the clock`]
      : []),
    ...(file === 'absent' ? [`${policy} of ${bundle} is GONE, and no managed policy is in force: ${again}`] : []),
    ...(file === 'changed'
      ? [`${policy} is NOT that of ${bundle}: someone changed it, or a fetch was cut off: ${again}`]
      : []),
  ];
}
