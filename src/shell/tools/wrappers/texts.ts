import type { ParsedArguments, RefineContext, Refinement, ToolSpec } from '../types.ts';
import { each, flags, maybe, takes, tool } from '../notation.ts';
import { because, runsJoined } from './texts-of-words.ts';
import { hasOption } from '../parsed-options.ts';

/** Programs that pass a text to `sh -c`. Sources: `watch(1)` of procps, `flock(1)` and `script(1)` of util-linux. */
export const shellTextTools: readonly ToolSpec[] = [
  tool('watch', {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-b --beep',
        '-c --color',
        '-e --errexit',
        '-g --chgexit',
        '-p --precise',
        '-t --no-title',
        '-w --no-wrap',
        '-x --exec',
        '-h --help',
        '-v --version',
      ),
      ...maybe('text', '-d --differences'),
      ...takes('text', '-q --equexit', '-n --interval'),
    ],
    operands: each('text'),
    refine: watch,
  }),
  tool('flock', {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-s --shared',
        '-x -e --exclusive',
        '-u --unlock',
        '-n --nb --nonblock',
        '-o --close',
        '-F --no-fork',
        '--verbose',
        '-h --help',
        '-V --version',
      ),
      ...takes('text', '-w --wait --timeout', '-E --conflict-exit-code'),
    ],
    operands: each('text'),
    refine: flock,
  }),
  tool('script', {
    options: [
      ...flags('-a --append', '-e --return', '-f --flush', '--force', '-q --quiet', '-h --help', '-V --version'),
      ...takes('write', '-I --log-in', '-O --log-out', '-B --log-io', '-T --log-timing'),
      ...maybe('write', '-t --timing'),
      ...takes('text', '-m --logging-format', '-E --echo', '-o --output-limit'),
      ...takes('script', '-c --command'),
    ],
    operands: { kind: 'sequence', first: ['write'] },
    refine: typescript,
  }),
];

function watch({ options, operands }: ParsedArguments): Refinement {
  if (operands.length === 0) return {};
  return hasOption({ options }, '-x') ? { commands: [operands] } : runsJoined('watch', operands);
}

/** `flock FILE COMMAND…`, `flock FILE -c TEXT`, `flock DESCRIPTOR`. A missing file is created. */
function flock({ operands }: ParsedArguments, context: RefineContext): Refinement {
  const [file, next, ...rest] = operands;
  if (file === undefined || next === undefined) return {};
  const writes = [context.path(file, 'write', 'file')];
  if (next.kind !== 'static' || (next.value !== '-c' && next.value !== '--command'))
    return { writes, commands: [operands.slice(1)] };
  const [text] = rest;
  if (text === undefined || rest.length > 1)
    return { writes, opaque: [because('unknown-option', '`-c` of `flock` takes one text', operands)] };
  return { writes, scripts: [text] };
}

/** Without a name, output goes to `typescript`. Without `-c`, a shell reads the input. */
function typescript({ options, operands }: ParsedArguments, context: RefineContext): Refinement {
  if (options.some(({ spec }) => spec.names.includes('--help') || spec.names.includes('--version'))) return {};
  const names = new Set(options.flatMap(({ spec }) => spec.names));
  const named = operands.length > 0 || ['-I', '-O', '-B'].some((name) => names.has(name));
  const standard = { kind: 'static', value: 'typescript', span: { start: 0, end: 0 } } as const;
  return {
    writes: named ? [] : [context.path(standard, 'write', 'file')],
    opaque: names.has('-c')
      ? []
      : [because('stdin-code', '`script` without `-c` starts a shell that reads its input', operands)],
  };
}
