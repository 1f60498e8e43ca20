import { largestPayload, tooMuch } from '../protocol/limits.ts';
import type { Answer, HostCall } from '../protocol/messages.ts';
import type { Manifest } from '../manifest/parse-manifest.ts';
import { oneLine } from '../failure.ts';
import type { ToolDoors } from './doors.ts';
import type { ListedFiles } from './listed-paths.ts';

export interface CallContext {
  readonly manifest: Pick<Manifest, 'hosts'>;
  readonly doors: Pick<ToolDoors, 'http'>;
  readonly files: ListedFiles | undefined;
  readonly signal: AbortSignal;
}

/** What a tool gets for a call: what manifest and policy both allow, or why not. Never rejects. */
export async function answerCall(call: HostCall, context: CallContext): Promise<Answer> {
  try {
    return { kind: 'answer', value: await granted(call, context) };
  } catch (error) {
    return { kind: 'refused', message: oneLine(error instanceof Error ? error.message : String(error)) };
  }
}

async function granted(call: HostCall, context: CallContext): Promise<Extract<Answer, { kind: 'answer' }>['value']> {
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
): Promise<Extract<Answer, { kind: 'answer' }>['value']> {
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
  if (bytes.length > largestPayload) throw new Error(tooMuch(bytes.length));
  return bytes;
}

function filesOf({ files }: CallContext): ListedFiles {
  if (files === undefined) throw new Error('the manifest lists no paths');
  return files;
}
