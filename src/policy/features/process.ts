import * as v from 'valibot';
import type { Feature } from './feature.ts';

/** Processes of the box, and their view of processes outside. */
export const process = {
  name: 'process',
  policy: {
    process: v.optional(
      v.strictObject({
        ptrace: v.optional(
          v.pipe(v.picklist(['deny', 'allow']), v.description('Whether processes in the box may trace each other')),
        ),
      }),
    ),
  },
  settings: { ptrace: 'process.ptrace' },
  proofs: [
    {
      guarantee: 'pid',
      title: 'see a process of the host',
      attempt: 'test "$(tr "\\0" " " < "/proc/$VICTIM/cmdline")" = "sleep 600 "',
    },
    { guarantee: 'signals', title: 'kill a process of the host', attempt: 'kill "$VICTIM" && sleep 0.1' },
    { guarantee: 'ipc', title: 'read shared memory of the host', attempt: 'grep -q canary "$SHARED"' },
    { guarantee: 'syscalls', title: 'make a user namespace', attempt: 'unshare -Ur true' },
  ],
} as const satisfies Feature;
