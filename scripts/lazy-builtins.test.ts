import { expect, test } from 'vitest';
import { build, type Plugin } from 'esbuild';
import { withLazyBuiltins } from './lazy-builtins.ts';

const source = `
import { createHash, randomBytes as bytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import { Agent } from 'node:https';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
export const digest = (text) => createHash('sha256').update(text).digest('hex');
export const length = () => bytes(4).length;
export const names = () => ['import_node_crypto', readFileSync, typeof tls.connect];
export class Own extends Duplex {}
export const made = () => [new Agent({ maxSockets: 3 }).maxSockets, new Agent instanceof Agent, typeof Agent];
export const later = () => import('./later.js').then(({ version }) => version());
`;

const virtual: Plugin = {
  name: 'virtual',
  setup(builder) {
    builder.onResolve({ filter: /later/ }, () => ({ path: 'later', namespace: 'later' }));
    builder.onLoad({ filter: /./, namespace: 'later' }, () => ({
      contents: `import { release } from 'node:os'; export const version = () => release();`,
    }));
  },
};

async function bundleOf(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'js' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    plugins: [virtual],
    minifySyntax: true,
    supported: { 'dynamic-import': false },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

interface Made {
  readonly digest: (text: string) => string;
  readonly length: () => number;
  readonly names: () => readonly unknown[];
  readonly made: () => readonly unknown[];
  readonly later: () => Promise<string>;
}

test('a rewritten bundle loads each module of Node once, at its first use, with the same effect', async () => {
  const asked: string[] = [];
  const own = { exports: {} as Made };
  // oxlint-disable-next-line no-new-func -- the test loads the output of the build
  new Function('module', 'exports', 'require', withLazyBuiltins(await bundleOf(source)))(
    own,
    own.exports,
    (id: string): unknown => {
      asked.push(id);
      return process.getBuiltinModule(id);
    },
  );
  // A class that extends one needs it immediately. A default import is a copy of the whole module.
  expect(asked.toSorted()).toEqual(['node:fs', 'node:stream', 'node:tls']);
  expect(own.exports.digest('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(own.exports.length()).toBe(4);
  expect(own.exports.names()).toEqual(['import_node_crypto', expect.any(Function), 'function']);
  expect(own.exports.made()).toEqual([3, true, 'function']);
  expect(await own.exports.later()).not.toBe('');
  expect(asked.slice(3)).toEqual(['node:crypto', 'node:https', 'node:os']);
});

test('a bundle without modules of Node stays unchanged', () => {
  expect(withLazyBuiltins('"use strict";\nvar a = 1;\n').replace('\n\n', '\n')).toBe('"use strict";\nvar a = 1;\n');
});
