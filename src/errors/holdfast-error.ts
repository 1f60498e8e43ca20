const brand = Symbol.for('holdfast.error');

/** Codes stay the same across releases, so scripts may compare them. A code is never reused with another meaning. */
export type HoldfastErrorCode =
  | 'HF_USAGE'
  | 'HF_POLICY_INVALID'
  | 'HF_POLICY_TOO_LARGE'
  | 'HF_POLICY_UNREADABLE'
  | 'HF_BUNDLE_REFUSED'
  | 'HF_BUNDLE_FAILED'
  | 'HF_WORKSPACE_MISSING'
  | 'HF_WORKSPACE_UNSAFE'
  | 'HF_PATH_UNREPRESENTABLE'
  | 'HF_ROOT_CHANGED'
  | 'HF_STATE_UNWRITABLE'
  | 'HF_DISK_FULL'
  | 'HF_BACKEND_MISSING'
  | 'HF_GUARANTEE_MISSING'
  | 'HF_STRICT'
  | 'HF_LAUNCHER_MISSING'
  | 'HF_LAUNCHER_FAILED'
  | 'HF_COMMAND_NOT_FOUND'
  | 'HF_COMMAND_NOT_EXECUTABLE'
  | 'HF_CHANNEL_FAILED'
  | 'HF_JOURNAL_FAILED'
  | 'HF_INDEX_FAILED'
  | 'HF_EXPORT_FAILED'
  | 'HF_QUARANTINE_FAILED'
  | 'HF_KERNEL_UNREACHABLE'
  | 'HF_FILES_UNAVAILABLE'
  | 'HF_FILES_PROTOCOL'
  | 'HF_FILES_WORKER_ENDED'
  | 'HF_STAGED_INVALID'
  | 'HF_STAGED_BUSY'
  | 'HF_STAGED_CONFLICT'
  | 'HF_STAGED_REFUSED'
  | 'HF_STAGED_FAILED'
  | 'HF_TRASH_FAILED'
  | 'HF_CHECKPOINT_FAILED'
  | 'HF_NOTIFY_FAILED'
  | 'HF_QUOTA_EXCEEDED'
  | 'HF_COMMAND_REFUSED'
  | 'HF_COMMAND_UNKNOWN'
  | 'HF_POOL_EXHAUSTED'
  | 'HF_PROGRAM_UNTRUSTED'
  | 'HF_ENVIRONMENT_INVALID'
  | 'HF_TEXT_REJECTED'
  | 'HF_CREDENTIAL_FILE'
  | 'HF_KEYRING_FAILED'
  | 'HF_TOTP_FAILED'
  | 'HF_TRUST_INVALID'
  | 'HF_TRUST_REQUIRED'
  | 'HF_TRUST_REFUSED'
  | 'HF_IMAGE_FAILED'
  | 'HF_WORKTREE_REFUSED'
  | 'HF_WORKTREE_FAILED'
  | 'HF_TOOL_INVALID'
  | 'HF_TOOL_FAILED'
  | 'HF_TOOL_LIMIT'
  | 'HF_INTERPRETER_MISSING'
  | 'HF_CODE_ENDED'
  | 'HF_CODE_PROTOCOL'
  | 'HF_COMMAND_CANCELLED'
  | 'HF_SERVE_ABSENT'
  | 'HF_SERVE_RUNNING'
  | 'HF_SERVE_PROTOCOL'
  | 'HF_SERVE_LIMIT'
  | 'HF_SERVE_LOST'
  | 'HF_SESSION_UNKNOWN'
  | 'HF_SESSION_DIFFERS'
  | 'HF_HOOK_INVALID'
  | 'HF_AGENT_SETTINGS'
  | 'HF_KUBECONFIG_INVALID'
  | 'HF_CLUSTER_UNREACHABLE'
  | 'HF_CLUSTER_REFUSED'
  | 'HF_CLUSTER_FAILED'
  | 'HF_INTERNAL';

export interface HoldfastErrorOptions {
  /** The next step for the person or program, in one line. */
  readonly remedy: string;
  readonly cause?: unknown;
  /** Facts for programs: paths, errno names, missing guarantees. Never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export class HoldfastError extends Error {
  override readonly name = 'HoldfastError';
  readonly code: HoldfastErrorCode;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly [brand] = true;

  constructor(code: HoldfastErrorCode, message: string, options: HoldfastErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy;
    this.details = options.details ?? {};
  }
}

/** Returns true for a `HoldfastError` of any copy of the package in the process. `instanceof` knows only one. */
export function isHoldfastError(value: unknown): value is HoldfastError {
  return typeof value === 'object' && value !== null && brand in value;
}
