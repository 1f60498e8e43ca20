import { each, flags, inOrder, opaqueEffect, takes, tool, warns } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { runsInput } from './runs-input.ts';
import { checkers, ruff } from './python-checkers.ts';
import { conda, pip, pipx, poetry } from './python-packages.ts';
import { uv } from './uv.ts';

const python = tool(
  'python python3 python2 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3',
  {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-V --version',
        '-h --help',
        '-B',
        '-b',
        '-d',
        '-E',
        '-I',
        '-O',
        '-P',
        '-q',
        '-s',
        '-S',
        '-u',
        '-v',
        '-x',
        '-?',
      ),
      ...takes('text', '-W', '-X', '--check-hash-based-pycs'),
      ...takes('code', '-c'),
      // The module is looked for in the working directory first, so a file called `http.py` there runs.
      {
        names: ['-m'],
        value: 'required',
        effect: opaqueEffect('repository-code', '`-m` runs a module, which the working directory can hold'),
        operands: each('text'),
      },
      ...warns(opaqueEffect('stdin-code', '`-i` runs typed code'), '-i'),
    ],
    operands: inOrder(['code-file'], 'text'),
    refine: runsInput('-V', '-h', '-c', '-m', '-?'),
  },
);

export const pythonTools: readonly ToolSpec[] = [python, pip, uv, poetry, pipx, conda, ...checkers, ruff];
