import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Scratch } from './scratch.ts';

/** The way to run a command through a tool, or the reason why the tool cannot be measured here. */
export type Peer = PresentPeer | { readonly kind: 'absent'; readonly reason: string };

export interface PresentPeer {
  readonly kind: 'present';
  /** The words before the command. */
  readonly prefix: readonly string[];
}

const repository = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

const entry = join(repository, 'dist/holdfast.cjs');

/** `bin/holdfast run --`, as in a clone. */
export function holdfast(): Peer {
  return existsSync(entry)
    ? present(join(repository, 'bin/holdfast'), 'run', '--')
    : missing('it is not built, run `npm run setup`');
}

/** `srt`, allowed to write the workspace as Holdfast is. */
export function sandboxRuntime(scratch: Scratch): Peer {
  const program = resolve('@anthropic-ai/sandbox-runtime', 'cli.js');
  if (program === undefined) return missing('@anthropic-ai/sandbox-runtime is not installed');
  if (onPath('socat') === undefined) return missing('socat is not on PATH, which it needs (Debian: socat)');
  const settings = join(scratch.beside, 'srt-settings.json');
  writeFileSync(settings, JSON.stringify(sandboxRuntimeSettings(scratch.workspace)));
  return present(process.execPath, program, '--settings', settings, '--');
}

export function sandboxRuntimeSettings(workspace: string, allowWrite: readonly string[] = []) {
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [workspace, ...allowWrite], denyWrite: [] },
  };
}

const codexArguments = ['sandbox', '-c', 'sandbox_mode="workspace-write"', '--'];

/** The program itself, without its npm launcher. */
export function codexNative(): Peer {
  const triple = process.arch === 'arm64' ? 'aarch64-unknown-linux-musl' : 'x86_64-unknown-linux-musl';
  const package_ = join(repository, 'node_modules/@openai', `codex-linux-${process.arch}`);
  const program = join(package_, 'vendor', triple, 'bin/codex');
  return existsSync(program)
    ? present(program, ...codexArguments)
    : missing('@openai/codex has no binary for this platform');
}

/** `codex` as npm installs it: a Node program that starts the binary. */
export function codexLauncher(): Peer {
  const program = join(repository, 'node_modules/@openai/codex/bin/codex.js');
  return existsSync(program)
    ? present(process.execPath, program, ...codexArguments)
    : missing('@openai/codex is not installed');
}

/** The command of a careful user of bubblewrap alone. */
export function bubblewrap(workspace: string, extra: readonly string[] = []): Peer {
  const program = onPath('bwrap');
  if (program === undefined) return missing('bwrap is not on PATH');
  const root = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/tmp',
    '--bind',
    workspace,
    workspace,
  ];
  return present(
    program,
    ...root,
    ...extra,
    '--unshare-all',
    '--new-session',
    '--die-with-parent',
    '--chdir',
    workspace,
    '--',
  );
}

function onPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(':')
    .map((directory) => join(directory, program))
    .find(existsSync);
}

function resolve(name: string, file: string): string | undefined {
  try {
    return join(dirname(require.resolve(name)), file);
  } catch {
    return undefined;
  }
}

function present(...prefix: readonly string[]): Peer {
  return { kind: 'present', prefix };
}

function missing(reason: string): Peer {
  return { kind: 'absent', reason };
}
