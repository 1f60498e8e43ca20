import { fileURLToPath } from 'node:url';

/** One way to run a container, as the flags of podman for it. */
export interface ContainerRow {
  readonly name: string;
  /** Flags, before those that every row has. */
  readonly flags: readonly string[];
  /** `rootless`: podman itself runs as uid 1000. */
  readonly podman: 'root' | 'rootless';
  /** The same as flags of Docker. */
  readonly docker?: readonly string[];
}

export const publishedProfile = fileURLToPath(new URL('../../docs/seccomp-container.json', import.meta.url));
/** Replaced by the path of the imitation of Docker's default filter. */
export const dockersProfile = '@docker-default';

const security = (...words: readonly string[]): readonly string[] => words.flatMap((word) => ['--security-opt', word]);
const runtimeDefault = security(`seccomp=${dockersProfile}`);
const published = security(`seccomp=${publishedProfile}`);
const unmasked = security('unmask=ALL');
const user = ['--user', '1000'];
/** The flags for the fields of the Pod Security Standard *restricted*, and a read-only root. */
const restricted = [
  ...user,
  '--cap-drop=ALL',
  ...security('no-new-privileges'),
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--tmpfs',
  '/home/holdfast',
];
const uid0 = ['--user', '0'];
const row = (name: string, ...flags: readonly string[]): ContainerRow => ({ name, flags, podman: 'root' });
const rootless = (name: string, ...flags: readonly string[]): ContainerRow => ({ name, flags, podman: 'rootless' });

/** The lines of `docs/containers.md`. */
export const containerRows: readonly ContainerRow[] = [
  rootless('podman rootless, uid 0', ...uid0),
  rootless('podman rootless', ...user),
  rootless('podman rootless, unmask=ALL', ...user, ...unmasked),
  row('podman as root, uid 0', ...uid0),
  row('podman as root', ...user),
  row('podman as root, unmask=ALL', ...user, ...unmasked),
  { ...row('Docker default, uid 0 (imitated)', ...uid0, ...runtimeDefault), docker: uid0 },
  { ...row('Docker default (imitated)', ...user, ...runtimeDefault), docker: user },
  { ...row('Docker, published profile (imitated)', ...user, ...published), docker: [...user, ...published] },
  {
    ...row('Docker, published profile and systempaths=unconfined (imitated)', ...user, ...published, ...unmasked),
    docker: [...user, ...published, ...security('systempaths=unconfined')],
  },
  row('pod, baseline (imitated)', ...user, ...runtimeDefault),
  row('pod, restricted (imitated)', ...restricted, ...runtimeDefault),
  row('pod, restricted, published profile (imitated)', ...restricted, ...published),
  row('pod, restricted, published profile, procMount (imitated)', ...restricted, ...published, ...unmasked),
  row('--privileged, uid 0', ...uid0, '--privileged'),
  row('--privileged', ...user, '--privileged'),
];
