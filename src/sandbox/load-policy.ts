import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import type { WorkspaceFacts } from '../plan/index.ts';
import { parsePolicy, policyFor, type Policy, type PolicySource, type Problem } from '../policy/index.ts';
import type { StatePaths } from './host/state-paths.ts';

/** What the person who starts a session grants on the command line or through the library. It counts as their policy. */
export interface Grants {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** `HOST` or `HOST:PORT`. */
  readonly hosts?: readonly string[];
  readonly environment?: readonly string[];
  readonly sockets?: readonly string[];
}

export interface LoadOptions {
  readonly paths: StatePaths;
  readonly home: string;
  readonly workspace: WorkspaceFacts;
  readonly installation: readonly string[];
  readonly grants: Grants;
}
