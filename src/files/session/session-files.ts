import type { FilesOptions, OneShotOptions } from '../index.ts';
import type { Session } from '../../session/session.ts';

/** Returns the parts of a session that `Files` needs. The rest is loaded with the first worker. */
export function sessionFiles(session: Session): FilesOptions {
  return filesOf(session.place.workspace.cwd, async () => session);
}

/** Each new worker asks for its session, because the policy may have been narrowed since the last one. */
function filesOf(cwd: string, current: () => Promise<Session>): FilesOptions {
  const explainer = byPlan(current, async (session) => (await import('./explain-refusal.ts')).createExplainer(session));
  return {
    cwd,
    source: { start: async () => (await import('./start-worker.ts')).startWorker(await current()) },
    explain: async (touched, code) => (await explainer())(touched, code),
    narrow: async (options) => {
      const narrowed = byPlan(current, (session) => narrow(session, options));
      // Checked at once, so that a request for too many rights fails here.
      await narrowed();
      return filesOf(cwd, narrowed);
    },
  };
}

async function narrow(session: Session, options: OneShotOptions): Promise<Session> {
  return (await import('./narrow-session.ts')).narrowSession(session, options);
}

/** Makes a value once for each plan of a session. */
function byPlan<Value>(
  current: () => Promise<Session>,
  make: (session: Session) => Promise<Value>,
): () => Promise<Value> {
  let made: { readonly plan: Session['plan']; readonly value: Promise<Value> } | undefined;
  return async () => {
    const session = await current();
    if (made?.plan !== session.plan) made = { plan: session.plan, value: make(session) };
    return made.value;
  };
}
