import type { Word } from '../types.ts';
import { plainText } from './words.ts';

const versionWords =
  'buf consul dagger eksctl gitleaks golangci-lint istioctl k6 k9s kind kustomize lefthook minikube mise nomad restic skaffold trivy vault'.split(
    ' ',
  );

/** Programs of which only this question is known. Any other words may do anything. */
export const versionOnly: readonly string[] = [
  ...versionWords,
  ...'act age clang-tidy clippy-driver corepack delta htop hyperfine ldd mdbook ncdu nix perf pg_config pg_isready protoc semgrep sops starship stylua taplo tldr watchman zig zoxide'.split(
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
  ['kubectl', ['version --client']],
  ['gcloud', ['version', '--version']],
  ['az', ['version', '--version']],
  ['helm', ['version']],
]);

/** Whether the words after a program's name ask only for its version. */
export function asksForVersion(name: string, words: readonly Word[]): boolean {
  if (words.length === 0 || words.length > 2) return false;
  return answers.get(name)?.includes(words.map((word) => plainText(word) ?? '$').join(' ')) === true;
}
