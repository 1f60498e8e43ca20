import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { invalidCall } from './json.ts';

const mostLinks = 40;
/** Bytes of the longest path that the kernel takes (PATH_MAX of limits.h, without its NUL). */
const longest = 4095;

/**
 * Returns the real path of a path whose end need not exist. Follows a dangling link too, because a write through it
 * creates its target.
 *
 * @throws HoldfastError `HF_HOOK_INVALID` if links form a loop, or no file can exist there.
 */
export function realPath(path: string, links = 0): string {
  checkLength(path);
  if (links > mostLinks) throw invalidCall('the path goes through too many links');
  try {
    return realpathSync.native(path);
  } catch {
    const target = linkTarget(path);
    // Attack: `..` behind another link, which the kernel follows first. A final slash would hide the link.
    if (target !== undefined)
      return realPath(
        (target.startsWith('/') ? target : `${dirname(path)}/${target}`).replace(/(?<=[^/])\/+$/u, ''),
        links + 1,
      );
    return path === dirname(path) ? path : join(realPath(dirname(path), links), basename(path));
  }
}

/** @throws HoldfastError `HF_HOOK_INVALID` */
export function checkLength(path: string): void {
  if (Buffer.byteLength(path) > longest) throw invalidCall('the path is longer than the kernel allows');
}

export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
