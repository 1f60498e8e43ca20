import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../src/plan/types.ts';
import { encodeSmall, type Ended, launchWith, smallPlan } from './lib/bare-launcher.ts';
import { has } from './lib/holdfast.ts';

let scratch: string;
let workspace: string;

beforeAll(() => {
  scratch = realpathSync.native(mkdtempSync(join(tmpdir(), 'holdfast-refused-calls-')));
  workspace = join(scratch, 'ws');
  mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The n-th of these calls, in any of the launcher's processes, ends with EPERM. Undefined if there are fewer. */
async function refusing(call: string, nth: number, changed: Partial<Plan>): Promise<Ended | undefined> {
  const log = join(scratch, 'strace');
  const inject = `inject=${call}:error=EPERM:when=${nth}`;
  const by = ['strace', '-f', '-qq', '-o', log, '-e', `trace=${call}`, '-e', inject];
  const bytes = encodeSmall({ ...smallPlan(workspace, []), ...changed });
  const ended = await launchWith({ bytes, workspace, by });
  return readFileSync(log, 'utf8').includes('(INJECTED)') ? ended : undefined;
}

/** Each builds a part of the box, and the least number of them. */
const calls: readonly (readonly [call: string, least: number])[] = [
  ['move_mount', 15],
  ['open_tree', 8],
  ['mount_setattr', 5],
  ['fsopen', 4],
  ['fsconfig', 8],
  ['fsmount', 4],
  ['pivot_root', 1],
  ['umount2', 1],
  ['capset', 1],
  ['seccomp', 1],
  ['landlock_add_rule', 2],
  ['landlock_restrict_self', 1],
];

/** The guard's process gives up capabilities as well, and the launcher ends if that fails. */
const plans: readonly (readonly [what: string, changed: Partial<Plan>])[] = [
  ['a guard', {}],
  ['no guard', { notify: { kind: 'none' } }],
];

// Attack: the kernel, or a sandbox around Holdfast, refuses a call that the launcher takes for granted.
describe.runIf(process.platform === 'linux' && has('strace'))('the command does not run if the kernel refuses', () => {
  describe.each(plans)('in a box with %s', (_, changed) => {
    test.each(calls)('any one %s', async (call, least) => {
      let nth = 1;
      for (
        let ended = await refusing(call, nth, changed);
        ended !== undefined;
        ended = await refusing(call, nth, changed)
      ) {
        expect({ nth, ...ended }).toMatchObject({ ran: false, code: 125 });
        nth += 1;
      }
      expect(nth).toBeGreaterThan(least);
    });
  });
});

test.runIf(process.platform === 'linux' && has('strace'))(
  'a protected place that cannot be opened ends the box, and is named with the reason',
  async () => {
    const failures: unknown[] = [];
    for (let nth = 1; ; nth += 1) {
      const ended = await refusing('openat2', nth, {});
      if (ended === undefined) break;
      failures.push(...ended.reports.filter(({ kind }) => kind === 'failed'));
    }
    const path = join(workspace, '.git/hooks');
    expect(failures).toContainEqual({
      kind: 'failed',
      stage: 'open protected path',
      path,
      errno: constants.errno.EPERM,
    });
  },
);

// Attack: a file of the host in the place of a device, which the box could then write.
test.runIf(process.getuid?.() === 0 && has('unshare'))('a file in the place of a device ends the box', async () => {
  const file = join(scratch, 'file');
  writeFileSync(file, 'x');
  const script = 'mount --bind "$0" /dev/full && exec "$@"';
  const by = ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', script, file];
  const ended = await launchWith({ bytes: encodeSmall(smallPlan(workspace, [])), workspace, by });
  expect(ended).toMatchObject({ ran: false, code: 125 });
  expect(ended.reports).toContainEqual({
    kind: 'failed',
    stage: 'open device',
    path: '/dev/full',
    errno: constants.errno.ENODEV,
  });
});
