/** CPU time of this thread in milliseconds. Unlike wall time it does not advance while other threads have the processor. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
