import { constants, mkdirSync, readdirSync } from 'node:fs';
import { isKernelError, kernelCall, removeAttribute, setAttribute, type NameAt } from '../../kernel/index.ts';
import { applyStepMetadata, metadataAt } from './metadata.ts';
import { ancestorsOf, pathAt, statAt, statIn, type Tree } from './tree.ts';

export interface Sides {
  readonly upper: Tree;
  readonly host: Tree;
}

/**
 * Replaces opaque directories and whiteouts of whole directories above a path with single whiteouts, without changing
 * the layer's visible content. Only then can one entry be accepted or dropped without changing the others. May stop at
 * any moment: each state in between has the same visible content.
 */
export function unveilAbove(sides: Sides, path: Buffer): void {
  for (const ancestor of ancestorsOf(path)) unveil(sides, ancestor);
}

/** Does the same for one directory. Other entries stay unchanged. */
export function unveil(sides: Sides, path: Buffer): void {
  const staged = statIn(sides.upper, path);
  if (staged === undefined) return;
  if (staged.isCharacterDevice() && staged.rdev === 0n) openWhiteout(sides, path);
  else if (!staged.isDirectory()) return;
  const place = sides.upper.place(path);
  if (!isOpaque(place)) return;
  const host = statIn(sides.host, path);
  if (host?.isDirectory() === true) coverEach(sides, path);
  removeAttribute(pathAt(place), opaque);
}

const opaque = 'user.overlay.opaque';

function isOpaque(place: NameAt): boolean {
  const value = Buffer.alloc(1);
  try {
    return (
      kernelCall('lgetxattr', terminated(pathAt(place)), Buffer.from(`${opaque}\0`), value, 1) === 1 &&
      value.toString() === 'y'
    );
  } catch (error) {
    if (isKernelError(error, 'ENODATA') || isKernelError(error, 'EOPNOTSUPP')) return false;
    throw error;
  }
}

/** Replaces a whiteout with an empty opaque directory, which hides the same entries. */
function openWhiteout({ upper, host }: Sides, path: Buffer): void {
  const below = statIn(host, path);
  if (below?.isDirectory() !== true) return;
  const { directory, name } = upper.place(path);
  const fresh: NameAt = { directory, name: Buffer.concat([Buffer.from(name), Buffer.from('.holdfast-unveiled')]) };
  if (statAt(fresh) === undefined) mkdirSync(pathAt(fresh), { mode: 0o700 });
  applyStepMetadata(fresh, metadataAt(host.place(path), below));
  setAttribute(pathAt(fresh), opaque, Buffer.from('y'));
  kernelCall('renameat2', directory, terminated(fresh.name), directory, terminated(name), 2);
  kernelCall('unlinkat', directory, terminated(fresh.name), 0);
}

/** Hides the entries behind an opaque directory name by name. */
function coverEach({ upper, host }: Sides, path: Buffer): void {
  const below = readdirSync(Buffer.concat([pathAt(host.place(path)), Buffer.from('/')]), {
    withFileTypes: true,
    encoding: 'buffer',
  });
  for (const entry of below) {
    const child = Buffer.concat([path, Buffer.from('/'), entry.name]);
    const place = upper.place(child);
    const staged = statAt(place);
    if (staged === undefined) kernelCall('mknodat', place.directory, terminated(place.name), constants.S_IFCHR, 0);
    else if (staged.isDirectory() && entry.isDirectory()) setAttribute(pathAt(place), opaque, Buffer.from('y'));
  }
}

function terminated(name: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(name), Buffer.alloc(1)]);
}
