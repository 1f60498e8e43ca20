import { closeSync, fstatSync, type BigIntStats } from 'node:fs';
import { openAt, oPath, resolve } from '../../kernel/index.ts';
import { split } from '../view/box-view.ts';
import { toBytes } from '../view/byte-text.ts';
import { openFlags } from './open-flags.ts';

/**
 * Where the supervisor acts: through the mounts of the box, where the kernel still refuses what the box may not do, or
 * on the host, where only what a rule holds and somebody has let pass is done.
 */
export interface Side {
  readonly kind: 'box' | 'host';
  /** A directory and the way from there; the descriptor stays the side's own. */
  readonly start: (path: string) => Start;
}

export interface Start {
  readonly directory: number;
  /** Without a slash in front; empty for the directory itself. */
  readonly way: string;
}

/**
 * A path that was judged is opened without following anything: what has become a symlink meanwhile is refused with
 * ELOOP.
 */
export const asJudged = resolve.beneath | resolve.noSymlinks | resolve.noMagicLinks;

export interface Parent {
  readonly directory: number;
  readonly name: string;
}

/** Runs `use` with the directory that holds the last name of a path. */
export function inDirectory<Result>(side: Side, path: string, use: (parent: Parent) => Result): Result {
  const { directory, way } = side.start(path);
  const { parent, name } = split(`/${way}`);
  const opened = openAt(directory, toBytes(parent === '/' ? '.' : parent.slice(1)), {
    flags: oPath | openFlags.directory,
    resolve: asJudged,
  });
  try {
    return use({ directory: opened, name: name === '' ? '.' : name });
  } finally {
    closeSync(opened);
  }
}

/** Runs `use` with an `O_PATH` descriptor of the path itself. */
export function onPath<Result>(side: Side, path: string, use: (descriptor: number) => Result): Result {
  const { directory, way } = side.start(path);
  const opened = openAt(directory, toBytes(way === '' ? '.' : way), {
    flags: oPath | openFlags.noFollow,
    resolve: asJudged,
  });
  try {
    return use(opened);
  } finally {
    closeSync(opened);
  }
}

/** What lies at a path; undefined when nothing does, or when it cannot be reached without a symlink. */
export function lookUp(side: Side, path: string): BigIntStats | undefined {
  try {
    return onPath(side, path, (descriptor) => fstatSync(descriptor, { bigint: true }));
  } catch {
    return undefined;
  }
}
