/** Messages in which programs report that the kernel refused them. A test runs each pattern on its samples. */
export interface OutputPattern {
  /**
   * - `before`: the path stands before the match of the pattern, quoted or not.
   * - `path`: the group `path`, and `errno` if the text has it.
   * - `host`: the group `host`, and `port` if the text has it.
   */
  readonly kind: 'before' | 'path' | 'host';
  readonly pattern: RegExp;
  /** `EROFS` and `EBUSY` mean a write. `ENOENT` may be a hidden file. `EACCES` can be either. */
  readonly errno: 'EACCES' | 'EROFS' | 'ENOENT' | 'EBUSY' | 'network';
  readonly samples: readonly OutputSample[];
}

export interface OutputSample {
  readonly line: string;
  /** Paths as printed, or `host:port`. The first is the refused one. */
  readonly gives: readonly [string, ...string[]];
}

export const outputPatterns: readonly OutputPattern[] = [
  {
    kind: 'path',
    pattern: /\b(?<errno>EACCES|EROFS|ENOENT|EPERM|EBUSY): [^,\n]*, \w+ '(?<path>[^'\n]+)'/u,
    errno: 'EACCES',
    samples: [
      { line: "Error: EACCES: permission denied, open '/root/.ssh/id_rsa'", gives: ['/root/.ssh/id_rsa'] },
      { line: "Error: EROFS: read-only file system, mkdir '/usr/x'", gives: ['/usr/x'] },
      { line: "npm error EACCES: permission denied, rename '/a b' -> '/c'", gives: ['/a b'] },
    ],
  },
  {
    kind: 'path',
    pattern:
      /\[Errno \d+\] (?<errno>Permission denied|Read-only file system|No such file or directory): '(?<path>[^'\n]+)'/u,
    errno: 'EACCES',
    samples: [
      { line: "PermissionError: [Errno 13] Permission denied: '/root/.ssh'", gives: ['/root/.ssh'] },
      { line: "OSError: [Errno 30] Read-only file system: '/usr/x'", gives: ['/usr/x'] },
    ],
  },
  {
    kind: 'path',
    pattern: /can't open file '(?<path>[^'\n]+)': \[Errno \d+\] (?<errno>Permission denied|No such file or directory)/u,
    errno: 'EACCES',
    samples: [{ line: "python3: can't open file '/root/x.py': [Errno 13] Permission denied", gives: ['/root/x.py'] }],
  },
  {
    kind: 'path',
    pattern:
      /(?:open|mkdir|create|stat|unlink|rename|lstat) (?<path>\/[^\s:]+): (?<errno>permission denied|read-only file system|no such file or directory)/u,
    errno: 'EACCES',
    samples: [
      { line: 'open /root/.kube/config: no such file or directory', gives: ['/root/.kube/config'] },
      { line: 'mkdir /opt/x: read-only file system', gives: ['/opt/x'] },
    ],
  },
  {
    kind: 'path',
    pattern: /: can't read (?<path>[^\n]+): (?<errno>Permission denied|No such file or directory)$/mu,
    errno: 'EACCES',
    samples: [{ line: "sed: can't read /root/my file: Permission denied", gives: ['/root/my file'] }],
  },
  {
    kind: 'before',
    pattern: /: Permission denied/u,
    errno: 'EACCES',
    samples: [
      { line: 'cat: /etc/shadow: Permission denied', gives: ['/etc/shadow'] },
      { line: "touch: cannot touch '/etc/x': Permission denied", gives: ['/etc/x'] },
      { line: 'bash: line 1: /root/.bashrc: Permission denied', gives: ['/root/.bashrc'] },
      { line: 'find: ‘/root/a: b’: Permission denied', gives: ['/root/a: b'] },
      { line: 'cat: /root/my file: Permission denied', gives: ['/root/my file'] },
      { line: '/bin/sh: 1: ./run.sh: Permission denied', gives: ['./run.sh'] },
      { line: "warning: unable to access '/root/.gitconfig': Permission denied", gives: ['/root/.gitconfig'] },
    ],
  },
  {
    kind: 'before',
    pattern: /: Read-only file system/u,
    errno: 'EROFS',
    samples: [
      { line: "touch: cannot touch '/etc/x': Read-only file system", gives: ['/etc/x'] },
      { line: 'sh: 1: cannot create /root/.bashrc: Read-only file system', gives: ['/root/.bashrc'] },
      { line: 'sh: 1: cannot create ~/x y: Read-only file system', gives: ['~/x y'] },
      { line: 'mkdir: cannot create directory ‘/opt/x’: Read-only file system', gives: ['/opt/x'] },
      { line: 'error: could not lock config file .git/config: Read-only file system', gives: ['.git/config'] },
      { line: 'tee: .env: Read-only file system', gives: ['.env'] },
      {
        line: 'sh: 1: cannot create ../main/.git/hooks/pre-commit: Read-only file system',
        gives: ['../main/.git/hooks/pre-commit'],
      },
      { line: 'cat: my notes: Read-only file system', gives: ['my notes'] },
    ],
  },
  {
    kind: 'before',
    pattern: /: (?:No such file|Directory nonexistent)/u,
    errno: 'ENOENT',
    samples: [
      { line: 'cat: /root/.ssh/id_rsa: No such file or directory', gives: ['/root/.ssh/id_rsa'] },
      { line: 'sh: 1: cannot create /root/x/y: Directory nonexistent', gives: ['/root/x/y'] },
      { line: 'sh: 1: cannot open /root/x: No such file', gives: ['/root/x'] },
    ],
  },
  {
    kind: 'before',
    pattern: /: Device or resource busy/u,
    errno: 'EBUSY',
    samples: [
      { line: "mv: cannot move '.git/hooks' to 'x': Device or resource busy", gives: ['.git/hooks', 'x'] },
      { line: "rm: cannot remove '.git/hooks': Device or resource busy", gives: ['.git/hooks'] },
    ],
  },
  {
    kind: 'host',
    pattern: /[Cc]ould(?: not|n't) resolve host(?:name)?:? ['"]?(?<host>[\w.-]+)/u,
    errno: 'network',
    samples: [
      { line: 'curl: (6) Could not resolve host: example.com', gives: ['example.com:443'] },
      {
        line: 'ssh: Could not resolve hostname github.com: Temporary failure in name resolution',
        gives: ['github.com:443'],
      },
      {
        line: "fatal: unable to access 'https://example.com/x/': Could not resolve host: example.com",
        gives: ['example.com:443'],
      },
    ],
  },
  {
    kind: 'host',
    pattern: /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) (?<host>[\w.-]+)/u,
    errno: 'network',
    samples: [
      { line: 'Error: getaddrinfo EAI_AGAIN registry.example.org', gives: ['registry.example.org:443'] },
      {
        line: 'npm error request to https://x failed, reason: getaddrinfo ENOTFOUND registry.example.org',
        gives: ['registry.example.org:443'],
      },
    ],
  },
  {
    kind: 'host',
    pattern: /unable to resolve host address ['"‘“](?<host>[\w.-]+)/u,
    errno: 'network',
    samples: [
      { line: "wget: unable to resolve host address 'example.com'", gives: ['example.com:443'] },
      { line: 'wget: unable to resolve host address ‘example.com’', gives: ['example.com:443'] },
    ],
  },
  {
    kind: 'host',
    pattern: /Failed to connect to (?<host>[\w.:-]+?) port (?<port>\d+)/u,
    errno: 'network',
    samples: [
      {
        line: "curl: (7) Failed to connect to 1.1.1.1 port 443 after 0 ms: Couldn't connect to server",
        gives: ['1.1.1.1:443'],
      },
      {
        line: "curl: (7) Failed to connect to 2001:db8::1 port 80 after 0 ms: Couldn't connect to server",
        gives: ['2001:db8::1:80'],
      },
    ],
  },
  {
    kind: 'host',
    pattern: /connect (?:ENETUNREACH|EHOSTUNREACH) (?<host>[\d.]+|[0-9a-fA-F:]+):(?<port>\d+)/u,
    errno: 'network',
    samples: [
      { line: 'Error: connect ENETUNREACH 1.1.1.1:443', gives: ['1.1.1.1:443'] },
      { line: 'Error: connect ENETUNREACH 2001:db8::1:8080 - Local (:::0)', gives: ['2001:db8::1:8080'] },
    ],
  },
  {
    kind: 'host',
    pattern: /connect to host (?<host>[\w.:-]+) port (?<port>\d+): Network is unreachable/u,
    errno: 'network',
    samples: [{ line: 'ssh: connect to host 1.1.1.1 port 22: Network is unreachable', gives: ['1.1.1.1:22'] }],
  },
];
