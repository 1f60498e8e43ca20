import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { allTools } from '../src/shell/tools/tool-for.ts';
import type { ToolSpec } from '../src/shell/tools/types.ts';
import { toolsByName } from './tools-by-name.ts';

type ToolFor = (name: string) => ToolSpec | undefined;

async function builtToolFor(): Promise<ToolFor> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../src/shell/tools/tool-for.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    plugins: [toolsByName],
  });
  const module: { exports: { toolFor?: ToolFor } } = { exports: {} };
  (runInThisContext(`(module, require) => {${outputFiles[0]?.text}}`) as (...words: unknown[]) => void)(
    module,
    createRequire(import.meta.url),
  );
  return module.exports.toolFor as ToolFor;
}

const shape = (spec: ToolSpec | undefined): string =>
  JSON.stringify(spec, (_, value: unknown) => (typeof value === 'function' ? 'function' : value));

test('the build knows every program of the sources, and no other', async () => {
  const built = await builtToolFor();
  for (const spec of allTools) for (const name of spec.names) expect(shape(built(name)), name).toBe(shape(spec));
  expect(['constructor', '__proto__', 'toString', '', 'no-such-program'].map(built)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});
