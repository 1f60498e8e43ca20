import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chars, withCrc32 } from '../../dlp/rules/testing/material.ts';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { rounds } from '../../../scripts/testing/extent.ts';
import { scratchDirectory } from '../testing/scratch.ts';
import { withoutSecrets } from './without-secrets.ts';

const token = `ghp_${withCrc32(chars('base62', 30, 'ghp_'))}`;

describe('a configuration without secrets stays as it is', () => {
  test.each([
    '',
    '[core]\n\tbare = false\n\taskpass = /usr/bin/askpass\n',
    '[user]\n\tname = A\n\temail = a@example.com\n\tsigningkey = 0123456789ABCDEF0123456789ABCDEF01234567\n',
    '[remote "origin"]\n\turl = https://you@example.com/a.git\n',
    '[remote "origin"]\n\turl = git@example.com:a/b.git\n\tpushurl = ssh://git@example.com:22/a\n',
    '[remote "origin"]\n\turl = https://[::1]:8080/a@b:c@d.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[http]\n\textraHeader = Accept-Language: de\n\tproxy = http://proxy.example.com:3128\n',
    '[credential]\n\thelper = store\n\thelper = "!gh auth git-credential"\n\tusername = you\n',
    '[credential]\n\thelper = "!f() { echo password=$TOKEN; }; f"\n\thelper = "!f() { echo \\"password=$(pass show x)\\"; }; f"\n',
    '[http]\n\tsslCertPasswordProtected = true\n\tsslKey = /home/you/key.pem\n',
    '[alias]\n\tst = status\n\tpassword-store = !pass\n',
    '//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nalways-auth=true\n',
    'npmAuthToken: "${NPM_TOKEN:-}"\n',
    '[registry]\nglobal-credential-providers = ["cargo:token"]\n[net]\ngit-fetch-with-cli = true\n',
    'index-url = https://$USER:$TOKEN@example.com/simple\n',
    '[registries.own]\nindex = "sparse+https://own.example/index/"\ntoken = ""\n',
  ])('%j', (text) => {
    expect(withoutSecrets(text)).toBeUndefined();
  });
});

describe('secrets are taken out, and the rest stays', () => {
  test.each([
    ['[remote "o"]\n\turl = https://you:s3@h/a\n', '[remote "o"]\n\turl = https://you@h/a\n', 'remote "o".url'],
    ['[remote "o"]\n\turl = https://you:p@ss@h/a', '[remote "o"]\n\turl = https://you@h/a', 'remote "o".url'],
    ['[remote "o"]\n\turl = https://:s3@h/a\n', '[remote "o"]\n\turl = https://h/a\n', 'remote "o".url'],
    [`[remote "o"]\n\turl = https://${token}@h/a\n`, '[remote "o"]\n\turl = https://h/a\n', 'remote "o".url'],
    [
      `[remote "o"]\n\turl = https://${token}:x-oauth-basic@h/\n`,
      '[remote "o"]\n\turl = https://h/\n',
      'remote "o".url',
    ],
    [
      '[url "https://you:s3@h/"]\n\tinsteadOf = x\n',
      '[url "https://you@h/"]\n\tinsteadOf = x\n',
      'url "https://you@h/"',
    ],
    ['[http] proxy = http://you:s3@h:1\r\n', '[http] proxy = http://you@h:1\r\n', 'http.proxy'],
    [
      '[http "https://h/"]\n\textraheader = AUTHORIZATION: basic eDp5\n\tx = 1\n',
      '[http "https://h/"]\n\t# extraheader is hidden by Holdfast\n\tx = 1\n',
      'http "https://h/".extraheader',
    ],
    [
      '[http] extraHeader = Cookie: \\\n a=b\n[x]\n',
      '[http] # extraHeader is hidden by Holdfast\n[x]\n',
      'http.extraHeader',
    ],
    [
      '[credential]\n\thelper = "!f() { echo password=s3; }; f"\n',
      '[credential]\n\t# helper is hidden by Holdfast\n',
      'credential.helper',
    ],
    ['[sendemail]\n\tsmtpPass = s3\n', '[sendemail]\n\t# smtpPass is hidden by Holdfast\n', 'sendemail.smtpPass'],
    [`[alias]\n\ta = !curl -H ${token}\n`, '[alias]\n\ta = !curl -H hidden-by-holdfast\n', 'alias.a'],
    ['# url = https://you:s3@h\n', '# url = https://you@h\n', 'line 1'],
    ['[registries.own]\ntoken = "s3"\n', '[registries.own]\n# token is hidden by Holdfast\n', 'registries.own.token'],
    ['own = { index = "x", token = "s3" }\n', 'own = { index = "x", token = "hidden-by-holdfast" }\n', 'own'],
    [
      '//h/:_authToken=s3\n//h/:username=you\n',
      '# //h/:_authToken is hidden by Holdfast\n//h/:username=you\n',
      '//h/:_authToken',
    ],
    ['a:\n  npmAuthToken: "s3"\n', 'a:\n  # npmAuthToken is hidden by Holdfast\n', 'npmAuthToken'],
    ['registry "https://you:s3@h/"\n', 'registry "https://you@h/"\n', 'line 1'],
  ])('%j', (text, expected, setting) => {
    expect(withoutSecrets(text)).toEqual({ text: expected, settings: [setting] });
  });

  test('a comment in the style of the file', () => {
    expect(withoutSecrets('password: s3\n', '--')?.text).toBe('-- password is hidden by Holdfast\n');
  });
});

test('git reads the copy, with all other settings', () => {
  const file = join(scratchDirectory(), 'config');
  const settings = fc.array(
    fc.constantFrom(
      '[core]\n\tbare = true\n',
      '[http "https://h/"]\n\textraheader = AUTHORIZATION: basic s3\n',
      '[http] extraheader = cookie: \\\n\ts3\n',
      '[remote "o"]\n\turl = https://you:s3@h/a # why\n\tfetch = +a:b\n',
      '[url "https://you:s3@h/"]\n\tinsteadOf = "x \\"y"\n',
      '[credential]\n\thelper = "!f() { echo password=s3; }; f"\n',
      '; https://you:s3@h\n',
      '[a]\n\tb = "c \\\n\td"\n\ttoken = s3\n',
    ),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(settings, (parts) => {
      writeFileSync(file, withoutSecrets(parts.join(''))?.text ?? parts.join(''));
      const { status, stdout } = spawnSync('git', ['config', '--list', '--file', file], { encoding: 'utf8' });
      expect(status).toBe(0);
      expect(stdout).not.toContain('s3');
      for (const [sample, line] of [
        ['[core]', 'core.bare=true'],
        ['[remote', 'remote.o.url=https://you@h/a'],
        ['[a]', 'a.b=c'],
      ] as const)
        if (parts.some((part) => part.startsWith(sample))) expect(stdout).toContain(line);
    }),
    { numRuns: rounds(40) },
  );
});

test.each(['https://', 'a', '@', 'https://a:b', '{token="', '[a "', '\\\n', '\\', "'", 'x = \\\n', 'token', ' '])(
  '%j over and over is read in linear time',
  async (part) => {
    expect(await growth((size) => withoutSecrets(part.repeat(size / part.length)), 1 << 18)).toBeLessThan(linear);
  },
);

test('a long name of a header is read in linear time', async () => {
  const work = (size: number): unknown => withoutSecrets(`extraheader = ${'auth'.repeat(size / 4)}`);
  expect(await growth(work, 1 << 16)).toBeLessThan(linear);
});

test('any text is read, and once is enough', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const found = withoutSecrets(text);
      if (found !== undefined) expect(withoutSecrets(found.text)).toBeUndefined();
    }),
  );
});
