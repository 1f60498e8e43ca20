import { readFileSync, writeFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Every process loads these before the first module of Holdfast, so an early request for them costs nothing. */
const present: ReadonlySet<string> = new Set(['fs', 'path']);

/**
 * esbuild's output for `import { … } from 'node:…'` and its uses: always by the module's name, never the module itself.
 */
const mentions = /\b(import_node_\w+)(?: = require\("node:([\w/]+)"\)|(?=\.))/gu;

/** Loads modules of Node at their first use: `node:crypto` alone takes 4 ms, and most starts do not call it. */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(builder) {
    const { outfile } = builder.initialOptions;
    if (outfile === undefined) throw new Error('lazy-builtins rewrites one file');
    builder.onEnd(({ errors }) => {
      if (errors.length === 0) writeFileSync(outfile, withLazyBuiltins(readFileSync(outfile, 'utf8')));
    });
  },
};

/** A CommonJS bundle that requests each module of Node once, usually late. */
export function withLazyBuiltins(bundle: string): string {
  const modules = new Map(
    [...bundle.matchAll(mentions)].flatMap(([, name = '', module]) =>
      module === undefined ? [] : [[name, module] as const],
    ),
  );
  const lines = bundle
    .replaceAll(moduleNames, '')
    .replaceAll(mentions, (_found, name: string, declared: string | undefined) => {
      if (declared !== undefined) return `${name} = ${variable(declared)}`;
      const module = modules.get(name);
      // In parentheses: `new name().Socket()` would call `name` as a constructor.
      return module === undefined || present.has(module) ? name : `(${name}())`;
    });
  const loaders = [...new Set(modules.values())].map(loader).join('\n');
  return lines.startsWith(strict) ? `${strict}${loaders}\n${lines.slice(strict.length)}` : `${loaders}\n${lines}`;
}

/** The bundler's line before each module. Every process would read it. */
const moduleNames = /^\/\/ src\/\S+\.ts\n/gmu;

const strict = '"use strict";\n';

function variable(module: string): string {
  return `node_${module.replaceAll('/', '_')}`;
}

function loader(module: string): string {
  const name = variable(module);
  return present.has(module)
    ? `var ${name} = require("node:${module}");`
    : `var ${name} = () => ${name}_loaded ??= require("node:${module}"), ${name}_loaded;`;
}
