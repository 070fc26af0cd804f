/** huvudbok bank account list · add · change: accounts of banks, and the ledger accounts that show them */
import type { Command } from 'commander';
import { changeBankAccount, createBankAccount } from '../bank/service.ts';
import { bankAccountKinds } from '../bank/statements/statement-store.ts';
import { getBankAccount, listBankAccounts } from '../bank/store.ts';
import { amountText } from '../lib/swedish.ts';
import { asOwner, print } from './context.ts';
import { addList } from './listing.ts';
import { actor, integer, type Json, jsonOption, text, uuid, word } from './options.ts';
import { accountNumber, bankgiro, iban } from './payee-numbers.ts';

interface Identities {
  readonly iban?: string;
  readonly number?: string;
  readonly bankgiro?: string;
}

const withIdentity = (command: Command): Command =>
  command
    .option('--iban <iban>', 'kontots IBAN', iban)
    .option(
      '--number <nummer>',
      'clearing och kontonummer; för skattekontot organisationsnumret',
      accountNumber,
    )
    .option('--bankgiro <nummer>', 'bankgiro som går till kontot', bankgiro);

const kinds = {
  bank: 'bank',
  tax: 'skattekonto',
  cash: 'kassa',
  clearing: 'avräkning',
} as const;

export function registerBankAccounts(bank: Command): void {
  const account = bank.command('account').description('bankkonton');

  addList(account, {
    description: 'visa bankkonton, med det senaste saldot som banken har sagt',
    empty: 'Inget bankkonto är upplagt.',
    read: (tx) => listBankAccounts(tx),
    cells: ({
      id,
      ledger_account: ledger,
      kind,
      name,
      iban: of,
      number,
      statement_ore,
      unmatched,
    }) => [
      id,
      ledger,
      kinds[kind],
      name,
      of ?? number,
      statement_ore === null ? null : amountText(statement_ore),
      unmatched === 0n ? '' : `${unmatched} utan verifikat`,
    ],
    wire: ({ statement_ore, ledger_ore, unmatched, ...one }) => ({
      ...one,
      statement: statement_ore === null ? null : Number(statement_ore) / 100,
      ledger: ledger_ore === null ? null : Number(ledger_ore) / 100,
      unmatched: Number(unmatched),
    }),
  });

  const add = account
    .command('add')
    .description('lägg upp ett konto i banken, skattekontot, en kassa eller ett avräkningskonto')
    .requiredOption('--name <namn>', 't.ex. Företagskonto', text(100))
    .requiredOption('--ledger-account <konto>', 'kontot i bokföringen', integer(1000, 9999))
    .option('--kind <slag>', 'bank, tax, cash eller clearing', word(bankAccountKinds), 'bank')
    .option(...jsonOption);
  withIdentity(add).action(
    async (
      given: Identities & Json & { name: string; ledgerAccount: number; kind: 'bank' },
    ): Promise<void> => {
      const { json, ...facts } = given;
      const { id } = await asOwner((tx) => createBankAccount(tx, facts, actor));
      print(json, { id, name: facts.name }, `Bankkontot ${facts.name} är upplagt (${id}).`);
    },
  );

  const change = account
    .command('change')
    .description('ändra ett bankkontos namn eller nummer, eller ta det ur bruk')
    .argument('<id>', 'bankkontots id', uuid)
    .option('--name <namn>', 'nytt namn', text(100))
    .option('--inactive', 'ta kontot ur bruk')
    .option('--active', 'ta kontot i bruk igen')
    .option(...jsonOption);
  withIdentity(change).action(
    async (
      id: string,
      given: Identities & Json & { name?: string; inactive?: true; active?: true },
    ): Promise<void> => {
      const changed = await asOwner(async (tx) => {
        const before = await getBankAccount(tx, id);
        const { name, number, bankgiro: giro } = before;
        const facts = {
          name: given.name ?? name,
          iban: given.iban ?? before.iban,
          number: given.number ?? number,
          bankgiro: given.bankgiro ?? giro,
          isActive: given.active ?? (given.inactive ? false : before.is_active),
        };
        await changeBankAccount(tx, id, facts, actor);
        return facts;
      });
      print(given.json, { id, ...changed }, `Bankkontot ${changed.name} är ändrat.`);
    },
  );
}
