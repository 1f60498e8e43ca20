import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApprovalQueue } from '../queue/approval-queue.ts';
import { fakeClock, type FakeClock } from '../queue/testing/fake-clock.ts';
import { subject, writing } from '../queue/testing/subjects.ts';
import type { ApprovalQueue } from '../types.ts';
import {
  desktopChannel,
  notificationCommand,
  type NotificationCommand,
  quiet,
  runNotifier,
} from './desktop-channel.ts';

const hostile = {
  title: '--help "$(id)" `id`\'; id',
  body: '<a href="http://evil.test">x</a> & <img src=x> item 3 of argv',
};

describe('the command', () => {
  test('of Linux passes the texts as words behind the options, without markup', () => {
    const { program, words }: Omit<NotificationCommand, 'environment'> = notificationCommand('linux', hostile) ?? {
      program: '',
      words: [],
    };
    expect(program).toBe('notify-send');
    expect(words.slice(words.indexOf('--'))).toEqual([
      '--',
      hostile.title,
      '&lt;a href="http://evil.test"&gt;x&lt;/a&gt; &amp; &lt;img src=x&gt; item 3 of argv',
    ]);
    expect(words.slice(0, words.indexOf('--')).every((word) => word.startsWith('--'))).toBe(true);
  });

  test('of macOS passes the texts as arguments of a constant script', () => {
    const words = notificationCommand('darwin', hostile)?.words ?? [];
    expect(words.slice(-3)).toEqual(['--', hostile.title, hostile.body]);
    expect(words.slice(0, -2)).toEqual(notificationCommand('darwin', { title: '', body: '' })?.words.slice(0, -2));
  });

  test('of Windows passes them as variables only', () => {
    const command = notificationCommand('win32', hostile);
    expect(command?.environment).toEqual({ HOLDFAST_TITLE: hostile.title, HOLDFAST_BODY: hostile.body });
    expect(command?.words).toEqual(notificationCommand('win32', { title: '', body: '' })?.words);
  });

  test.each(['aix', 'sunos', 'android'] as const)('of %s is unknown', (platform) => {
    expect(notificationCommand(platform, hostile)).toBeUndefined();
  });
});

interface Scene {
  readonly queue: ApprovalQueue;
  readonly clock: FakeClock;
  readonly shown: NotificationCommand[];
  readonly told: string[];
  readonly close: () => void;
}

function scene(problem?: string, platform: NodeJS.Platform = 'linux'): Scene {
  const clock = fakeClock();
  const queue = createApprovalQueue({
    session: 's1',
    workspace: '/home/dev/app',
    clock,
    journal: () => undefined,
    timeout: 600_000,
  });
  const [shown, told]: [NotificationCommand[], string[]] = [[], []];
  const close = desktopChannel(queue, {
    clock,
    platform,
    show: (command) => {
      shown.push(command);
      return Promise.resolve(problem);
    },
    tell: (message) => told.push(message),
  });
  return { queue, clock, shown, told, close };
}

const bodies = ({ shown }: Scene): readonly string[] => shown.map(({ words }) => words.at(-1) ?? '');

describe('a question', () => {
  test('is shown, with where to answer it', () => {
    const all = scene();
    void all.queue.ask(subject());
    expect(all.shown[0]?.words.at(-2)).toBe('Holdfast asks: write /home/dev/app/migrations/1.sql');
    expect(bodies(all)).toEqual([
      `Rule ask-migrations in /home/dev/app. Answer with: holdfast approvals allow ${all.queue.pending()[0]?.id}`,
    ]);
  });

  test('in a flood is counted', () => {
    const all = scene();
    for (let index = 0; index < 1000; index += 1) void all.queue.ask(subject(writing(`/home/dev/app/${index}`)));
    expect(all.shown).toHaveLength(1);
    all.clock.advance(quiet);
    expect(bodies(all)[1]).toMatch(/^999 more wait\. /u);
    all.clock.advance(10 * quiet);
    expect(all.shown).toHaveLength(2);
    void all.queue.ask(subject(writing('/home/dev/app/last')));
    expect(all.shown).toHaveLength(3);
  });

  test('that is long is cut, and named by its ID', () => {
    const all = scene();
    void all.queue.ask({
      ...subject(writing('/home/dev/app/x')),
      verdict: { ...subject().verdict, rule: 'r'.repeat(400) },
    });
    expect(Array.from(bodies(all)[0] ?? '').length).toBeLessThanOrEqual(301);
  });

  test('that is answered before its turn is not shown', () => {
    const all = scene();
    void all.queue.ask(subject());
    void all.queue.ask(subject(writing('/home/dev/app/2')));
    for (const { hash } of all.queue.pending()) all.queue.answer({ hash, decision: 'once', channel: 'terminal' });
    all.clock.advance(quiet);
    expect(all.shown).toHaveLength(1);
  });

  test('is not shown after the end', () => {
    const all = scene();
    all.close();
    void all.queue.ask(subject());
    all.clock.advance(quiet);
    expect(all.shown).toEqual([]);
  });

  test('that cannot be shown is reported once, and still waits', async () => {
    const all = scene('notify-send failed with status 1: is there a desktop to show it?');
    for (const name of ['1', '2', '3']) {
      void all.queue.ask(subject(writing(`/home/dev/app/${name}`)));
      all.clock.advance(quiet);
      await Promise.resolve();
    }
    expect(all.told).toEqual([
      'the desktop was not told: notify-send failed with status 1: is there a desktop to show it?',
    ]);
    expect(all.queue.pending()).toHaveLength(3);
  });

  test('on an unknown platform is reported', async () => {
    const all = scene(undefined, 'aix');
    void all.queue.ask(subject());
    await Promise.resolve();
    expect(all.told).toEqual(['the desktop was not told: nothing is known to show notifications on aix']);
  });
});

function directory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-desktop-')));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** A notifier that records its arguments. */
function standIn(path: string, record: string, status = 0): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(
    path,
    `#!/bin/sh\n{ for word; do printf '<%s>\\n' "$word"; done; /usr/bin/env; } > ${record}\nexit ${status}\n`,
  );
  chmodSync(path, 0o755);
}

describe('the program', () => {
  const command = notificationCommand('linux', hostile) ?? { program: '', words: [], environment: {} };

  test('gets its words unchanged, and only the variables that it needs', async () => {
    const place = directory();
    const record = join(place, 'record');
    standIn(join(place, 'bin/notify-send'), record);
    const environment = {
      PATH: join(place, 'bin'),
      DISPLAY: ':0',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/x',
      GITHUB_TOKEN: 'secret',
      LD_PRELOAD: '/evil.so',
      NODE_OPTIONS: '--require=x',
    };
    expect(await runNotifier(command, { environment, writableRoots: [] })).toBeUndefined();
    const lines = readFileSync(record, 'utf8').split('\n');
    expect(lines.filter((line) => line.startsWith('<'))).toEqual(command.words.map((word) => `<${word}>`));
    expect(lines).toEqual(expect.arrayContaining(['DISPLAY=:0', 'DBUS_SESSION_BUS_ADDRESS=unix:path=/run/x']));
    expect(lines.join('\n')).not.toMatch(/GITHUB_TOKEN|LD_PRELOAD|NODE_OPTIONS/u);
  });

  test.each([
    ['in the workspace', (place: string) => ({ PATH: join(place, 'app/bin') })],
    [
      'behind a link from elsewhere',
      (place: string) => {
        mkdirSync(join(place, 'links'));
        symlinkSync(join(place, 'app/bin/notify-send'), join(place, 'links/notify-send'));
        return { PATH: join(place, 'links') };
      },
    ],
    ['in a relative directory', () => ({ PATH: 'bin:./bin' })],
    ['in no directory', () => ({ PATH: '' })],
    ['and there is no PATH', () => ({})],
  ])('is not taken %s', async (...[, environmentIn]) => {
    const place = directory();
    const record = join(place, 'record');
    standIn(join(place, 'app/bin/notify-send'), record);
    expect(
      await runNotifier(command, { environment: environmentIn(place), writableRoots: [join(place, 'app')] }),
    ).toMatch(/^there is no notify-send in a directory of PATH that no box can write to/u);
    expect(existsSync(record)).toBe(false);
  });

  test('looks for others only where no box can put them', async () => {
    const place = directory();
    const record = join(place, 'record');
    standIn(join(place, 'bin/notify-send'), record);
    for (const name of ['app/bin', 'other']) mkdirSync(join(place, name), { recursive: true });
    symlinkSync(join(place, 'app/bin'), join(place, 'links'));
    const PATH = ['bin', 'app/bin', 'links', 'gone', 'other'].map((name) => join(place, name)).join(':');
    await runNotifier(command, { environment: { PATH: `.:${PATH}` }, writableRoots: [join(place, 'app')] });
    expect(readFileSync(record, 'utf8')).toContain(`\nPATH=${join(place, 'bin')}:${join(place, 'other')}\n`);
  });

  test('is started where its links end, so that a link that a box can change is followed once', async () => {
    const place = directory();
    const record = join(place, 'record');
    standIn(join(place, 'opt/real-notifier'), record);
    writeFileSync(join(place, 'opt/real-notifier'), `#!/bin/sh\nprintf '%s\\n' "$0" > ${record}\n`);
    mkdirSync(join(place, 'app'));
    mkdirSync(join(place, 'bin'));
    symlinkSync(join(place, 'opt/real-notifier'), join(place, 'app/link'));
    symlinkSync(join(place, 'app/link'), join(place, 'bin/notify-send'));
    expect(
      await runNotifier(command, { environment: { PATH: join(place, 'bin') }, writableRoots: [join(place, 'app')] }),
    ).toBeUndefined();
    expect(readFileSync(record, 'utf8')).toBe(`${join(place, 'opt/real-notifier')}\n`);
  });

  test('in a directory whose name only begins like the workspace is accepted', async () => {
    const place = directory();
    standIn(join(place, 'app-tools/notify-send'), join(place, 'record'));
    expect(
      await runNotifier(command, {
        environment: { PATH: join(place, 'app-tools') },
        writableRoots: [join(place, 'app')],
      }),
    ).toBeUndefined();
  });

  test('that fails or is missing is reported', async () => {
    const place = directory();
    standIn(join(place, 'bin/notify-send'), join(place, 'record'), 3);
    const context = { environment: { PATH: join(place, 'bin') }, writableRoots: [] };
    expect(await runNotifier(command, context)).toBe(
      'notify-send failed with status 3: is there a desktop to show it?',
    );
    writeFileSync(join(place, 'bin/notify-send'), '#!/nowhere/interpreter\n');
    expect(await runNotifier(command, context)).toBe('notify-send cannot be started (ENOENT)');
  });
});

const programs = ['notify-send', 'dbus-run-session', 'dunst', 'Xvfb'];
const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);

/** The texts that dunst shows, printed on its stdout. */
const desktop = `
Xvfb -displayfd 3 -screen 0 640x480x24 3>display >/dev/null 2>&1 &
server=$!
while [ ! -s display ]; do sleep 0.05; done
DISPLAY=:$(cat display) dunst -print -config /dev/null > shown 2>/dev/null &
daemon=$!
until gdbus introspect --session --dest org.freedesktop.Notifications --object-path / >/dev/null 2>&1 || [ $((tries = tries + 1)) -gt 40 ]; do sleep 0.1; done
notify-send "$@"
sleep 0.3
kill $daemon $server
wait
`;

// Skipped if one of these is missing. scripts/install-test-packages.sh installs them.
test.skipIf(missing.length > 0)(
  `a real notification service shows the texts as texts${missing.length > 0 ? ` (missing: ${missing.join(', ')})` : ''}`,
  async () => {
    const place = directory();
    const words = notificationCommand('linux', hostile)?.words ?? [];
    const child = spawn('dbus-run-session', ['--', 'sh', '-c', desktop, 'sh', ...words], {
      cwd: place,
      stdio: 'ignore',
      timeout: 20_000,
    });
    await new Promise((resolve) => child.once('exit', resolve));
    const shown = readFileSync(join(place, 'shown'), 'utf8');
    expect(shown).toContain(`summary: '${hostile.title}'`);
    expect(shown).toContain(
      'body: \'&lt;a href="http://evil.test"&gt;x&lt;/a&gt; &amp; &lt;img src=x&gt; item 3 of argv\'',
    );
    expect(shown).toContain('actions: {}');
  },
);
