import { appendEvents } from '../audit/index.ts';
import { HoldfastError } from '../errors/index.ts';
import type { FilePath, Files } from '../files/index.ts';
import type { Commands } from '../session/commands.ts';
import type { Session } from '../session/session.ts';
import type { AcceptReport } from '../staged/session/accept-by-policy.ts';
import type { DiscardReport } from '../staged/apply/discard.ts';
import type { UndoReport } from '../staged/apply/undo.ts';
import { type AcceptChoice, hostPaths } from '../staged/session/layers.ts';
import type { Review } from '../staged/session/review-layer.ts';
import type { RestingBoxes, Staging } from '../staged/session/staging.ts';

/** The parts of a sandbox that concern its layer. */
export interface Holder {
  readonly session: Session;
  readonly commands: Commands;
  readonly files: Files;
}

export async function reviewOwn({ session }: Holder, paths: readonly FilePath[] | undefined): Promise<Review> {
  const { layer } = stagingOf(session);
  const { reviewOfLayer: reviewLayer } = await import('../staged/session/review-layer.ts');
  return reviewLayer(layer, { environment: session.environment, ...pathsIn(session, paths) });
}

export async function acceptOwn(
  holder: Holder,
  paths: readonly FilePath[] | undefined,
  choice: AcceptChoice,
): Promise<AcceptReport> {
  const { session } = holder;
  return stagingOf(session).apart(boxesOf(holder), async (layer) => {
    const { acceptByPolicy } = await import('../staged/session/accept-by-policy.ts');
    return { value: acceptByPolicy(layer, groundOf(session), { ...choice, ...pathsIn(session, paths) }) };
  });
}

export async function discardOwn(holder: Holder, paths: readonly FilePath[] | undefined): Promise<DiscardReport> {
  const { session } = holder;
  return stagingOf(session).apart(boxesOf(holder), async (layer) => {
    const { discardJournalled } = await import('../staged/session/layer-work.ts');
    return { value: discardJournalled(layer, groundOf(session), pathsIn(session, paths).paths) };
  });
}

/** The sandbox continues in the layer that holds the changes again, unless its own has newer work. */
export async function undoOwn(holder: Holder): Promise<UndoReport> {
  const { session } = holder;
  return stagingOf(session).apart(boxesOf(holder), async () => {
    const { undoJournalled } = await import('../staged/session/layer-work.ts');
    const value = undoJournalled(groundOf(session), { workspace: session.place.workspace.root });
    return { value, next: value.record.layer };
  });
}

/** Copies the layer `count` times as it is, and returns the IDs of the copies. */
export async function forkOwn(holder: Holder, count: number): Promise<readonly string[]> {
  if (!(Number.isInteger(count) && count >= 1))
    throw new HoldfastError('HF_USAGE', `${count} is not a number of forks`, {
      remedy: 'use a whole number, 1 or more',
    });
  const { paths } = holder.session.place;
  return stagingOf(holder.session).apart(boxesOf(holder), async (layer) => {
    const [{ forkLayer }, { withLayerLock }] = await Promise.all([
      import('../staged/apply/fork-layer.ts'),
      import('../staged/store/lock-layer.ts'),
    ]);
    const made: string[] = [];
    try {
      await withLayerLock(layer, () => {
        while (made.length < count) made.push(forkLayer(paths.state, layer).id);
      });
    } catch (error) {
      await dropForks(holder, made);
      throw error;
    }
    appendEvents(paths.journal, [{ type: 'staged.fork', workspace: layer.workspace, layer: layer.id, forks: made }]);
    return { value: made };
  });
}

/** Removes the layers of a failed fork, which nobody has written to. */
export async function dropForks(
  { session: { place } }: Pick<Holder, 'session'>,
  ids: readonly string[],
): Promise<void> {
  const [{ openLayer, removeLayer }, { withLayerLock }] = await Promise.all([
    import('../staged/store/open-layer.ts'),
    import('../staged/store/lock-layer.ts'),
  ]);
  for (const id of ids) {
    const layer = openLayer(place.paths.state, id);
    await withLayerLock(layer, () => removeLayer(layer));
  }
}

function stagingOf({ staging }: Session): Staging {
  if (staging !== undefined) return staging;
  throw new HoldfastError('HF_USAGE', 'this sandbox is not staged: its writes went to the host', {
    remedy: "create it with { staged: 'new' }",
  });
}

function pathsIn({ place }: Session, paths: readonly FilePath[] | undefined): { readonly paths?: readonly Buffer[] } {
  return paths === undefined ? {} : { paths: hostPaths(place.workspace.cwd, paths) };
}

function groundOf({ place, environment }: Session): {
  readonly paths: Session['place']['paths'];
  readonly environment: Session['environment'];
} {
  return { paths: place.paths, environment };
}

function boxesOf({ commands, files }: Holder): RestingBoxes {
  return {
    rest: async () => {
      await commands.rest();
      try {
        await files.rest();
      } catch (error) {
        commands.resume();
        throw error;
      }
    },
    resume: () => commands.resume(),
  };
}
