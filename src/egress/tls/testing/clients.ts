import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goProgram, javaWords } from './compiled.ts';
import { javas, type Outcome, programPath, run } from './programs.ts';

/** A client's target, and its trusted authority. */
export interface Target {
  readonly host: string;
  /** The address of `host`. */
  readonly address: string;
  readonly port: number;
  /** PEM. */
  readonly authorities: string;
  /** PKCS #12. */
  readonly javaStore: string;
  /** Directory of the client's own files. */
  readonly directory: string;
}

/** A program that gets `https://host:port/` and prints the body. Its status is 0 only if it trusted the certificate. */
export interface Client {
  readonly name: string;
  readonly program: string;
  /**
   * The reach of a program. Programs without an option for the address of a name reach only names that resolve. Slow
   * ones do not go far.
   */
  readonly reaches: 'any name' | 'a few names' | 'names that resolve';
  /**
   * Its message about an untrusted certificate. Depends on its TLS library: OpenSSL sends an alert, GnuTLS finishes the
   * handshake first.
   */
  readonly parting: 'an alert' | 'nothing';
  get(target: Target): Promise<Outcome>;
}

function urlOf({ host, port }: Target): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}/info/refs`;
}

const curl: Client = {
  name: 'curl',
  program: 'curl',
  reaches: 'any name',
  parting: 'an alert',
  get: (target) =>
    run(
      [
        'curl',
        '-sS',
        '--noproxy',
        '*',
        '--connect-to',
        `::${target.address.includes(':') ? `[${target.address}]` : target.address}:${target.port}`,
        urlOf(target),
      ],
      { environment: { CURL_CA_BUNDLE: target.authorities } },
    ),
};

const wget: Client = {
  name: 'wget',
  program: 'wget',
  reaches: 'names that resolve',
  parting: 'nothing',
  get: (target) =>
    run(['wget', '-q', '-O', '-', '--tries=1', '--no-proxy', `--ca-certificate=${target.authorities}`, urlOf(target)]),
};

const openssl: Client = {
  name: 'openssl s_client -x509_strict',
  program: 'openssl',
  reaches: 'any name',
  parting: 'an alert',
  get: (target) => {
    const isAddress = target.host === target.address;
    const named = isAddress
      ? ['-noservername', '-verify_ip', target.host]
      : ['-servername', target.host, '-verify_hostname', target.host];
    const address = target.address.includes(':') ? `[${target.address}]` : target.address;
    return run(
      [
        'openssl',
        's_client',
        '-connect',
        `${address}:${target.port}`,
        ...named,
        '-CAfile',
        target.authorities,
        '-no-CApath',
        '-no-CAstore',
        '-x509_strict',
        '-verify_return_error',
        '-quiet',
      ],
      { input: 'GET / HTTP/1.0\r\n\r\n' },
    );
  },
};

const pythonProgram = `
import http.client, socket, ssl, sys
host, address, port, authorities = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
context = ssl.create_default_context(cafile=authorities)
context.verify_flags |= ssl.VERIFY_X509_STRICT
with context.wrap_socket(socket.create_connection((address, port)), server_hostname=host) as secure:
    secure.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
    print(secure.makefile("rb").read().decode())
`;

const python: Client = {
  name: 'Python with VERIFY_X509_STRICT',
  program: 'python3',
  reaches: 'any name',
  parting: 'an alert',
  get: (target) =>
    run(['python3', '-c', pythonProgram, target.host, target.address, String(target.port), target.authorities]),
};

const nodeProgram = `
const [host, address, port] = process.argv.slice(1);
const options = { host, port, path: '/', lookup: (name, { all }, done) => all ? done(null, [{ address, family: address.includes(':') ? 6 : 4 }]) : done(null, address, address.includes(':') ? 6 : 4) };
require('node:https').get(options, (answer) => answer.pipe(process.stdout)).on('error', (error) => { console.error(error.code); process.exitCode = 1; });
`;

const node: Client = {
  name: 'Node.js',
  program: 'node',
  reaches: 'any name',
  parting: 'nothing',
  get: (target) =>
    run([process.execPath, '-e', nodeProgram, target.host, target.address, String(target.port)], {
      environment: { NODE_EXTRA_CA_CERTS: target.authorities },
    }),
};

const git: Client = {
  name: 'git',
  program: 'git',
  reaches: 'names that resolve',
  parting: 'nothing',
  get: (target) =>
    run(['git', 'ls-remote', urlOf(target).replace('/info/refs', '/')], {
      environment: {
        GIT_SSL_CAINFO: target.authorities,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_TERMINAL_PROMPT: '0',
      },
    }),
};

/** Prints the body of the URL in its first argument. */
export const javaProgram = `
import java.net.URI;
public class Get {
  public static void main(String[] arguments) throws Exception {
    try (var body = URI.create(arguments[0]).toURL().openStream()) { System.out.print(new String(body.readAllBytes())); }
  }
}
`;

function java(path: string): Client {
  const get = async (target: Target): Promise<Outcome> => {
    const hosts = join(target.directory, 'hosts');
    writeFileSync(hosts, `${target.address} ${target.host}\n`);
    return run([path, `-Djdk.net.hosts.file=${hosts}`, ...javaWords('Get', javaProgram), urlOf(target)], {
      environment: {
        JAVA_TOOL_OPTIONS: `-Djavax.net.ssl.trustStore=${target.javaStore} -Djavax.net.ssl.trustStoreType=PKCS12`,
      },
    });
  };
  return { name: `Java (${path.split('/').at(-3)})`, program: path, reaches: 'a few names', parting: 'an alert', get };
}

const goSource = `
package main
import ("context"; "fmt"; "io"; "net"; "net/http"; "os")
func main() {
  transport := &http.Transport{DialContext: func(c context.Context, n, a string) (net.Conn, error) { return net.Dial("tcp", net.JoinHostPort(os.Args[2], os.Args[3])) }}
  answer, err := (&http.Client{Transport: transport}).Get(os.Args[1])
  if err != nil { fmt.Fprintln(os.Stderr, err); os.Exit(1) }
  io.Copy(os.Stdout, answer.Body)
}
`;

const go: Client = {
  name: 'Go',
  program: 'go',
  reaches: 'any name',
  parting: 'an alert',
  get: (target) => {
    const program = goProgram(goSource, { GO111MODULE: 'off', GOFLAGS: '' });
    return run([program, urlOf(target), target.address, String(target.port)], {
      environment: { SSL_CERT_FILE: target.authorities, SSL_CERT_DIR: target.directory },
    });
  },
};

/** One for each program, and one for each installed Java. */
export const clients: readonly Client[] = [
  openssl,
  curl,
  wget,
  python,
  node,
  git,
  ...(javas.length === 0 ? [java('java')] : javas.map(java)),
  go,
];

/** For a test's name, so that every run shows the untried clients. */
export function whyNot({ program, name }: Client): string {
  return program.startsWith('/') || programPath(program) !== undefined
    ? ''
    : ` (NOT TRIED: this machine has no ${program} for ${name})`;
}
