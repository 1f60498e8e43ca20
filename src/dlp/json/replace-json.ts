import type { JsonPath } from '../types.ts';
import { topPlace } from './places.ts';
import { ReplacedBytes } from './replaced-bytes.ts';
import { JsonWalk } from './walk.ts';

export interface JsonReplacement {
  readonly path: JsonPath;
  readonly value: string | boolean | null | Readonly<Record<string, boolean>>;
}

/**
 * Puts a value in the place of a text, a number, a boolean or null. Where the path is there twice, in both. Undefined
 * where it is not there.
 */
export function replaceJson(bytes: Buffer, { path, value }: JsonReplacement): Buffer | undefined {
  const walk = new JsonWalk(bytes, topPlace([{ keys: path.map(String), matches: 'exactly', of: 'value' }]));
  const replaced = new ReplacedBytes(bytes);
  const json = JSON.stringify(value);
  for (let token = walk.next(); token !== 'end'; token = walk.next()) {
    if (token === 'unreadable') return undefined;
    if (token === 'close' || !walk.place.ends.includes('value')) continue;
    if (token === 'object' || token === 'array') return undefined;
    replaced.replace(walk.start, walk.end, json);
  }
  return replaced.count === 0 ? undefined : replaced.finish();
}
