/** A file that some interpreter runs. */
export const scriptName = /\.(?:sh|bash|zsh|fish|js|mjs|cjs|ts|mts|cts|tsx|jsx|py|rb|pl|php|lua|ps1|cmd|bat|exe)$/iu;
