import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { outcomeOf } from '../network/lib/world.ts';
import { entering } from '../network/lib/enter.ts';
import { binary } from '../lib/holdfast.ts';
import type { SharedBox } from './case.ts';
import type { HostOfPeers } from './host.ts';
import { canary, Layout } from './layout.ts';

const files = `[files]
read = ["~/data", "~/single.txt", "~/spaced dir", "~/.sshfoo", "~/link-to-target", "~/absent"]
write = ["~/shared", "~/shared/nested", "~/closed/open", "~/slash/"]
deny = ["~/data/private", "**/customers"]
protect = ["~/shared/fixed", "**/guarded.json", "later/absent.txt"]
`;

const boxPolicies: Readonly<Record<SharedBox, (host: HostOfPeers) => string>> = {
  plain: () => files,
  network: ({ port }) =>
    `${files}[network]\nhosts = ["allowed.example:${port}", "*.wild.example:${port}", "127.0.0.1:${port}"]\ndeny = ["denied.wild.example"]\n`,
  commands: () => `${files}[commands]\ndeny = ["tac"]\nunknown = "allow"\n`,
  released: () => files.replace('[files]', '[files]\nrelease = [".git/config"]'),
  bare: () => files,
};

const names = ['allowed', 'api.wild', 'wild', 'denied.wild', 'malicious-wild', 'blocked'];
const hostsFile = ['127.0.0.1 localhost', '::1 localhost', '127.0.0.1 wildusercontent.example']
  .concat(names.map((name) => `127.0.0.1 ${name}.example`))
  .join('\n');
/** Milliseconds for all scripts of a box, on a busy machine. */
const patience = 100_000;
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Ended {
  readonly status: number;
  readonly said: string;
}

export interface Report {
  readonly layout: Layout;
  readonly ended: readonly Ended[];
}

export const isRoot = process.getuid?.() === 0;

interface Place {
  readonly layout: Layout;
  readonly host: HostOfPeers;
}

/** Variables of the scripts. */
function variables({ layout, host }: Place): Readonly<Record<string, string>> {
  const { project, outside } = layout;
  return {
    W: project.workspace,
    OUT: outside,
    H: binary,
    PORT: `${host.port}`,
    SECOND: `${host.second}`,
    HOSTPID: `${host.pid}`,
    SOCKETS: host.directory,
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

/** Each script has its own directory and its own shell. Returns a script that runs them in turn. */
function shellFor(
  scripts: readonly string[],
  place: Place & { readonly top: string; readonly before?: string },
): string {
  const { top, before = '' } = place;
  const shared = Object.entries(variables(place)).map(([name, value]) => `export ${name}='${value}'`);
  const py = 'py() { PYTHONPATH="$W/lib" python3 -c "from t import *\n$1"; }';
  for (const [index, script] of scripts.entries()) {
    const directory = caseDirectory(top, index);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'try.sh'), [...shared, py, script, ''].join('\n'));
  }
  return `for n in $(seq 0 ${scripts.length - 1}); do cd "${top}/cases/$n" && { ${before} timeout -k 1 15 sh ./try.sh > out 2>&1 < /dev/null; echo $? > status; }; done; exit 0`;
}

const caseDirectory = (top: string, index: number) => join(top, 'cases', `${index}`);

function results(count: number, top: string): readonly Ended[] {
  return Array.from({ length: count }, (_, index) => {
    const directory = caseDirectory(top, index);
    return {
      status: Number(readFileSync(join(directory, 'status'), 'utf8')),
      said: readFileSync(join(directory, 'out'), 'utf8'),
    };
  });
}

function environmentOf({ project }: Layout): NodeJS.ProcessEnv {
  return { ...project.environment, PATH: `${dirname(process.execPath)}:${path}`, GITHUB_TOKEN: canary };
}

/** Scripts in one box, on a machine with its own names. */
export async function inBox(box: SharedBox, scripts: readonly string[], host: HostOfPeers): Promise<Report> {
  const layout = new Layout(boxPolicies[box](host));
  // Elsewhere the files may be withheld, because no case uses them.
  if (box === 'plain' || box === 'released') layout.approve();
  const { project } = layout;
  const top = box === 'bare' ? join(project.root, 'bare') : project.workspace;
  const shell = shellFor(scripts, { layout, host, top });
  const argv = entering({
    files: [[project.write('../hosts', hostsFile), '/etc/hosts']],
    uid: undefined,
    argv: [binary, 'run', '--workspace', top, '--', 'sh', '-c', shell],
  });
  const [program = '', ...rest] = argv;
  const said = await outcomeOf(
    spawn(program, rest, { cwd: top, env: environmentOf(layout), stdio: 'pipe' }),
    '',
    patience,
  );
  if (said.status !== 0) throw new Error(`the box ${box} did not run (${said.status}): ${said.stdout}${said.stderr}`);
  return { layout, ended: results(scripts.length, top) };
}

/** The same without Holdfast, in a separate process namespace. No change of the system lasts. */
export async function inTheOpen(scripts: readonly string[], host: HostOfPeers): Promise<readonly Ended[]> {
  const layout = new Layout('');
  const { project } = layout;
  const top = join(project.root, 'open');
  // Each starts with the original files, and its mounts end with it.
  const fresh = `(cd ${project.root} && rm -rf ws home outside && cp -a first/. .) && cd . && unshare -m`;
  spawnSync('sh', ['-c', 'mkdir first && cp -a ws home outside first'], { cwd: project.root });
  const shell = shellFor(scripts, { layout, host, top, before: fresh });
  const over = join(project.root, 'over');
  mkdirSync(over);
  const mounts = [
    `mount -t tmpfs none ${over}`,
    ...['etc', 'usr'].flatMap((name) => [
      `mkdir -p ${over}/${name}/u ${over}/${name}/w`,
      `mount -t overlay none -o lowerdir=/${name},upperdir=${over}/${name}/u,workdir=${over}/${name}/w /${name}`,
    ]),
    `cat ${project.write('../hosts', hostsFile)} > /etc/hosts`,
  ];
  const become = isRoot ? [] : ['-Ur'];
  const argv = [
    ...become,
    '-m',
    '-p',
    '-f',
    '--mount-proc',
    'sh',
    '-c',
    `${(isRoot ? mounts : []).join(' && ')}\n${shell}`,
  ];
  const said = await outcomeOf(
    spawn('unshare', argv, { cwd: project.workspace, env: environmentOf(layout), stdio: 'pipe' }),
    '',
    patience,
  );
  if (said.status !== 0) throw new Error(`the control did not run (${said.status}): ${said.stdout}${said.stderr}`);
  const ended = results(scripts.length, top);
  project[Symbol.dispose]();
  return ended;
}

/** On the host, in turn in the same workspace. */
export async function aroundBoxes(scripts: readonly string[], host: HostOfPeers): Promise<Report> {
  const layout = new Layout(boxPolicies.plain(host)).approve();
  const ended: Ended[] = [];
  const own = { ...environmentOf(layout), ...variables({ layout, host }) };
  for (const script of scripts) {
    const child = spawn('sh', ['-c', script], { cwd: layout.project.workspace, env: own, stdio: 'pipe' });
    const { status, stdout, stderr } = await outcomeOf(child, '', patience);
    ended.push({ status: status ?? 128, said: stdout + stderr });
  }
  return { layout, ended };
}
