import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { problemsIn } from '../testing/policies.ts';
import { parsePolicy } from './parse.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const parse = (text: string) => parsePolicy(text, { file: 'policy.toml' });

const everything = `version = 1
[files]
read = ["/data", "~/x", "docs/**", "**/README.md"]
write = ["."]
deny = ["**/secrets"]
protect = ["schema"]
ephemeral = ["~/.cache/x"]
release = [".vscode"]
[network]
hosts = ["example.com", "*.example.org:443", "10.0.0.0/8:5432", "localhost:3000", "any:80"]
deny = ["evil.example.com"]
[sockets]
allow = ["/run/x.sock", "@abstract*"]
deny = ["/run/docker.sock"]
[commands]
allow = ["git *", "npm test"]
ask = ["git push *"]
deny = ["rm -rf *"]
[environment]
pass = ["MY_*"]
deny = ["SECRET"]
[environment.set]
NODE_ENV = "test"
[tools]
allow = ["github/get_*"]
ask = ["github/create_*"]
deny = ["github/delete_*"]
[registry]
allow = ['HKCU\\Software\\X']
deny = ['HKLM\\SYSTEM']
[limits]
memory = "4GiB"
processes = 512
cpus = 2.0
cpu_time = "10m"
file_size = "1GiB"
open_files = 4096
tmp = "2GiB"
wall = "1h"
[process]
ptrace = "allow"
[require]
guarantees = ["fs.read", "kernel.separate"]
[backend]
use = "native"
[[file]]
name = "keep-schema"
decision = "stage"
reason = "reviewed by the database team"
paths = ["db/*.sql"]
operations = ["write", "delete"]
match = ["write db/a.sql"]
not_match = ["read db/a.sql", "write db/x/a.sql"]
[[file]]
name = "elsewhere"
decision = "redirect"
redirect_to = "build/out"
paths = ["out"]
[[exec]]
name = "ask-force"
decision = "ask"
commands = ["git push --force *"]
match = ["git push --force origin"]
not_match = ["git push origin"]
context = "nested"
[[connect]]
name = "database"
decision = "audit"
hosts = ["db.internal"]
ports = [5432, "6000-6010"]
protocol = "tcp"
match = ["db.internal:5432", "db.internal:6005"]
not_match = ["db.internal:443", "udp db.internal:5432"]
[[http]]
name = "read-only"
decision = "deny"
hosts = ["api.example.com"]
methods = ["POST", "DELETE"]
schemes = ["https"]
paths = ["/v1/*"]
match = ["POST https://api.example.com/v1/x"]
not_match = ["GET https://api.example.com/v1/x", "POST http://api.example.com/v1/x"]
[[dns]]
name = "no-text-records"
decision = "deny"
names = ["any"]
types = ["TXT"]
match = ["TXT example.com"]
not_match = ["example.com"]
[[socket]]
name = "no-bind"
decision = "deny"
addresses = ["/run"]
operations = ["bind"]
match = ["bind /run/x"]
not_match = ["/run/x"]
[[signal]]
name = "no-kill"
decision = "deny"
signals = ["KILL", "SIGSTOP"]
targets = ["box"]
match = ["SIGKILL box"]
not_match = ["SIGTERM box", "SIGKILL child"]
[[env]]
name = "no-tokens"
decision = "deny"
names = ["*_TOKEN"]
match = ["MY_TOKEN"]
not_match = ["TOKEN"]
[[tool]]
name = "stage-writes"
decision = "stage"
tools = ["fs/write_*"]
match = ["fs/write_file"]
not_match = ["fs/read_file"]
[[trust]]
name = "trust-this"
decision = "allow"
paths = [".mcp.json"]
sha256 = ["${'a'.repeat(64)}"]
match = ["${'a'.repeat(64)} .mcp.json"]
not_match = [".mcp.json", "${'b'.repeat(64)} .mcp.json"]
[[registry_rule]]
name = "no-run-keys"
decision = "deny"
keys = ['HKCU\\Software\\*\\Run']
operations = ["write"]
match = ['write HKCU\\Software\\X\\Run\\evil']
not_match = ['HKCU\\Software\\X\\Run']
`.replaceAll(/'HK[^']*'/g, (literal) => literal.replaceAll('\\\\', '\\'));

describe('a policy that says everything there is to say', () => {
  const parsed = parse(everything);

  test('is a document', () => {
    expect(parsed).toMatchObject({ kind: 'document', document: { file: 'policy.toml' } });
  });

  test('knows its lines', () => {
    if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
    const at = (path: string): string | undefined => everything.split('\n')[(parsed.document.lines.get(path) ?? 0) - 1];
    expect(at('network.hosts[2]')).toContain('10.0.0.0/8');
    expect(at('exec[0]')).toBe('[[exec]]');
    expect(at('limits.wall')).toBe('wall = "1h"');
  });
});

test('the smallest policy is only its version', () => {
  expect(parse('version = 1')).toMatchObject({ kind: 'document', document: { value: { version: 1 } } });
});

test('a byte order mark and Windows line ends do no harm', () => {
  expect(parse('\ufeffversion = 1\r\n[files]\r\nread = ["/a"]\r\n')).toMatchObject({ kind: 'document' });
});

interface Case {
  readonly text: string;
  readonly line: number;
  readonly message: string | RegExp;
  readonly remedy?: string | RegExp;
}

const cases: Readonly<Record<string, Case>> = {
  'an empty file': { text: '', line: 0, message: '"version" is missing', remedy: 'start the file with: version = 1' },
  'another version': { text: 'version = 2', line: 1, message: 'version has to be 1, not 2' },
  'a syntax error': { text: 'version = 1\n[files\n', line: 2, message: /^not valid TOML: /, remedy: /column \d/ },
  'a duplicate key': { text: 'version = 1\n[files]\nread = []\nread = ["/"]', line: 4, message: /not valid TOML/ },
  'a duplicate table': { text: 'version = 1\n[files]\n[network]\n[files]', line: 4, message: /not valid TOML/ },
  'an unknown section': {
    text: 'version = 1\n[fils]\nread = []',
    line: 2,
    message: 'unknown key "fils"',
    remedy: 'did you mean "files"?',
  },
  'an unknown key': {
    text: 'version = 1\n[files]\n\nraed = []',
    line: 4,
    message: 'unknown key "raed"',
    remedy: 'did you mean "read"?',
  },
  'an unknown key without a likely meaning': {
    text: 'version = 1\n[backend]\ncolour = "blue"',
    line: 3,
    message: 'unknown key "colour"',
    remedy: 'use one of: use, minimum',
  },
  'an unknown key in a rule': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "ask"\ncommand = ["x"]\ncommands = ["x"]',
    line: 5,
    message: 'unknown key "command"',
    remedy: 'did you mean "commands"?',
  },
  'an unknown key in a proposal': {
    text: 'version = 1\n[[propose]]\nname = "a"\nreason = "b"\n[propose.files]\nrelease = []',
    line: 6,
    message: 'unknown key "release"',
  },
  'a wrong type': {
    text: 'version = 1\n[files]\nread = "/a"',
    line: 3,
    message: 'files.read has to be a list, not "/a"',
  },
  'a wrong type in a list': {
    text: 'version = 1\n[files]\nread = ["/a",\n 3]',
    line: 4,
    message: 'files.read[1] has to be a text, not 3',
  },
  'a table where a text is wanted': {
    text: 'version = 1\n[files]\nread = [{}]',
    line: 3,
    message: 'files.read[0] has to be a text, not a table',
  },
  'a date where a text is wanted': {
    text: 'version = 1\n[files]\nread = [1979-05-27]',
    line: 3,
    message: /files\.read\[0\] has to be a text/,
  },
  'an unknown decision': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "maybe"\ncommands = ["x"]',
    line: 4,
    message: /exec\[0\]\.decision has to be "allow" or .*, not "maybe"/,
  },
  'a decision that a kind has not': {
    text: 'version = 1\n[[signal]]\nname = "a"\ndecision = "stage"',
    line: 4,
    message: /signal\[0\]\.decision has to be/,
  },
  'a rule without a name': {
    text: 'version = 1\n[[exec]]\ndecision = "ask"\ncommands = ["x"]',
    line: 2,
    message: '"name" is missing',
  },
  'a rule without a decision': {
    text: 'version = 1\n[[exec]]\nname = "a"\ncommands = ["x"]',
    line: 2,
    message: '"decision" is missing',
  },
  'a rule without a matcher': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "ask"',
    line: 2,
    message: '"commands" is missing',
  },
  'a name that looks like a list item': {
    text: 'version = 1\n[[exec]]\nname = "files.read[0]"\ndecision = "ask"\ncommands = ["x"]',
    line: 3,
    message: /a name starts with a letter/,
  },
  'an empty name': {
    text: 'version = 1\n[[exec]]\nname = ""\ndecision = "ask"\ncommands = ["x"]',
    line: 3,
    message: /a name starts with a letter/,
  },
  'a name used twice': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ["x"]\n[[file]]\nname = "a"\ndecision = "deny"\npaths = ["y"]',
    line: 2,
    message: /the name "a" is already used by file\[0\]/,
  },
  'a name used by a rule and a proposal': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ["x"]\n[[propose]]\nname = "a"\nreason = "r"',
    line: 6,
    message: /already used/,
  },
  'an empty text in a list': {
    text: 'version = 1\n[files]\nread = [""]',
    line: 3,
    message: /files\.read\[0\] is empty/,
  },
  'a path that climbs': {
    text: 'version = 1\n[files]\nread = [\n"../x"]',
    line: 4,
    message: '"../x" climbs with ".."',
  },
  'a path with NUL': { text: 'version = 1\n[files]\nread = ["a\\u0000"]', line: 3, message: /control character/ },
  'a path with a line break': { text: 'version = 1\n[files]\nread = ["a\\nb"]', line: 3, message: /control character/ },
  'a path with braces': { text: 'version = 1\n[files]\nread = ["{a,b}"]', line: 3, message: /brace/ },
  'the whole network by *': {
    text: 'version = 1\n[network]\nhosts = ["*"]',
    line: 3,
    message: '"*" would open the whole network',
    remedy: /"any"/,
  },
  'a URL as host': { text: 'version = 1\n[network]\nhosts = ["https://x.test"]', line: 3, message: /is a URL/ },
  'a port out of range': {
    text: 'version = 1\n[network]\ndeny = ["x.test:99999"]',
    line: 3,
    message: /no usable port/,
  },
  'a port of a rule out of range': {
    text: 'version = 1\n[[connect]]\nname = "a"\ndecision = "deny"\nhosts = ["x"]\nports = [\n70000]',
    line: 7,
    message: /connect\[0\]\.ports\[0\]/,
  },
  'a port of a rule that is none': {
    text: 'version = 1\n[[connect]]\nname = "a"\ndecision = "deny"\nhosts = ["x"]\nports = ["http"]',
    line: 6,
    message: '"http" is not a port',
  },
  'a port in a look-up': {
    text: 'version = 1\n[[dns]]\nname = "a"\ndecision = "deny"\nnames = ["x.test:53"]',
    line: 5,
    message: /names a port/,
  },
  'a shell operator in a command': {
    text: 'version = 1\n[commands]\ndeny = ["a | b"]',
    line: 3,
    message: /shell syntax "\|"/,
  },
  'an empty command': { text: 'version = 1\n[commands]\ndeny = ["  "]', line: 3, message: /an empty command/ },
  'a variable with a strange name': {
    text: 'version = 1\n[environment]\npass = ["A-B"]',
    line: 3,
    message: /not the name of a variable/,
  },
  'a set variable with a strange name': {
    text: 'version = 1\n[environment.set]\n"A=B" = "x"',
    line: 3,
    message: /a variable is named with letters/,
  },
  'a set variable that is not text': {
    text: 'version = 1\n[environment.set]\nA = 1',
    line: 3,
    message: /environment\.set\.A has to be a text/,
  },
  'a signal that is none': {
    text: 'version = 1\n[[signal]]\nname = "a"\ndecision = "deny"\nsignals = ["9"]',
    line: 5,
    message: /not the name of a signal/,
  },
  'an unknown target of a signal': {
    text: 'version = 1\n[[signal]]\nname = "a"\ndecision = "deny"\ntargets = ["world"]',
    line: 5,
    message: /targets\[0\] has to be/,
  },
  'a hash that is none': {
    text: 'version = 1\n[[trust]]\nname = "a"\ndecision = "allow"\npaths = ["x"]\nsha256 = ["abc"]',
    line: 6,
    message: /64 lower-case hexadecimal/,
  },
  'a registry key that is none': {
    text: `version = 1\n[registry]\nallow = ['\\']`,
    line: 3,
    message: /not a registry key/,
  },
  'a tool with a control character': {
    text: 'version = 1\n[tools]\nallow = ["a\\u001bb/c"]',
    line: 3,
    message: /control character/,
  },
  'a memory of nothing': { text: 'version = 1\n[limits]\nmemory = "0GiB"', line: 3, message: /limits\.memory is zero/ },
  'more memory than any machine': {
    text: 'version = 1\n[limits]\nmemory = "9999999TiB"',
    line: 3,
    message: /larger than any machine/,
  },
  'more than the whole machine': {
    text: 'version = 1\n[limits]\nmemory = "120%"',
    line: 3,
    message: /not a share of the machine/,
  },
  'a share of nothing': { text: 'version = 1\n[limits]\ntmp = "0%"', line: 3, message: /not a share of the machine/ },
  'a file size as a share': { text: 'version = 1\n[limits]\nfile_size = "10%"', line: 3, message: /cannot be a share/ },
  'a size without a unit': { text: 'version = 1\n[limits]\nmemory = "4000"', line: 3, message: /a size is written/ },
  'a size as a number': {
    text: 'version = 1\n[limits]\nmemory = 4000',
    line: 3,
    message: /limits\.memory has to be a text/,
  },
  'a duration of nothing': { text: 'version = 1\n[limits]\nwall = "0s"', line: 3, message: /limits\.wall is zero/ },
  'a duration without a unit': {
    text: 'version = 1\n[limits]\nwall = "10"',
    line: 3,
    message: /a duration is written/,
  },
  'no processes': { text: 'version = 1\n[limits]\nprocesses = 0', line: 3, message: /limits\.processes/ },
  'half a process': { text: 'version = 1\n[limits]\nprocesses = 1.5', line: 3, message: /limits\.processes/ },
  'no processors': { text: 'version = 1\n[limits]\ncpus = 0', line: 3, message: /limits\.cpus/ },
  'processors that are no number': { text: 'version = 1\n[limits]\ncpus = nan', line: 3, message: /limits\.cpus/ },
  'endless processors': { text: 'version = 1\n[limits]\ncpus = inf', line: 3, message: /limits\.cpus/ },
  'an unknown guarantee': {
    text: 'version = 1\n[require]\nguarantees = ["fs.raed"]',
    line: 3,
    message: /require\.guarantees\[0\] has to be/,
  },
  'an unknown minimum': {
    text: 'version = 1\n[backend]\nminimum = "auto"',
    line: 3,
    message: /backend\.minimum has to be/,
  },
  'an unknown backend': { text: 'version = 1\n[backend]\nuse = "docker"', line: 3, message: /backend\.use has to be/ },
  'a redirect without a target': {
    text: 'version = 1\n[[file]]\nname = "a"\ndecision = "redirect"\npaths = ["x"]',
    line: 2,
    message: /does not say where to/,
  },
  'a target without a redirect': {
    text: 'version = 1\n[[file]]\nname = "a"\ndecision = "deny"\npaths = ["x"]\nredirect_to = "y"',
    line: 6,
    message: /decides "deny"/,
  },
  'a redirect of a file to many': {
    text: 'version = 1\n[[file]]\nname = "a"\ndecision = "redirect"\npaths = ["x"]\nredirect_to = "y/*"',
    line: 6,
    message: /not a place to redirect/,
    remedy: /without wildcards/,
  },
  'a redirect of a connection without a port': {
    text: 'version = 1\n[[connect]]\nname = "a"\ndecision = "redirect"\nhosts = ["x"]\nredirect_to = "y"',
    line: 6,
    message: /not a place to redirect/,
    remedy: /host:port/,
  },
  'a redirect of a connection to many': {
    text: 'version = 1\n[[connect]]\nname = "a"\ndecision = "redirect"\nhosts = ["x"]\nredirect_to = "*.y.test:80"',
    line: 6,
    message: /not a place to redirect/,
  },
  'a redirect of a command to a bare name': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "redirect"\ncommands = ["x"]\nredirect_to = "y"',
    line: 6,
    message: /not a place to redirect/,
    remedy: /absolute path/,
  },
  'a rule about nothing': {
    text: 'version = 1\n[[file]]\nname = "a"\ndecision = "deny"\npaths = []',
    line: 5,
    message: /can never match: paths is empty/,
  },
  'a rule about no operation': {
    text: 'version = 1\n[[file]]\nname = "a"\ndecision = "deny"\npaths = ["x"]\noperations = []',
    line: 6,
    message: /can never match: operations is empty/,
  },
  'a broken example': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ["git push"]\nmatch = [\n"git push",\n"git pull"]',
    line: 8,
    message: '"a" does not match its example "git pull"',
  },
  'a broken counter-example': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ["git push"]\nnot_match = ["git push -f"]',
    line: 6,
    message: '"a" matches "git push -f", which it must not',
  },
  'an example that another rule takes': {
    text: 'version = 1\n[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ["git *"]\n[[exec]]\nname = "b"\ndecision = "deny"\ncommands = ["*it push"]\nmatch = ["git push"]',
    line: 10,
    message: /the earlier rule "a" matches it/,
  },
  'an example that is none': {
    text: 'version = 1\n[[signal]]\nname = "a"\ndecision = "deny"\nsignals = ["KILL"]\nmatch = ["KILL everyone"]',
    line: 6,
    message: /not an example of a signal request/,
    remedy: /"SIGKILL child"/,
  },
  'an example of a tool without a server': {
    text: 'version = 1\n[[tool]]\nname = "a"\ndecision = "deny"\ntools = ["x/*"]\nnot_match = ["x"]',
    line: 6,
    message: /not an example of a tool request/,
  },
  'a rule that is shadowed': {
    text: 'version = 1\n[[file]]\nname = "a"\ndecision = "allow"\npaths = ["src"]\n[[file]]\nname = "b"\ndecision = "deny"\npaths = ["src/secret"]',
    line: 6,
    message: '"b" can never match: "a" comes first and matches all of it',
  },
  'a rule that a deny set shadows': {
    text: 'version = 1\n[files]\ndeny = ["src"]\n[[file]]\nname = "b"\ndecision = "ask"\npaths = ["src/x"]',
    line: 4,
    message: /"b" can never match: "files\.deny" comes first/,
  },
  'a signal rule that is shadowed': {
    text: 'version = 1\n[[signal]]\nname = "a"\ndecision = "allow"\n[[signal]]\nname = "b"\ndecision = "deny"\nsignals = ["KILL"]',
    line: 5,
    message: /"b" can never match/,
  },
  'a grant that is denied in the same file': {
    text: 'version = 1\n[files]\ndeny = ["~/x"]\nread = ["/y",\n"~/x/z"]',
    line: 5,
    message: '"~/x/z" in files.read has no effect: "~/x" in files.deny is decided first',
  },
  'a writable place that is protected': {
    text: 'version = 1\n[files]\nprotect = ["db"]\nwrite = ["db"]',
    line: 4,
    message: /"db" in files\.write has no effect/,
  },
  'a host that is denied in the same file': {
    text: 'version = 1\n[network]\nhosts = ["a.x.test:443"]\ndeny = ["*.x.test"]',
    line: 3,
    message: /has no effect/,
  },
  'a command that is denied in the same file': {
    text: 'version = 1\n[commands]\ndeny = ["git"]\nallow = ["git push"]',
    line: 4,
    message: /has no effect/,
  },
  'a variable that is denied in the same file': {
    text: 'version = 1\n[environment]\ndeny = ["A_*"]\npass = ["A_B"]',
    line: 4,
    message: /has no effect/,
  },
  'a text of tag characters': {
    text: 'version = 1\n# fine\u{e0041}\n',
    line: 2,
    message: /invisible character U\+E0041/,
  },
  'a Hangul filler': {
    text: 'version = 1\n[files]\nread = ["/a\u3164"]',
    line: 3,
    message: /invisible character U\+3164/,
  },
  'a hidden direction mark': {
    text: 'version = 1\n[files]\nread = ["/a\u202e"]',
    line: 3,
    message: /invisible character U\+202E/,
  },
  'a hidden tag character': { text: 'version = 1\n# \u{e0041}', line: 2, message: /U\+E0041/ },
  'a zero-width space in a key': { text: 'version = 1\nfi\u200bles = {}', line: 2, message: /U\+200B/ },
  'a dangerous key': { text: 'version = 1\n[__proto__]\nread = []', line: 2, message: /not valid TOML/ },
  'a dangerous variable': {
    text: 'version = 1\n[environment.set]\n__proto__ = "x"',
    line: 3,
    message: /not valid TOML/,
  },
  'a constructor key': { text: 'version = 1\nconstructor = 1', line: 2, message: /not valid TOML/ },
  'a nested constructor key': {
    text: 'version = 1\n[files]\nconstructor.prototype = 1',
    line: 3,
    message: /not valid TOML/,
  },
};

describe('each problem is named with its line and its remedy', () => {
  test.each(Object.entries(cases))('%s', (_, { text, line, message, remedy }) => {
    const problems = problemsIn(text);
    const found = problems.find((problem) =>
      typeof message === 'string' ? problem.message === message : message.test(problem.message),
    );
    expect(found, JSON.stringify(problems, undefined, 1)).toMatchObject({
      code: 'HF_POLICY_INVALID',
      file: 'policy.toml',
      line,
    });
    expect(found?.remedy).toMatch(
      remedy === undefined
        ? /\w/
        : typeof remedy === 'string'
          ? new RegExp(`^${remedy.replaceAll(/[?()[\].*]/g, '\\$&')}$`)
          : remedy,
    );
    expect(`${found?.message}${found?.remedy}`).not.toMatch(/\p{Cc}/u);
  });
});

describe('all problems are reported at once', () => {
  test('in the schema', () => {
    const problems = problemsIn(
      '[files]\nraed = []\nwriet = []\nread = 3\n[netwrok]\n[limits]\nmemory = 1\nwall = "x"\n[[connect]]\nname = "1"',
    );
    expect(problems.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        '"version" is missing',
        'unknown key "raed"',
        'unknown key "writet"'.replace('writet', 'wriet'),
        'files.read has to be a list, not 3',
        'unknown key "netwrok"',
        'limits.memory has to be a text, not 1',
        expect.stringContaining('a duration is written'),
        expect.stringContaining('a name starts with a letter'),
        '"decision" is missing',
        '"hosts" is missing',
      ]),
    );
  });

  test('in the patterns', () => {
    const problems = problemsIn(
      'version = 1\n[files]\nread = ["..", "{a}"]\nwrite = ["~x"]\n[network]\nhosts = ["*"]\n[limits]\nmemory = "0B"\n[[file]]\nname = "a"\ndecision = "redirect"\npaths = ["a**"]',
    );
    expect(problems).toHaveLength(7);
  });

  test('in the examples and the reach', () => {
    const problems = problemsIn(
      'version = 1\n[files]\ndeny = ["x"]\nread = ["x/y", "x/z"]\n[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ["git"]\nmatch = ["npm"]\n[[exec]]\nname = "b"\ndecision = "deny"\ncommands = ["git push"]',
    );
    expect(problems).toHaveLength(4);
  });

  test('in the order of the file, and no more than can be read', () => {
    const problems = problemsIn(`version = 1\n[files]\nread = [${'"..",\n'.repeat(500)}]`);
    expect(problems).toHaveLength(100);
    expect(problems.map(({ line }) => line)).toEqual(problems.map(({ line }) => line).toSorted((a, b) => a - b));
  });
});

describe('keys that a layer may not set', () => {
  test.each([
    ['project', 'version = 1\n[files]\nrelease = [".vscode"]', 'a project policy cannot release'],
    ['session', 'version = 1\n[files]\nrelease = [".vscode"]', 'a session policy cannot release'],
    ['user', 'version = 1\n[[propose]]\nname = "a"\nreason = "b"', 'a user policy cannot propose'],
    ['managed', 'version = 1\n[[propose]]\nname = "a"\nreason = "b"', 'a managed policy cannot propose'],
    ['session', 'version = 1\n[[propose]]\nname = "a"\nreason = "b"', 'a session policy cannot propose'],
    ['project', 'version = 1\n[environment.set]\nA = "b"', 'a project policy cannot set variables'],
    ['required', 'version = 1', 'the required layer is built in'],
  ] as const)('%s', (kind, text, message) => {
    expect(problemsIn(text, kind)).toEqual([
      expect.objectContaining({ message: expect.stringContaining(message), remedy: expect.stringMatching(/\w/) }),
    ]);
  });

  test.each([
    ['user', 'version = 1\n[files]\nrelease = [".vscode"]'],
    ['managed', 'version = 1\n[files]\nrelease = []'],
    ['project', 'version = 1\n[[propose]]\nname = "a"\nreason = "b"'],
    ['user', 'version = 1\n[environment.set]\nA = "b"'],
    ['session', 'version = 1\n[environment.set]\nA = "b"'],
  ] as const)('%s may say what is its own', (kind, text) => {
    expect(parsePolicy(text, { file: 'x', kind })).toMatchObject({ kind: 'document' });
  });
});

describe('hostile texts', () => {
  test('ten megabytes are refused without being read', () => {
    const text = '#'.repeat(10 << 20);
    expect(atMost(100, () => problemsIn(text))).toEqual([
      expect.objectContaining({ code: 'HF_POLICY_TOO_LARGE', line: 0 }),
    ]);
  });

  test('a megabyte is the most that is read', () => {
    const comment = '#'.repeat((1 << 20) - 'version = 1\n'.length);
    expect(parse(`version = 1\n${comment}`)).toMatchObject({ kind: 'document' });
    expect(parse(`version = 1\n${comment}#`)).toMatchObject({ kind: 'problems' });
  });

  test.each([
    ['deep lists', `version = 1\na = ${'['.repeat(100_000)}`],
    ['deep closed lists', `version = 1\na = ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['deep tables', `version = 1\na = ${'{a='.repeat(100_000)}`],
    ['a long key', `version = 1\n${'a.'.repeat(200_000)}a = 1`],
    ['a long header', `version = 1\n[${'a.'.repeat(200_000)}a]`],
    ['many unknown keys', `version = 1\n${Array.from({ length: 60_000 }, (_, n) => `k${n} = 1`).join('\n')}`],
    ['one very long key', `version = 1\n${'k'.repeat(900_000)} = 1`],
    [
      'many rules',
      `version = 1\n${Array.from({ length: 15_000 }, (_, n) => `[[exec]]\nname = "r${n}"\ndecision = "ask"\ncommands = ["c"]`).join('\n')}`,
    ],
    [
      'rules that would all have to be compared',
      `version = 1\n${Array.from({ length: 900 }, (_, n) => `[[file]]\nname = "r${n}"\ndecision = "ask"\npaths = [${Array.from({ length: 60 }, (__, m) => `"p${n}-${m}"`).join(',')}]`).join('\n')}`,
    ],
    [
      'lists that would all have to be compared',
      `version = 1\n[files]\nread = [${Array.from({ length: 9000 }, (_, n) => `"a${n}"`).join(',')}]\ndeny = [${Array.from({ length: 9000 }, (_, n) => `"b${n}*"`).join(',')}]`,
    ],
    [
      'many examples',
      `version = 1\n[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ["*a*a*a*a*b"]\nnot_match = [${Array.from({ length: 9000 }, () => `"${'a'.repeat(50)}"`).join(',')}]`,
    ],
    ['hidden characters', `version = 1\n${'\u202e'.repeat(300_000)}`],
    ['line ends', '\n'.repeat(1_000_000)],
    ['quotes', `version = 1\na = ${'"'.repeat(900_000)}`],
  ])('%s end quickly', (_, text) => {
    atMost(8000, () => parse(text));
  });

  test('lone surrogates are problems or harmless, never a crash', () => {
    expect(problemsIn('version = 1\n[files]\nread = ["/a\ud800"]')[0]?.message).toMatch(/character U\+D800/);
    expect(problemsIn('version = 1\n\ud800 = 1')).not.toHaveLength(0);
  });

  test.each(['"[x"', '"a[b.c]d"', '"."', '"]"', '"[0]"', '""', '"a\\nb"', "'..'"])(
    'a key written as %s is unknown, and that is all',
    (key) => {
      for (const text of [
        `version = 1\n${key} = 1`,
        `version = 1\n[${key}]\n${key} = 1`,
        `version = 1\n[files]\n${key} = 1`,
        `version = 1\n[environment.set]\n${key} = "x"`,
        `version = 1\n[[exec]]\n${key} = 1`,
      ]) {
        expect(
          problemsIn(text)
            .map(({ message }) => message)
            .join(),
        ).toMatch(/unknown key|a variable is named/);
      }
    },
  );

  // A wildcard as a method would make a rule that looks open and never matches.
  test.each(['*', 'GET *', '', 'GE T', 'GET,POST'])(
    'a method written as %j is refused, with how to mean all of them',
    (method) => {
      const text = `version = 1\n[[http]]\nname = "r"\ndecision = "allow"\nhosts = ["a.test"]\nmethods = [${JSON.stringify(method)}]`;
      expect(
        problemsIn(text)
          .map(({ message }) => message)
          .join(),
      ).toContain('leave methods out to mean all of them');
    },
  );

  test('a control character has no place in a policy', () => {
    expect(problemsIn('version = 1\n# \u001b[2J')[0]?.message).toMatch(/character U\+001B/);
  });

  test('any input is a document or problems', () => {
    const unit = fc.constantFrom(
      'version = 1\n',
      '[files]\n',
      'read',
      ' = ',
      '["',
      '"]',
      '\n',
      '[[exec]]\n',
      'name',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      ',',
      '.',
      '#',
      'a',
      '1',
      '\\',
      '__proto__',
      '\ud800',
      '\u202e',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
        const parsed = parse(text);
        if (parsed.kind === 'problems') expect(parsed.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('the prototype of objects stays untouched', () => {
    parse('version = 1\n[environment.set]\n"__proto__" = "x"\n');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('read');
  });
});
