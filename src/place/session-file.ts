import type { Place } from './place.ts';
import { idPlaceholder } from './place-plan.ts';

/** The input of `holdfast why` inside the box: the policy's texts and places. Never secrets. */
export interface SessionDescription
  extends Pick<Place, 'home' | 'workspace' | 'sources' | 'grants' | 'ownDirectories'> {
  readonly v: 1;
  readonly session: string;
  readonly backend: string;
  readonly visible: readonly string[];
  readonly userFile: string;
}

export function describeSession(place: Place, backend: string): string {
  const { home, workspace, sources, grants, ownDirectories, installation, paths } = place;
  const description: SessionDescription = {
    v: 1,
    session: idPlaceholder,
    home,
    workspace,
    backend,
    sources,
    grants,
    visible: installation.visible,
    userFile: paths.userPolicy,
    ownDirectories,
  };
  return JSON.stringify(description);
}
