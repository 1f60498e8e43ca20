import { each, toolFamily, flags, opaqueEffect, reads, repositoryCode, takes, tool } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { alters, engine, execOptions, looks, runOptions } from './container-options.ts';

export const compose = (names: string): ToolSpec =>
  toolFamily(
    names,
    [
      ...looks,
      ...alters,
      runOptions,
      execOptions,
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
          opaqueEffect('inline-code', 'starts the services of the compose file, with their mounts of the host'),
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
