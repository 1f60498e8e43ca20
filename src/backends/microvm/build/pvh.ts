import { segmentType, type Elf } from './elf.ts';

/** Whether a kernel has the entry that qemu and Firecracker start without a boot loader: `XEN_ELFNOTE_PHYS32_ENTRY`. */
export function hasPvhEntry({ segments }: Elf): boolean {
  return segments.some(({ type, bytes }) => type === segmentType.note && noteTypes(bytes, 'Xen').includes(physicalEntry));
}

/** `xen/include/public/elfnote.h`. */
const physicalEntry = 18;
const noteHeader = 12;

function noteTypes(notes: Buffer, owner: string): readonly number[] {
  const types: number[] = [];
  for (let at = 0; at + noteHeader <= notes.length; ) {
    const [nameSize, size] = [notes.readUInt32LE(at), notes.readUInt32LE(at + 4)];
    const name = notes.toString('latin1', at + noteHeader, at + noteHeader + Math.min(nameSize, owner.length + 1));
    if (name === `${owner}\0`) types.push(notes.readUInt32LE(at + 8));
    at += noteHeader + aligned(nameSize) + aligned(size);
  }
  return types;
}

function aligned(size: number): number {
  return Math.ceil(size / 4) * 4;
}
