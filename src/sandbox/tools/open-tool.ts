import { Files } from '../../files/index.ts';
import { loadTool, Tool } from '../../tools/index.ts';
import { sessionFiles } from '../files/session-files.ts';
import type { Session } from '../session.ts';
import { toolDoors } from './tool-doors.ts';

interface OpenToolOptions {
  readonly files?: Files;
  /** Called when it is closed. */
  readonly closing?: () => void;
}

/** A tool of a session, with one-shot workers of `files`. Nothing of it runs before it is called. Throws `HF_TOOL_INVALID`. */
export function openTool(session: Session, manifest: string, { files = new Files(sessionFiles(session)), closing }: OpenToolOptions = {}): Promise<Tool> {
  return Tool.open(loadTool(manifest), toolDoors(session, files), closing);
}
