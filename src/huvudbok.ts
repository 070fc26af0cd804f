/** The command line. Only wiring: each group of commands stands in src/cli. */
import { Command, CommanderError } from 'commander';
import { registerAccounts } from './cli/accounts.ts';
import { registerAgencyKeys } from './cli/agency.ts';
import { registerAttachments } from './cli/attachments.ts';
import { registerBackups } from './cli/backups.ts';
import { registerBooks } from './cli/books.ts';
import { note } from './cli/context.ts';
import { registerDemo } from './cli/demo.ts';
import { registerEInvoiceFiles } from './cli/e-invoices.ts';
import { registerFirstVisit } from './cli/first-visit.ts';
import { registerInvoices } from './cli/invoices.ts';
import { registerKeys } from './cli/keys.ts';
import { registerMonths } from './cli/months.ts';
import { registerOpenApiCommand } from './cli/openapi.ts';
import { registerOpeningItems } from './cli/opening-items.ts';
import { registerProcesses } from './cli/processes.ts';
import { registerPurchases } from './cli/purchases.ts';
import { registerSuppliers } from './cli/suppliers.ts';
import { explainUsage, speakSwedish } from './cli/usage.ts';
import { registerUsers } from './cli/users.ts';
import { registerVat } from './cli/vat.ts';
import { registerWebhooks } from './cli/webhooks.ts';
import { AppError } from './errors.ts';
import { OperatorError } from './operator-error.ts';
import { appVersion } from './version.ts';

/** 0 done · 1 refused, or problems found · 2 wrongly called · 70 our own fault */
const exitCodes = { refused: 1, usage: 2, fault: 70 } as const;

const program = new Command('huvudbok')
  .description('Bokföring i egen drift, med ett öppet HTTP/JSON-API')
  .version(appVersion, '-v, --version', 'programmets version')
  .helpOption('-h, --help', 'visa hjälp')
  .helpCommand('help [kommando]', 'visa hjälp för ett kommando')
  .configureOutput({ outputError: () => undefined })
  .exitOverride();

registerProcesses(program);
registerBooks(program);
registerAccounts(program);
registerInvoices(program);
registerSuppliers(program);
registerPurchases(program);
registerEInvoiceFiles(program);
registerOpeningItems(program);
registerMonths(program);
registerVat(program);
registerAttachments(program);
registerUsers(program);
registerKeys(program);
registerAgencyKeys(program);
registerWebhooks(program);
registerDemo(program);
registerFirstVisit(program);
registerBackups(program);
registerOpenApiCommand(program);
speakSwedish(program);
inheritSettings(program);

function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    if (error.exitCode !== 0) note(explainUsage(error));
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else if (error instanceof OperatorError || error instanceof AppError) {
    note(error.message);
    process.exitCode = exitCodes.refused;
  } else {
    note(error instanceof Error && error.stack ? error.stack : String(error));
    process.exitCode = exitCodes.fault;
  }
}
