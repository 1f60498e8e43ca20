import type { AnalysedInvocation, Analysis, Opacity, Word } from '../../shell/types.ts';
import type { CommandFacts } from '../command/types.ts';
import { places } from './policies.ts';

const span = { start: 0, end: 0 };

/** `$x` is an unknown argument, `*x` a glob, `~/x` a path below the home directory. */
export function word(text: string): Word {
  if (text.startsWith('$')) return { kind: 'dynamic', text, because: 'expansion', span };
  if (text.includes('*')) return { kind: 'glob', text, prefix: text.slice(0, text.indexOf('*')), span };
  return text.startsWith('~/')
    ? { kind: 'static', value: text.slice(1), lead: 'home', span }
    : { kind: 'static', value: text, span };
}

export function opacity(kind: Opacity['kind'], message = `it is ${kind}`): Opacity {
  return { kind, message, span };
}

export interface Shape {
  readonly argv: readonly string[];
  readonly parent?: number;
  readonly opaque?: readonly Opacity[];
  readonly effects?: Partial<AnalysedInvocation['effects']>;
}

/** The analysis of commands, with `opaque` for the text as a whole. */
export function analysisOf(shapes: readonly Shape[], opaque: readonly Opacity[] = []): Analysis {
  return { invocations: shapes.map(invocationOf), opaque };
}

function invocationOf({ argv, parent, opaque = [], effects = {} }: Shape, id: number): AnalysedInvocation {
  return {
    id,
    parent,
    relation: parent === undefined ? 'script' : 'wrapped',
    argv: argv.map(word),
    assignments: [],
    redirects: [],
    stdin: { kind: 'inherited' },
    cwd: places.workspace,
    runs: 'always',
    span,
    tool: undefined,
    effects: { reads: [], writes: [], runs: [], hosts: [], opaque, ...effects },
  };
}

/** Every program is at its system path, except for those that are named here. */
export function factsWith(programs: Readonly<Record<string, ReturnType<CommandFacts['resolve']>>> = {}): CommandFacts {
  return {
    ...places,
    resolve: ({ argv: [program] }) => {
      const name = program?.kind === 'static' ? program.value : '';
      return Object.hasOwn(programs, name)
        ? programs[name]
        : { kind: 'found', path: name.startsWith('/') ? name : `/usr/bin/${name}` };
    },
  };
}
