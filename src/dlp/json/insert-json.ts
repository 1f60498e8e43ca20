import type { JsonPath } from '../types.ts';
import { type PlacePattern, topPlace } from './places.ts';
import { JsonWalk } from './walk.ts';

export interface JsonInsertion {
  /** Path of an array. With `key`, the path of an object. */
  readonly path: JsonPath;
  readonly key?: string;
  /** Any value that `JSON.stringify` can write. */
  readonly value: unknown;
}

/**
 * Inserts a value after the last element of an array, or a member after the last one of an object. Every other byte
 * stays. Undefined if the text is not JSON, the container is missing, the value cannot be written, or the object
 * already has the key. Also undefined if the path is repeated, because parsers disagree about which one counts.
 */
export function insertJson(bytes: Buffer, { path, key, value }: JsonInsertion): Buffer | undefined {
  const json = textOf(value);
  const gap = json === undefined ? undefined : findGap(bytes, path, key);
  if (json === undefined || gap === undefined) return undefined;
  const member = key === undefined ? json : `${JSON.stringify(key)}:${json}`;
  return Buffer.concat([
    bytes.subarray(0, gap.at),
    Buffer.from(gap.isFirst ? member : `,${member}`),
    bytes.subarray(gap.at),
  ]);
}

/** The insertion point in the container: after its last value, or after its opening bracket. */
interface Gap {
  readonly at: number;
  readonly isFirst: boolean;
}

type Meaning = 'container' | 'member';

function findGap(bytes: Buffer, path: JsonPath, key: string | undefined): Gap | undefined {
  const walk = new JsonWalk(bytes, topPlace(patternsTo(path.map(String), key)));
  const wanted = key === undefined ? 'array' : 'object';
  let onPath = 0;
  let lastEnd = 0;
  let openedAt: number | undefined;
  let gap: Gap | undefined;
  for (let token = walk.next(); token !== 'end'; token = walk.next()) {
    const { ends, isLive } = walk.place;
    if (token === 'unreadable' || ends.includes('member')) return undefined;
    if (token === 'close') {
      if (ends.includes('container'))
        gap = openedAt === undefined ? undefined : { at: lastEnd, isFirst: lastEnd === openedAt };
    } else if (isLive) {
      onPath += 1;
      if (ends.includes('container') && token === wanted) openedAt = walk.end;
    }
    lastEnd = walk.end;
  }
  return onPath === path.length + 1 ? gap : undefined;
}

function patternsTo(path: readonly string[], key: string | undefined): readonly PlacePattern<Meaning>[] {
  const container: PlacePattern<Meaning> = { keys: path, matches: 'exactly', of: 'container' };
  return key === undefined ? [container] : [container, { keys: [...path, key], matches: 'exactly', of: 'member' }];
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    // The value is a BigInt, has a cycle, or is nested too deeply for V8.
    return undefined;
  }
}
