import { features } from '../features/index.ts';
import type { LimitRow } from '../features/feature.ts';
import { limitRows } from '../features/merge.ts';
import type { CamelCase, LimitSettings } from './settings.ts';

/** Returns `cpuTime` for `cpu_time`. */
export function limitName<Key extends string>(key: Key): CamelCase<Key> {
  return key.replaceAll(/_(\w)/gu, (_all, letter: string) => letter.toUpperCase()) as CamelCase<Key>;
}

/** Returns `cpu_time` for `cpuTime`. */
export function limitKey(name: keyof LimitSettings): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

/** Names in the order of the features. */
export const limitNames = Object.keys(limitRows(features)).map(limitName) as readonly (keyof LimitSettings)[];

/** Quantity that each limit counts. */
export const limitQuantities = Object.fromEntries(
  Object.entries(limitRows(features)).map(([key, { quantity }]) => [limitName(key), quantity]),
) as Readonly<Record<keyof LimitSettings, LimitRow['quantity']>>;
