/** Programs that build. Specifications and their refinements only: nothing is looked up on the machine. */
import { flags, repositoryCode, takes, tool } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { bazel, cmake, generators, just, make, meson, ninja, task } from './make.ts';

export const buildTools: readonly ToolSpec[] = [
  make,
  cmake,
  tool('ctest', {
    options: [
      ...flags('-V --verbose', '-N --show-only', '--output-on-failure', '-Q --quiet', '--version', '--rerun-failed'),
      ...takes('text', '-R --tests-regex', '-E --exclude-regex', '-j --parallel', '-L', '--timeout', '-C'),
      ...takes('directory', '--test-dir'),
      ...takes('code-file', '-S --script'),
    ],
    always: repositoryCode('tests of the project'),
  }),
  ninja,
  just,
  task,
  bazel,
  meson,
  ...generators,
];
