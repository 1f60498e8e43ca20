import type { Readable, Writable } from 'node:stream';
import type { HostPattern } from '../../policy/patterns/host-pattern.ts';

/** Doors for the calls of a tool. The manifest is checked first, and then each door asks the policy. */
export interface ToolDoors {
  /** Starts the program of `host/` in a box that has nothing else. */
  start(tool: ToolIdentity): Promise<ToolProcess>;
  /** Makes a request. Rejects if the policy or the manifest refuses any hop. */
  http(request: DoorRequest): Promise<DoorAnswer>;
  /**
   * Returns a view of only these absolute paths, and of the system's own. Rejects if the policy does not grant them
   * all.
   */
  files(paths: { readonly read: readonly string[]; readonly write: readonly string[] }): Promise<DoorFiles>;
  /** Directory where relative paths in tools and manifests start. */
  readonly root: string;
}

/** Identifies the tool in the journal, as part of the command line of its box. */
export interface ToolIdentity {
  readonly name: string;
  readonly sha256: string;
}

export interface DoorRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Hosts of the manifest. Every hop has to go to one of these. */
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
  /** Returns whether a path exists. A symlink without a target counts too. */
  isThere(path: string): Promise<boolean>;
  /** Reads at most `most` bytes. */
  read(path: string, most: number): Promise<Buffer>;
  write(path: string, data: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** The program that runs in its box. */
export interface ToolProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the program and its box have ended. Rejects if the box could not be built. */
  readonly ended: Promise<{ readonly exitCode: number; readonly said: string }>;
  /** Ends the program at once, with everything in its box. */
  end(): void;
  /** Milliseconds for the program to greet and to load the tool. */
  readonly patience: number;
}
