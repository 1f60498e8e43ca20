import { assemble } from './assemble.ts';
import { compile } from './compile/compile.ts';
import type { SeccompOptions } from './filter.ts';
import { rulesFor } from './denylist.ts';

/** The filter's program from the reviewed list: an array of `struct sock_filter`. Same options, same bytes. */
export function buildFilter(options: SeccompOptions): Uint8Array<ArrayBuffer> {
  return assemble(compile(rulesFor(options), options.architecture));
}
