import type { JsonPath } from '../types.ts';
import { type PlacePattern, topPlace } from './places.ts';
import { JsonWalk } from './walk.ts';

export interface JsonInsertion {
  /** Of an array, or with `key` of an object. */
  readonly path: JsonPath;
  readonly key?: string;
  /** What `JSON.stringify` has a text for. */
  readonly value: unknown;
}

/**
 * Puts a value behind the last element of an array, or a member behind the last one of an object. Every other byte
 * stays. Undefined where that is not possible: it is no JSON, there is no such container, the object has the key
 * already, the path is there twice (parsers disagree about which counts), or the value has no text.
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

/** Where the container has room: behind its last value, or behind its opening bracket. */
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
    // A BigInt, a circle, a depth that V8 does not go.
    return undefined;
  }
}
