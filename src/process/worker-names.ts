/** What a worker process may work, as the command line names it. */
export const workerNames = ['intake', 'booking', 'upkeep', 'webhooks', 'render', 'mail'] as const;
export type WorkerName = (typeof workerNames)[number];

/** Who may be away until there is a job on one of their queues. */
export const workersOnCall = ['render', 'mail'] as const;
export type WorkerOnCall = (typeof workersOnCall)[number];
