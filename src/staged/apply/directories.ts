import { applyMetadata, restoreTimes } from './metadata.ts';
import type { Scene } from './scene.ts';
import { statIn } from './tree.ts';
import type { Touched } from './types.ts';

/** Gives directories what was staged for them, when everything is in them: each entry that comes or goes sets their time. */
export function dress(scene: Scene): void {
  for (const { root, path, dressed } of deepestFirst(scene)) {
    if (dressed === undefined) continue;
    scene.pace('dress');
    applyMetadata(scene.hostTree(root).place(path), dressed);
    restoreTimes(scene.upperTree(root).place(path), dressed);
  }
}

/** Gives directories back what they had, on both sides. */
export function undress(scene: Scene): void {
  for (const { root, path, old, dressed } of deepestFirst(scene)) {
    scene.pace('undress');
    if (old !== undefined && isDirectoryIn(scene, root, path)) {
      const place = scene.hostTree(root).place(path);
      if (dressed === undefined) restoreTimes(place, old);
      else applyMetadata(place, old);
    }
    if (dressed !== undefined && statIn(scene.upperTree(root), path)?.isDirectory() === true) restoreTimes(scene.upperTree(root).place(path), dressed);
  }
}

function isDirectoryIn(scene: Scene, root: number, path: Buffer): boolean {
  return statIn(scene.hostTree(root), path)?.isDirectory() === true;
}

function deepestFirst({ plan }: Scene): readonly Touched[] {
  return plan.touched.toSorted((a, b) => Buffer.compare(b.path, a.path));
}
