import type { Host } from '../../policy/index.ts';

type Address = NonNullable<Host['address']>;

/** In network order: 4 bytes or 16. */
export function addressBytes(address: Address): Uint8Array {
  const bytes = Buffer.alloc(address.kind === 'v4' ? 4 : 16);
  switch (address.kind) {
    case 'v4':
      bytes.writeUInt32BE(address.bits);
      break;
    case 'v6':
      address.groups.forEach((group, index) => bytes.writeUInt16BE(group, index * 2));
      break;
  }
  return bytes;
}
