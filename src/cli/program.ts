/** Every command, put together. */
import type { Command } from 'commander';
import { registerAccounts } from './accounts.ts';
import { registerAgencyKeys } from './agency.ts';
import { registerArchive } from './archive.ts';
import { registerAttachments } from './attachments.ts';
import { registerBackups } from './backups.ts';
import { registerBank } from './bank.ts';
import { registerBooks } from './books.ts';
import { buildProgram } from './build-program.ts';
import { registerCompletion } from './completion.ts';
import { registerDemo } from './demo.ts';
import { registerDocuments } from './documents.ts';
import { registerEInvoiceFiles } from './e-invoices.ts';
import { registerFirstVisit } from './first-visit.ts';
import { registerInvoices } from './invoices.ts';
import { registerKeys } from './keys.ts';
import { registerMonths } from './months.ts';
import { registerMoveIn } from './move-in.ts';
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
  registerMoveIn,
  registerOpeningItems,
  registerSie,
  registerBank,
  registerMonths,
  registerVat,
  registerAttachments,
  registerDocuments,
  registerArchive,
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

/** The command line with every command; wrongly called, its `parseAsync` throws `WrongUsage`. */
export const createProgram = (): Command => buildProgram(groups);
