import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { binary, Project } from './lib/holdfast.ts';

const user = 4711;
const isRoot = process.getuid?.() === 0;
const work = 'cat f; echo x > new; echo y > f; rm f; mkdir d; ls';

interface Staged {
  readonly mounts: string;
  /** Default: `low`. */
  readonly cwd?: string;
  readonly script?: string;
  /** A script of root, in the same namespace. */
  readonly after?: string;
}

/** Directories `low`, `up`, `work` and `mnt` beside a home, all owned by an ordinary user. */
class Place extends Project {
  readonly low = this.directory('low');
  readonly mnt = this.directory('mnt');
  readonly xdgState = this.directory('home/.local/state');

  constructor() {
    super();
    for (const name of ['up', 'work']) this.directory(name);
    this.write('../low/f', 'base\n');
    spawnSync('chown', ['-R', `${user}:${user}`, this.root]);
  }

  /** Mounts as root in its own namespace, runs a script staged in `cwd` as the user, then inspects the result. */
  staged({ mounts, cwd = 'low', script = work, after = 'true' }: Staged) {
    const as = `setpriv --reuid ${user} --regid ${user} --clear-groups`;
    const steps = [
      'set -e',
      mounts,
      `cd ${cwd}`,
      'set +e',
      `${as} ${binary} run --staged -- sh -c "$1"`,
      'status=$?',
      after.replaceAll('HOLDFAST', `${as} ${binary}`),
      'exit $status',
    ];
    return spawnSync('unshare', ['-m', 'sh', '-c', steps.join('\n'), 'sh', script], {
      cwd: this.root,
      env: this.environment,
      encoding: 'utf8',
      timeout: 60_000,
    });
  }

  private directory(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }
}

const own = `uid=${user},gid=${user}`;
const tmpfs = (where: string, size = '200m') => `mount -t tmpfs -o size=${size},mode=700,${own} t ${where}`;
const overlay = (lower: string, where: string) =>
  `mount -t overlay -o lowerdir=${lower},upperdir=up,workdir=work o ${where}; chown ${user}:${user} ${where}`;

describe.runIf(isRoot)(
  isRoot ? 'staging in odd places' : 'staging in odd places (skipped: only root can mount them)',
  () => {
    test.each<[string, (place: Place) => string, string]>([
      [
        'a workspace on tmpfs',
        ({ mnt }) => `${tmpfs(mnt)}; echo base > ${mnt}/f; chown ${user}:${user} ${mnt}/f`,
        'mnt',
      ],
      ['a workspace that is an overlay itself', ({ mnt }) => overlay('low', mnt), 'mnt'],
      [
        'a workspace on read-only media',
        ({ mnt }) => `mount --bind low ${mnt}; mount -o remount,ro,bind ${mnt}`,
        'mnt',
      ],
      ['layers on tmpfs', ({ xdgState }) => tmpfs(xdgState), 'low'],
    ])('%s', (_what, mounts, cwd) => {
      using place = new Place();
      const { status, stdout, stderr } = place.staged({
        mounts: mounts(place),
        cwd,
        after: 'echo "host: $(ls; cat f)"',
      });
      expect({ status, stdout }).toEqual({ status: 0, stdout: 'base\nd\nnew\nhost: f\nbase\n' });
      expect(stderr).toMatch(/^holdfast: 3 paths changed, .*\n$/u);
    });

    test.each<[string, (place: Place) => string]>([
      ['on an overlay', ({ xdgState }) => overlay('low', xdgState)],
      [
        'where there are no user attributes',
        ({ xdgState }) => `mount -t ramfs r ${xdgState}; chown ${user}:${user} ${xdgState}`,
      ],
    ])('layers %s are refused before the command starts, with a remedy', (_what, mounts) => {
      using place = new Place();
      const { status, stdout, stderr } = place.staged({
        mounts: mounts(place),
        script: 'echo started',
        after: `find ${place.xdgState} -name layer.json; cat f`,
      });
      expect({ status, stdout }).toEqual({ status: 125, stdout: 'base\n' });
      expect(stderr).toMatch(
        /missing guarantee: fs\.stage\nholdfast: to fix it: set XDG_STATE_HOME .*\[HF_GUARANTEE_MISSING\]\n$/u,
      );
    });

    test('doctor reports facts, not possibilities', () => {
      using place = new Place();
      const after = "HOLDFAST doctor | grep -m 1 'fs.stage'";
      expect(place.staged({ mounts: 'true', script: 'true', after }).stdout).toMatch(/^ {2}kernel /u);
      expect(place.staged({ mounts: overlay('low', place.xdgState), script: 'true', after }).stdout).toMatch(
        /^ {2}none /u,
      );
    });

    test('a workspace with another mount inside is refused, with a remedy', () => {
      using place = new Place();
      const { status, stdout, stderr } = place.staged({
        mounts: `mkdir low/inner; ${tmpfs('low/inner')}; chown ${user} low/inner`,
        script: 'echo started',
      });
      expect({ status, stdout }).toEqual({ status: 125, stdout: '' });
      expect(stderr).toMatch(
        /another file system is mounted in it at \S+\/low\/inner .*\n.*unmount .*\[HF_GUARANTEE_MISSING\]\n$/u,
      );
    });

    test('a disk that is already full is a refusal', () => {
      using place = new Place();
      const { status, stderr } = place.staged({ mounts: tmpfs(place.xdgState, '40m'), script: 'echo started' });
      expect(status).toBe(125);
      expect(stderr).toMatch(/has \d+ MB left, and a staged layer needs at least 64 MB\n.*\[HF_DISK_FULL\]\n$/u);
    });

    test('a full disk loses no written data, and is reported', () => {
      using place = new Place();
      const script = 'echo first > first; head -c 100000000 /dev/zero > big; cat first; echo new >> f';
      const after = `HOLDFAST staged list | wc -l; cat ${place.xdgState}/holdfast/staged/*/0/upper/first; cat f; ls`;
      const { stdout, stderr } = place.staged({ mounts: tmpfs(place.xdgState, '70m'), script, after });
      expect(stdout).toBe('first\n1\nfirst\nbase\nf\n');
      expect(stderr).toContain('No space left on device');
      expect(stderr).toMatch(/the disk that holds the staged layer is full[^]* paths changed/u);
    });

    test('files of another group are readable but unchangeable, with a notice', () => {
      using place = new Place();
      const { stdout, stderr } = place.staged({
        mounts: 'chgrp -R 12 low; chmod -R g+w low',
        script: 'cat f; echo x > f; echo x > new; cat new',
      });
      expect(stdout).toBe('base\nx\n');
      expect(stderr).toContain('Value too large');
      expect(stderr).toContain(`${place.low} has files of another user or group`);
    });
  },
);
