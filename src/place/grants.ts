import { resolve } from 'node:path';
import { HoldfastError } from '../errors/index.ts';

/**
 * Grants on the command line or through the library, by the person who starts a session. They count as part of that
 * person's policy.
 */
export interface Grants {
  /** Paths, not patterns. Relative ones start at `cwd`. */
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** Paths that may be written, and whose new content is discarded with the box. Absolute. */
  readonly ephemeral?: readonly string[];
  /** Protected or hidden paths that are released in this session. Absolute. */
  readonly release?: readonly string[];
  /** `HOST` or `HOST:PORT`. */
  readonly hosts?: readonly string[];
  /** Names of presets: `npm`, `pypi`, `github` … */
  readonly presets?: readonly string[];
  /**
   * Ports of the box to show on the host's loopback: `8080`, or `3000:8080` as host and box. `none`: no port, not even
   * those of policy files.
   */
  readonly forward?: readonly string[];
  readonly environment?: readonly string[];
  /** Paths, or `@NAME` of an abstract socket. */
  readonly sockets?: readonly string[];
  /** Variables with fixed values. */
  readonly variables?: Readonly<Record<string, string>>;
  /**
   * Rows of the table of providers, and the variable that holds the secret outside of the box. A provider that a policy
   * already has is left to the policy.
   */
  readonly credentials?: readonly GrantedCredential[];
}

export interface GrantedCredential {
  readonly provider: string;
  readonly environment: string;
  /** Variables of the box that hold the phantom. Default: those of the provider. */
  readonly delivered?: readonly string[];
}

/** The directories for `~` and for relative paths. Both are absolute. */
export interface GrantPlaces {
  readonly cwd: string;
  readonly home: string;
}

/**
 * Returns grants with absolute paths. A grant on the command line is always a path, and never a pattern. `~` is the
 * home, because a shell does not expand it in `--read=~/data`. Throws `HF_USAGE` and `HF_PATH_UNREPRESENTABLE`.
 */
export function absoluteGrants(grants: Grants, places: GrantPlaces): Grants {
  const { read, write, sockets, ...others } = grants;
  return {
    ...others,
    ...(read === undefined ? {} : { read: read.map((path) => absolutePath('--read', path, places)) }),
    ...(write === undefined ? {} : { write: write.map((path) => absolutePath('--write', path, places)) }),
    ...(sockets === undefined
      ? {}
      : {
          sockets: sockets.map((socket) =>
            socket.startsWith('@') ? socket : absolutePath('--socket', socket, places),
          ),
        }),
  };
}

function absolutePath(flag: string, path: string, { cwd, home }: GrantPlaces): string {
  if (path === '')
    throw new HoldfastError('HF_USAGE', `${flag} needs a path, and got an empty one`, {
      remedy: `write \`${flag} .\` for the working directory`,
    });
  if (/[\p{Cc}\p{Cs}\uFFFD]/u.test(path)) {
    throw new HoldfastError(
      'HF_PATH_UNREPRESENTABLE',
      `${flag} ${JSON.stringify(path)} holds a control character or is not valid UTF-8`,
      { remedy: 'rename it, or grant the directory around it' },
    );
  }
  return path === '~' || path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(cwd, path);
}
