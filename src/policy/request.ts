/** What an enforcement point asks about. Every kind is decided by `decide`; there is no second place that answers. */
export type PolicyRequest =
  | FileRequest
  | ExecRequest
  | ConnectRequest
  | HttpRequest
  | DnsRequest
  | SocketRequest
  | SignalRequest
  | EnvRequest
  | ToolRequest
  | TrustRequest
  | RegistryRequest;

export type RequestKind = PolicyRequest['kind'];

/**
 * `write` covers changing content and metadata of what exists; `create` a new name; `delete` an unlink or a rename
 * away.
 */
export type FileAccess = 'read' | 'write' | 'create' | 'delete' | 'execute';

export interface FileRequest {
  readonly kind: 'file';
  readonly operation: FileAccess;
  /**
   * Absolute. `.` and `..` and doubled slashes are normalised before matching; symlinks are the caller's to resolve.
   */
  readonly path: string;
}

export interface ExecRequest {
  readonly kind: 'exec';
  /** Absolute path of the program, or its bare name when it was not resolved. */
  readonly program: string;
  /** `argv[0]` included. */
  readonly argv: readonly string[];
  /** `direct` entered through Holdfast; `nested` was started by another program inside the box. */
  readonly context: 'direct' | 'nested';
  /**
   * Places in `argv`, ascending, of words that nobody knows before the command runs: any number of any words may stand
   * there. Default: none.
   */
  readonly unknown?: readonly number[];
}

export interface ConnectRequest {
  readonly kind: 'connect';
  /** A host name or an address in any spelling. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}

export interface HttpRequest {
  readonly kind: 'http';
  readonly method: string;
  readonly scheme: 'http' | 'https' | 'ws' | 'wss';
  readonly host: string;
  readonly port: number;
  /** Path without query or fragment, percent-encoding left as sent. */
  readonly path: string;
}

export interface DnsRequest {
  readonly kind: 'dns';
  readonly name: string;
  /** `A`, `AAAA`, `TXT` … */
  readonly recordType: string;
}

export interface SocketRequest {
  readonly kind: 'socket';
  readonly operation: 'connect' | 'bind' | 'send';
  /** An absolute path, or `@name` for an abstract address. */
  readonly address: string;
}

export interface SignalRequest {
  readonly kind: 'signal';
  /** `SIGTERM`, `SIGKILL` … */
  readonly signal: string;
  readonly target: 'self' | 'child' | 'box' | 'supervisor' | 'outside';
}

export interface EnvRequest {
  readonly kind: 'env';
  readonly name: string;
  /** Where its value looks like a secret only its exact name lets it pass. */
  readonly looks?: 'secret';
}

export interface ToolRequest {
  readonly kind: 'tool';
  readonly server: string;
  readonly tool: string;
  /** JSON text of the arguments. */
  readonly arguments: string;
}

export interface TrustRequest {
  readonly kind: 'trust';
  /** Absolute path of the file whose content would take effect. */
  readonly path: string;
  /** Lower-case hexadecimal SHA-256 of the bytes that would be used. */
  readonly sha256: string;
}

export interface RegistryRequest {
  readonly kind: 'registry';
  /**
   * `write` sets a value; `create` makes a key or renames one to this; `delete` removes a value or a key, or renames it
   * away.
   */
  readonly operation: 'read' | 'write' | 'create' | 'delete';
  /** `HKLM\…` with backslashes, in any spelling of the hive; links of the registry are the caller's to resolve. */
  readonly key: string;
}
