/** Every subcommand with its one-line summary. Each has a bundle of its own, so that `run` loads nothing of the others. */
export const commandTable: readonly { readonly name: string; readonly summary: string }[] = [
  { name: 'run', summary: 'run a command inside the box' },
  { name: 'why', summary: 'say what was refused, by which rule, and what would allow it' },
  { name: 'policy', summary: 'check, show, explain, test and create policies' },
  { name: 'plan', summary: 'print the box that a command would get' },
  { name: 'doctor', summary: 'say what this machine can enforce, and prove it' },
  { name: 'audit', summary: 'verify and read the journal' },
];
