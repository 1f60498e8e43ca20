import { tool } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { bun, npmManager, pnpm, yarn } from './javascript-managers.ts';
import { deno, node } from './javascript-runtimes.ts';
import { developmentTools } from './javascript-tools.ts';
import { executes } from './package-manager-options.ts';

export const javascriptTools: readonly ToolSpec[] = [
  node,
  deno,
  npmManager,
  tool('npx pnpx bunx', { grammar: 'getopt-posix', ...executes }),
  pnpm,
  yarn,
  bun,
  ...developmentTools,
];
