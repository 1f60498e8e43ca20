import type { RootFile } from '../plan/types.ts';

/** Where a box has the PEM of the host's authorities and the session's. */
export const trustBundlePath = '/run/holdfast/trust/bundle.pem';

/** What a box needs to believe an authority. */
export interface SessionTrust {
  readonly files: readonly RootFile[];
  readonly environment: Readonly<Record<string, string>>;
}

export const noTrust: SessionTrust = { files: [], environment: {} };
