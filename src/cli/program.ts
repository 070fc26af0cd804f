/** Every command, put together; or one alone, for whoever has typed its name. */
import type { Command } from 'commander';
import { buildProgram, type CommandGroup } from './build-program.ts';

interface Group {
  /** The commands it adds, by which it is loaded alone. */
  readonly words: readonly string[];
  readonly load: () => Promise<CommandGroup>;
}

/** In the order that help tells them. */
export const groups: readonly Group[] = [
  {
    words: ['start', 'http', 'worker', 'migrate'],
    load: async () => (await import('./processes.ts')).registerProcesses,
  },
  { words: ['roles'], load: async () => (await import('./roles.ts')).registerRoles },
  { words: ['setup', 'verify'], load: async () => (await import('./books.ts')).registerBooks },
  { words: ['settings'], load: async () => (await import('./settings.ts')).registerSettings },
  { words: ['year', 'series'], load: async () => (await import('./years.ts')).registerYears },
  { words: ['lock'], load: async () => (await import('./years.ts')).registerLocks },
  {
    words: ['customer', 'dimension', 'article'],
    load: async () => (await import('./registers.ts')).registerRegisters,
  },
  { words: ['account'], load: async () => (await import('./accounts.ts')).registerAccounts },
  { words: ['invoice'], load: async () => (await import('./invoices.ts')).registerInvoices },
  { words: ['reminders'], load: async () => (await import('./reminders.ts')).registerReminders },
  { words: ['supplier'], load: async () => (await import('./suppliers.ts')).registerSuppliers },
  { words: ['purchase'], load: async () => (await import('./purchases.ts')).registerPurchases },
  { words: ['payments'], load: async () => (await import('./payments.ts')).registerPayments },
  {
    words: ['e-invoice'],
    load: async () => (await import('./e-invoices.ts')).registerEInvoiceFiles,
  },
  { words: ['move-in'], load: async () => (await import('./move-in.ts')).registerMoveIn },
  {
    words: ['opening-items'],
    load: async () => (await import('./opening-items.ts')).registerOpeningItems,
  },
  { words: ['sie'], load: async () => (await import('./sie.ts')).registerSie },
  { words: ['bank'], load: async () => (await import('./bank.ts')).registerBank },
  {
    words: ['till-report'],
    load: async () => (await import('./till-reports.ts')).registerTillReports,
  },
  { words: ['month'], load: async () => (await import('./months.ts')).registerMonths },
  {
    words: ['proposal'],
    load: async () => (await import('./proposals.ts')).registerProposalCommands,
  },
  { words: ['mcp'], load: async () => (await import('./mcp.ts')).registerMcp },
  { words: ['accrual'], load: async () => (await import('./accruals.ts')).registerAccruals },
  { words: ['report'], load: async () => (await import('./reports.ts')).registerReports },
  { words: ['vat'], load: async () => (await import('./vat.ts')).registerVat },
  {
    words: ['attachment'],
    load: async () => (await import('./attachments.ts')).registerAttachments,
  },
  { words: ['document'], load: async () => (await import('./documents.ts')).registerDocuments },
  { words: ['archive'], load: async () => (await import('./archive.ts')).registerArchive },
  { words: ['user'], load: async () => (await import('./users.ts')).registerUsers },
  { words: ['key'], load: async () => (await import('./keys.ts')).registerKeys },
  { words: ['agency'], load: async () => (await import('./agency.ts')).registerAgencyKeys },
  { words: ['webhook'], load: async () => (await import('./webhooks.ts')).registerWebhooks },
  { words: ['secrets'], load: async () => (await import('./secrets.ts')).registerSecrets },
  { words: ['demo'], load: async () => (await import('./demo.ts')).registerDemo },
  {
    words: ['first-visit'],
    load: async () => (await import('./first-visit.ts')).registerFirstVisit,
  },
  {
    words: ['backup', 'restore'],
    load: async () => (await import('./backups.ts')).registerBackups,
  },
  { words: ['openapi'], load: async () => (await import('./openapi.ts')).registerOpenApiCommand },
  // What all of them are is what it tells.
  { words: [], load: async () => (await import('./completion.ts')).registerCompletion },
];

/** The command line with every command; wrongly called, its `parseAsync` throws `WrongUsage`. */
export const createProgram = async (): Promise<Command> =>
  buildProgram(await Promise.all(groups.map(({ load }) => load())));

/**
 * What is needed for what was typed, from its first word: the whole takes half a second to load, which a command
 * should not wait for and a process that runs for months not carry. The whole, when that word is no command.
 */
export async function programFor(word: string | undefined): Promise<Command> {
  const group = groups.find(({ words }) => word !== undefined && words.includes(word));
  return group ? buildProgram([await group.load()]) : createProgram();
}

/** Runs what was typed; wrongly called, throws `WrongUsage`. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = await programFor(words[0]);
  await program.parseAsync(words, { from: 'user' });
}
