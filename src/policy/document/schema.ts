import * as v from 'valibot';
import { credentialsEntry, sourceEntry } from '../credentials/schema.ts';
import { guaranteeNames } from '../guarantees.ts';
import { minimumNames } from '../settings/levels.ts';
import { dlpEntry, llmEntry } from '../llm/schema.ts';
import { presetNames } from '../builtin/presets/index.ts';
import { mostPatterns, ruleEntries, texts, variableName } from './rule-schema.ts';

const size = v.pipe(
  v.string(),
  v.regex(/^(?:\d+(?:\.\d+)?\s*(?:[KMGT]i?B|B)|\d+(?:\.\d+)?%|none)$/, 'a size is written "512MiB", "4GB" or "none"'),
  v.description('A size such as "4GiB", or "none"'),
);
const share = v.pipe(size, v.description('A size such as "4GiB", a share of the machine such as "75%", or "none"'));
const duration = v.pipe(
  v.string(),
  v.regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d)|none)$/, 'a duration is written "90s", "10m", "1h" or "none"'),
  v.description('A duration such as "90s", "10m" or "1h", or "none"'),
);
const count = v.pipe(
  v.union([v.pipe(v.number(), v.integer(), v.minValue(1)), v.literal('none')]),
  v.description('A number, or "none"'),
);
const cores = v.pipe(
  v.union([v.pipe(v.number(), v.minValue(0.01), v.maxValue(4096)), v.literal('none')]),
  v.description('Processor cores such as 1.5, or "none"'),
);

const variables = v.pipe(v.record(variableName, v.string()), v.description('Variables with fixed values'));

const files = v.strictObject({
  read: v.optional(texts('May be read')),
  write: v.optional(texts('May be read and written')),
  deny: v.optional(texts('May be neither read nor written, whatever grants it')),
  protect: v.optional(texts('May be read, never written')),
  ephemeral: v.optional(texts('May be written; what is written is thrown away at the end')),
  release: v.optional(texts('Takes built-in protected and hidden files out again; only in user and managed policies')),
  new_protected: v.optional(
    v.pipe(
      v.picklist(['refuse', 'quarantine']),
      v.description(
        'What becomes of a protected name that a command makes. "refuse" (default): it cannot be made. "quarantine": it can, and is moved away when the box has ended; only if no other policy says "refuse"',
      ),
    ),
  ),
});

const forwardedPort = v.union([v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), v.string()]);
const mostForwards = 100;

const network = v.strictObject({
  hosts: v.optional(
    texts('May be connected to: "example.com", "*.example.com", "example.com:443", "10.0.0.0/8:5432", "any"'),
  ),
  deny: v.optional(texts('May not be connected to, whatever grants it')),
  presets: v.optional(
    v.pipe(
      v.array(v.picklist(presetNames)),
      v.maxLength(mostPatterns),
      v.description('Sets of hosts by name, granted like hosts: "npm", "github", "debian" …'),
    ),
  ),
  dns: v.optional(
    v.pipe(
      v.picklist(['fake', 'real']),
      v.description(
        'What names resolve to in the box. "fake" (default): an address made up for the session, so that no look-up leaves the host before a connection. "real": the vetted address itself; only if no other policy says "fake"',
      ),
    ),
  ),
  watch: v.optional(
    v.pipe(
      v.picklist(['every-host', 'bound-hosts']),
      v.description(
        'Where connections are looked into for phantoms of credentials. "every-host" (default): wherever HTTP is spoken. "bound-hosts": only where a credential is good; only if no other policy says "every-host"',
      ),
    ),
  ),
  passthrough: v.optional(
    texts(
      'Hosts whose TLS is never ended by Holdfast, e.g. for client certificates or pinned ones; only in user and managed policies',
    ),
  ),
  forward: v.optional(
    v.pipe(
      v.array(forwardedPort),
      v.maxLength(mostForwards),
      v.description(
        'Ports of the box\'s loopback that are shown on the host\'s loopback: 8080, or "3000:8080" for port 8080 of the box on port 3000 of the host',
      ),
    ),
  ),
  ca: v.optional(
    texts(
      'PEM files of certificate authorities that are trusted upstream beside those of the system; only in user and managed policies',
    ),
  ),
});

const sockets = v.strictObject({
  allow: v.optional(texts('Unix sockets of the host that may be used')),
  deny: v.optional(texts('Unix sockets that may not be used')),
});

const environment = v.strictObject({
  pass: v.optional(texts('Variables that enter the box')),
  deny: v.optional(texts('Variables that never enter the box')),
  set: v.optional(variables),
});

/** What a project may ask its user for. Nothing of it is in force until the user has accepted it. */
const proposal = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(
      /^[a-zA-Z][\w.-]{0,63}$/,
      'a name starts with a letter and holds up to 64 letters, digits, dots, hyphens and underscores',
    ),
  ),
  reason: v.pipe(v.string(), v.minLength(1), v.description('Why the project needs it; the user decides by this')),
  files: v.optional(
    v.strictObject({ read: files.entries.read, write: files.entries.write, ephemeral: files.entries.ephemeral }),
  ),
  network: v.optional(
    v.strictObject({
      hosts: network.entries.hosts,
      presets: network.entries.presets,
      forward: network.entries.forward,
    }),
  ),
  sockets: v.optional(v.strictObject({ allow: sockets.entries.allow })),
  environment: v.optional(v.strictObject({ pass: environment.entries.pass, set: environment.entries.set })),
});

const decisionLists = {
  allow: v.optional(texts('Allowed')),
  ask: v.optional(texts('Held until a person decides')),
  deny: v.optional(texts('Refused, whatever allows it')),
};

const unknown = v.optional(
  v.pipe(
    v.picklist(['ask', 'allow', 'deny']),
    v.description(
      'What becomes of a command whose tool, options or words nobody knows. "ask" (default); "allow" only if no other policy says otherwise. Of no effect where no policy says anything about commands',
    ),
  ),
);

const git = v.optional(
  v.pipe(
    v.picklist(['neutral', 'as-is']),
    v.description(
      'How commands of git that read (status, diff, log) are run: "neutral" (default), so that nothing runs that the configuration of a repository names, or "as-is". Of no effect where no policy says anything about commands',
    ),
  ),
);

const timeout = v.pipe(
  v.string(),
  v.regex(/^\d+(?:\.\d+)?(?:ms|s|m|h)$/, 'a time-out is written "90s", "10m" or "1h"'),
  v.description(
    'How long a question waits for an answer before it is denied, such as "60s" (default); the shortest of all policies counts',
  ),
);

const webhook = v.strictObject({
  url: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(2048),
    v.description('Where questions are posted: an https URL, or an http URL of this machine'),
  ),
  secret: v.pipe(sourceEntry, v.description('Where the secret is read that signs questions and answers')),
});

/** How questions are asked. It says who may answer, so a repository has no word in it. */
const approvalsEntry = v.optional(
  v.pipe(
    v.strictObject({
      timeout: v.optional(timeout),
      desktop: v.optional(
        v.pipe(
          v.picklist(['on', 'off']),
          v.description(
            'Whether questions are shown as notifications of the desktop, which answer nothing; default "off", and "off" of any policy counts',
          ),
        ),
      ),
      totp: v.optional(
        texts(
          'Names of rules whose questions need a code of `holdfast approvals totp enrol` for every answer but a denial',
        ),
      ),
      webhook: v.optional(v.pipe(webhook, v.description('A service that is told of questions and may answer them'))),
    }),
    v.description('How questions are asked; only in user and managed policies'),
  ),
);

const mostEntries = 200;

/** A slash would let a server called `a/b` pose as tool `b` of server `a`. */
const serverName = v.pipe(
  v.string(),
  v.regex(
    /^[a-zA-Z][\w.-]{0,63}$/,
    'a name starts with a letter and holds up to 64 letters, digits, dots, hyphens and underscores',
  ),
  v.description('As `holdfast mcp wrap --name` gives it'),
);

const flowName = v.pipe(
  v.string(),
  v.regex(
    /^[a-zA-Z][\w.-]{0,63}$/,
    'a name starts with a letter and holds up to 64 letters, digits, dots, hyphens and underscores',
  ),
  v.description('Unique among flows; refusals and the journal show it'),
);

const offered = v.optional(
  v.pipe(
    v.picklist(['allow', 'refuse']),
    v.description('"refuse" (default), or "allow" to pass such requests of the server on to the agent'),
  ),
);

const server = v.strictObject({
  name: serverName,
  read: v.optional(texts('What the server may read beside programs; "." is the workspace')),
  write: v.optional(texts('What it may read and write')),
  hosts: v.optional(texts('What it may connect to')),
  presets: v.optional(texts('Sets of hosts by name, as in network.presets')),
  sockets: v.optional(texts('Unix sockets of the host that it may use')),
  environment: v.optional(texts('Variables that it gets beside those that say nothing about the user')),
  credentials: v.optional(texts('Names of [[credentials]] that it gets')),
  tools: v.optional(texts('Names of the tools that exist for the agent, default all; * and ? are wildcards')),
  sampling: offered,
  elicitation: offered,
});

const flow = v.strictObject({
  name: flowName,
  from: texts('"server/tool", or "server" for all of its tools: what has been called'),
  to: texts('What may then not be called any more without a question, or not at all'),
  decision: v.picklist(['ask', 'deny']),
  reason: v.optional(v.pipe(v.string(), v.description('Shown wherever the flow decides'))),
});

const mcpEntry = v.optional(
  v.pipe(
    v.strictObject({
      pin: v.optional(
        v.pipe(
          v.picklist(['first-use', 'ask']),
          v.description(
            'What becomes of a server that was never seen. "first-use" (default): its tools are taken as they are, and a change is asked about. "ask": they are asked about too; wins if any policy says it',
          ),
        ),
      ),
      servers: v.optional(
        v.pipe(
          v.array(server),
          v.maxLength(mostEntries),
          v.description(
            'What a server that `holdfast mcp wrap` runs may have, of what the policy grants; nothing without an entry or a flag',
          ),
        ),
      ),
      flows: v.optional(
        v.pipe(
          v.array(flow),
          v.maxLength(mostEntries),
          v.description('Calls that must not follow others in one session of an agent'),
        ),
      ),
    }),
    v.description('MCP servers that run in a box of their own'),
  ),
);

/** The only source of the policy's types and of its JSON Schema. Every object is strict: an unknown key is an error. */
export const policySchema = v.pipe(
  v.strictObject({
    version: v.pipe(v.literal(1), v.description('Version of the policy language')),
    files: v.optional(files),
    network: v.optional(network),
    sockets: v.optional(sockets),
    commands: v.optional(
      v.pipe(v.strictObject({ ...decisionLists, unknown, git }), v.description('Commands, e.g. "git push --force"')),
    ),
    environment: v.optional(environment),
    tools: v.optional(v.pipe(v.strictObject(decisionLists), v.description('MCP tools as "server/tool"'))),
    registry: v.optional(
      v.strictObject({
        allow: decisionLists.allow,
        deny: decisionLists.deny,
        release: v.optional(
          texts('Takes built-in denials of registry keys away again; only in user and managed policies'),
        ),
      }),
    ),
    limits: v.optional(
      v.strictObject({
        memory: v.optional(share),
        processes: v.optional(count),
        cpus: v.optional(cores),
        cpu_time: v.optional(duration),
        file_size: v.optional(size),
        open_files: v.optional(count),
        tmp: v.optional(share),
        staged: v.optional(size),
        trash: v.optional(
          v.pipe(
            size,
            v.description(
              'Bytes of everything in the trash, of all workspaces, such as "2GB", or "none"; only in user and managed policies',
            ),
          ),
        ),
        trash_age: v.optional(
          v.pipe(
            duration,
            v.description(
              'How long something stays in the trash, such as "30d", or "none"; only in user and managed policies',
            ),
          ),
        ),
        wall: v.optional(duration),
      }),
    ),
    process: v.optional(
      v.strictObject({
        ptrace: v.optional(
          v.pipe(v.picklist(['deny', 'allow']), v.description('Whether processes in the box may trace each other')),
        ),
      }),
    ),
    require: v.optional(
      v.strictObject({
        guarantees: v.optional(
          v.pipe(v.array(v.picklist(guaranteeNames)), v.description('What the backend must be able to enforce')),
        ),
      }),
    ),
    backend: v.optional(
      v.strictObject({
        use: v.optional(
          v.pipe(
            v.picklist(['auto', 'native', 'bubblewrap', 'landlock', 'gvisor', 'microvm', 'seatbelt', 'windows']),
            v.description(
              'Who builds the box. A project may name none that holds less than what would be taken without it',
            ),
          ),
        ),
        minimum: v.optional(
          v.pipe(
            v.picklist(minimumNames),
            v.description('What a box has to be at least: a level, or a backend for its level'),
          ),
        ),
      }),
    ),
    resident: v.optional(
      v.pipe(
        v.picklist(['auto', 'never']),
        v.description(
          'Whether a supervisor stays in the background for the next commands, which start faster then. "auto" (default): the first run starts it, and it ends after 15 minutes without a run. "never" of any policy counts; only in user and managed policies',
        ),
      ),
    ),
    approvals: approvalsEntry,
    llm: llmEntry,
    mcp: mcpEntry,
    dlp: dlpEntry,
    ...ruleEntries,
    credentials: credentialsEntry,
    propose: v.optional(
      v.pipe(v.array(proposal), v.description('Grants that a project asks for; only in project files')),
    ),
  }),
  v.title('Holdfast policy'),
  v.description('What a sandboxed command may read, write, run and reach'),
);
