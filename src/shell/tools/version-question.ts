import type { Word } from '../types.ts';
import type { ToolSpec } from './types.ts';
import { plainText } from './words.ts';

const words = (text: string): readonly string[] => text.split(' ');

const versionWords = words(
  'buf consul cosign crictl dagger eksctl gitleaks golangci-lint gopls grype istioctl k6 k9s kind kustomize lefthook minikube mise nomad opa rclone restic skaffold syft tflint trivy vault zig',
);

/** Programs of which only this question is known. Any other words may do anything. */
export const versionOnly: readonly string[] = [
  ...versionWords,
  ...words(
    'ld nginx tig gitk gitui lazygit opam kotlinc nim clangd rust-analyzer pyright caddy haproxy redis-server postgres mongod hatch act age clang-tidy clippy-driver corepack delta htop hyperfine ldd mdbook ncdu nix perf pg_config pg_isready protoc semgrep sops starship stylua taplo tldr watchman zoxide',
  ),
  ...words(
    'VBoxManage auditctl bridge colima conntrack doveconf exim incus ipset iscsiadm k3d limactl lxc multipass multipath named-checkconf rfkill wg age-keygen apt-file argocd astyle bison conftest dart django-admin dprint earthly emerge flex flux gcov google-java-format guix ipython jupyter ktlint kubens libtool license-checker lstopo m4 micromamba nix-instantiate nvcc pass pg_waldump pip-licenses pipdeptree publint qemu-system-x86_64 scalafmt swiftlint terraform-docs tfsec tilt uncrustify yt-dlp',
  ),
  ...words(
    'apachectl ansible-doc ansible-galaxy ansible-inventory ansible-lint ansible-vault bluetoothctl btop cargo-audit circleci ctr dive elinks etcdctl fastfetch git-lfs glow hugo jsonnet ghq kubeconform lighthouse neofetch ngrok onefetch pip-audit plantuml rage stern svn terragrunt tidy trufflehog uconv xclip xdotool yamlfmt zellij',
  ),
  ...words(
    'apache2ctl as claude codespell codex convert createdb crystal dot dropdb ffmpeg fpc gfortran gpg-agent gs httpd hub jcmd jj jsonlint latex magick nasm nmap ollama pdflatex pg_basebackup pg_restore sam showmount skopeo sshd swc tesseract thrift tshark typos vale wat2wasm xelatex',
  ),
];

const each = (names: string, ...questions: readonly string[]): (readonly [string, readonly string[]])[] =>
  words(names).map((name) => [name, questions]);

/**
 * Programs that print their version or their help and do nothing else when asked for it, but more than reading
 * otherwise. Programs that read the project's settings first (gradle, mvn, bundle) are not among them. Some hand on to a
 * copy in the project (jest, webpack, nx), and packer asks the plugins that it finds here.
 */
const answers: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...each('make gmake', '-v', '--version', '--help'),
  ...each(
    'rustc cargo ctest ninja meson tsc npx psql mysql split csplit nc ncat rsync gcc g++ cc clang',
    '--version',
    '-V',
    '--help',
  ),
  ...each(
    'eslint prettier vitest mypy stylelint esbuild rollup vite playwright bandit coverage pre-commit ansible ansible-playbook redis-cli valkey-cli mongosh mongo duckdb gdb lldb vi vim nvim nano emacs code cursor patch apt-get autoconf automake autoreconf chroot just nohup nsenter pg_dump pg_dumpall pylint setsid task unshare',
    '--version',
    '--help',
  ),
  ...each('vagrant perl swiftc ghc', '--version'),
  ...versionOnly.map((name): [string, readonly string[]] => [
    name,
    [...(versionWords.includes(name) ? ['version'] : []), '--version', '--help'],
  ]),
  ...each('etcdctl', 'version', '--version'),
  ...each('xclip', '-version', '--version'),
  ...each('kotlin scala', '-version', '--version'),
  ...each('named-checkconf', '-v', '--version'),
  ...each('nginx httpd apache2ctl apachectl dot nasm tshark', '-v', '-V', '--version'),
  ...each('javac ffprobe convert magick xcodebuild kotlinc erl ocaml pdflatex', '-version', '--version'),
  ...each('ffmpeg', '-version', '-formats', '-codecs', '-encoders', '-decoders', '-filters', '-hwaccels'),
  ...each('cmake', '--version', '-V', '--help', '--help-command-list', '--help-module-list', '--help-variable-list'),
  ...each('ld', '--version', '-v', '--verbose', '--help'),
  ...each('code', '--version', '--list-extensions', '--help'),
  ...each('opam', '--version', 'list', 'switch list'),
  ...each('kind', '--version', 'version', 'get clusters', 'get nodes'),
  ...each('composer', '--version --no-plugins', '--no-plugins --version'),
  ...each('aws', 'help', 'configure list-profiles', '--version'),
  ...each('pg_config pg_isready', '--version', '--help', '-V'),
  ...each('pulumi flyctl helm', 'version'),
  ...each('haproxy caddy', '-v', 'version', '--version'),
  ...each('jcmd', '-l'),
  ...each('auditctl', '-l', '-s', '--version'),
  ...each('bridge', 'link', 'link show', 'fdb show', 'vlan', 'vlan show'),
  ...each('brew', 'services list', '--cache', '--cellar'),
  ...each('colima limactl multipass lxc incus', 'list', 'ls', 'status', 'version', '--version', '--help'),
  ...each('conntrack', '-L', '-S', '--version'),
  ...each('crictl', 'ps', 'pods', 'images', 'info', 'version', '--version'),
  ...each('csrutil', 'status'),
  ...each('dmsetup', 'ls', 'info', 'status', 'table', 'ls --tree'),
  ...each('docker', 'buildx du'),
  ...each('exim', '-bp', '-bV', '--version'),
  ...each('doveconf', '-n', '-a'),
  ...each('ipset', 'list', 'list -n', '-L', '--version'),
  ...each('iscsiadm', '-m session', '-m node', '--version'),
  ...each('k3d', 'cluster list', 'node list', 'version', '--version'),
  ...each('lvm', 'version'),
  ...each('perf', 'list', '--version', '--help'),
  ...each('protoc', '--decode_raw', '--version', '--help'),
  ...each('tesseract', '--list-langs', '--version', '--help'),
  ...each('machinectl', 'list', 'list-images'),
  ...each('multipath', '-ll', '-l'),
  ...each('networksetup', '-listallhardwareports', '-listallnetworkservices', '-listnetworkserviceorder'),
  ...each('pmset', '-g', '-g batt', '-g log', '-g assertions'),
  ...each('rfkill', 'list', '--version'),
  ...each('sshd', '-t', '-T', '-V', '--version'),
  ...each('systemctl', 'list-jobs', 'list-machines', 'list-automounts', 'list-paths'),
  ...each('tc', 'qdisc', 'qdisc show', 'class show', 'filter show'),
  ...each('wg', 'show', '--version'),
  ...each('tilt', 'version', '--version'),
  ...each('minikube', 'version', '--version', 'status', 'ip', 'profile list', '--help'),
  ...each('kubectl', 'version --client'),
  ...each('gcloud az', 'version', '--version'),
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
export function asksForHelp(spec: ToolSpec, name: string, rest: readonly Word[]): boolean {
  const own = helpers.get(name);
  const last = plainText(rest.at(-1));
  const asks =
    last === '--help' || (last === '-h' && shortHelp.has(name)) || (last === '-help' && name === 'terraform');
  if (own === undefined || !asks || rest.length > 4) return false;
  const names = rest.slice(0, -1).map((word) => plainText(word) ?? '');
  if (own !== 'specified') return names.length < 2 && names.every((word) => own.includes(word));
  let level: ToolSpec | undefined = spec;
  for (const word of names) level = level?.subcommands?.find((found) => found.names.includes(word));
  return level !== undefined;
}

/** Whether the words after a program's name ask only for its version. */
export function asksForVersion(name: string, rest: readonly Word[]): boolean {
  if (rest.length === 0 || rest.length > 2) return false;
  return answers.get(name)?.includes(rest.map((word) => plainText(word) ?? '$').join(' ')) === true;
}
