import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { kernelCall } from '../../kernel/index.ts';
import type { Scene } from './scene.ts';

/** Returns when everything that was moved is on the disk: one call for each file system. */
export function syncSides(scene: Scene): void {
  const synced = new Set<number>();
  const descriptors = scene.plan.roots.flatMap((_, root) => [scene.hostTree(root).descriptor, scene.upperTree(root).descriptor]);
  for (const descriptor of descriptors) {
    const { dev } = fstatSync(descriptor);
    if (synced.has(dev)) continue;
    synced.add(dev);
    // What only names a directory cannot be synced.
    const opened = openSync(`/proc/self/fd/${descriptor}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      kernelCall('syncfs', opened);
    } finally {
      closeSync(opened);
    }
  }
}
