/** Drift: queues and failed jobs, processes, database, disk, backup and the check of the books. */

import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { queues } from '../../db/jobs.ts';
import {
  type AdviceReason,
  adviseWorkers,
  busyShareOf,
} from '../../domain/basics/worker-advice.ts';
import {
  type BackupRecord,
  findLastBackup,
  findLastFailure,
} from '../../installation/backups/record-store.ts';
import { findDiskSpace, retryJobs } from '../../installation/operations/service.ts';
import {
  type DeadJob,
  findLastVerification,
  getDatabaseFacts,
  type LastVerification,
  listDeadJobs,
  listQueues,
  type QueueState,
  queueCountMax,
} from '../../installation/operations/store.ts';
import { listProcesses, type ProcessRow } from '../../installation/processes/store.ts';
import { say, worded } from '../../lib/language.ts';
import { numberText } from '../../lib/numbers.ts';
import { count, moment } from '../format.ts';
import { choice, optional, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { View, Visit } from '../visit.ts';

const deadShown = 50;
const problemsShown = 20;
/** A backup older than this is worth a word. */
const backupDaysMax = 2;
const dayMs = 86_400_000;

/** What each queue does, and which worker does it. */
const queueNames = worded(
  (): Readonly<Record<string, { readonly label: string; readonly worker: string }>> => ({
    'order-intake': { label: say`Order bedöms`, worker: 'intake' },
    'till-report-intake': { label: say`Dagskassor bokförs`, worker: 'intake' },
    'e-invoice-intake': { label: say`E-fakturor bedöms`, worker: 'intake' },
    'intake-trial': { label: say`Det som bara prövas bedöms`, worker: 'intake' },
    'invoice-booking': { label: say`Kundfakturor bokförs`, worker: 'booking' },
    'supplier-invoice-booking': { label: say`Leverantörsfakturor bokförs`, worker: 'booking' },
    rendering: { label: say`PDF skrivs ut`, worker: 'render' },
    preview: { label: say`Bilder görs om till JPEG`, worker: 'render' },
    mail: { label: say`E-post skickas`, worker: 'mail' },
    'bank-import': { label: say`Bankens filer läses in`, worker: 'upkeep' },
    'bank-booking': { label: say`Säkra bankrader bokförs`, worker: 'upkeep' },
    'sie-import': { label: say`SIE-filer läses in`, worker: 'upkeep' },
    'recurring-invoices': { label: say`Återkommande fakturor görs`, worker: 'upkeep' },
    accruals: { label: say`Periodiseringar bokförs`, worker: 'upkeep' },
    purge: { label: say`Utgånget rensas`, worker: 'upkeep' },
    verification: { label: say`Böckerna kontrolleras`, worker: 'upkeep' },
    backup: { label: say`Säkerhetskopia tas`, worker: 'upkeep' },
  }),
);
/** More of these help; the others work in order, or seldom. */
const scalable = new Set(['order-intake', 'e-invoice-intake', 'rendering']);

const names = queues.map(({ name }) => name) as [string, ...string[]];
const retryFields = z.object({ queue: choice(names), job: optional(uuid) });

export function registerOperationPages(pages: Pages): void {
  pages.show({ url: '/drift', right: 'administer', show: showOperations });
  pages.act({
    url: '/drift/forsok-igen',
    right: 'administer',
    fields: retryFields,
    perform: async ({ tx, person }, { queue, job }) => {
      const jobs = await retryJobs(tx, { queue, id: job }, person.actor);
      return { to: '/drift', notice: retried(jobs, queueNames()[queue]?.label ?? queue) };
    },
  });
}

const retried = (jobs: number, label: string): string =>
  jobs === 0
    ? say`Det fanns inget att försöka igen med: någon annan hann före.`
    : say`${count(jobs)} jobb (${label}) görs om nu.`;

async function showOperations({ tx, deps }: Visit): Promise<View> {
  const { timeZone, dataDir, databaseUrl } = deps.config;
  const now = deps.clock.now();
  const at = (when: Date) => moment(when, timeZone);
  const processes = await listProcesses(tx);
  const states = await listQueues(tx);
  const dead = await listDeadJobs(tx, deadShown);
  const database = await getDatabaseFacts(tx);
  const disk = await findDiskSpace(dataDir, databaseUrl);
  const backup = await findLastBackup(tx);
  const failedBackup = await findLastFailure(tx);
  const verification = await findLastVerification(tx);
  const alive = processes.filter(({ is_alive }) => is_alive);
  return {
    template: 'operations',
    title: say`Drift`,
    values: {
      queues: [...states]
        .sort((one, other) => names.indexOf(one.queue) - names.indexOf(other.queue))
        .map((state) => queueView(state, alive)),
      dead: dead.map((job) => deadView(job, at)),
      isMoreDead: dead.length === deadShown,
      processes: processes.map((process) => processView(process, at)),
      database: {
        version: database.version,
        size: bytesText(Number(database.size_bytes)),
        connections: say`${database.connections} av ${database.connections_max}`,
        longest:
          database.longest_seconds === null || database.longest_seconds < 1
            ? say`kortare än en sekund`
            : `${durationText(database.longest_seconds)} (${database.longest_by})`,
        isLong: (database.longest_seconds ?? 0) > 300,
      },
      disk: disk
        ? {
            free: bytesText(disk.freeBytes),
            total: bytesText(disk.totalBytes),
            isLow: disk.freeBytes < Math.max(disk.totalBytes / 20, 2 ** 30),
          }
        : null,
      backup: backup ? backupView(backup, now, at) : null,
      failedBackup: failedBackup
        ? { at: at(failedBackup.finished_at), failure: failedBackup.failure }
        : null,
      verification: verification ? verificationView(verification, at) : null,
    },
  };
}

function queueView(state: QueueState, alive: readonly ProcessRow[]) {
  const { label, worker } = queueNames()[state.queue] ?? { label: state.queue, worker: '' };
  const working = alive.filter(({ parts }) => parts.includes(worker));
  const perMinute = working.reduce((sum, { handled }) => sum + (handled[state.queue] ?? 0), 0);
  const sumOf = (pick: 'busy_ms' | 'slots') =>
    working.reduce((sum, { work }) => sum + (work[state.queue]?.[pick] ?? 0), 0);
  const load = {
    waiting: state.waiting,
    perMinute,
    running: working.length,
    busyShare: busyShareOf(sumOf('busy_ms') / 1000, sumOf('slots')),
  };
  const isScalable = scalable.has(state.queue);
  const advice = adviseWorkers(load, isScalable ? availableParallelism() : 1);
  const isOneEnough = !isScalable && working.length > 0;
  const wanted = isOneEnough ? 1 : advice.wanted;
  return {
    name: state.queue,
    label,
    worker,
    waiting:
      state.waiting >= queueCountMax
        ? say`${count(queueCountMax)} eller fler`
        : count(state.waiting),
    age: state.oldest ? durationText(secondsSince(state.oldest)) : '',
    active: count(state.active),
    perMinute: count(perMinute),
    dead: state.dead,
    running: working.length,
    wanted,
    reason: isOneEnough ? say`En räcker: arbetet görs i ordning.` : adviceInWords(advice.reason),
    isShort: working.length < wanted,
  };
}

function adviceInWords(reason: AdviceReason): string {
  switch (reason.why) {
    case 'unattended':
      return say`Ingen arbetar med kön, så det som kommer blir liggande.`;
    case 'unattended_waiting':
      return say`Ingen arbetar med kön, och det väntar.`;
    case 'soon_done':
      return say`Det som väntar är gjort inom en minut.`;
    case 'hindered':
      return say`Det väntar men inget har blivit gjort den senaste minuten: se efter i loggen vad som hindrar.`;
    case 'less_would_do':
      return say`De arbetar ${reason.busyPercent} % av tiden; så många räcker.`;
    case 'more_clear_it':
      return say`Var och en gör ${reason.eachPerMinute} i minuten; så många blir färdiga med det som väntar på en minut.`;
    case 'no_more_cores':
      return say`Fler än ${reason.most} har inga processorkärnor att arbeta på; så många blir färdiga på ungefär ${reason.minutes} minuter.`;
  }
}

const secondsSince = (when: Date): number =>
  Math.max(0, Math.round((Date.now() - when.getTime()) / 1_000));

const deadView = (job: DeadJob, at: (when: Date) => string) => ({
  id: job.id,
  queue: job.queue,
  label: queueNames()[job.queue]?.label ?? job.queue,
  subject: Object.entries(job.payload)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', '),
  failedAt: at(job.failed_at),
  attempts: job.attempts ?? 1,
  failure: job.failure ?? say`Ingen orsak angavs.`,
});

const processView = (process: ProcessRow, at: (when: Date) => string) => ({
  parts: process.parts.join(', '),
  host: process.host,
  pid: String(process.pid),
  version: process.version,
  startedAt: at(process.started_at),
  seenAt: at(process.seen_at),
  isAlive: process.is_alive,
});

const backupView = (backup: BackupRecord, now: Date, at: (when: Date) => string) => ({
  at: at(backup.taken_at),
  isOld: now.getTime() - backup.taken_at.getTime() > backupDaysMax * dayMs,
  isOwn: backup.is_own,
  file: backup.file,
  size: backup.size_bytes === null ? '' : bytesText(backup.size_bytes),
  vouchers: backup.vouchers === null ? '' : count(backup.vouchers),
  provedAt: backup.verified_at ? at(backup.verified_at) : null,
  faults: backup.problems,
});

const verificationView = (found: LastVerification, at: (when: Date) => string) => ({
  at: at(found.finished_at),
  vouchers: count(found.vouchers),
  faults: found.problems.length,
  problems: found.problems
    .slice(0, problemsShown)
    .map(({ series, number, message }) => `${series ?? ''}${number ?? ''} ${message}`.trim()),
});

/** `1,5 GB`, in powers of 1 024. */
function bytesText(bytes: number): string {
  const units = ['byte', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  const digits = power > 0 && value < 10 ? 1 : 0;
  return `${numberText(value.toFixed(digits).replace('.', ','))}\u00a0${units[power]}`;
}

/** `3 min`, of seconds. */
function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds}\u00a0s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}\u00a0min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}\u00a0h`;
  return say`${Math.floor(seconds / 86_400)}\u00a0dygn`;
}
