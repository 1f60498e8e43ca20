import { profileNames } from '../agents/profiles/profiles.ts';
import { backendNames } from '../backends/backend.ts';

/** Options of every command that opens a session. A plain run loads no text for people. */
export const boxOptionsUsage = `  --workspace DIR     writable root (default: top of the git work tree, or the working directory)
  --read PATH         also show PATH read-only          (repeatable)
  --write PATH        also let PATH be written          (repeatable)
  --host HOST[:PORT]  also let HOST be reached          (repeatable)
  --preset NAME       also let a service's hosts be reached: npm, pypi, github … (repeatable)
  --forward [HOST:]PORT  show a port of the box on this machine's loopback (repeatable); \`none\` shows none
  --env NAME          also pass the variable NAME       (repeatable)
  --socket PATH       also show the Unix socket PATH    (repeatable)
  --profile AGENT     also give the hosts, the key and the directory of an agent: claude, codex … (docs/profiles.md)
  --backend NAME      ${backendNames.join(', ')} or auto (default);
                      \`lima\` and \`wsl2\` hand the run over to that Linux (generated, not run)
  --strict            stage writes, filter output, give no terminal, tighten limits, inspect all TLS (docs/strict.md)`;

export const runUsage = `usage: holdfast run [OPTIONS] AGENT [ARGUMENT...]
       holdfast run [OPTIONS] -- COMMAND [ARGUMENT...]

Runs a known agent with its profile, or any COMMAND, in a sandbox: the box. The workspace is writable, the rest of the
system is read-only, and most of the home directory is hidden. Environment and network are allow-lists. Exits with the
status of COMMAND (128+n for signal n), 126 or 127 if COMMAND cannot be started, and 125 if the box cannot be built.

AGENT is one of ${profileNames.join(', ')}.

  --staged            keep every write in a new layer, for \`holdfast review\`
  --into ID           keep writes in the existing layer ID
  --show WHOM         filter the output for a model or a person: \`model\` without escape sequences, \`person\` with
                      colours; invisible characters are written out
  --no-prompt         ask nothing at this terminal, because a model may type into it
  --phantoms FILE     give the box the phantom keys of \`holdfast proxy --trust DIR\`: DIR/phantoms.json
  --sandbox           refuse to run unless the box enforces every guarantee that a kernel can give, even if the policy
                      requires fewer
  --no-sandbox-strict with --sandbox: warn about missing guarantees, and run anyway
${boxOptionsUsage}`;
