/** Linux versions with the Landlock ABI that they brought, newest first (`Documentation/userspace-api/landlock.rst`). */
const versions = [
  { major: 6, minor: 12, abi: 6 },
  { major: 6, minor: 10, abi: 5 },
  { major: 6, minor: 7, abi: 4 },
  { major: 6, minor: 2, abi: 3 },
  { major: 5, minor: 19, abi: 2 },
  { major: 5, minor: 13, abi: 1 },
] as const;

/** What a kernel of this release has at least, 0 for none; nothing here uses more than 6. The launcher asks the kernel itself, and refuses one that has less. */
export function promisedAbi(release: string): number {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return versions.find((version) => major > version.major || (major === version.major && minor >= version.minor))?.abi ?? 0;
}
