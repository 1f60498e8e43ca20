import { join } from 'node:path';
import { type Place, readPlace } from '../../../place/place.ts';
import { plant, scratchDirectory } from '../../../place/testing/scratch.ts';

export interface TestPlace {
  readonly place: Place;
  readonly environment: Readonly<Record<string, string>>;
  /** Writes the user's policy, with an added version line. */
  setPolicy(text: string): void;
  setProject(text: string): void;
}

/** A workspace, a policy and a journal, which end with the test. */
export function testPlace(policy: string): TestPlace {
  const root = scratchDirectory();
  plant(root, { 'workspace/': '', 'config/holdfast/': '', 'state/': '' });
  const environment = {
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_STATE_HOME: join(root, 'state'),
    PATH: process.env['PATH'] ?? '',
  };
  const setPolicy = (text: string): void => plant(root, { 'config/holdfast/policy.toml': `version = 1\n${text}\n` });
  setPolicy(policy);
  const workspace = join(root, 'workspace');
  return {
    place: readPlace({ cwd: workspace, workspace, environment }),
    environment,
    setPolicy,
    setProject: (text) => plant(root, { 'workspace/holdfast.toml': `version = 1\n${text}\n` }),
  };
}
