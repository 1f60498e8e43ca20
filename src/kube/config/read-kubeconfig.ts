import { readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { HoldfastError } from '../../errors/index.ts';
import { contextAccess, type OriginatedConfig } from './access.ts';
import { distrustOf } from './file-trust.ts';
import { kubeconfigError } from './kubeconfig-error.ts';
import { type Kubeconfig, kubeconfigSchema } from './schema.ts';
import type { ClusterAccess, KubeconfigPlace } from './types.ts';

const longestFile = 1 << 20;

/**
 * Reads the user's kubeconfig. Several files of `KUBECONFIG` are merged: the first one with a name wins. Throws
 * `HF_KUBECONFIG_INVALID`, also for programs and secret files of other users.
 */
export function readKubeconfig(place: KubeconfigPlace): ClusterAccess {
  const files = filesOf(place);
  const configs = files.map((file) => readOne(file, place));
  const context =
    place.context ?? configs.find(({ config }) => present(config['current-context']))?.config['current-context'];
  if (!present(context))
    throw kubeconfigError(`${files.join(' and ')} has no current context`, 'name one with --context');
  return contextAccess(configs, { context, writableRoots: place.writableRoots });
}

function present(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function filesOf({ environment, home, cwd, file }: KubeconfigPlace): readonly string[] {
  if (file !== undefined) return [resolve(cwd, file)];
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((name) => name !== '');
  if (named.length === 0) return [join(home, '.kube/config')];
  const there = named.map((name) => resolve(cwd, name)).filter((name) => statSync(name, { throwIfNoEntry: false }));
  return there.length === 0 ? [resolve(cwd, named[0] ?? '')] : there;
}

function readOne(file: string, { writableRoots }: KubeconfigPlace): OriginatedConfig {
  const parsed = v.safeParse(kubeconfigSchema, documentOf(file));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw kubeconfigError(
      `${file} is no kubeconfig: ${v.getDotPath(issue) ?? 'the document'} is invalid`,
      'correct it, or name another file with --kubeconfig',
    );
  }
  const distrust = distrustOf(file, writableRoots);
  return { file, config: absolute(parsed.output, dirname(file)), ...(distrust === undefined ? {} : { distrust }) };
}

function documentOf(file: string): unknown {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw kubeconfigError(`${file} is not a regular file`, remedy);
    if (stats.size > longestFile) throw kubeconfigError(`${file} is longer than 1 MiB`, remedy);
    return parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    if (cause instanceof HoldfastError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw kubeconfigError(`there is no kubeconfig ${file}`, remedy, cause);
    // The parser's message quotes lines of the file, and the file holds secrets.
    throw kubeconfigError(
      `${file} cannot be read: ${message.startsWith('E') ? code : 'it is not YAML'}`,
      remedy,
      cause,
    );
  }
}

const remedy = 'name your kubeconfig with --kubeconfig, or set KUBECONFIG';

/** Paths in a kubeconfig start at its directory. A program without a slash is a name in `PATH`. */
function absolute(config: Kubeconfig, directory: string): Kubeconfig {
  const from = (path: string): string => (isAbsolute(path) ? path : join(directory, path));
  const each = <Key extends string>(object: Readonly<Partial<Record<Key, string | undefined>>>, keys: readonly Key[]) =>
    Object.fromEntries(keys.flatMap((key) => (present(object[key]) ? [[key, from(object[key])]] : [])));
  return {
    ...config,
    clusters: (config.clusters ?? []).map(({ name, cluster }) => ({
      name,
      cluster: { ...cluster, ...each(cluster, ['certificate-authority']) },
    })),
    users: (config.users ?? []).map(({ name, user }) => ({
      name,
      user: {
        ...user,
        ...each(user ?? {}, ['tokenFile', 'client-certificate', 'client-key']),
        ...(user?.exec == null
          ? {}
          : {
              exec: {
                ...user.exec,
                command: user.exec.command.includes('/') ? from(user.exec.command) : user.exec.command,
              },
            }),
      },
    })),
  };
}
