import { constants } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import type { RemoteStream } from '../../kube/index.ts';
import type { ClusterConnection } from './connection.ts';
import { findPod, notRunning, ofItsClient } from './find-sandbox.ts';
import { commandExit, FollowedStreams } from './follow-command.ts';
import { attachTo, execIn } from './pod-streams.ts';
import { signalCommand } from './signal-command.ts';
import type { ClusterCommand, ClusterEnd, ClusterOutput } from './types.ts';

export interface JoinOptions {
  readonly onOutput: ClusterOutput;
  readonly onNotice: (line: string) => void;
  /** For `exec`: a separate terminal. */
  readonly terminal?: 'own' | 'none';
}

/**
 * Runs another command in the workspace of a sandbox, in a box of the same policy. A signal ends its streams, and the
 * command may go on without them until `stop`. Throws `HF_USAGE` for a sandbox without a running command.
 */
export async function execInSandbox(
  connection: ClusterConnection,
  { name, argv }: { readonly name: string; readonly argv: readonly string[] },
  { terminal = 'none', onOutput }: JoinOptions,
): Promise<ClusterCommand> {
  const { pod, entrance, shown, state } = await findPod(connection, name);
  if (state.kind !== 'running') throw notRunning(name, state.kind);
  if (entrance.length === 0)
    throw new HoldfastError('HF_USAGE', `${JSON.stringify(name)} does not say how a command enters its box`, {
      remedy: 'start it with `holdfast cluster run`',
    });
  const words = [...withoutPorts(entrance, shown), ...argv];
  const place = { pod, container: 'command', argv: words, stdin: 'open', terminal } as const;
  const stream = await execIn(connection, place, onOutput);
  return joined(connection, name, {
    stream,
    ended: execEnd(stream, name),
    signal: (signal) => ({ kind: 'ended', exitCode: 128 + constants.signals[signal], reason: '' }),
  });
}

/** The first command has the ports, and a second box with the same one would end at once. */
function withoutPorts(entrance: readonly string[], shown: readonly string[]): readonly string[] {
  return shown.length === 0 ? entrance : [...entrance.slice(0, -1), '--forward', 'none', '--'];
}

async function execEnd(stream: RemoteStream, name: string): Promise<ClusterEnd> {
  const end = await stream.ended;
  switch (end.kind) {
    case 'exited':
      return { kind: 'ended', exitCode: end.exitCode, reason: '' };
    case 'failed':
      throw new HoldfastError('HF_CLUSTER_FAILED', `the command did not run: ${end.message}`, {
        remedy: 'see `holdfast cluster list`, and whether the image has the program',
      });
    case 'lost':
      throw new HoldfastError('HF_CLUSTER_UNREACHABLE', `the connection to the command was lost: ${end.reason}`, {
        remedy: `it may still run, and cannot be joined again: look with \`holdfast cluster exec ${name} -- ls\`, then repeat it`,
      });
  }
}

/** Joins the first command of a sandbox until it ends, or until `leave`. Collects nothing and removes nothing. */
export async function attachToSandbox(
  connection: ClusterConnection,
  name: string,
  { onOutput, onNotice }: JoinOptions,
): Promise<ClusterCommand & { readonly terminal: 'own' | 'none' }> {
  const { pod, state, terminal, startedBy } = await findPod(connection, name);
  if (startedBy === 'exec') throw ofItsClient(name);
  if (state.kind !== 'running') throw notRunning(name, state.kind);
  const attach = () => attachTo(connection, { pod, container: 'command', stdin: 'open', terminal }, onOutput);
  const stream = await attach();
  const streams = new FollowedStreams(stream, { connection, name, attach, onNotice });
  const exit = commandExit(connection, name, { onNotice });
  exit.catch(() => undefined);
  const ended = streams.until(exit).then((end): ClusterEnd => ({ kind: 'ended', ...end }));
  const command = joined(connection, name, {
    stream,
    ended,
    signal(signal) {
      signalCommand(connection, { pod, startedBy }, signal).catch(() => undefined);
      return undefined;
    },
  });
  return { ...command, terminal };
}

interface Joined {
  readonly stream: RemoteStream;
  readonly ended: Promise<ClusterEnd>;
  /** Returns the end that the signal is for this client, if it is one. */
  readonly signal: (name: NodeJS.Signals) => ClusterEnd | undefined;
}

function joined({ namespace }: ClusterConnection, name: string, { stream, ended, signal }: Joined): ClusterCommand {
  const left = Promise.withResolvers<ClusterEnd>();
  const first = Promise.race([ended, left.promise]).finally(() => stream.close());
  ended.catch(() => undefined);
  first.catch(() => undefined);
  return {
    name,
    namespace,
    write: (bytes) => stream.write(bytes),
    endInput: () => stream.endInput(),
    resize: (size) => stream.resize(size),
    signal(signalName) {
      const end = signal(signalName);
      if (end !== undefined) left.resolve(end);
    },
    leave: () => left.resolve({ kind: 'left' }),
    ended: first,
  };
}
