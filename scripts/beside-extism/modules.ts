import { compileAssembly, stop } from '../../test/tools/lib/assembly.ts';

/** Imports of Extism's interface that its kit does not name. */
const blocks = `import { Host, Memory } from './kit/pdk';
@external("extism:host/env", "length") declare function lengthOf(block: u64): u64;
@external("extism:host/env", "output_set") declare function give(block: u64, length: u64): void;
`;

/** Follows its input, with Extism's plug-in kit. */
const plain = `${blocks}@external("extism:host/env", "http_request") declare function request(about: u64, body: u64): u64;
${stop}
function told(words: string[]): string {
  if (words[0] == 'grow') {
    while (memory.grow(memory.size() < 128 ? 1 : 4096) >= 0) {}
    return memory.size().toString();
  }
  if (words[0] == 'loop') for (;;) {}
  let sum: u32 = 1;
  if (words[0] == 'work') for (let i: u32 = 0; i < 300000000; i++) sum = sum * 31 + i;
  return sum == 0 ? 'odd' : 'well';
}
export function run(): i32 {
  const words = Host.inputString().split(' ');
  if (words[0] == 'fetch') {
    const block = request(Memory.allocateString('{"method":"GET","url":"' + words[1] + '"}').offset, 0);
    give(block, lengthOf(block));
  } else Host.outputString(told(words));
  return 0;
}
`;

/** Through WASI: reads a file of the first directory, or counts variables. */
const wasi = `import { Host } from './kit/pdk';
@external("wasi_snapshot_preview1", "path_open") declare function open(directory: i32, follow: i32, path: usize, length: i32, flags: i32, rights: i64, more: i64, state: i32, opened: usize): i32;
@external("wasi_snapshot_preview1", "fd_read") declare function read(file: i32, parts: usize, count: i32, done: usize): i32;
@external("wasi_snapshot_preview1", "environ_sizes_get") declare function sizes(count: usize, bytes: usize): i32;
${stop}
export function run(): i32 {
  const words = Host.inputString().split(' ');
  const at = heap.alloc(4096);
  if (words[0] == 'variables') Host.outputString(sizes(at, at + 4) == 0 ? load<u32>(at).toString() : 'refused');
  else {
    const path = String.UTF8.encode(words[1]);
    const failed = open(3, 1, changetype<usize>(path), path.byteLength, 0, 2, 0, 0, at);
    store<u32>(at + 8, u32(at + 64));
    store<u32>(at + 12, 1024);
    Host.outputString(failed == 0 && read(load<u32>(at), at + 8, 1, at + 16) == 0 ? String.UTF8.decodeUnsafe(at + 64, load<u32>(at + 16)) : 'refused');
  }
  return 0;
}
`;

/** Reads a file as modules do in Holdfast, which has no WASI. */
const reading = `${blocks}@external("holdfast:host/env", "read_file") declare function read(path: u64): u64;
${stop}
export function run(): i32 {
  const block = read(Memory.allocateString(Host.inputString().split(' ')[1]).offset);
  give(block, lengthOf(block));
  return 0;
}
`;

export interface Modules {
  readonly plain: Buffer;
  readonly wasi: Buffer;
  readonly reading: Buffer;
}

export async function compileModules(): Promise<Modules> {
  return {
    plain: await compileAssembly(plain),
    wasi: await compileAssembly(wasi),
    reading: await compileAssembly(reading),
  };
}
