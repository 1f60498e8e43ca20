import type { PathEffect, Word } from '../../types.ts';
import {
  each,
  toolFamily,
  flags,
  inOrder,
  opaqueEffect,
  reachesUnknown,
  reads,
  repositoryCode,
  takes,
  tool,
  warns,
  warnsTaking,
} from '../notation.ts';
import type { OptionSpec, Refine, RefineContext, ToolSpec } from '../types.ts';
import { wordAsTyped, staticWord, plainText } from '../words.ts';

/** A program that talks to the engine has the engine's power: on most machines, all of it. */
const engine = opaqueEffect('unknown-option', 'asks the container engine, which works outside of the box');

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

const escapes: readonly OptionSpec[] = [
  ...warns(opaqueEffect('inline-code', '`--privileged` gives the container the machine'), '--privileged'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--cap-add`, `--device` and `--security-opt` take walls of the container away'),
    '--cap-add',
    '--device',
    '--security-opt',
    '--device-cgroup-rule',
  ),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--pid`, `--ipc`, `--userns` and `--cgroupns` share what belongs to the host'),
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

const looks = [
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
const alters = [
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

const run = tool('run', {
  grammar: 'getopt-posix',
  options: running,
  operands: inOrder(['text'], 'text'),
  always: [engine, opaqueEffect('inline-code', 'runs an image and a command that are not looked into')],
  refine: mounts,
});
const exec = tool('exec', {
  grammar: 'getopt-posix',
  options: running,
  operands: each('text'),
  always: [engine, opaqueEffect('inline-code', 'runs a command in a container, which is not looked into')],
});
const build = tool('build', {
  options: [
    ...flags('--no-cache', '--pull', '-q --quiet', '--rm', '--force-rm', '--squash', '--push', '--load', '--no-rm'),
    ...takes(
      'text',
      '-t --tag',
      '--build-arg',
      '--target',
      '--platform',
      '--label',
      '--network',
      '--progress',
      '--cache-from',
      '--cache-to',
      '--build-context',
    ),
    ...takes('read', '-f --file'),
    ...takes('write', '--iidfile', '--metadata-file'),
    ...takes('text', '--secret', '--ssh'),
    ...warnsTaking(opaqueEffect('unknown-option', '`--output` writes the result where its value says'), '-o --output'),
    ...warnsTaking(opaqueEffect('inline-code', '`--allow` takes walls of the build away'), '--allow'),
    ...escapes,
  ],
  operands: each('read-tree'),
  always: [engine, ...repositoryCode('commands of the Dockerfile')],
});
const moving = tool('pull push login logout', {
  options: [
    ...flags('-a --all-tags', '-q --quiet', '--password-stdin'),
    ...takes('text', '--platform', '-u --username', '-p --password'),
  ],
  operands: each('text'),
  always: [engine],
  refine: reachesUnknown('the image registry'),
});
const copying: Refine = (parsed, context) => {
  const [from, to] = parsed.operands;
  const isLocal = (word: Word | undefined): word is Word =>
    word !== undefined && plainText(word) !== '-' && !/^[^/.][^/]*:/u.test(wordAsTyped(word));
  return {
    reads: isLocal(from) ? [context.path(from, 'read', 'tree')] : [],
    writes: isLocal(to) ? [context.path(to, 'write', 'tree')] : [],
  };
};
const copy = tool('cp', {
  options: flags('-a --archive', '-L --follow-link', '-q --quiet'),
  operands: each('text'),
  always: [engine],
  refine: copying,
});
const saving = tool('save load export import', {
  options: [...flags('-q --quiet'), ...takes('write', '-o --output'), ...takes('read', '-i --input')],
  operands: each('text'),
  always: [engine],
});

const compose = (names: string): ToolSpec =>
  toolFamily(
    names,
    [
      ...looks,
      ...alters,
      run,
      exec,
      tool('config', {
        options: flags('-q --quiet', '--services', '--images', '--volumes'),
        operands: each('text'),
        always: [reads('.')],
      }),
      tool('up down build pull push', {
        options: [
          ...flags(
            '-d --detach',
            '--build',
            '--no-build',
            '--no-deps',
            '--force-recreate',
            '--remove-orphans',
            '-v --volumes',
            '--wait',
            '--no-cache',
            '-q --quiet',
            '--pull',
            '-t',
            '--abort-on-container-exit',
          ),
          ...takes('text', '--scale', '--timeout', '--rmi'),
        ],
        operands: each('text'),
        always: [
          engine,
          ...repositoryCode('images, commands and mounts of the compose file'),
          opaqueEffect('inline-code', 'starts what the compose file names, mounts of the host included'),
        ],
      }),
    ],
    {
      options: [
        ...takes('read', '-f --file', '--env-file'),
        ...takes('text', '-p --project-name', '--profile', '--ansi', '--progress'),
        ...takes('directory', '--project-directory'),
        ...flags('-v --version', '--compatibility'),
      ],
    },
  );

const elsewhere = [
  ...warnsTaking(
    opaqueEffect('unknown-option', '`--host` and `--context` ask another engine'),
    '-H --host',
    '-c --context',
    '--url',
    '--connection',
  ),
  ...warnsTaking(opaqueEffect('inline-code', '`--config` names helpers that run'), '--config'),
  ...flags('-v --version', '--help', '-D --debug'),
];
const groups = ['container', 'image', 'volume', 'network', 'system', 'builder'].map((name) =>
  toolFamily(name, [...looks, ...alters, run, exec, build, moving, copy, saving]),
);
const docker = toolFamily(
  'docker podman nerdctl',
  [
    ...looks,
    ...alters,
    run,
    exec,
    build,
    moving,
    copy,
    saving,
    ...groups,
    toolFamily('buildx', [build, ...looks, ...alters]),
    compose('compose'),
  ],
  { options: elsewhere },
);
const buildah = toolFamily(
  'buildah',
  [
    build,
    ...looks,
    ...alters,
    run,
    moving,
    copy,
    tool('bud from', { operands: each('text'), always: [engine, ...repositoryCode('commands of the Dockerfile')] }),
  ],
  { options: flags('-v --version') },
);

export const dockerTools: readonly ToolSpec[] = [docker, compose('docker-compose podman-compose'), buildah];
export { copying };
