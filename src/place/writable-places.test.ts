import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlace } from './place.ts';
import { planPlace } from './planner.ts';
import { plant, scratchDirectory } from './testing/scratch.ts';
import { writablePlaces } from './writable-places.ts';

// Attack: `[files] write = ["tools"]` with tools in PATH. The box writes notify-send there, and the supervisor starts
// it on the host.
test('paths made writable by any policy or grant count, and nothing else', () => {
  const root = scratchDirectory();
  plant(root, {
    'ws/': '',
    'tools/': '',
    'granted/': '',
    'shown/': '',
    'config/holdfast/policy.toml': `version = 1\n[files]\nwrite = ["${join(root, 'tools')}"]\nread = ["${join(root, 'shown')}"]\n`,
  });
  const environment = { XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config'), PATH: '/usr/bin' };
  const place = readPlace({ cwd: join(root, 'ws'), environment, grants: { write: [join(root, 'granted')] } });
  const places = writablePlaces(planPlace(place, environment));
  expect(places).toEqual(expect.arrayContaining([join(root, 'ws'), join(root, 'tools'), join(root, 'granted')]));
  for (const other of ['shown', 'state', 'config']) expect(places).not.toContain(join(root, other));
  expect(places.filter((path) => path.startsWith('/usr') || path.startsWith('/etc'))).toEqual([]);
});
