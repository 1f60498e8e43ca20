import { closeSync, openSync, symlinkSync } from 'node:fs';
import { applyMetadata, atFdcwd, below, kernelCall, linkAt, type Metadata, terminated } from '../../kernel/index.ts';
import { about } from '../failure.ts';
import { copyObject } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import type { Entry } from '../types.ts';
import { bytesOf } from './parents.ts';
import type { Installation } from './plan.ts';

/**
 * Makes everything that is to be installed, whole and with its metadata, in a directory beside the tree. A full disk or
 * a damaged store shows here, before anything is changed.
 */
export function prepare(store: Store, staging: number, install: readonly Installation[]): void {
  const numbers = new Map(install.map(({ entry }, number) => [entry.path, number]));
  for (const [number, { entry, linkTo }] of install.entries()) {
    about(entry.path, 'cannot be prepared', () => {
      if (linkTo === undefined) make(store, below(staging, preparedName(number)), entry);
      else
        linkAt(
          { directory: staging, name: preparedName(numbers.get(linkTo) ?? 0) },
          { directory: staging, name: preparedName(number) },
        );
    });
  }
}

export function preparedName(number: number): string {
  return `new-${number}`;
}

export function metadataFor({ mode, uid, gid, modified, attributes }: Entry): Metadata {
  return {
    mode,
    uid,
    gid,
    modified,
    attributes: new Map(Object.entries(attributes).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
  };
}

function make(store: Store, place: Buffer, entry: Installation['entry']): void {
  if (entry.kind === 'file') makeFile(store, place, entry.object);
  else if (entry.kind === 'symlink') symlinkSync(bytesOf(entry.target), place);
  else kernelCall('mknodat', atFdcwd, terminated(place), fifo | 0o600, 0);
  applyMetadata(place, metadataFor(entry));
}

/** `sys/stat.h`: `S_IFIFO`. */
const fifo = 0o010000;

function makeFile(store: Store, place: Buffer, object: string): void {
  const file = openSync(place, 'wx', 0o600);
  try {
    copyObject(store, object, file);
  } finally {
    closeSync(file);
  }
}
