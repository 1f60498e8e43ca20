import { kernelCall } from '../../kernel/index.ts';

/** `linux/capability.h`. */
const version = 0x2008_0522;

/**
 * Takes all capabilities from the calling thread, and from no other. A supervisor that is root would open for a box
 * what the box's own root, which has none, may not.
 */
export function dropPowers(): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(version, 0);
  kernelCall('capset', header, Buffer.alloc(24));
}
