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
  --profile AGENT     the grants that an agent needs: claude, codex, gemini or opencode (docs/profiles.md)
  --backend NAME      ${backendNames.join(', ')} or auto (default);
                      \`lima\` and \`wsl2\` hand the run over to that Linux (generated, not run)
  --strict            stage writes, filter output, give no terminal, tighten limits, end all TLS (docs/strict.md)`;

export const runUsage = `usage: holdfast run [OPTIONS] AGENT [ARGUMENT...]
       holdfast run [OPTIONS] -- COMMAND [ARGUMENT...]

Runs a known agent with its profile, or any COMMAND, inside the box. The workspace is writable, the rest of the system
is read-only, and most of the home directory is hidden. Environment and network are allow-lists. Exits with the status
of COMMAND (128+n for signal n), 126 or 127 when it cannot be started, 125 when the box cannot be built.

  --staged            keep every write in a new layer, for \`holdfast review\`
  --into ID           keep writes in the existing layer ID
  --show WHOM         filter the output for a model or a person: \`model\` without escape sequences, \`person\` with
                      colours; invisible characters are written out
  --no-prompt         ask nothing at this terminal: for harnesses that let a model type into it
  --phantoms FILE     give the box the phantoms of a \`holdfast proxy --trust DIR\`: DIR/phantoms.json
  --sandbox           refuse to run unless the box enforces everything that this kernel can enforce, even if the policy
                      requires less; with --no-sandbox-strict only warn
${boxOptionsUsage}`;
