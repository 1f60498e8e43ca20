import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isCommand, masked, ResidentProject } from '../lib/resident.ts';

let project: ResidentProject;
let resident: number;
beforeAll(() => {
  project = new ResidentProject();
  resident = project.serve();
});
afterAll(() => project[Symbol.dispose]());
afterEach(() => {
  rmSync(join(project.home, '.config'), { recursive: true, force: true });
  rmSync(join(project.workspace, 'holdfast.toml'), { force: true });
});

interface Row {
  readonly what: string;
  readonly user?: string;
  readonly project?: string;
  readonly script: string;
  readonly status: number;
  /** Of stdout and stderr. */
  readonly says: RegExp;
  readonly environment?: NodeJS.ProcessEnv;
  readonly by?: 'node';
}

const credential =
  '[network]\nhosts = ["api.example.com:443"]\n[[credentials]]\nname = "example"\nsource = { env = "EXAMPLE_TOKEN" }\nhosts = ["api.example.com"]\ninject = { kind = "bearer" }\nenvironment = ["EXAMPLE_TOKEN"]\n';
const secret = 'example_live_7Hq2mVx9Lk4TzB6w';
const audited = '[[file]]\nname = "r"\ndecision = "audit"\npaths = ["kept/**"]\n';

const rows: readonly Row[] = [
  {
    what: 'an audited file',
    user: audited,
    script: 'mkdir -p kept; "$H" run -- sh -c "echo x > kept/a; cat kept/a"',
    status: 0,
    says: /^x$/mu,
  },
  {
    what: 'a denied file',
    user: audited.replace('audit', 'deny').replace('kept/**', 'kept'),
    script: 'mkdir -p kept; echo x > kept/b; "$H" run -- cat kept/b',
    status: 1,
    says: /Permission denied/u,
  },
  {
    what: 'a redirected directory',
    user: '[[file]]\nname = "r"\ndecision = "redirect"\npaths = ["kept/**"]\nto = "instead"\n',
    script: 'mkdir -p instead; "$H" run -- sh -c "echo x > kept/c"; ls kept instead',
    status: 0,
    says: /./u,
  },
  {
    what: 'a credential',
    user: credential,
    environment: { EXAMPLE_TOKEN: secret },
    script: `"$H" run -- sh -c 'test -n "$EXAMPLE_TOKEN" && test "$EXAMPLE_TOKEN" != ${secret} && printf %s "$EXAMPLE_TOKEN" | wc -c; test -r "$SSL_CERT_FILE" && echo trusted'`,
    status: 0,
    says: /^30\ntrusted$/mu,
  },
  {
    what: 'a credential whose source is empty',
    user: credential,
    script: `"$H" run -- sh -c 'echo "<$EXAMPLE_TOKEN>"'`,
    status: 0,
    says: /EXAMPLE_TOKEN/u,
  },
  {
    what: 'a command that is denied',
    user: '[commands]\ndeny = ["git push"]\n',
    script: '"$H" run -- git push',
    status: 125,
    says: /HF_COMMAND_REFUSED/u,
  },
  {
    what: 'a command that is denied within',
    user: '[commands]\ndeny = ["git push"]\n',
    script: '"$H" run -- sh -c "true; git push"',
    status: 125,
    says: /refused/iu,
  },
  {
    what: 'a command that is asked about, with nobody there',
    user: '[commands]\nask = ["git push"]\n',
    script: '"$H" run -- git push',
    status: 125,
    says: /./u,
    by: 'node',
  },
  {
    what: 'a command that is asked about within',
    user: '[commands]\nask = ["git"]\n',
    script: 'echo "git --version" > s.sh; "$H" run -- sh s.sh',
    status: 126,
    says: /./u,
    by: 'node',
  },
  {
    what: 'a policy of the project that denies',
    project: '[commands]\ndeny = ["git"]\n',
    script: '"$H" run -- git status',
    status: 125,
    says: /HF_COMMAND_REFUSED/u,
  },
  { what: 'a policy that is none', user: 'nonsense = 1\n', script: '"$H" run -- true', status: 125, says: /nonsense/u },
  {
    what: 'a project that wants to widen',
    project: '[network]\nhosts = ["example.org"]\n',
    script: '"$H" run -- true',
    status: 0,
    says: /^/u,
  },
  {
    what: 'a limit of time',
    user: '[limits]\nwall = "1s"\n',
    script: '"$H" run -- sleep 20',
    status: 143,
    says: /time limit/u,
  },
  {
    what: 'a limit of processes',
    user: '[limits]\nprocesses = 20\n',
    script: `"$H" run -- sh -c 'for i in $(seq 40); do sleep 1 & done; echo end' 2>&1 | grep -c fork; exit 2`,
    status: 2,
    says: /^[1-9]/u,
  },
  {
    what: 'no supervisor, as the user wishes',
    user: 'resident = "never"\n',
    script: '"$H" run -- echo x',
    status: 0,
    says: /^x$/mu,
    by: 'node',
  },
  {
    what: 'a project that wishes for no supervisor',
    project: 'resident = "never"\n',
    script: '"$H" run -- echo x',
    status: 125,
    says: /resident/u,
  },
];

function run(
  row: Row,
  way: NodeJS.ProcessEnv,
): { readonly nodes: number; readonly shown: object; readonly text: string; readonly status: number | null } {
  const before = project.starts.filter(isCommand).length;
  const { status, signal, stdout, stderr } = project.script(row.script, {
    environment: { ...row.environment, ...way },
  });
  return {
    nodes: project.starts.filter(isCommand).length - before,
    shown: { status, signal, stdout: masked(stdout), stderr: masked(stderr) },
    text: stdout + stderr,
    status,
  };
}

test.each(rows)('$what: the same with a supervisor and without', (row) => {
  if (row.user !== undefined) project.write('../home/.config/holdfast/policy.toml', `version = 1\n${row.user}`);
  if (row.project !== undefined) writeFileSync(join(project.workspace, 'holdfast.toml'), `version = 1\n${row.project}`);
  const [warm, cold] = [run(row, {}), run(row, { HOLDFAST_RESIDENT: 'never' })];
  expect(warm.shown).toEqual(cold.shown);
  expect({ status: cold.status, text: cold.text }).toEqual({
    status: row.status,
    text: expect.stringMatching(row.says),
  });
  expect(project.residents).toEqual([resident]);
  expect({ warm: warm.nodes, cold: cold.nodes }).toEqual({ warm: row.by === 'node' ? 1 : 0, cold: 1 });
});

test('the journal’s entries are the same', () => {
  project.write('../home/.config/holdfast/policy.toml', `version = 1\n${audited}`);
  const lines = (): readonly string[] =>
    project.script(`cat ${project.state}/journal.jsonl`).stdout.split('\n').slice(0, -1);
  const kept = (environment: NodeJS.ProcessEnv): readonly unknown[] => {
    const before = lines().length;
    project.script(
      'mkdir -p kept; rm -f kept/j; "$H" run -- sh -c "echo x > kept/j; cat kept/j >/dev/null; echo y > .git/hooks/pre-push"',
      { environment },
    );
    return lines()
      .slice(before)
      .map((line) => {
        const { type, outcome, request, verdict } = JSON.parse(line) as Record<string, unknown>;
        return { type, outcome, request, verdict };
      });
  };
  const [warm, cold] = [kept({}), kept({ HOLDFAST_RESIDENT: 'never' })];
  expect(warm).toEqual(cold);
  expect(warm.length).toBeGreaterThan(1);
});
