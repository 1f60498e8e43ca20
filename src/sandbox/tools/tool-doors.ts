import { HoldfastError } from '../../errors/index.ts';
import type { Files } from '../../files/index.ts';
import { matchesHostPattern } from '../../policy/patterns/matches-host-pattern.ts';
import type { DoorAnswer, DoorFiles, DoorRequest, ToolDoors } from '../../tools/index.ts';
import type { Session } from '../session.ts';
import { startToolBox } from './tool-box.ts';

/** Bytes of one answer of a server. */
const largestAnswer = 4 << 20;

/** The doors of one session's tools: each is what the session itself goes through. */
export function toolDoors(session: Session, files: Files): ToolDoors {
  return {
    root: session.place.workspace.root,
    start: (tool) => startToolBox(session, tool),
    http: (request) => fetched(session, request),
    files: async ({ read, write }) => doorFiles(await files.oneShot({ read: [...read], ...(write.length === 0 ? {} : { write: [...write] }) })),
  };
}

async function fetched(session: Session, { url, method, headers, body, hosts, signal }: DoorRequest): Promise<DoorAnswer> {
  const egress = await session.network.egress();
  const result = await egress.fetch(url, { method, headers, signal, binary: 'bytes', html: 'source', hidden: 'keep', maxBytes: largestAnswer, admits: (destination) => matchesHostPattern(hosts, destination), ...(body === undefined ? {} : { body }) });
  switch (result.kind) {
    case 'refused':
      throw new Error(`${result.refusal.message}; ${result.refusal.remedy}`);
    case 'text':
    case 'bytes':
      if (result.truncated) throw new Error(`the answer has more than ${largestAnswer} bytes`);
      return { status: result.status, contentType: result.contentType, finalUrl: result.finalUrl, bytes: result.kind === 'text' ? Buffer.from(result.text) : result.bytes };
  }
}

function doorFiles(files: Files): DoorFiles {
  return {
    realpath: (path) => files.realpath(path),
    isThere: (path) => files.lstat(path).then(() => true, () => false),
    async read(path, most) {
      const bytes = await files.read(path, { offset: 0, length: most + 1 });
      if (bytes.length > most) throw new HoldfastError('HF_USAGE', `${path} has more than ${most} bytes`, { remedy: 'give the tool a smaller file' });
      return bytes;
    },
    write: (path, data) => files.write(path, data),
    close: () => files.close(),
  };
}
