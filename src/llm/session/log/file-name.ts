import { join } from 'node:path';
import { isCallId } from './call-id.ts';

const suffix = '.jsonl.gz';
const partSuffix = '.part';

export function callFile(directory: string, id: string): string {
  return join(directory, `${id}${suffix}`);
}

/** While it is written. Nothing reads it. */
export function partFile(directory: string, id: string): string {
  return join(directory, `${id}${partSuffix}`);
}

export type NamedFile = { readonly kind: 'call' | 'part'; readonly id: string };

/** Undefined for a name that is none of ours. */
export function fileNamed(name: string): NamedFile | undefined {
  for (const [kind, end] of [
    ['call', suffix],
    ['part', partSuffix],
  ] as const) {
    const id = name.slice(0, -end.length);
    if (name.endsWith(end) && isCallId(id)) return { kind, id };
  }
  return undefined;
}
