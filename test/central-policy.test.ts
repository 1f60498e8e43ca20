import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpawnSyncReturns } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { binary, Project } from './lib/holdfast.ts';
import { withOwnEtc } from './lib/own-etc.ts';

/** An administrator with two bundles, outside the workspace. */
class Team implements Disposable {
  readonly project = new Project();

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(this.at('team.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    writeFileSync(this.at('team.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(this.at('team.toml'), 'version = 1\n[files]\ndeny = ["**/customers"]\n');
    this.sign('1.bundle', '--serial', '1');
    writeFileSync(this.at('team.toml'), 'version = 1\n[files]\ndeny = ["**/orders"]\n');
    this.sign('2.bundle', '--serial', '2');
  }

  at(name: string): string {
    return join(this.project.root, name);
  }

  sign(out: string, ...more: readonly string[]): SpawnSyncReturns<string> {
    const signing = ['sign', this.at('team.toml'), '--key', this.at('team.key'), '--out', this.at(out), ...more];
    return this.project.holdfast(['policy', ...signing]);
  }

  /** Shell text in its own /etc, with `holdfast` as a word. */
  asAdministrator(text: string): SpawnSyncReturns<string> {
    const script = `holdfast() { ${binary} "$@"; }\nfirst="$1/1.bundle" second="$1/2.bundle" pub="$1/team.pub"\n${text}`;
    const [program = '', ...words] = withOwnEtc(this.project.root, ['sh', '-c', script, 'sh', this.project.root]);
    return this.project.outside(program, words);
  }

  events(): readonly unknown[] {
    return readEvents(join(this.project.state, 'journal.jsonl'));
  }

  [Symbol.dispose](): void {
    this.project[Symbol.dispose]();
  }
}

describe('a bundle in force', () => {
  test('is the managed policy of the next box, which names it in the journal', () => {
    using team = new Team();
    team.project.write('customers/list', 'Ada\n');
    const { stdout, stderr } = team.asAdministrator(`
      holdfast run -- cat customers/list
      holdfast policy fetch "$first" --key "$pub" > taken || exit 1
      sha256sum /etc/holdfast/policy.toml | cut -d' ' -f1
      holdfast run -- cat customers/list`);
    const [read, digest, ...more] = stdout.split('\n');
    expect({ read, more }, stderr).toEqual({ read: 'Ada', more: [''] });
    expect(stderr).toMatch(/customers/u);
    const starts = team.events().filter((event) => (event as { type: string }).type === 'session.start');
    expect(starts).toMatchObject([{}, { managed: digest }]);
    expect(starts[0]).not.toHaveProperty('managed');
    expect(team.events()).toContainEqual(
      expect.objectContaining({ type: 'bundle.enforced', action: 'fetch', serial: 1, policy: digest }),
    );
  });

  test('goes back only on purpose, and is listed', () => {
    using team = new Team();
    const { stdout, stderr, status } = team.asAdministrator(`
      { holdfast policy fetch "$first" --key "$pub" && holdfast policy fetch "$second"; } > taken || exit 1
      holdfast policy fetch "$first"; echo $?
      holdfast policy rollback > taken || exit 1
      holdfast policy fetch "$second"; echo $?
      holdfast policy bundles`);
    expect(stderr).toMatch(/^holdfast: serial 1 is older than 2 in force\n/u);
    expect(stderr).toMatch(/^holdfast: serial 2 was rolled back here: 1 is in force$/mu);
    expect(stdout).toMatch(/^125\n125\nteam, for \/etc\/holdfast\/policy\.toml\n/u);
    expect(stdout).toMatch(/^2 +rolled back .*\n1 +in force /mu);
    expect(status).toBe(0);
  });

  test('stays in force after its expiry, and doctor, the list and a fetch say so', () => {
    using team = new Team();
    expect(team.sign('short.bundle', '--serial', '3', '--expires', '20s').status).toBe(0);
    const { stdout, stderr } = team.asAdministrator(`
      holdfast policy fetch "$1/short.bundle" --key "$pub" > taken || exit 1
      until holdfast policy bundles | grep -q EXPIRED; do sleep 1; done
      holdfast policy bundles > list; echo $?
      holdfast policy fetch "$1/short.bundle" > taken; echo $?
      holdfast doctor | grep EXPIRED
      grep -c orders /etc/holdfast/policy.toml`);
    expect(stdout).toMatch(
      /^1\n1\nthe policy team 3 EXPIRED at .* and stays in force: publish a newer bundle, then run .*\n1\n$/u,
    );
    expect(stderr).toMatch(/^holdfast: the policy team 3 EXPIRED/u);
  });

  test('is fetched from any directory, as by a timer in /', () => {
    using team = new Team();
    expect(team.asAdministrator('cd / && holdfast policy fetch "$first" --key "$pub"')).toMatchObject({ status: 0 });
  });

  test('is unreachable for a box, with any grant', () => {
    using team = new Team();
    const write = `for name in policy.toml central/record.json central/1.bundle; do echo x >> /etc/holdfast/$name; done
      rm -rf /etc/holdfast/central; mv /etc/holdfast /etc/away; cat /etc/holdfast/central/record.json`;
    const { stdout, status } = team.asAdministrator(`
      holdfast policy fetch "$first" --key "$pub" > taken || exit 1
      cd /etc/holdfast && sha256sum policy.toml central/* > "$1/before" && cd "$OLDPWD"
      holdfast run --write /etc/holdfast -- sh -c '${write}' 2> refused
      holdfast run -- sh -c '${write}' 2>> refused
      cd /etc/holdfast && sha256sum -c --quiet "$1/before" && holdfast policy bundles > /dev/null && ls -R`);
    expect({ stdout, status }).toEqual({
      stdout: '.:\ncentral\npolicy.toml\n\n./central:\n1.bundle\nrecord.json\n',
      status: 0,
    });
  });
});

test('is refused in one line if /etc/holdfast is not writable', () => {
  using team = new Team();
  const { stderr, status } = team.asAdministrator(`
    mkdir /etc/holdfast && mount -t tmpfs -o ro,mode=755 none /etc/holdfast
    holdfast policy fetch "$first" --key "$pub"`);
  expect(stderr).toMatch(/^holdfast: \/etc\/holdfast\/central cannot be written: EROFS\n.*as the administrator/u);
  expect(status).toBe(125);
});

describe('sign', () => {
  test('continues from the replaced bundle, and overwrites nothing else', () => {
    using team = new Team();
    const next = JSON.parse(team.sign('2.bundle', '--json').stdout) as unknown;
    expect(next).toMatchObject({
      name: 'team',
      serial: 3,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) as unknown,
    });
    writeFileSync(team.at('notes'), 'mine');
    expect(team.sign('notes').stderr).toMatch(/notes exists, and is not a bundle of this key/u);
    expect(readFileSync(team.at('notes'), 'utf8')).toBe('mine');
  });

  test.each([
    [['--name', 'Our Team'], /is not a bundle name/u],
    [['--serial', '0'], /is not a serial/u],
    [['--expires', 'never'], /is not a bundle lifetime/u],
    [['--expires', '99999d'], /is not a bundle lifetime/u],
    [['--key', '/dev/null'], /is not a regular file/u],
  ])('%j is an error', (words, message) => {
    using team = new Team();
    const { stderr, status } = team.sign('new.bundle', ...words);
    expect(stderr).toMatch(message);
    expect(status).toBe(125);
    expect(existsSync(team.at('new.bundle'))).toBe(false);
  });

  test('neither a policy with a problem nor a world-readable key is used', () => {
    using team = new Team();
    team.project.outside('chmod', ['644', team.at('team.key')]);
    expect(team.sign('new.bundle').stderr).toMatch(/is a private key that every user can read/u);
    team.project.outside('chmod', ['600', team.at('team.key')]);
    expect(team.sign('new.bundle', '--key', team.at('team.pub')).stderr).toMatch(
      /is a public key, and only a private/u,
    );
    writeFileSync(team.at('team.toml'), 'version = 1\n[files]\nraed = ["x"]\n');
    expect(team.sign('new.bundle').stderr).toMatch(/no box could start under the policy:\n.*raed/u);
  });
});
