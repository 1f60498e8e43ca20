import { dirname, extname, join } from 'node:path';
import process from 'node:process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What runs in a tool's box, and the files that it needs to be there. All absolute. */
export interface ToolProgram {
  readonly argv: readonly string[];
  readonly visible: readonly string[];
}

/** MiB of V8's own heap: modules, texts on their way, and what a hostile module makes the compiler do. The guest's memory is none of it. */
const heap = 256;

/** In the sources it is many files, and in a bundle one. `root`: of the package. */
export function toolProgram(root: string): ToolProgram {
  const node = realpathSync.native(process.execPath);
  const argvOf = (file: string): readonly string[] => [node, `--max-old-space-size=${heap}`, '--no-warnings', file];
  // Undefined in bundles of CommonJS.
  const url = import.meta.url as string | undefined;
  const here = url === undefined ? __filename : fileURLToPath(url);
  if (extname(here) === '.ts') {
    return { argv: argvOf(join(root, 'src/tools/host/tool-host.ts')), visible: [node, ...['src/tools', 'node_modules/quickjs-emscripten-core', 'node_modules/@jitl', 'package.json'].map((path) => join(root, path))] };
  }
  const bundle = url === undefined ? join(dirname(here), 'tool-host.cjs') : join(dirname(here), 'cli/tool-host.cjs');
  const real = realpathSync.native(bundle);
  return { argv: argvOf(real), visible: [node, real] };
}
