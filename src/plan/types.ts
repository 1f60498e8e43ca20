import type { GuaranteeName } from '../policy/guarantees.ts';
import type { FileIdentity, Mount, RootFile } from './mount.ts';
/** Guarantees of a backend, by the names that policies require. `docs/guarantees.md` describes each, and its attack. */
export { guaranteeNames as guarantees } from '../policy/guarantees.ts';

/**
 * A `Plan` is everything that a backend needs to build one box, as data. `policy + host facts → Plan` is a pure
 * function. A backend only renders the plan, and `holdfast plan` prints it. Paths are absolute and normalised, sizes
 * are bytes, and times are milliseconds.
 */
export interface Plan {
  readonly command: PlannedCommand;
  /** Mounts in the order in which they are made: a parent comes before everything in it. */
  readonly mounts: readonly Mount[];
  readonly protection: Protection;
  readonly landlock: LandlockPlan;
  /**
   * `installed`: no file of a mount that the box can write may run, or be mapped as a program. Default: any file may
   * run.
   */
  readonly runnable?: 'installed';
  readonly seccomp: SeccompPlan;
  readonly notify: NotifyPlan;
  /** Programs that are denied for all arguments. */
  readonly programs: readonly DeniedProgram[];
  readonly limits: LimitPlan;
  readonly network: NetworkPlan;
  /**
   * Directory of the staged layer whose overlays another process has mounted, for all boxes of a session. Default: the
   * box mounts them itself.
   */
  readonly keeper?: string;
  /**
   * The file in which the launcher keeps the directories that it saw, for the next one. Only directories that have
   * changed since are read again. Default: none.
   */
  readonly seen?: string;
  /**
   * `landlock`: no namespaces and no mounts. The box's root is the host's, and `mounts` holds only mounts that need
   * neither. Default: `namespaces`.
   */
  readonly confinement?: 'namespaces' | 'landlock';
  /** Guarantees that the backend must enforce in the kernel, or the box does not start. */
  readonly requires: readonly Guarantee[];
  /**
   * Guarantees that the backend must enforce at least in part, because the person who named it accepts the gaps.
   * Default: none.
   */
  readonly expects?: readonly Guarantee[];
}

export interface PlannedCommand {
  /** At least one argument. `argv[0]` is looked up in the box's own `PATH`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Files written just before the command starts, in the box's private memory. Default: none. */
  readonly files?: readonly RootFile[];
  /** Decisions about commands that this one starts, made when it entered. Default: none. */
  readonly settled?: readonly SettledCommand[];
}

/**
 * A command that someone has approved, so that nobody is asked again. With `insteadOf`: a command that Holdfast runs in
 * place of another.
 */
export interface SettledCommand {
  /** Absolute path. */
  readonly program: string;
  readonly argv: readonly string[];
  /** The arguments by which it is judged. */
  readonly insteadOf?: readonly string[];
}

export type Guarantee = GuaranteeName;

/**
 * Names that are protected or hidden wherever they occur below a root. The launcher searches for them when the box
 * starts. It mounts each hit read-only or masks it, and pins its parents. It searches again after the end and reports
 * new ones, so that the supervisor can quarantine them.
 */
export interface Protection {
  /** Writable roots, as mounted inside the box. */
  readonly roots: readonly string[];
  /**
   * Directories that the user shows read-only. Hidden names are masked there as well. No new names can appear in them.
   */
  readonly shownRoots: readonly string[];
  /** Roots that are git directories, under any name. Names protected below `.git` are protected in them. */
  readonly gitDirectories: readonly string[];
  readonly names: readonly ProtectedName[];
  /** Absolute paths that are read-only although no name says so, because git would run them. */
  readonly guarded: readonly string[];
  /** Absolute paths that are exempt although their name is protected. */
  readonly released: readonly string[];
  /** Directories below which names are withheld. Default: none. */
  readonly withholding?: readonly string[];
  /**
   * Absolute paths that are shown although their name is withheld, because their content was approved. Default: none.
   */
  readonly approved?: readonly string[];
  /** Absolute paths that are shown even if they hold a secret, because a person named them. Default: none. */
  readonly unjudged?: readonly string[];
}

export interface ProtectedName {
  /** Path components below any directory; each may hold `*` and `?`. ASCII case is ignored. */
  readonly components: readonly string[];
  /**
   * `pinned` directories cannot be moved or removed, but their content may change; pinned files are read-only.
   * `withheld`: existing files are hidden when the box starts, unless they are `approved`. The box may make new files
   * with that name. `suspect`: the same, but only files whose content holds a secret are hidden.
   */
  readonly effect: 'read-only' | 'hidden' | 'pinned' | 'withheld' | 'suspect';
  /** Exceptions: components that match but do not count, such as `.env.example`. Compared with the last component. */
  readonly except: readonly string[];
  /** `outside-packages`: does not apply below `node_modules`, or in references of git. */
  readonly scope: 'anywhere' | 'outside-packages';
  readonly reason: string;
}

export interface LandlockPlan {
  /** The lowest Landlock ABI with which the box may start. 0: Landlock is a second layer and may be absent. */
  readonly minimumAbi: number;
  /**
   * `listed`: only `execute` rules allow execution. Without any, nothing can be executed. `any`: every readable file
   * can be executed.
   */
  readonly execution: 'any' | 'listed';
  readonly rules: readonly LandlockRule[];
}

export interface LandlockRule {
  readonly path: string;
  /** `read` includes execution unless that is `listed`. `devices`: reading, writing and ioctl, but no creation. */
  readonly access: 'read' | 'write' | 'devices' | 'execute';
}

export interface SeccompPlan {
  readonly ptrace: 'deny' | 'allow';
  /**
   * `runtime`: the command itself confines another one (gVisor's `runsc`). It becomes uid 0 of a user namespace below
   * the box's own, and may trace, make namespaces and mount there. Landlock then enforces only its scopes, because a
   * process under a rule about files may not mount. The box's own mounts cannot be removed from there. Default: `none`.
   */
  readonly nesting?: 'none' | 'runtime';
  /**
   * `none`: `memfd_create` answers as a kernel without it, because no mount flag restricts such files. Default: `any`.
   */
  readonly memoryFiles?: 'any' | 'none';
}

/**
 * System calls that stop until someone outside the command has judged them. `guard`: the launcher's first process in
 * the box refuses protected new names at once. `supervisor`: the kernel asks the process that started the box, which
 * gets the descriptor through `StartOptions.listener`. The launcher then guards nothing itself. A filter has one
 * listener, so a box has one of the two.
 */
export type NotifyPlan = { readonly kind: 'none' } | GuardNotify | SupervisorNotify;

/** PID 1 of the box judges: new names, connections to Unix sockets, and watches of files. */
export interface GuardNotify {
  readonly kind: 'guard';
  readonly groups: readonly Extract<NotifyGroup, 'creations' | 'connections' | 'watches'>[];
}

export interface SupervisorNotify {
  readonly kind: 'supervisor';
  readonly groups: readonly NotifyGroup[];
  /**
   * `rules`: the supervisor judges only calls that rules concern, and the box's mounts hide ungranted paths.
   * `everything`: no mounts hide anything, so the supervisor refuses or performs each call of the groups itself.
   * Default: `rules`.
   */
  readonly reach?: 'rules' | 'everything';
  /** A strict policy compares a started program with the one that was judged. Default: it is not compared. */
  readonly started?: 'compared';
}

/**
 * Groups of system calls, defined in `src/plan/seccomp/notify.ts`. The last three only matter if no mounts hide
 * anything.
 */
export const notifyGroups = [
  'opens',
  'creations',
  'deletions',
  'renames',
  'truncations',
  'metadata',
  'connections',
  'watches',
  'own-sockets',
  'sockets',
  'signals',
  'executions',
  'guest-executions',
  'memory-files',
  'descriptors',
  'listens',
  'accesses',
] as const;
export type NotifyGroup = (typeof notifyGroups)[number];

/**
 * `mask`: the box does not see the program's file. `notification`: the supervisor refuses its execution, which is not a
 * boundary.
 */
export interface DeniedProgram {
  /** Name in the policy: a bare name or an absolute path. */
  readonly program: string;
  /** Path of the file, without symlinks. */
  readonly path: string;
  readonly identity: FileIdentity;
  readonly held: 'mask' | 'notification';
  /** Other programs that are the same file, and because of which it cannot be masked. */
  readonly sharedWith: readonly string[];
}

/** An absent limit is unlimited. */
export interface LimitPlan {
  readonly memory?: number;
  readonly processes?: number;
  /** Cores, such as 1.5. */
  readonly cpus?: number;
  /** Milliseconds of CPU time for each process. */
  readonly cpuTime?: number;
  readonly fileSize?: number;
  readonly openFiles?: number;
  /** Milliseconds from the start to SIGTERM. SIGKILL follows after `grace`. */
  readonly wall?: number;
  readonly grace: number;
  /** Bytes of private memory behind the overlays of package caches. */
  readonly privateDisk?: number;
  /** Bytes that a staged layer may take on disk. The supervisor checks them, because the kernel does not count them. */
  readonly staged?: number;
  /** Control groups to make, enter and remove, outermost first. Empty if none is delegated. */
  readonly cgroups: readonly CgroupPlan[];
}

export interface CgroupPlan {
  readonly directory: string;
  readonly files: readonly { readonly name: string; readonly value: string }[];
}

/** A closed network has its own loopback interface and nothing else. */
export type NetworkPlan = { readonly kind: 'closed' } | OpenNetwork;

/**
 * A network without an uplink, in which every address belongs to the box itself. Connections arrive at a listener whose
 * descriptor the supervisor holds.
 */
export interface OpenNetwork {
  readonly kind: 'names';
  readonly families: readonly ('ipv4' | 'ipv6')[];
  /**
   * `fake`: answers look-ups with an address of 198.18.0.0/15 for each name. `real`: answers with the vetted addresses.
   */
  readonly dns: 'fake' | 'real';
  /** Address of the resolver inside the box. */
  readonly resolver: string;
  /** Port to which the packet filter redirects every TCP connection that does not go to loopback. */
  readonly divertPort: number;
  /** Ports with a listener if there is no packet filter. */
  readonly fallbackPorts: readonly number[];
  /** Ports of the host's loopback that have a listener on the box's. */
  readonly loopbackPorts: readonly number[];
  /** Ports of the box's loopback that are shown on the host's. */
  readonly forward: readonly { readonly host: number; readonly box: number }[];
  /**
   * `session`: TLS may have to be ended for rules about requests, so the box trusts the session's own certificate
   * authority.
   */
  readonly authority: 'none' | 'session';
}
