import { kubeRefusal, objectIn } from '../api/failures.ts';

/** The subprotocol: a byte for the channel before each message, and 255 to close one. */
export const protocol = 'v5.channel.k8s.io';

export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

export function encodeData(channel: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(channel), bytes]);
}

export function encodeClose(channel: number): Buffer {
  return Buffer.of(channels.close, channel);
}

/** The end of a command's streams. */
export type RemoteEnd =
  /** The streams of `attach` ended in order: the status says nothing about the command. */
  | { readonly kind: 'exited'; readonly exitCode: number }
  /** The command could not be started, or the node lost it. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** Reads the `Status` of the error channel. */
export function endOf(text: string): RemoteEnd {
  if (objectIn(text)['status'] === 'Success') return { kind: 'exited', exitCode: 0 };
  const { reason, message, causes } = kubeRefusal(0, text);
  const code = Number(causes.find((cause) => cause.reason === 'ExitCode')?.message);
  if (reason === 'NonZeroExitCode' && Number.isInteger(code) && code > 0 && code < 256)
    return { kind: 'exited', exitCode: code };
  return { kind: 'failed', message: message === '' ? 'no reason given' : message };
}
