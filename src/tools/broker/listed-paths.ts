import { basename, dirname, join, resolve } from 'node:path';
import { oneLineText } from '../failure.ts';
import type { Manifest } from '../manifest/load-tool.ts';
import { largestToolPayload, tooMuch } from '../protocol/frames.ts';
import type { HostAnswer, HostCall } from '../protocol/messages.ts';
import type { DoorFiles, ToolDoors } from './doors.ts';

/** Thrown with the reason that a tool may not use a path. */
class PathRefusal extends Error {}

/** The files of one tool. */
export interface ListedFiles {
  read(path: string): Promise<Buffer>;
  write(path: string, data: Buffer): Promise<void>;
  close(): Promise<void>;
}

interface Lists {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/**
 * Opens the files below the paths of a manifest, and no others. Checks a path both as written and with symlinks
 * resolved, and uses the resolved one. The kernel never shows the worker another writable file, or another readable
 * file except the system's own. Undefined if the manifest lists no paths. Rejects if the policy refuses a listed path.
 */
export async function openListedFiles(
  { paths }: Pick<Manifest, 'paths'>,
  doors: ToolDoors,
): Promise<ListedFiles | undefined> {
  if (paths.read.length + paths.write.length === 0) return undefined;
  const written = absolute(paths, doors.root);
  const files = await doors.files(written);
  const real = await canonicalLists(written, files).catch(async (error: unknown) => {
    await files.close();
    throw error;
  });
  const place = async (path: string, mode: keyof Lists): Promise<string> => {
    const asked = resolve(doors.root, path);
    refuseUnlisted(asked, written[mode], path);
    const found = await canonical(asked, files, mode);
    refuseUnlisted(found, real[mode], path);
    return found;
  };
  return {
    read: async (path) => files.read(await place(path, 'read'), largestToolPayload),
    write: async (path, data) => files.write(await place(path, 'write'), data),
    close: () => files.close(),
  };
}

/** A writable path counts as readable too. */
function absolute({ read, write }: Manifest['paths'], root: string): Lists {
  const writable = write.map((path) => resolve(root, path));
  return { read: [...read.map((path) => resolve(root, path)), ...writable], write: writable };
}

async function canonicalLists({ read, write }: Lists, files: DoorFiles): Promise<Lists> {
  const each = (paths: readonly string[]): Promise<string[]> => Promise.all(paths.map((path) => files.realpath(path)));
  return { read: await each(read), write: await each(write) };
}

/** A new file cannot be resolved yet, but its directory can. */
async function canonical(path: string, files: DoorFiles, mode: keyof Lists): Promise<string> {
  try {
    return await files.realpath(path);
  } catch (error) {
    if (mode === 'read' || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // If the path is a symlink without a target, the new file would be created at the target.
    if (await files.isThere(path)) throw error;
    return join(await files.realpath(dirname(path)), basename(path));
  }
}

function refuseUnlisted(path: string, listed: readonly string[], shown: string): void {
  if (!isListed(path, listed))
    throw new PathRefusal(`the manifest lists no path that contains ${JSON.stringify(shown.slice(0, 200))}`);
}

/** Returns whether an absolute path without `..` is a listed path or below one. Pure. */
function isListed(path: string, listed: readonly string[]): boolean {
  return listed.some((each) => path === each || path.startsWith(each.endsWith('/') ? each : `${each}/`));
}

interface CallContext {
  readonly manifest: Pick<Manifest, 'hosts'>;
  readonly doors: Pick<ToolDoors, 'http'>;
  readonly files: ListedFiles | undefined;
  readonly signal: AbortSignal;
}

/** Returns the answer to a call that manifest and policy both allow, or the reason that they do not. Never rejects. */
export async function answerCall(call: HostCall, context: CallContext): Promise<HostAnswer> {
  try {
    return { kind: 'answer', value: await granted(call, context) };
  } catch (error) {
    return { kind: 'refused', message: oneLineText(error instanceof Error ? error.message : String(error)) };
  }
}

async function granted(
  call: HostCall,
  context: CallContext,
): Promise<Extract<HostAnswer, { kind: 'answer' }>['value']> {
  switch (call.what) {
    case 'http':
      return http(call, context);
    case 'readFile':
      return { bytes: (await filesOf(context).read(call.path)).toString('base64') };
    case 'writeFile':
      await filesOf(context).write(call.path, sent(call.data));
      return { bytes: '' };
  }
}

async function http(
  { url, method, headers, body }: Extract<HostCall, { what: 'http' }>,
  { manifest: { hosts }, doors, signal }: CallContext,
): Promise<Extract<HostAnswer, { kind: 'answer' }>['value']> {
  if (hosts.length === 0) throw new Error('the manifest lists no hosts');
  const { bytes, ...about } = await doors.http({
    url,
    method,
    headers: Object.fromEntries(headers),
    hosts,
    signal,
    ...(body === undefined ? {} : { body: sent(body) }),
  });
  return { ...about, bytes: Buffer.from(bytes).toString('base64') };
}

function sent(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > largestToolPayload) throw new Error(tooMuch(bytes.length));
  return bytes;
}

function filesOf({ files }: CallContext): ListedFiles {
  if (files === undefined) throw new Error('the manifest lists no paths');
  return files;
}
