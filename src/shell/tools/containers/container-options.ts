import type { PathEffect, Word } from '../../types.ts';
import { each, flags, inOrder, opaqueEffect, reads, takes, tool, warns, warnsTaking } from '../notation.ts';
import type { OptionSpec, Refine, RefineContext, ToolSpec } from '../types.ts';
import { wordAsTyped, staticWord, plainText } from '../words.ts';

/** A program that talks to the engine has the engine's power: on most machines, all of it. */
export const engine = opaqueEffect('unknown-option', 'asks the container engine, which works outside of the box');

/** `-v HOST:INSIDE[:ro]` and `--mount type=bind,source=HOST`: a host path that the container writes. */
const mounts: Refine = (parsed, context) => {
  const found = parsed.options.flatMap(({ spec, value }) => {
    if (value === undefined) return [];
    if (spec.names.includes('--volume')) return volume(value, context);
    return spec.names.includes('--mount') ? mount(value, context) : [];
  });
  return { reads: found.filter(({ use }) => use === 'read'), writes: found.filter(({ use }) => use === 'write') };
};

function volume(word: Word, context: RefineContext): readonly PathEffect[] {
  const text = plainText(word);
  if (text === undefined) return [context.path(word, 'write', 'tree')];
  const [host = '', , mode = ''] = text.split(':');
  return /^[./~]/u.test(host) && text.includes(':')
    ? [context.path(staticWord(host, word.span), mode.split(',').includes('ro') ? 'read' : 'write', 'tree')]
    : [];
}

function mount(word: Word, context: RefineContext): readonly PathEffect[] {
  const fields = wordAsTyped(word).split(',');
  const source = fields.find((field) => /^(?:source|src)=/u.test(field))?.replace(/^[^=]*=/u, '');
  if (!fields.includes('type=bind') || source === undefined) return [];
  const isReadOnly = fields.some((field) => /^(?:readonly|ro)(?:=true)?$/u.test(field));
  return [
    context.path(word.kind === 'static' ? staticWord(source, word.span) : word, isReadOnly ? 'read' : 'write', 'tree'),
  ];
}

export const escapes: readonly OptionSpec[] = [
  ...warns(opaqueEffect('inline-code', '`--privileged` gives the container the machine'), '--privileged'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--cap-add`, `--device` and `--security-opt` take walls of the container away'),
    '--cap-add',
    '--device',
    '--security-opt',
    '--device-cgroup-rule',
  ),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--pid`, `--ipc`, `--userns` and `--cgroupns` can share namespaces of the host'),
    '--pid',
    '--ipc',
    '--userns',
    '--uts',
    '--cgroupns',
    '--volumes-from',
    '--runtime',
  ),
];

const running: readonly OptionSpec[] = [
  ...escapes,
  ...flags(
    '-d --detach',
    '-i --interactive',
    '-t --tty',
    '--rm',
    '--init',
    '-P --publish-all',
    '--read-only',
    '-q --quiet',
    '--no-healthcheck',
    '-T --no-TTY',
    '--build',
    '--service-ports',
    '--no-deps',
    '--sig-proxy',
  ),
  ...takes(
    'text',
    '--name',
    '-e --env',
    '-w --workdir',
    '-u --user',
    '-p --publish',
    '--network --net',
    '-h --hostname',
    '-l --label',
    '-m --memory',
    '--cpus',
    '--restart',
    '--platform',
    '--pull',
    '--expose',
    '--ulimit',
    '--shm-size',
    '--cap-drop',
    '--stop-signal',
    '--log-driver',
    '--gpus',
    '--add-host',
    '--dns',
    '--tmpfs',
    '--index',
    '--entrypoint',
    '-v --volume',
    '--mount',
  ),
  ...takes('read', '--env-file', '--label-file'),
  ...takes('write', '--cidfile', '--iidfile'),
];

const looking = (name: string): ToolSpec =>
  tool(name, {
    options: [
      ...flags(
        '-a --all',
        '-q --quiet',
        '-l --latest',
        '-s --size',
        '--no-trunc',
        '--digests',
        '-t --timestamps',
        '--no-stream',
        '--details',
        '--services',
        '--no-log-prefix',
        '--no-color',
        '-v --verbose',
      ),
      ...takes('text', '--filter', '-n --last --tail', '--format', '--type', '--since', '--until'),
      ...flags('-f --follow'),
    ],
    operands: each('text'),
    always: [reads('/var/run/docker.sock', 'file')],
  });

const changing = (name: string): ToolSpec =>
  tool(name, {
    options: [
      ...flags(
        '-f --force',
        '-v --volumes',
        '-a --all',
        '-q --quiet',
        '--no-prune',
        '--remove-orphans',
        '--rmi',
        '-i',
        '--attach',
      ),
      ...takes('text', '-t --time --timeout', '-s --signal', '--filter', '-m --message'),
    ],
    operands: each('text'),
    always: [engine, opaqueEffect('unknown-option', 'changes containers, images or volumes')],
  });

export const looks = [
  'ps',
  'images',
  'logs',
  'inspect',
  'version',
  'info',
  'top',
  'stats',
  'port',
  'history',
  'diff',
  'events',
  'search',
  'ls',
  'list',
  'df',
].map(looking);

export const alters = [
  'start',
  'stop',
  'restart',
  'kill',
  'rm',
  'rmi',
  'pause',
  'unpause',
  'tag',
  'prune',
  'rename',
  'wait',
  'update',
  'create',
  'commit',
  'attach',
  'connect',
  'disconnect',
  'remove',
  'use',
].map(changing);

export const runOptions = tool('run', {
  grammar: 'getopt-posix',
  options: running,
  operands: inOrder(['text'], 'text'),
  always: [engine, opaqueEffect('inline-code', 'runs an image and a command that are not looked into')],
  refine: mounts,
});

export const execOptions = tool('exec', {
  grammar: 'getopt-posix',
  options: running,
  operands: each('text'),
  always: [engine, opaqueEffect('inline-code', 'runs a command in a container, which is not looked into')],
});
