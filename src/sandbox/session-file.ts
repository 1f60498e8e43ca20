import type { Session } from './session.ts';

/** What `holdfast why` inside the box knows: the policy's texts and where they hold. Never secrets. */
export interface SessionDescription {
  readonly v: 1;
  readonly session: string;
  readonly home: string;
  readonly workspace: { readonly root: string; readonly cwd: string; readonly gitDirectories: readonly string[] };
  readonly backend: string;
  readonly sources: Session['loaded']['sources'];
  readonly grants: Session['loaded']['grants'];
  readonly installation: readonly string[];
  readonly ownDirectories: readonly string[];
}

export function describeSession(session: Pick<Session, 'id' | 'facts' | 'backend' | 'loaded' | 'installation'>): string {
  const description: SessionDescription = {
    v: 1,
    session: session.id,
    home: session.facts.user.home,
    workspace: session.facts.workspace,
    backend: session.backend.name,
    sources: session.loaded.sources,
    grants: session.loaded.grants,
    installation: session.installation.visible,
    ownDirectories: session.loaded.ownDirectories,
  };
  return JSON.stringify(description);
}
