import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from 'assemblyscript/asc';
import { repository } from '../../lib/holdfast.ts';

const kit = join(repository, 'node_modules/@extism/as-pdk');

/** Compiles AssemblyScript, with Extism's plug-in kit as `kit`. Throws the compiler's messages. */
export async function compileAssembly(
  source: string,
  flags: readonly string[] = ['--use', 'abort=tool/stop'],
): Promise<Buffer> {
  let module: Uint8Array | undefined;
  const { error, stderr } = await main(
    ['tool.ts', '--outFile', 'tool.wasm', '--optimize', '--runtime', 'stub', ...flags],
    {
      readFile: (name) => (name === 'tool.ts' ? source : ofKit(name)),
      writeFile: (name, content) => {
        if (name === 'tool.wasm') module = content as unknown as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || module === undefined) throw new Error(`AssemblyScript: ${stderr.toString()}`);
  return Buffer.from(module);
}

/** AssemblyScript aborts through this function, unless the source overrides it. */
export const stop =
  'export function stop(message: string | null, file: string | null, line: u32, column: u32): void { unreachable(); }\n';

function ofKit(name: string): string | null {
  const inside = /(?:^|\/)kit\/(.*)$/u.exec(name)?.[1] ?? (/^(?:pdk|env)\.ts$/u.test(name) ? name : undefined);
  try {
    return inside === undefined ? null : readFileSync(join(kit, 'lib', inside), 'utf8');
  } catch {
    return null;
  }
}
