import type { RootFile } from '../plan/mount.ts';

/** The box's path of the PEM with the host's authorities and the session's. */
export const trustBundlePath = '/run/holdfast/trust/bundle.pem';

/** The variables and files with which a box trusts a certificate authority. */
export interface SessionTrust {
  readonly files: readonly RootFile[];
  readonly environment: Readonly<Record<string, string>>;
}

export const noTrust: SessionTrust = { files: [], environment: {} };
