/** What `holdfast policy init` writes: sound as it stands, and an example of everything a project can say today. */
export const projectTemplate = `# What commands in this project's box may do. A project policy can only narrow what its user allows; it is read by
# \`holdfast run\` and cannot be changed from inside the box. Check it with \`holdfast policy check\`.
version = 1

# A list of grants is a ceiling: what it does not match is refused. Without the list, the user's policy decides.
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

# A rule decides what lists cannot say. The first that matches decides; its examples are checked whenever it loads.
# [[file]]
# name = "generated-by-build"
# decision = "deny"
# paths = ["src/generated"]
# operations = ["write", "create", "delete"]
# reason = "run the generator instead"
# match = ["write src/generated/api.ts"]
# not_match = ["src/generated/api.ts"]

# What the project needs beyond that, its user has to grant. Nothing of a proposal is in force by itself.
# [[propose]]
# name = "fixtures"
# reason = "the tests read the shared fixtures"
# files = { read = ["~/fixtures"] }
`;
