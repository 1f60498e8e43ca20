import { generateKeyPairSync, sign } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TrustPaths } from '../store/layout.ts';
import { scratchPaths, workspace } from '../testing/scratch.ts';
import { foundFile, rulesSurface, sha } from '../testing/values.ts';
import { addSigner, readSigners, removeSigner, signersFile } from './signers.ts';
import { parsePublicKey, signerOf, type TrustedSigner } from './verify-bundle.ts';

const keys = generateKeyPairSync('ed25519');
const signer: TrustedSigner = {
  name: 'dev',
  workspace,
  kind: 'ed25519',
  ...parsePublicKey(keys.publicKey.export({ format: 'pem', type: 'spki' }).toString()),
};
const nothing = (): undefined => undefined;

describe('the trusted signers', () => {
  test('are none at first', () => {
    expect(readSigners(scratchPaths(), workspace)).toEqual([]);
    expect(removeSigner(scratchPaths(), signer, nothing)).toBe('unknown');
  });

  test('are added, replaced by name, and removed, for one workspace', () => {
    const paths = scratchPaths();
    addSigner(paths, { ...signer, id: '0123456789abcdef' }, nothing);
    addSigner(paths, { ...signer, workspace: '/home/dev/other' }, nothing);
    addSigner(paths, signer, nothing);
    expect(readSigners(paths, workspace)).toEqual([signer]);
    expect(removeSigner(paths, signer, nothing)).toBe('removed');
    expect([readSigners(paths, workspace), readSigners(paths, '/home/dev/other')]).toEqual([
      [],
      [{ ...signer, workspace: '/home/dev/other' }],
    ]);
  });

  test('are not kept without an entry in the journal', () => {
    const paths = scratchPaths();
    const journal = (): never => {
      throw new Error('full');
    };
    expect(() => addSigner(paths, signer, journal)).toThrow();
    expect(readSigners(paths, workspace)).toEqual([]);
    addSigner(paths, signer, nothing);
    expect(() => removeSigner(paths, signer, journal)).toThrow();
    expect(readSigners(paths, workspace)).toEqual([signer]);
  });

  const hostile: Readonly<Record<string, (text: string) => string>> = {
    nothing: () => '',
    'half of it': (text) => text.slice(0, text.length / 2),
    'a newer version': (text) => text.replace('"version": 1', '"version": 2'),
    'a key twice': (text) => text.replace('"version": 1', '"version": 1,\n "version": 1'),
    'a key more': (text) => text.replace('"name"', '"more": 1,\n   "name"'),
    'a prototype': (text) => text.replace('"name"', '"__proto__": {},\n   "name"'),
    'another kind': (text) => text.replace('"ed25519"', '"rsa"'),
    'a short key': (text) => text.replace(/"key": "[^"]+"/u, '"key": "AAAA"'),
    'not a list': () => '{\n "version": 1,\n "signers": {}\n}\n',
  };

  test.each(Object.entries(hostile))('are not read from a file that holds %s, and the file stays', (_name, change) => {
    const paths = scratchPaths();
    addSigner(paths, signer, nothing);
    const file = signersFile(paths);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const before = readFileSync(file, 'utf8');
    for (const use of [
      () => readSigners(paths, workspace),
      () => addSigner(paths, signer, nothing),
      () => removeSigner(paths, signer, nothing),
    ])
      expect(use).toThrow(expect.objectContaining({ code: 'HF_TRUST_INVALID' }));
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('are not read from a file that others may write', () => {
    const paths = scratchPaths();
    addSigner(paths, signer, nothing);
    chmodSync(signersFile(paths), 0o620);
    expect(() => readSigners(paths, workspace)).toThrow(/may be written by others/u);
  });
});

describe('a signature beside a file', () => {
  const text = '# Be nice\n';
  const found = foundFile({ path: 'docs/AGENTS.md', surface: rulesSurface, text, fields: [] });
  let root: string;
  let paths: TrustPaths;

  beforeEach(() => {
    const scratch = scratchPaths();
    [root, paths] = [scratch.root, scratch];
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs/AGENTS.md'), text);
    addSigner(paths, signer, nothing);
  });

  const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(root, 'docs', name), content);
  const signed = (): string | undefined => signerOf(root, found, readSigners(paths, workspace))?.name;

  test('names its signer', () => {
    put('AGENTS.md.sig', sign(null, Buffer.from(text), keys.privateKey));
    expect(signed()).toBe('dev');
    expect(signerOf(root, found, [])).toBeUndefined();
  });

  test('does not count for a file that it is not beside, or for others', () => {
    expect(signed()).toBeUndefined();
    put('AGENTS.sig', sign(null, Buffer.from(text), keys.privateKey));
    put('AGENTS.md.sig', sign(null, Buffer.from('# Be evil\n'), keys.privateKey));
    put('AGENTS.md.sigstore.json', sign(null, Buffer.from(text), keys.privateKey));
    expect(signed()).toBeUndefined();
  });

  test('does not count for the scripts that a file names', () => {
    put('AGENTS.md.sig', sign(null, Buffer.from(text), keys.privateKey));
    expect(signerOf(root, { ...found, scripts: [{ path: 'x.sh', sha256: sha('x') }] }, [signer])).toBeUndefined();
  });

  test('is not followed out of the repository, and is read with a limit', () => {
    writeFileSync(join(root, 'outside.sig'), sign(null, Buffer.from(text), keys.privateKey));
    symlinkSync('../outside.sig', join(root, 'docs/AGENTS.md.sig'));
    expect(signed()).toBeUndefined();
    put('AGENTS.md.minisig', Buffer.alloc(2 << 20, 'A'));
    expect(signed()).toBeUndefined();
  });

  test('counts for the bytes that were found, and not for later ones', () => {
    put('AGENTS.md.sig', sign(null, Buffer.from(text), keys.privateKey));
    put('AGENTS.md', '# Be evil\n');
    expect(signed).toThrow(expect.objectContaining({ code: 'HF_TRUST_REFUSED' }));
  });
});
