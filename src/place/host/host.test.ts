import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { plant, scratchDirectory } from '../testing/scratch.ts';
import { findInstallation } from './installation.ts';
import { kernelAtLeast } from '../place.ts';
import { statePaths } from './state-paths.ts';

describe('statePaths', () => {
  test('follow XDG, with the usual places in the home', () => {
    expect(statePaths('/home/me', {})).toEqual({
      userPolicy: '/home/me/.config/holdfast/policy.toml',
      managedPolicy: '/etc/holdfast/policy.toml',
      state: '/home/me/.local/state/holdfast',
      journal: '/home/me/.local/state/holdfast/journal.jsonl',
      quarantine: '/home/me/.local/state/holdfast/quarantine',
      staged: '/home/me/.local/state/holdfast/staged',
      trash: '/home/me/.local/state/holdfast/trash',
      checkpoints: '/home/me/.local/state/holdfast/checkpoints',
      calls: '/home/me/.local/state/holdfast/calls',
      trust: '/home/me/.local/state/holdfast/trust',
      mcp: '/home/me/.local/state/holdfast/mcp',
      microvm: '/home/me/.local/state/holdfast/microvm',
      runtime: '/home/me/.local/state/holdfast/run',
    });
    expect(statePaths('/home/me', { XDG_RUNTIME_DIR: '/run/user/1000' }).runtime).toBe('/run/user/1000/holdfast');
    expect(statePaths('/home/me', { XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' })).toMatchObject({
      userPolicy: '/c/holdfast/policy.toml',
      state: '/s/holdfast',
    });
  });

  // With a relative value, the state would depend on the current directory, and be in the workspace.
  test.each(['', '.', 'state', '~/x'])(
    'ignore the relative value %j, and never let the environment choose the managed policy',
    (value) => {
      expect(statePaths('/home/me', { XDG_STATE_HOME: value, XDG_CONFIG_HOME: value, XDG_RUNTIME_DIR: value })).toEqual(
        statePaths('/home/me', {}),
      );
    },
  );
});

describe('kernelAtLeast', () => {
  test.each([
    ['5.11.0', true],
    ['5.10.99-generic', false],
    ['6.1.0-18-amd64', true],
    ['10.0', true],
    ['4.19', false],
    ['', false],
  ])('%s', (version, expected) => {
    expect(kernelAtLeast(5, 11, version)).toBe(expected);
  });
});

describe('findInstallation', () => {
  test('finds the package around a file, with Node and without its sources', () => {
    const root = scratchDirectory();
    plant(root, { 'native/Makefile': '', 'native/build/holdfast-launch': '', 'dist/cli/run.cjs': '' });
    const found = findInstallation(join(root, 'dist/cli/run.cjs'));
    expect(found).toMatchObject({ root, launcher: join(root, 'native/build/holdfast-launch') });
    expect(found.visible).toEqual(expect.arrayContaining([join(root, 'dist'), realpathSync.native(process.execPath)]));
    expect(found.visible).not.toContain(root);
  });

  test('takes the programs of this architecture out of a package', () => {
    const root = scratchDirectory();
    const own = `native/build/${process.platform}-${process.arch}`;
    plant(root, {
      'native/Makefile': '',
      'native/build/linux-other/holdfast-launch': '',
      [`${own}/holdfast-launch`]: '',
    });
    expect(findInstallation(join(root, 'x'))).toMatchObject({
      launcher: join(root, own, 'holdfast-launch'),
      filesWorker: join(root, own, 'holdfast-files'),
      guest: join(root, own, 'holdfast-guest'),
    });
  });

  test('takes those of no other architecture', () => {
    const root = scratchDirectory();
    plant(root, { 'native/Makefile': '', 'native/build/linux-other/holdfast-launch': '' });
    expect(() => findInstallation(join(root, 'x'))).toThrow(expect.objectContaining({ code: 'HF_LAUNCHER_MISSING' }));
  });

  test('says how to build a launcher that is missing', () => {
    const root = scratchDirectory();
    mkdirSync(join(root, 'native'));
    writeFileSync(join(root, 'native/Makefile'), '');
    expect(() => findInstallation(join(root, 'x'))).toThrow(
      expect.objectContaining({ code: 'HF_LAUNCHER_MISSING', remedy: expect.stringContaining('make -C') }),
    );
    expect(() => findInstallation('/nonexistent/x')).toThrow(
      expect.objectContaining({ code: 'HF_LAUNCHER_MISSING', remedy: expect.stringContaining('reinstall') }),
    );
  });
});
