/** Milliseconds of the processor that `work` takes in this process, whatever else the machine does. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}
