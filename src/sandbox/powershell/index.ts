/**
 * The PowerShell of the host, where there is one: it reads the PowerShell texts of commands that enter, so that they are known before
 * they run. The program that it is given is the shell room's; policies may not enter.
 */
export { askPowerShell } from './ask-powershell.ts';
export { findPowerShell } from './find-powershell.ts';
