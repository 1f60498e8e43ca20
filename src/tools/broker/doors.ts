import type { Readable, Writable } from 'node:stream';
import type { HostPattern } from '../../policy/patterns/host-pattern.ts';

/** Doors for the calls of a tool. Each door asks the policy, after the manifest was asked. */
export interface ToolDoors {
  /** Starts the program of `host/` in a box with nothing else. */
  start(tool: ToolIdentity): Promise<ToolProcess>;
  /** Makes a request. Rejects if the policy or the manifest refuses any hop. */
  http(request: DoorRequest): Promise<DoorAnswer>;
  /** Returns a view with only these absolute paths, and the system's own. Rejects if the policy grants less. */
  files(paths: { readonly read: readonly string[]; readonly write: readonly string[] }): Promise<DoorFiles>;
  /** Start of relative paths in tools and manifests. */
  readonly root: string;
}

/** For the journal, which has it in the command line of the box. */
export interface ToolIdentity {
  readonly name: string;
  readonly sha256: string;
}

export interface DoorRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Hosts of the manifest. Every hop has to be to one of these. */
  readonly hosts: readonly HostPattern[];
  readonly signal: AbortSignal;
}

export interface DoorAnswer {
  readonly bytes: Uint8Array;
  readonly status: number;
  readonly contentType: string;
  readonly finalUrl: string;
}

export interface DoorFiles {
  realpath(path: string): Promise<string>;
  /** Returns whether a path exists, even as a symlink to nowhere. */
  isThere(path: string): Promise<boolean>;
  /** Reads at most `most` bytes. */
  read(path: string, most: number): Promise<Buffer>;
  write(path: string, data: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** The program in its box. */
export interface ToolProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the program and its box have ended. Rejects if the box could not be built. */
  readonly ended: Promise<{ readonly exitCode: number; readonly said: string }>;
  /** Ends the program at once, with everything in its box. */
  end(): void;
  /** Milliseconds for the program to greet and load the tool. */
  readonly patience: number;
}
