import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isIPv6 } from 'node:net';

export interface ClientProcess {
  readonly pid: number;
  /** Name of the process, as in `ps`. At most 15 bytes. */
  readonly program: string;
}

export interface ClientEnd {
  /** The client's address in the box. */
  readonly address: string;
  readonly port: number;
}

/**
 * Finds the process in a box that holds the socket of an open connection, through procfs. Looks for the socket's inode
 * in the network namespace of `init`, then for the process that has it open. Undefined if none is found in time.
 */
export function findProcess(init: number, client: ClientEnd): ClientProcess | undefined {
  try {
    const inode = inodeOf(init, client);
    const pid =
      inode === undefined ? undefined : descendantsOf(init).find((candidate) => holds(candidate, `socket:[${inode}]`));
    return pid === undefined ? undefined : { pid, program: readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd() };
  } catch {
    // The process has ended in the meantime, or belongs to another user.
    return undefined;
  }
}

/** Columns of /proc/net/tcp: Linux Documentation/networking/proc_net_tcp.rst. */
const column = { local: 1, inode: 9 } as const;

function inodeOf(init: number, { address, port }: ClientEnd): string | undefined {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  // A client with an IPv6 socket may use IPv4.
  const tables = isIPv6(address) && !address.startsWith('::ffff:') ? ['tcp6'] : ['tcp', 'tcp6'];
  for (const table of tables) {
    const inode = inodeIn(readFileSync(`/proc/${init}/net/${table}`, 'latin1'), ending);
    if (inode !== undefined) return inode;
  }
  return undefined;
}

/** Parses only lines with the port, because a busy box has thousands of closed connections in its table. */
function inodeIn(table: string, ending: string): string | undefined {
  for (let at = table.indexOf(`${ending} `); at >= 0; at = table.indexOf(`${ending} `, at + 1)) {
    const end = table.indexOf('\n', at);
    const fields = table
      .slice(table.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end)
      .trim()
      .split(/\s+/u);
    if (fields[column.local]?.endsWith(ending) === true && fields[column.inode] !== '0') return fields[column.inode];
  }
  return undefined;
}

const mostProcesses = 512;

function descendantsOf(init: number): readonly number[] {
  const found: number[] = [init];
  for (let index = 0; index < found.length && found.length < mostProcesses; index += 1)
    found.push(...childrenOf(found[index] ?? 0));
  return found.slice(1);
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function holds(pid: number, socket: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => linkOf(`/proc/${pid}/fd/${descriptor}`) === socket);
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
