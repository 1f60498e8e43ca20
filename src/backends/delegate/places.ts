import process from 'node:process';

/** Only where systems and package managers put them: never from PATH, nor from what a variable names. */
export const limactlPlaces: readonly string[] = ['/opt/homebrew/bin/limactl', '/usr/local/bin/limactl', '/opt/local/bin/limactl', '/usr/bin/limactl', '/run/current-system/sw/bin/limactl'];
export const wslPlaces: readonly string[] = process.platform === 'win32' ? ['C:\\Windows\\System32\\wsl.exe', 'C:\\Program Files\\WSL\\wsl.exe'] : [];
