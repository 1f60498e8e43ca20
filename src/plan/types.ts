import type { GuaranteeName } from '../policy/guarantees.ts';

/**
 * A `Plan` is everything that a backend needs to build one box, as data. `policy + host facts → Plan` is a pure
 * function; a backend only renders it, and `holdfast plan` prints it. Paths are absolute and normalised; sizes are
 * bytes; times are milliseconds.
 */
export interface Plan {
  readonly command: PlannedCommand;
  /** In the order in which they are made: a parent always comes before what is in it. */
  readonly mounts: readonly Mount[];
  readonly protection: Protection;
  readonly landlock: LandlockPlan;
  readonly seccomp: SeccompPlan;
  readonly notify: NotifyPlan;
  /** Programs that are refused whatever their arguments are. */
  readonly programs: readonly DeniedProgram[];
  readonly limits: LimitPlan;
  readonly network: NetworkPlan;
  /**
   * Directory of the staged layer whose overlays another process has mounted, for all boxes of a session. Default: the
   * box mounts them itself.
   */
  readonly keeper?: string;
  /**
   * `landlock`: no namespaces and no mounts, so the box's root is the host's, and `mounts` holds only what needs none.
   * Default `namespaces`.
   */
  readonly confinement?: 'namespaces' | 'landlock';
  /** What the backend must be able to enforce in the kernel, or the box does not start. */
  readonly requires: readonly Guarantee[];
  /**
   * What it must hold at least in part, because a person has named it who knows that there are gaps. Default: nothing.
   */
  readonly expects?: readonly Guarantee[];
}

export interface PlannedCommand {
  /** At least one word. `argv[0]` is looked up in the box's own `PATH`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Written just before it starts, in private memory of its box. Default: none. */
  readonly files?: readonly RootFile[];
  /** What was settled about commands that this one starts, when it entered. Default: nothing. */
  readonly settled?: readonly SettledCommand[];
}

/**
 * One that someone has approved, so that nobody is asked again; or, with `insteadOf`, one that Holdfast has put in the
 * place of another.
 */
export interface SettledCommand {
  /** Absolute. */
  readonly program: string;
  readonly argv: readonly string[];
  /** The words by which it is judged. */
  readonly insteadOf?: readonly string[];
}

/**
 * What a backend can promise: the words in which a policy requires it. `docs/guarantees.md` says what each one means
 * and which attack shows it.
 */
export { guaranteeNames as guarantees } from '../policy/guarantees.ts';
export type Guarantee = GuaranteeName;

export type Mount =
  | BindMount
  | OverlayMount
  | TmpfsMount
  | ProcMount
  | DevicesMount
  | RootDirectory
  | RootSymlink
  | RootFile
  | MaskMount;

/** A file or directory of the host, seen at `target`. */
export interface BindMount {
  readonly kind: 'bind';
  readonly source: string;
  readonly target: string;
  readonly access: 'read-only' | 'read-write';
  /**
   * `foreign` shows every owner as nobody (an idmapped mount). So a box that runs as root reads no more of the system
   * than an ordinary user. `as-root` shows the owner of the source as root, and root as that owner: a box of root works
   * in another user's workspace. It equals `as-is` unless another user owns the workspace and the source. Only root can
   * make such mounts; for others both equal `as-is`.
   */
  readonly ownership: 'as-is' | 'foreign' | 'as-root';
  /** The inode that was planned. The launcher refuses a source that has become another one. */
  readonly identity: FileIdentity;
  /** Whether the source may vanish between planning and launching without the box being refused. */
  readonly presence: 'required' | 'optional';
}

/** Numbers of the kernel's `stat`, as decimal text: they need 64 bits, and a plan is JSON. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
  readonly type: 'file' | 'directory' | 'other';
}

/**
 * A directory of the host whose writes go elsewhere: to private memory that ends with the box (package caches), or to a
 * layer.
 */
export interface OverlayMount {
  readonly kind: 'overlay';
  readonly lower: string;
  readonly target: string;
  readonly identity: FileIdentity;
  /** As of a bind: of the directory and of its layer. Default: `as-is`. */
  readonly ownership?: 'as-root';
  /** Where what is written is kept. Default: private memory. */
  readonly layer?: OverlayLayer;
}

/** Two directories of the host on one file system; what overlayfs calls `upperdir` and `workdir`. */
export interface OverlayLayer {
  readonly upper: LayerDirectory;
  readonly work: LayerDirectory;
}

export interface LayerDirectory {
  readonly path: string;
  readonly identity: FileIdentity;
}

export interface TmpfsMount {
  readonly kind: 'tmpfs';
  readonly target: string;
  readonly mode: number;
  /** Bytes; 0 takes the kernel's default of half the memory. */
  readonly size: number;
  /** `late`: it belongs to one command, and is made with the files. Default: it is made in its place. */
  readonly made?: 'late';
}

/** A fresh, read-only procfs of the box's own PID namespace. */
export interface ProcMount {
  readonly kind: 'proc';
  readonly target: string;
}

/** A minimal `/dev`: null zero full random urandom tty, a private devpts and shm, fd links. */
export interface DevicesMount {
  readonly kind: 'devices';
  readonly target: string;
  /** Bytes of `/dev/shm`. */
  readonly shmSize: number;
  /** `shown` adds `/dev/kvm`, for a box whose command is a virtual machine. Default: it is not there. */
  readonly kvm?: 'shown';
}

/** A directory of the private root itself, so that mounts have a place. */
export interface RootDirectory {
  readonly kind: 'directory';
  readonly target: string;
  readonly mode: number;
}

export interface RootSymlink {
  readonly kind: 'symlink';
  readonly target: string;
  readonly to: string;
}

/** A file of the private root, made from memory: it never exists on the host. */
export interface RootFile {
  readonly kind: 'file';
  readonly target: string;
  readonly mode: number;
  readonly content: string;
  /** How `content` stands for bytes. Default `utf8`. */
  readonly encoding?: 'utf8' | 'base64';
}

/** An existing path inside an earlier mount that the box may neither read nor write. */
export interface MaskMount {
  readonly kind: 'mask';
  readonly target: string;
  readonly type: FileIdentity['type'];
}

/**
 * Names that are protected or hidden wherever they occur below a root. The launcher looks for them at the start of the
 * box: it mounts each hit read-only or masks it, and pins its parents. It looks again after the end and reports new
 * ones, so that the supervisor can quarantine them.
 */
export interface Protection {
  /** Writable roots, as mounted inside the box. */
  readonly roots: readonly string[];
  /**
   * Directories that the user shows read-only, in which hidden names are masked as well. Nothing can appear in them.
   */
  readonly shownRoots: readonly string[];
  /**
   * Those of the roots that are git directories, by whatever name: what is protected below `.git` is protected in them.
   */
  readonly gitDirectories: readonly string[];
  readonly names: readonly ProtectedName[];
  /** Absolute paths that are read-only although no name says so: what git would run. */
  readonly guarded: readonly string[];
  /** Absolute paths that are left alone although their name is protected. */
  readonly released: readonly string[];
  /** Directories below which names are withheld. Default: none. */
  readonly withholding?: readonly string[];
  /** Absolute paths that are shown although their name is withheld: their content was approved. Default: none. */
  readonly approved?: readonly string[];
}

export interface ProtectedName {
  /** Path components below any directory; each may hold `*` and `?`. Compared without regard to ASCII case. */
  readonly components: readonly string[];
  /**
   * `pinned` directories cannot be moved or removed, but what lies beneath may change; pinned files are read-only.
   * `withheld`: what
   * is there when the box starts is hidden unless it is among the `approved`; the box may make others of that name.
   */
  readonly effect: 'read-only' | 'hidden' | 'pinned' | 'withheld';
  /** Components that are not meant although they match, e.g. `.env.example`. Compared with the last component. */
  readonly except: readonly string[];
  /** `outside-packages` does not apply below a `node_modules` directory. */
  readonly scope: 'anywhere' | 'outside-packages';
  readonly reason: string;
}

export interface LandlockPlan {
  /** The lowest ABI with which the box may start; 0 means that Landlock is a second layer and may be absent. */
  readonly minimumAbi: number;
  /**
   * `listed`: nothing can be executed but what rules of `execute` name, and nothing at all where there is none. `any`:
   * whatever can be read.
   */
  readonly execution: 'any' | 'listed';
  readonly rules: readonly LandlockRule[];
}

export interface LandlockRule {
  readonly path: string;
  /** `read` includes execution where that is not `listed`. `devices` is reading, writing and ioctl but no creation. */
  readonly access: 'read' | 'write' | 'devices' | 'execute';
}

export interface SeccompPlan {
  readonly ptrace: 'deny' | 'allow';
  /**
   * `runtime`: the command runs boxes of its own. It becomes uid 0 of a user namespace below the box's own, and may
   * trace, make namespaces and mount there. Landlock then holds its scopes alone, because a process under a rule about
   * files may not mount. The box's own mounts cannot be removed from there. Default: `none`.
   */
  readonly nesting?: 'none' | 'runtime';
}

/**
 * Which system calls stop until someone outside the command has looked at them. `guard`: the launcher's first process
 * in the box refuses the creation of protected names at once. `supervisor`: the kernel asks the process that started
 * the box, which gets the descriptor through `StartOptions.listener`; the launcher then guards nothing by itself. A
 * filter has one listener, so a box has one of the two.
 */
export type NotifyPlan = { readonly kind: 'none' } | { readonly kind: 'guard' } | SupervisorNotify;

export interface SupervisorNotify {
  readonly kind: 'supervisor';
  readonly groups: readonly NotifyGroup[];
  /**
   * `rules`: what rules are about; all else goes on, since the box's mounts hide what is not granted. `everything`: no
   * mounts hide
   * anything, so each call of the groups is refused or carried out by the supervisor itself. Default `rules`.
   */
  readonly reach?: 'rules' | 'everything';
}

/**
 * Groups of system calls; `src/plan/seccomp/notify-calls.ts` says which. The last three only matter where no mounts
 * hide anything.
 */
export const notifyGroups = [
  'opens',
  'creations',
  'deletions',
  'renames',
  'truncations',
  'metadata',
  'sockets',
  'signals',
  'executions',
  'memory-files',
  'descriptors',
  'listens',
  'accesses',
] as const;
export type NotifyGroup = (typeof notifyGroups)[number];

/**
 * `mask`: its file is not there in the box. `notification`: the supervisor refuses its execution, which is no boundary.
 */
export interface DeniedProgram {
  /** As the policy has it: a bare name or an absolute path. */
  readonly program: string;
  /** Of the file, without symlinks. */
  readonly path: string;
  readonly identity: FileIdentity;
  readonly held: 'mask' | 'notification';
  /** Names of other programs that are the same file, which is why it cannot be taken away. */
  readonly sharedWith: readonly string[];
}

/** Absent means unlimited. */
export interface LimitPlan {
  readonly memory?: number;
  readonly processes?: number;
  /** Cores, e.g. 1.5. */
  readonly cpus?: number;
  /** Milliseconds of CPU time for each process. */
  readonly cpuTime?: number;
  readonly fileSize?: number;
  readonly openFiles?: number;
  /** Milliseconds from start to SIGTERM; SIGKILL follows after `grace`. */
  readonly wall?: number;
  readonly grace: number;
  /** Bytes of private memory behind the overlays of package caches. */
  readonly privateDisk?: number;
  /** Bytes that a staged layer may take on disk. The supervisor looks; no kernel counts it. */
  readonly staged?: number;
  /** Control groups to make, enter and remove, outermost first; empty where none is delegated. */
  readonly cgroups: readonly CgroupPlan[];
}

export interface CgroupPlan {
  readonly directory: string;
  readonly files: readonly { readonly name: string; readonly value: string }[];
}

/** A closed network has a loopback of its own and nothing else. */
export type NetworkPlan = { readonly kind: 'closed' } | OpenNetwork;

/**
 * A network without an uplink, in which every address belongs to the box itself. Connections arrive at a listener whose
 * descriptor the supervisor holds.
 */
export interface OpenNetwork {
  readonly kind: 'names';
  readonly families: readonly ('ipv4' | 'ipv6')[];
  /** `fake` answers look-ups with an address of 198.18.0.0/15 for each name, `real` with the vetted addresses. */
  readonly dns: 'fake' | 'real';
  /** Address of the resolver inside the box. */
  readonly resolver: string;
  /** The port to which the packet filter hands every TCP connection that does not go to loopback. */
  readonly divertPort: number;
  /** Ports that are listened on where there is no packet filter. */
  readonly fallbackPorts: readonly number[];
  /** Ports of the host's loopback that are listened on at the box's. */
  readonly loopbackPorts: readonly number[];
  /** Ports of the box's loopback that are shown on the host's. */
  readonly forward: readonly { readonly host: number; readonly box: number }[];
  /**
   * `session`: TLS may have to be ended for rules about requests, so the box believes an authority of the session's
   * own.
   */
  readonly authority: 'none' | 'session';
}
