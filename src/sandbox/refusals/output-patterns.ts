/** How programs say that the kernel refused them. Each pattern has samples, which the test runs. */
export interface OutputPattern {
  /** Groups `path` or `host`, and `port` where it is told. */
  readonly pattern: RegExp;
  readonly kind: 'path' | 'host';
  /** `EROFS` can only be a write; `ENOENT` may be a file that is hidden; `EACCES` can be either. */
  readonly errno: 'EACCES' | 'EROFS' | 'ENOENT' | 'EBUSY' | 'network';
  readonly samples: readonly string[];
}

const quoted = String.raw`['"‘“]?(?<path>(?:/|~/|\.{1,2}/|[\w.@-])[^'"’”\n:]*?)['"’”]?`;

export const outputPatterns: readonly OutputPattern[] = [
  {
    pattern: new RegExp(String.raw`(?:^|[\s:])${quoted}: Permission denied`, 'u'),
    kind: 'path',
    errno: 'EACCES',
    samples: ['cat: /etc/shadow: Permission denied', "touch: cannot touch '/etc/x': Permission denied", 'bash: line 1: /root/.bashrc: Permission denied'],
  },
  {
    pattern: new RegExp(String.raw`(?:^|[\s:])${quoted}: Read-only file system`, 'u'),
    kind: 'path',
    errno: 'EROFS',
    samples: ["touch: cannot touch '/etc/x': Read-only file system", 'sh: 1: cannot create /root/.bashrc: Read-only file system', "mkdir: cannot create directory ‘/opt/x’: Read-only file system"],
  },
  {
    pattern: new RegExp(String.raw`(?:^|[\s:])${quoted}: (?:No such file or directory|Directory nonexistent)`, 'u'),
    kind: 'path',
    errno: 'ENOENT',
    samples: ['cat: /root/.ssh/id_rsa: No such file or directory', 'sh: 1: cannot create /root/x/y: Directory nonexistent'],
  },
  {
    pattern: new RegExp(String.raw`(?:^|[\s:])${quoted}: Device or resource busy`, 'u'),
    kind: 'path',
    errno: 'EBUSY',
    samples: ["mv: cannot move '.git/hooks' to 'x': Device or resource busy", "rm: cannot remove '.git/hooks': Device or resource busy"],
  },
  {
    pattern: /\b(?<errno>EACCES|EROFS|ENOENT|EPERM|EBUSY): [^,\n]*, \w+ '(?<path>[^'\n]+)'/u,
    kind: 'path',
    errno: 'EACCES',
    samples: ["Error: EACCES: permission denied, open '/root/.ssh/id_rsa'", "Error: EROFS: read-only file system, mkdir '/usr/x'"],
  },
  {
    pattern: /\[Errno \d+\] (?<errno>Permission denied|Read-only file system|No such file or directory): '(?<path>[^'\n]+)'/u,
    kind: 'path',
    errno: 'EACCES',
    samples: ["PermissionError: [Errno 13] Permission denied: '/root/.ssh'", "OSError: [Errno 30] Read-only file system: '/usr/x'"],
  },
  {
    pattern: /(?:open|mkdir|create|stat|unlink|rename|lstat) (?<path>\/[^\s:]+): (?<errno>permission denied|read-only file system|no such file or directory)/u,
    kind: 'path',
    errno: 'EACCES',
    samples: ['open /root/.kube/config: no such file or directory', 'mkdir /opt/x: read-only file system'],
  },
  {
    pattern: /[Cc]ould(?: not|n't) resolve host(?:name)?:? ['"]?(?<host>[\w.-]+)/u,
    kind: 'host',
    errno: 'network',
    samples: ['curl: (6) Could not resolve host: example.com', 'ssh: Could not resolve hostname github.com: Temporary failure in name resolution', "fatal: unable to access 'https://example.com/x/': Could not resolve host: example.com"],
  },
  {
    pattern: /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) (?<host>[\w.-]+)/u,
    kind: 'host',
    errno: 'network',
    samples: ['Error: getaddrinfo EAI_AGAIN registry.example.org', 'npm error request to https://x failed, reason: getaddrinfo ENOTFOUND registry.example.org'],
  },
  {
    pattern: /unable to resolve host address ['"‘“](?<host>[\w.-]+)/u,
    kind: 'host',
    errno: 'network',
    samples: ["wget: unable to resolve host address 'example.com'", 'wget: unable to resolve host address ‘example.com’'],
  },
  {
    pattern: /Failed to connect to (?<host>[\w.:-]+?) port (?<port>\d+)/u,
    kind: 'host',
    errno: 'network',
    samples: ['curl: (7) Failed to connect to 1.1.1.1 port 443 after 0 ms: Couldn\'t connect to server'],
  },
  {
    pattern: /connect (?:ENETUNREACH|EHOSTUNREACH) (?<host>[\d.]+|[0-9a-fA-F:]+):(?<port>\d+)/u,
    kind: 'host',
    errno: 'network',
    samples: ['Error: connect ENETUNREACH 1.1.1.1:443'],
  },
  {
    pattern: /connect to host (?<host>[\w.-]+) port (?<port>\d+): Network is unreachable/u,
    kind: 'host',
    errno: 'network',
    samples: ['ssh: connect to host 1.1.1.1 port 22: Network is unreachable'],
  },
];
