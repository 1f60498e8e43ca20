import type { Readable, Writable } from 'node:stream';
import type { HostPattern } from '../../policy/patterns/host-pattern.ts';

/** What a tool's calls go through. Each door asks the policy; the manifest is asked before it. */
export interface ToolDoors {
  /** Starts the program of `host/` in a box that has nothing but that program. */
  start(tool: ToolIdentity): Promise<ToolProcess>;
  /** Rejects for what policy or manifest refuses, on whatever hop. */
  http(request: DoorRequest): Promise<DoorAnswer>;
  /**
   * A view in which nothing but these absolute paths, and the system's own, is there. Rejects where the policy gives
   * less.
   */
  files(paths: { readonly read: readonly string[]; readonly write: readonly string[] }): Promise<DoorFiles>;
  /** Where relative paths of tools and manifests start. */
  readonly root: string;
}

/** For the journal: it stands in the command line of the box. */
export interface ToolIdentity {
  readonly name: string;
  readonly sha256: string;
}

export interface DoorRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Of the manifest: every hop has to be to one of these. */
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
  /** Whether something is there, be it a symlink to nowhere. */
  isThere(path: string): Promise<boolean>;
  /** At most `most` bytes. */
  read(path: string, most: number): Promise<Buffer>;
  write(path: string, data: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** The program in its box. */
export interface ToolProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it and its box have ended; rejects when the box could not be built. */
  readonly ended: Promise<{ readonly exitCode: number; readonly said: string }>;
  /** Ends it at once, with everything in it. */
  end(): void;
  /** Milliseconds in which it greets and has loaded the tool. */
  readonly patience: number;
}
