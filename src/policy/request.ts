/** A question from an enforcement point. Only `decide` answers it, for every kind. */
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
 * `write`: changes content or metadata of an existing file. `create`: makes a new name. `delete`: unlinks or renames
 * away.
 */
export type FileAccess = 'read' | 'write' | 'create' | 'delete' | 'execute';

export interface FileRequest {
  readonly kind: 'file';
  readonly operation: FileAccess;
  /** Absolute path. Matching normalises `.`, `..` and doubled slashes; the caller resolves symlinks. */
  readonly path: string;
}

export interface ExecRequest {
  readonly kind: 'exec';
  /** Absolute path of the program, or its bare name if it was not resolved. */
  readonly program: string;
  /** Includes `argv[0]`. */
  readonly argv: readonly string[];
  /** `direct`: entered through Holdfast. `nested`: started by another program inside the box. */
  readonly context: 'direct' | 'nested';
  /**
   * Positions in `argv`, ascending, of arguments that are unknown before the command runs. Each may be replaced by any
   * number of any arguments. Default: none.
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
  /** Path without query and fragment; percent-encoding is left as sent. */
  readonly path: string;
}

export interface DnsRequest {
  readonly kind: 'dns';
  readonly name: string;
  /** For example `A`, `AAAA` or `TXT`. */
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
  /** For example `SIGTERM` or `SIGKILL`. */
  readonly signal: string;
  readonly target: 'self' | 'child' | 'box' | 'supervisor' | 'outside';
}

export interface EnvRequest {
  readonly kind: 'env';
  readonly name: string;
  /** Set if the value looks like a secret. Then only the exact name passes it. */
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
  /** SHA-256 of the bytes that would be used, in lower-case hexadecimal. */
  readonly sha256: string;
}

export interface RegistryRequest {
  readonly kind: 'registry';
  /**
   * `write`: sets a value. `create`: makes a key, or renames one to this. `delete`: removes a value or a key, or
   * renames it away.
   */
  readonly operation: 'read' | 'write' | 'create' | 'delete';
  /** `HKLM\…` with backslashes, in any spelling of the hive. The caller resolves registry links. */
  readonly key: string;
}
