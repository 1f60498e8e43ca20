export interface ElfParts {
  readonly segments?: readonly { readonly type: number; readonly bytes: Buffer }[];
  readonly sections?: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/** An ELF file for x86-64 with these parts and no executable code. */
export function makeElf({ segments = [], sections = [] }: ElfParts): Buffer {
  const names = Buffer.from(['', ...sections.map(({ name }) => name), '.shstrtab', ''].join('\0'), 'latin1');
  const all = [...sections, { name: '.shstrtab', bytes: names }];
  const contents = [...segments.map(({ bytes }) => bytes), ...all.map(({ bytes }) => bytes)];
  const tables = 64 + segments.length * 56;
  const first = tables + (all.length + 1) * 64;
  const offsets = contents.map(
    (_, index) => first + contents.slice(0, index).reduce((sum, { length }) => sum + length, 0),
  );
  const header = Buffer.alloc(first);
  header.set(Buffer.from('7f454c46020101', 'hex'));
  header.writeUInt16LE(62, 18);
  header.writeBigUInt64LE(64n, 32);
  header.writeBigUInt64LE(BigInt(tables), 40);
  [56, segments.length, 64, all.length + 1, all.length].forEach((value, index) =>
    header.writeUInt16LE(value, 54 + index * 2),
  );
  segments.forEach(({ type, bytes }, index) => {
    header.writeUInt32LE(type, 64 + index * 56);
    header.writeBigUInt64LE(BigInt(offsets[index] ?? 0), 64 + index * 56 + 8);
    header.writeBigUInt64LE(BigInt(bytes.length), 64 + index * 56 + 32);
  });
  all.forEach(({ name, bytes }, index) => {
    const at = tables + (index + 1) * 64;
    header.writeUInt32LE(names.indexOf(`\0${name}\0`) + 1, at);
    header.writeBigUInt64LE(BigInt(offsets[segments.length + index] ?? 0), at + 24);
    header.writeBigUInt64LE(BigInt(bytes.length), at + 32);
  });
  return Buffer.concat([header, ...contents]);
}

export function makeModule(kernel: string, depends: readonly string[]): Buffer {
  const info = Buffer.from(`license=GPL\0depends=${depends.join(',')}\0vermagic=${kernel} SMP mod_unload \0`, 'latin1');
  return makeElf({
    sections: [
      { name: '.text', bytes: Buffer.from('code') },
      { name: '.modinfo', bytes: info },
    ],
  });
}

/** A note of a segment, as the kernel has them for a boot loader. */
export function makeNote(owner: string, type: number): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt32LE(owner.length + 1, 0);
  header.writeUInt32LE(8, 4);
  header.writeUInt32LE(type, 8);
  const name = Buffer.alloc(Math.ceil((owner.length + 1) / 4) * 4);
  name.write(owner, 'latin1');
  return Buffer.concat([header, name, Buffer.alloc(8)]);
}
