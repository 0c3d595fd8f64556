/** CPU time of this thread in milliseconds: unlike the time of day it does not run while others have the processor. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
