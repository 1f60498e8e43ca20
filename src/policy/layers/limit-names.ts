import { features } from '../features/index.ts';
import { limitRows } from '../features/merge.ts';
import type { CamelCase, LimitSettings } from './settings.ts';

/** Returns `cpuTime` for `cpu_time`. */
export function limitName<Key extends string>(key: Key): CamelCase<Key> {
  return key.replaceAll(/_(\w)/gu, (_all, letter: string) => letter.toUpperCase()) as CamelCase<Key>;
}

/** Names in the order of the features. */
export const limitNames = Object.keys(limitRows(features)).map(limitName) as readonly (keyof LimitSettings)[];
