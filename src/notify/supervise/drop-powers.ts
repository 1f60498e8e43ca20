import { kernelCall } from '../../kernel/index.ts';

/** `linux/capability.h`. */
const version = 0x2008_0522;

/**
 * Takes all capabilities from the calling thread, and from no other. A supervisor that is root would otherwise open
 * files for the box that the box's own root, without capabilities, may not open.
 */
export function dropPowers(): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(version, 0);
  kernelCall('capset', header, Buffer.alloc(24));
}
