/** Every command, put together. */
import { Command } from 'commander';
import { appVersion } from '../lib/version.ts';
import { registerAccounts } from './accounts.ts';
import { registerAgencyKeys } from './agency.ts';
import { registerAttachments } from './attachments.ts';
import { registerBackups } from './backups.ts';
import { registerBooks } from './books.ts';
import { registerCompletion } from './completion.ts';
import { registerDemo } from './demo.ts';
import { registerEInvoiceFiles } from './e-invoices.ts';
import { registerFirstVisit } from './first-visit.ts';
import { registerInvoices } from './invoices.ts';
import { registerKeys } from './keys.ts';
import { registerMonths } from './months.ts';
import { registerOpenApiCommand } from './openapi.ts';
import { registerOpeningItems } from './opening-items.ts';
import { registerProcesses } from './processes.ts';
import { registerPurchases } from './purchases.ts';
import { registerRegisters } from './registers.ts';
import { registerRoles } from './roles.ts';
import { registerSecrets } from './secrets.ts';
import { registerSettings } from './settings.ts';
import { registerSie } from './sie.ts';
import { registerSuppliers } from './suppliers.ts';
import { reportUsage, speakSwedish } from './usage.ts';
import { registerUsers } from './users.ts';
import { registerVat } from './vat.ts';
import { registerWebhooks } from './webhooks.ts';
import { registerLocks, registerYears } from './years.ts';

const groups = [
  registerProcesses,
  registerRoles,
  registerBooks,
  registerSettings,
  registerYears,
  registerLocks,
  registerRegisters,
  registerAccounts,
  registerInvoices,
  registerSuppliers,
  registerPurchases,
  registerEInvoiceFiles,
  registerOpeningItems,
  registerSie,
  registerMonths,
  registerVat,
  registerAttachments,
  registerUsers,
  registerKeys,
  registerAgencyKeys,
  registerWebhooks,
  registerSecrets,
  registerDemo,
  registerFirstVisit,
  registerBackups,
  registerOpenApiCommand,
  registerCompletion,
];

/** The command line; wrongly called, its `parseAsync` throws `WrongUsage`. */
export function createProgram(): Command {
  const program = new Command('huvudbok')
    .description('Bokföring i egen drift, med ett öppet HTTP/JSON-API')
    // What stands after a command is that command's: `backup` and `backup verify` both have --json.
    .enablePositionalOptions()
    .version(appVersion, '-v, --version', 'programmets version')
    .helpOption('-h, --help', 'visa hjälp')
    .helpCommand('help [kommando]', 'visa hjälp för ett kommando')
    .configureOutput({ outputError: () => undefined });
  for (const register of groups) register(program);
  speakSwedish(program);
  inheritSettings(program);
  return program;
}

function inheritSettings(command: Command): void {
  reportUsage(command);
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
}
