import quickjs from '@jitl/quickjs-singlefile-cjs-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type CustomizeVariantOptions,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { webAssembly } from '../wasm/web-assembly.ts';

const pageSize = 65_536;

/** Pages with which this build of QuickJS starts. */
const startPages = 256;

/** The allocator of the build itself, which the package keeps to itself. */
interface Allocator {
  _malloc: (size: number) => number;
  readonly _free: (at: number) => void;
}

/** As QuickJS itself names it, so that a guest sees one kind alone. */
export class OutOfMemory extends RangeError {
  override readonly name = 'InternalError';

  constructor() {
    super('out of memory');
  }
}

/**
 * QuickJS in a memory of its own that cannot grow, with so many bytes left in it. `setMemoryLimit` would not do: this
 * build cannot tell how large an allocation is (`malloc_usable_size` is 0 under Emscripten), so that its count stays
 * near nothing while a guest fills gigabytes.
 */
export async function cappedQuickJs(bytes: number): Promise<QuickJSWASMModule> {
  const pages = startPages + Math.ceil(bytes / pageSize) + 1;
  const wasmMemory = new webAssembly.Memory({
    initial: pages,
    maximum: pages,
  }) as CustomizeVariantOptions['wasmMemory'];
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(quickjs.default, wasmMemory === undefined ? {} : { wasmMemory }),
  );
  const { module: allocator } = module as unknown as { readonly module: Allocator };
  leave(bytes, allocator, pages * pageSize);
  refuseZero(allocator);
  return module;
}

/**
 * Attack: a text without room. The package takes the 0 that says so for an address, and writes over QuickJS from there
 * on.
 */
function refuseZero(allocator: Allocator): void {
  const { _malloc: allocate } = allocator;
  allocator._malloc = (size) => {
    const at = allocate(size);
    if (at === 0) throw new OutOfMemory();
    return at;
  };
}

/** Takes everything but one block of the guest's size, for good. */
function leave(bytes: number, { _malloc, _free }: Allocator, most: number): void {
  const kept = _malloc(bytes);
  if (kept === 0) throw new RangeError(`QuickJS has no ${bytes} bytes to give`);
  for (let size = most; size >= 64; size = Math.floor(size / 2)) while (_malloc(size) !== 0);
  _free(kept);
}
