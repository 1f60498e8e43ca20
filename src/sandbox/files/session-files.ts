import type { FilesOptions } from '../../files/index.ts';
import type { Session } from '../session.ts';

/** What `Files` needs of a session. The rest is loaded when the first worker starts. */
export function sessionFiles(session: Session): FilesOptions {
  const explainer = once(async () => (await import('./explain-refusal.ts')).createExplainer(session));
  return {
    cwd: session.place.workspace.cwd,
    source: { start: async () => (await import('./start-worker.ts')).startWorker(session) },
    explain: async (touched, code) => (await explainer())(touched, code),
    narrow: async (options) => sessionFiles(await (await import('./narrow-session.ts')).narrowSession(session, options)),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
