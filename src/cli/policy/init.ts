import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { projectFile } from '../../place/policy-texts.ts';
import { type CommandInput, printResult } from '../command.ts';
import { commandPlace } from './explain.ts';

/**
 * `holdfast policy init`: writes a commented policy at the top of the workspace, which changes nothing until it is
 * edited.
 */
export function initPolicy(input: CommandInput): number {
  const path = join(commandPlace(input).workspace.root, projectFile);
  writeNew(path);
  printResult(input, { file: path }, `wrote ${path}: edit it, then \`holdfast policy check\`\n`);
  return 0;
}

/** Creates the file exclusively, so that it overwrites no file and follows no symlink, not even a new one. */
function writeNew(path: string): void {
  try {
    writeFileSync(path, projectTemplate, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new HoldfastError('HF_USAGE', `${path} already exists`, {
        remedy: 'edit it, or move it away first',
        cause,
      });
    throw new HoldfastError('HF_POLICY_UNREADABLE', `${path} cannot be written: ${code ?? String(cause)}`, {
      remedy: 'make the workspace writable',
      cause,
    });
  }
}

/** Text of `holdfast policy init`: valid as it stands, with an example of everything that a project policy can say. */
export const projectTemplate = `# Rules for commands in this project's box. A project policy can only narrow the user policy. It is read by
# \`holdfast run\` and cannot be changed from inside the box. Check it with \`holdfast policy check\`.
version = 1

# A list of grants is a ceiling: Holdfast refuses everything outside it. Without the list, the user policy decides.
# Paths are relative to this directory; "~/x", "/x" and "**/name" work too, and mean everything beneath.
# [files]
# write = [".", "~/.local/share/my-tool"]
# protect = ["schema.sql"]               # readable, never writable
# deny = ["**/customers", "fixtures/private"]
# ephemeral = ["dist"]                   # writable; thrown away when the command ends

# [environment]
# deny = ["DEBUG"]

# [limits]                               # the lowest of all policies holds
# memory = "4GiB"
# processes = 512
# wall = "30m"

# A rule covers cases beyond lists. The first that matches decides; its examples are checked whenever it loads.
# [[file]]
# name = "generated-by-build"
# decision = "deny"
# paths = ["src/generated"]
# operations = ["write", "create", "delete"]
# reason = "run the generator instead"
# match = ["write src/generated/api.ts"]
# not_match = ["src/generated/api.ts"]

# Further needs of the project are proposals. A proposal has no effect until the user accepts it.
# [[propose]]
# name = "fixtures"
# reason = "the tests read the shared fixtures"
# files = { read = ["~/fixtures"] }
`;
