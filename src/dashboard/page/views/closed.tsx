import type { JSX } from 'preact';
import { ErrorNote } from '../parts/basics.tsx';

/** What somebody sees who has no pass. */
export function Closed({ error }: { readonly error: Error | undefined }): JSX.Element {
  return (
    <main class="closed">
      <h1>Holdfast</h1>
      {error === undefined ? <p>This page opens by a link that is good once.</p> : <ErrorNote error={error} />}
      <p>
        Press Enter where <code>holdfast dashboard</code> runs for a new link, or start it again.
      </p>
    </main>
  );
}
