import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { SentEntry, SentWorkspace } from './types.ts';

/** This machine's record of a run in a cluster: `stop` needs it to bring the changes home. */
export interface RememberedRun {
  readonly sent: SentWorkspace;
  /** The most bytes of changes. */
  readonly mostBytes: number;
  /** ID of the process that collects the changes itself. Absent: no process waits for the command. */
  readonly client?: number;
}

const entrySchema = v.variant('type', [
  v.object({ type: v.literal('file'), mode: v.number(), size: v.number(), digest: v.string() }),
  v.object({ type: v.literal('directory'), mode: v.number() }),
  v.object({ type: v.literal('symlink'), target: v.string() }),
]);

const runSchema = v.object({
  version: v.literal(1),
  workspace: v.string(),
  taken: v.number(),
  mostBytes: v.number(),
  client: v.optional(v.number()),
  leftOut: v.array(v.string()),
  entries: v.array(v.tuple([v.string(), entrySchema])),
});

export function rememberRun(state: string, run: string, { sent, mostBytes, client }: RememberedRun): void {
  mkdirSync(directoryOf(state), { recursive: true, mode: 0o700 });
  removeOld(directoryOf(state));
  const { workspace, taken, leftOut, entries } = sent;
  const text = JSON.stringify({ version: 1, workspace, taken, mostBytes, client, leftOut, entries: [...entries] });
  writeFileSync(fileOf(state, run), text, { mode: 0o600 });
}

/** Undefined for a run of another machine or another user. */
export function rememberedRun(state: string, run: string): RememberedRun | undefined {
  if (!isRunId(run)) return undefined;
  try {
    const { entries, mostBytes, workspace, taken, leftOut, client } = v.parse(
      runSchema,
      JSON.parse(readFileSync(fileOf(state, run), 'utf8')),
    );
    return {
      sent: { workspace, taken, leftOut, entries: new Map<string, SentEntry>(entries) },
      mostBytes,
      ...(client === undefined ? {} : { client }),
    };
  } catch {
    return undefined;
  }
}

export function forgetRun(state: string, run: string): void {
  if (isRunId(run)) rmSync(fileOf(state, run), { force: true });
}

/** Milliseconds. No sandbox lives that long without a client. */
const longest = 30 * 86_400_000;

/** Removes the records of sandboxes that their clusters have removed. */
function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const file = join(directory, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > longest) rmSync(file, { force: true });
  }
}

/** An ID comes back from the cluster, and becomes a file name. */
function isRunId(run: string): boolean {
  return /^[0-9a-f]{16}$/u.test(run);
}

function directoryOf(state: string): string {
  return join(state, 'cluster');
}

function fileOf(state: string, run: string): string {
  return join(directoryOf(state), `${run}.json`);
}
