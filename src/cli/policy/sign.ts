import { createPrivateKey, type KeyObject } from 'node:crypto';
import { lstatSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { timeText } from '../../central/bundle-fields.ts';
import { readBundleFile } from '../../central/download.ts';
import { openBundle, rawKeyOf, sealBundle } from '../../central/envelope.ts';
import type { PolicyBundle } from '../../central/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import { readPolicyText } from '../../place/policy-texts.ts';
import { parseDuration } from '../../policy/layers/quantities.ts';
import { writeOwnFile } from '../../trust/store/write-own-file.ts';
import { type CommandInput, optionText, optionTexts, printResult } from '../command.ts';
import { readNamedFile } from '../trust/read-named-file.ts';
import { checkManaged, digestOfPolicy, withManagedPlace } from './managed-policy.ts';

/** `holdfast policy sign FILE --key KEY --out BUNDLE`: signs a managed policy for machines that fetch it. */
export async function signPolicy(input: CommandInput, file: string | undefined): Promise<number> {
  const { values, io } = input;
  const out = optionText(values['out']);
  const keys = optionTexts(values['key']).map((path) => privateKey(resolve(io.cwd, path)));
  const [first] = keys;
  if (file === undefined || out === undefined || first === undefined)
    throw usage('expected FILE, --key KEY and --out BUNDLE', 'see `holdfast policy --help`');
  const path = resolve(io.cwd, file);
  const target = resolve(io.cwd, out);
  const policy = policyIn(path);
  await withManagedPlace(io, async (place) => checkManaged(place, { file: path, text: policy }));
  const bundle = nextBundle(input, { policy, file: path, earlier: earlierBundle(target, rawKeyOf(first)) });
  write(target, sealBundle(bundle, keys));
  const { policy: _, ...told } = bundle;
  printResult(
    input,
    { bundle: target, ...told, sha256: digestOfPolicy(policy) },
    `signed ${target}: name ${bundle.name}, serial ${bundle.serial}, expires ${bundle.expires}\nSHA-256 of its policy: ${digestOfPolicy(policy)}\n`,
  );
  return 0;
}

interface Next {
  readonly policy: string;
  readonly file: string;
  readonly earlier: PolicyBundle | undefined;
}

/** Name and serial continue those of the bundle that is replaced. */
function nextBundle({ values }: CommandInput, { policy, file, earlier }: Next): PolicyBundle {
  const name = optionText(values['name']) ?? earlier?.name ?? basename(file).replace(/\.toml$/u, '');
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/u.test(name))
    throw usage(`${JSON.stringify(name)} is not a bundle name`, 'use a-z, 0-9, ".", "_" and "-", as in --name team');
  const serial = Number(optionText(values['serial']) ?? (earlier?.serial ?? 0) + 1);
  if (!Number.isSafeInteger(serial) || serial < 1)
    throw usage(`${JSON.stringify(optionText(values['serial']))} is not a serial`, 'use a whole number from 1');
  const written = optionText(values['expires']) ?? '90d';
  const lifetime = parseDuration(written) ?? 0;
  if (lifetime < 1000 || lifetime > longestLife)
    throw usage(`${JSON.stringify(written)} is not a bundle lifetime`, 'write it as --expires 90d, at most 3660d');
  const now = Date.now();
  return { name, serial, issued: timeText(now), expires: timeText(now + lifetime), policy };
}

const longestLife = 3660 * 86_400_000;

function policyIn(path: string): string {
  const source = readPolicyText('managed', path);
  if (source !== undefined) return source.text;
  throw new HoldfastError('HF_POLICY_UNREADABLE', `${path} does not exist`, { remedy: 'name an existing policy file' });
}

/** Overwrites only a bundle of this key. */
function earlierBundle(path: string, key: string): PolicyBundle | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    return openBundle(readBundleFile(path).bytes, [key]);
  } catch (cause) {
    throw usage(`${path} exists, and is not a bundle of this key`, 'name another file with --out', cause);
  }
}

const othersMayUse = 0o007;

function privateKey(path: string): KeyObject {
  const text = readNamedFile(path);
  // Said before its mode, because everybody may read a public key.
  if (/^-----BEGIN PUBLIC KEY-----/mu.test(text))
    throw usage(
      `${path} is a public key, and only a private key signs`,
      'give the private key of the same pair to --key',
    );
  if ((statSync(path).mode & othersMayUse) !== 0)
    throw usage(
      `${path} is a private key that every user can read`,
      `run \`chmod o-rwx ${path}\`, and consider making a new key`,
    );
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch (cause) {
    throw usage(`${path} is not a private key without a passphrase`, newKey, cause);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw usage(`${path} is of ${key.asymmetricKeyType ?? 'an unknown kind'}, not of Ed25519`, newKey);
}

const newKey = 'make one with `openssl genpkey -algorithm ed25519 -out FILE`';

function write(path: string, bytes: Uint8Array): void {
  try {
    writeOwnFile({ path, bytes, mode: 0o644 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw usage(`${path} cannot be written: ${code ?? String(cause)}`, 'name a file that you can write', cause);
  }
}

function usage(message: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy, ...(cause === undefined ? {} : { cause }) });
}
