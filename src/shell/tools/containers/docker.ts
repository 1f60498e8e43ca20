import type { Word } from '../../types.ts';
import {
  each,
  toolFamily,
  flags,
  opaqueEffect,
  reachesUnknown,
  repositoryCode,
  takes,
  tool,
  warnsTaking,
} from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { wordAsTyped, plainText } from '../words.ts';
import { compose } from './compose.ts';
import { alters, engine, escapes, execOptions, looks, runOptions } from './container-options.ts';

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

/** Parts of a swarm, of which only questions are known. */
const parts = ['service', 'node', 'stack', 'secret', 'config', 'plugin', 'pod'].map((name) => toolFamily(name, looks));

const groups = ['container', 'image', 'volume', 'network', 'system', 'builder'].map((name) =>
  toolFamily(name, [...looks, ...alters, runOptions, execOptions, build, moving, copy, saving]),
);

const docker = toolFamily(
  'docker podman nerdctl',
  [
    ...looks,
    ...alters,
    runOptions,
    execOptions,
    build,
    moving,
    copy,
    saving,
    ...groups,
    ...parts,
    toolFamily('manifest', [
      tool('inspect', {
        options: flags('-v --verbose'),
        operands: each('text'),
        refine: reachesUnknown('the image registry'),
      }),
    ]),
    toolFamily('buildx', [build, ...looks.filter(({ names }) => !names.includes('history')), ...alters]),
    toolFamily('context', [
      tool('ls show', { options: [...flags('-q --quiet'), ...takes('text', '--format')], operands: each('text') }),
    ]),
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
    runOptions,
    moving,
    copy,
    tool('bud from', { operands: each('text'), always: [engine, ...repositoryCode('commands of the Dockerfile')] }),
  ],
  { options: flags('-v --version') },
);

export const dockerTools: readonly ToolSpec[] = [docker, compose('docker-compose podman-compose'), buildah];
export { copying };
