import { constants } from 'node:os';
import type { LaunchFailure } from '../backends/backend.ts';
import { HoldfastError, type HoldfastErrorCode } from '../errors/index.ts';

const otherState =
  'set XDG_STATE_HOME to a directory on ext4, xfs, btrfs or (since Linux 6.6) tmpfs, outside of every overlay';

interface FailureRule {
  readonly stages: readonly string[];
  readonly code: HoldfastErrorCode;
  readonly message: (failure: LaunchFailure) => string;
  readonly remedy: string;
}

const missingNamespaces =
  'allow user namespaces (kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces > 0); in a container run `holdfast doctor`, which names the change, or add --backend landlock';

/** The meaning of each failed launcher step for a person. */
const failureRules: readonly FailureRule[] = [
  {
    stages: [
      'create namespaces',
      'map ids',
      'user namespace',
      'idmap',
      'make mounts private',
      'attach the private root',
      'bring up loopback',
      'pivot_root',
    ],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `this host does not let the box be built (${failure.stage}: ${errnoName(failure)}); missing guarantees: fs.read fs.write pid net.closed`,
    remedy: missingNamespaces,
  },
  {
    stages: ['create file system', 'mount scaffold', 'bind device'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `this host or container does not let the box be built (${failure.stage} ${failure.path}: ${errnoName(failure)}); missing guarantees: fs.read fs.write pid`,
    remedy: 'run `holdfast doctor`, which names the change of the container, or add --backend landlock',
  },
  {
    stages: ['enter signal domain'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `this kernel has less of Landlock than its version promises (${failure.stage}: ${errnoName(failure)}); missing guarantees: fs.read fs.write signals`,
    remedy: 'add landlock to the kernel parameter lsm=, or use a kernel with CONFIG_SECURITY_LANDLOCK',
  },
  {
    stages: ['enforce seccomp'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `this kernel does not accept the system call filter (${errnoName(failure)}); missing guarantee: syscalls`,
    remedy: 'use a kernel with CONFIG_SECCOMP_FILTER',
  },
  {
    stages: ['install listener'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `system calls cannot be passed to a listener (${errnoName(failure)}): this process already runs under another one`,
    remedy:
      'run holdfast outside of that sandbox; or, when no rule asks, redirects or keeps, set files.new_protected = "quarantine" and sockets.later = "reach" in ~/.config/holdfast/policy.toml',
  },
  {
    stages: ['Landlock ABI'],
    code: 'HF_GUARANTEE_MISSING',
    message: () =>
      'this kernel has no Landlock, or an older one than the box needs; missing guarantees: fs.read fs.write signals (with --backend landlock), or commands.allow',
    remedy: 'add landlock to the kernel parameter lsm=, use a newer Linux, or see `holdfast backends`',
  },
  {
    stages: ['hold inherited file'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `the ${failure.path} of the command is a file, and this kernel's Landlock cannot limit how the command reopens it; missing guarantees: fs.read fs.write`,
    remedy:
      'put a pipe between (`cat FILE | holdfast run …`, `holdfast run … | cat > FILE`), or use Linux 6.2 or newer',
  },
  {
    stages: ['inherited file could run'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `the ${failure.path} of the command is a file on a mount that runs programs, so the command could run it; missing guarantee: fs.exec`,
    remedy: 'put a pipe between (`cat FILE | holdfast run …`, `holdfast run … | cat > FILE`)',
  },
  {
    stages: ['forbid programs'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `${failure.path} cannot be mounted without programs (${errnoName(failure)}); missing guarantee: fs.exec`,
    remedy: 'leave `commands.programs = "installed"` out',
  },
  {
    stages: ['look into processes'],
    code: 'HF_GUARANTEE_MISSING',
    message: () =>
      'the first process of the box may not read the memory of the others, so it could not know which names they make',
    remedy:
      'allow process_vm_readv, which a kernel.yama.ptrace_scope of 2 or 3 or a seccomp filter forbids; or set files.new_protected = "quarantine" and sockets.later = "reach" in ~/.config/holdfast/policy.toml',
  },
  {
    stages: ['watch covered files'],
    code: 'HF_LAUNCHER_FAILED',
    message: (failure) =>
      `Holdfast could no longer watch for programs outside that uncover a hidden or protected file (${errnoName(failure)}), so the box was ended`,
    remedy: 'run the command again; see `holdfast doctor` if it happens again',
  },
  {
    stages: ['keep descriptors back'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `Holdfast cannot close its own open files for the command (close_range: ${errnoName(failure)}); missing guarantees: fs.read fs.write`,
    remedy: 'use Linux 5.11 or newer, and allow close_range where a seccomp filter around this process forbids it',
  },
  {
    stages: ['idmapped workspace'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `${failure.path} belongs to another user, and its file system cannot show it to root as its own (${errnoName(failure)})`,
    remedy: 'run holdfast as the user that owns this directory',
  },
  {
    stages: ['idmapped mount'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `the file system of ${failure.path} cannot be shown to root without its owners (${errnoName(failure)}); missing guarantee: fs.read`,
    remedy: 'run holdfast as an ordinary user, or add --backend landlock',
  },
  {
    stages: ['source changed', 'source is a symlink', 'open root'],
    code: 'HF_ROOT_CHANGED',
    message: (failure) => `${failure.path} has changed since the box was planned (${failure.stage})`,
    remedy: 'check the file that replaced it, then run the command again',
  },
  {
    stages: ['open source'],
    code: 'HF_ROOT_CHANGED',
    message: (failure) => `${failure.path} cannot be opened (${errnoName(failure)})`,
    remedy: 'take it out of the policy, or make it readable',
  },
  {
    stages: ['look for protected names'],
    code: 'HF_LAUNCHER_FAILED',
    message: (failure) => `${failure.path} cannot be searched for protected names (${errnoName(failure)})`,
    remedy: 'remove trees deeper than 512 levels and paths longer than 4,095 bytes: these cannot be protected',
  },
  {
    stages: ['enter working directory'],
    code: 'HF_WORKSPACE_MISSING',
    message: (failure) => `the working directory ${failure.path} does not exist in the box (${errnoName(failure)})`,
    remedy: 'start inside the workspace, or grant the directory with --read',
  },
  {
    stages: ['set control group', 'make control group'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) => `the limits cannot be set: ${failure.path} (${errnoName(failure)})`,
    remedy: 'see `holdfast doctor`, or take the limit out of the policy',
  },
  {
    stages: ['keep changes private'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `changes of a box below ${failure.path} cannot be kept apart: overlayfs does not accept that directory (${errnoName(failure)}); missing guarantee: fs.write`,
    remedy:
      'unmount the file systems below it (`findmnt -R DIRECTORY`), or run with a home directory on one file system',
  },
  {
    stages: ['hold names'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `the names below ${failure.path} cannot be held apart from the host: overlayfs does not accept that directory (${errnoName(failure)}); missing guarantee: fs.deny-in-allow`,
    remedy:
      'unmount the file systems below it (`findmnt -R DIRECTORY`), grant narrower directories for reading, or run without --strict',
  },
  {
    stages: ['staged layer without attributes'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `the file system of ${failure.path} has no user attributes (${errnoName(failure)}), without which overlayfs forgets which directories were emptied; missing guarantee: fs.stage`,
    remedy: otherState,
  },
  {
    stages: ['stage directory'],
    code: 'HF_GUARANTEE_MISSING',
    message: (failure) =>
      `${failure.path} cannot be staged: overlayfs does not accept it, or not the file system of the staged layers (${errnoName(failure)}); missing guarantee: fs.stage`,
    remedy: otherState,
  },
  {
    stages: ['reach staged layer'],
    code: 'HF_LAUNCHER_FAILED',
    message: (failure) =>
      `the process that keeps the staged layer mounted has ended (${failure.path}: ${errnoName(failure)})`,
    remedy: 'its writes are kept: open the sandbox again, with `staged: { into: ID }`',
  },
  {
    stages: ['open staged layer'],
    code: 'HF_STAGED_INVALID',
    message: (failure) => `${failure.path} of the staged layer cannot be opened (${errnoName(failure)})`,
    remedy: 'see `holdfast staged list`, and stage into a new layer',
  },
  {
    stages: ['bubblewrap'],
    code: 'HF_LAUNCHER_FAILED',
    message: () => 'bubblewrap did not build the box; its message is on stderr',
    remedy: 'see `holdfast doctor --prove`, or leave --backend out',
  },
  {
    stages: ['run the virtual machine'],
    code: 'HF_LAUNCHER_FAILED',
    message: () => 'the virtual machine failed; its message is on stderr',
    remedy: 'run the command again; if it always happens, run `holdfast microvm build`, or use --backend native',
  },
  {
    stages: ['start gVisor'],
    code: 'HF_LAUNCHER_FAILED',
    message: () => 'gVisor did not start the command; its message is on stderr',
    remedy: 'run the command again; if it always happens, install a newer runsc, or use --backend native',
  },
  {
    stages: ['launcher killed'],
    code: 'HF_LAUNCHER_FAILED',
    message: (failure) => `the launcher was killed (${failure.path})`,
    remedy: 'the box ended with it; run the command again',
  },
];

/** Returns a typed error for a box that did not start or end as it should. */
export function failureError(failure: LaunchFailure, command: string): HoldfastError {
  if (failure.stage === 'exec') return execError(failure, command);
  const rule = failureRules.find(({ stages }) => stages.includes(failure.stage));
  const details = { stage: failure.stage, path: failure.path, errno: errnoName(failure) };
  if (rule !== undefined) return new HoldfastError(rule.code, rule.message(failure), { remedy: rule.remedy, details });
  return new HoldfastError(
    'HF_LAUNCHER_FAILED',
    `the box could not be built: ${failure.stage} ${failure.path} (${errnoName(failure)})`,
    { remedy: 'see `holdfast doctor --prove`', details },
  );
}

function execError(failure: LaunchFailure, command: string): HoldfastError {
  const missing = failure.errno === constants.errno.ENOENT || failure.errno === constants.errno.ENOTDIR;
  return missing
    ? new HoldfastError('HF_COMMAND_NOT_FOUND', `${command}: command not found in the box`, {
        remedy: /\s/u.test(command)
          ? `write each word apart, as in \`holdfast run -- npm test\`, or start a shell: sh -c ${JSON.stringify(command)}`
          : 'check its name; a program outside the system directories needs a grant: --read DIRECTORY',
      })
    : new HoldfastError('HF_COMMAND_NOT_EXECUTABLE', `${command}: cannot be executed (${errnoName(failure)})`, {
        remedy: 'check that it is an executable program, and that its interpreter is visible in the box',
      });
}

function errnoName(failure: LaunchFailure): string {
  return (
    Object.entries(constants.errno).find(([, number]) => number === failure.errno)?.[0] ?? `errno ${failure.errno}`
  );
}
