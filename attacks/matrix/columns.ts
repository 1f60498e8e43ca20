import type { Backend } from '../runner/attack.ts';

/**
 * The way to run an agent in one column. `control`: directly. `stand-in`: a script of `columns/` replaces `holdfast`.
 */
export type Rig =
  | { readonly kind: 'control' }
  | { readonly kind: 'stand-in'; readonly script: string; readonly program?: string }
  | { readonly kind: 'holdfast'; readonly backend: Backend }
  | { readonly kind: 'not run here'; readonly reason: string };

export interface Column {
  readonly title: string;
  readonly what: string;
  readonly rig: Rig;
}

export const columns: readonly Column[] = [
  { title: 'No sandbox', what: 'the unchanged agent', rig: { kind: 'control' } },
  { title: 'Seatbelt', what: 'sandbox-exec of macOS', rig: { kind: 'not run here', reason: 'it is part of macOS' } },
  {
    title: 'bubblewrap',
    what: '`bwrap` alone: everything except the workspace is read-only, no network, a separate PID namespace',
    rig: { kind: 'stand-in', script: 'bubblewrap', program: 'bwrap' },
  },
  {
    title: 'gVisor',
    what: '`holdfast run --backend gvisor` without a policy, everything approved unseen',
    rig: { kind: 'stand-in', script: 'gvisor', program: 'runsc' },
  },
  {
    title: 'WASM',
    what: 'tools as WebAssembly modules',
    rig: { kind: 'not run here', reason: 'the agents of these exploits are programs, not modules' },
  },
  {
    title: 'Worktree',
    what: 'the unchanged agent, in a copy of the workspace; only effects on the original and on the rest of the machine count',
    rig: { kind: 'stand-in', script: 'worktree' },
  },
  {
    title: 'Content hash',
    what: 'the unchanged agent, in a workspace without the files that `holdfast trust` does not list as approved',
    rig: { kind: 'stand-in', script: 'content-hash' },
  },
  {
    title: 'Staged',
    what: '`holdfast run --staged` without a policy, everything approved unseen; only effects on the host count',
    rig: { kind: 'stand-in', script: 'staged' },
  },
  {
    title: 'Native box',
    what: '`holdfast run` without a policy, everything approved unseen',
    rig: { kind: 'stand-in', script: 'native' },
  },
  {
    title: 'Full stack',
    what: '`holdfast run` with the policy and the approvals of the attack',
    rig: { kind: 'holdfast', backend: 'native' },
  },
  {
    title: 'Full stack, bubblewrap',
    what: 'the same with `--backend bubblewrap`',
    rig: { kind: 'holdfast', backend: 'bubblewrap' },
  },
  {
    title: 'Full stack, Landlock',
    what: 'the same with `--backend landlock`',
    rig: { kind: 'holdfast', backend: 'landlock' },
  },
];
