import type { Word } from '../types.ts';
import type { ToolSpec } from './types.ts';
import { plainText } from './words.ts';

const versionWords =
  'buf consul dagger eksctl gitleaks golangci-lint istioctl k6 k9s kind kustomize lefthook minikube mise nomad restic skaffold trivy vault'.split(
    ' ',
  );

/** Programs of which only this question is known. Any other words may do anything. */
export const versionOnly: readonly string[] = [
  ...versionWords,
  ...'ld nginx tig gitk gitui lazygit opam kotlinc nim clangd gopls rust-analyzer pyright caddy haproxy redis-server postgres mongod hatch act age clang-tidy clippy-driver corepack delta htop hyperfine ldd mdbook ncdu nix perf pg_config pg_isready protoc semgrep sops starship stylua taplo tldr watchman zig zoxide'.split(
    ' ',
  ),
];

/**
 * Programs that print their version and do nothing else when asked for it, but more than reading otherwise. Programs
 * that read the project's settings first (gradle, mvn, bundle) are not among them.
 */
const answers: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...'rustc cargo make gmake cmake ctest ninja meson tsc npx psql mysql split csplit nc ncat rsync gcc g++ cc clang'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, ['--version', '-V']]),
  ...'eslint prettier jest vitest mypy stylelint esbuild rollup vite playwright bandit coverage pre-commit ansible ansible-playbook packer vagrant redis-cli valkey-cli mongosh mongo duckdb gdb lldb vi vim nvim nano emacs code cursor patch apt-get'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, ['--version']]),
  ...versionOnly.map((name): [string, readonly string[]] => [
    name,
    versionWords.includes(name) ? ['--version', 'version'] : ['--version'],
  ]),
  ['javac', ['-version', '--version']],
  ['nginx', ['-v', '-V']],
  ['ghc', ['--version']],
  ['swiftc', ['--version']],
  ['kubectl', ['version --client']],
  ['gcloud', ['version', '--version']],
  ['az', ['version', '--version']],
  ['helm', ['version']],
]);

/**
 * Programs that print help for their own subcommands, and do nothing else. A subcommand without a specification may be
 * a plugin or an alias. For cargo it may be an alias of the project, so that only its own subcommands are listed.
 */
const helpers: ReadonlyMap<string, readonly string[] | 'specified'> = new Map<string, readonly string[] | 'specified'>([
  ...'npm docker podman kubectl helm gh glab terraform tofu pip pip3 uv make gmake cmake ctest ninja npx psql mysql rsync'
    .split(' ')
    .map((name) => [name, 'specified'] as const),
  [
    'cargo',
    'build check test bench run doc new init add remove update search install uninstall publish tree metadata clean fetch fix package'.split(
      ' ',
    ),
  ],
]);
const shortHelp: ReadonlySet<string> = new Set(['npm', 'kubectl', 'helm', 'gh', 'cargo', 'uv', 'pip', 'pip3']);

/** Whether the words end with the question for help, behind plain names of subcommands. */
export function asksForHelp(spec: ToolSpec, name: string, words: readonly Word[]): boolean {
  const own = helpers.get(name);
  const last = plainText(words.at(-1));
  const asks =
    last === '--help' || (last === '-h' && shortHelp.has(name)) || (last === '-help' && name === 'terraform');
  if (own === undefined || !asks || words.length > 4) return false;
  const names = words.slice(0, -1).map((word) => plainText(word) ?? '');
  if (own !== 'specified') return names.length < 2 && names.every((word) => own.includes(word));
  let level: ToolSpec | undefined = spec;
  for (const word of names) level = level?.subcommands?.find((found) => found.names.includes(word));
  return level !== undefined;
}

/** Whether the words after a program's name ask only for its version. */
export function asksForVersion(name: string, words: readonly Word[]): boolean {
  if (words.length === 0 || words.length > 2) return false;
  return answers.get(name)?.includes(words.map((word) => plainText(word) ?? '$').join(' ')) === true;
}
