import { join } from 'node:path';

export interface StatePaths {
  /** The user's policy file. */
  readonly userPolicy: string;
  /** The administrator's policy file. */
  readonly managedPolicy: string;
  readonly state: string;
  readonly journal: string;
  readonly quarantine: string;
  /** Layers that commands of staged sessions have written and nobody has accepted yet. */
  readonly staged: string;
  /** Files deleted or overwritten under a `stage` rule. */
  readonly trash: string;
  readonly checkpoints: string;
  /** Requests to language models and their answers, if the policy keeps them. */
  readonly calls: string;
  /** Approved files of repositories, with their bytes. */
  readonly trust: string;
  /** Approved tools of MCP servers. */
  readonly mcp: string;
  /** Images of microVMs. */
  readonly microvm: string;
  /** Sockets of running sessions, and files that exist only during a login. Mode 0700. */
  readonly runtime: string;
}

/**
 * Returns Holdfast's own directories, by the XDG base directory specification. Ignores relative values, as the
 * specification says.
 */
export function statePaths(home: string, environment: Readonly<Record<string, string | undefined>>): StatePaths {
  const state = join(absolute(environment['XDG_STATE_HOME']) ?? join(home, '.local/state'), 'holdfast');
  const configuration = join(absolute(environment['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'holdfast');
  return {
    userPolicy: join(configuration, 'policy.toml'),
    managedPolicy: '/etc/holdfast/policy.toml',
    state,
    journal: join(state, 'journal.jsonl'),
    quarantine: join(state, 'quarantine'),
    staged: join(state, 'staged'),
    trash: join(state, 'trash'),
    checkpoints: join(state, 'checkpoints'),
    calls: join(state, 'calls'),
    trust: join(state, 'trust'),
    mcp: join(state, 'mcp'),
    microvm: join(state, 'microvm'),
    runtime: runtimeDirectory(state, environment['XDG_RUNTIME_DIR']),
  };
}

/**
 * Without a login directory, uses one in the state directory. It lasts longer than a login, and its users report that
 * where it matters.
 */
function runtimeDirectory(state: string, given: string | undefined): string {
  const directory = absolute(given);
  return directory === undefined ? join(state, 'run') : join(directory, 'holdfast');
}

function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') === true ? path : undefined;
}
