import { has } from '../../lib/holdfast.ts';

/** A program that gets the URL in its last argument and prints the body. Nothing tells it about Holdfast. */
export interface WebClient {
  readonly name: string;
  readonly program: string;
  readonly argv: readonly string[];
  /** A workspace file that it needs. */
  readonly source?: readonly [string, string];
}

const nodeHttp = `
const url = process.argv[1];
require(url.startsWith('https') ? 'node:https' : 'node:http').get(url, (answer) => answer.pipe(process.stdout)).on('error', (error) => { console.error(error.message); process.exitCode = 1; });
`;

const pythonSocket = `
import socket, ssl, sys
from urllib.parse import urlsplit
url = urlsplit(sys.argv[1])
connection = socket.create_connection((url.hostname, url.port), timeout=10)
if url.scheme == 'https':
    connection = ssl.create_default_context().wrap_socket(connection, server_hostname=url.hostname)
connection.sendall(f'GET {url.path} HTTP/1.1\\r\\nHost: {url.netloc}\\r\\nConnection: close\\r\\n\\r\\n'.encode())
answer = b''.join(iter(lambda: connection.recv(65536), b'')).partition(b'\\r\\n\\r\\n')[2]
sys.stdout.write(answer.decode())
`;

const javaProgram = `
import java.net.*;
public class Get {
  public static void main(String[] arguments) throws Exception {
    var connection = (HttpURLConnection) URI.create(arguments[0]).toURL().openConnection();
    try (var body = connection.getInputStream()) { System.out.print(new String(body.readAllBytes())); }
  }
}
`;

export const webClients: readonly WebClient[] = [
  { name: 'curl', program: 'curl', argv: ['curl', '-sS'] },
  { name: 'wget', program: 'wget', argv: ['wget', '-q', '--tries=1', '-O', '-'] },
  {
    name: 'Node fetch',
    program: 'node',
    argv: [
      'node',
      '-e',
      'fetch(process.argv[1]).then((answer) => answer.text()).then((text) => process.stdout.write(text))',
    ],
  },
  { name: 'Node http', program: 'node', argv: ['node', '-e', nodeHttp] },
  {
    name: 'Python urllib',
    program: 'python3',
    argv: [
      'python3',
      '-c',
      'import sys, urllib.request; sys.stdout.write(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())',
    ],
  },
  { name: 'Python sockets', program: 'python3', argv: ['python3', '-c', pythonSocket] },
  { name: 'Java HttpURLConnection', program: 'java', argv: ['java', 'Get.java'], source: ['Get.java', javaProgram] },
];

/** For a test's name: every run shows the clients that it did not try. */
export function remark(program: string): string {
  return has(program) ? '' : ` (NOT TRIED: this machine has no ${program})`;
}
