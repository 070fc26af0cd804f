/** huvudbok supplier create · mark · list */
import { type Command, InvalidArgumentError } from 'commander';
import { db } from '../db/pool.ts';
import { countryOf } from '../domain/basics/countries.ts';
import { normalizePaymentAccount } from '../domain/basics/payment-accounts.ts';
import { vatRates, vatRateWords } from '../domain/ledger/vat.ts';
import type { SupplyMark } from '../domain/purchases/reverse-charge.ts';
import {
  createSupplier,
  markSupplier,
  nameSupplierOutside,
} from '../purchases/suppliers/service.ts';
import { listSuppliers, type SupplierWithMark } from '../purchases/suppliers/store.ts';
import { asOwner, print, withPool } from './context.ts';
import { addExternalId, externalIdOption } from './external-ids.ts';
import {
  actor,
  collect,
  integer,
  type Json,
  jsonOption,
  organizationNumber,
  text,
  uuid,
  vatNumber,
} from './options.ts';

export function registerSuppliers(program: Command): void {
  const supplier = program.command('supplier').description('leverantörer');
  registerCreating(supplier);
  registerMarking(supplier);
  registerListing(supplier);
  const key = { name: 'id', words: 'leverantörens id, se supplier list', parse: uuid };
  addExternalId(supplier, key, nameSupplierOutside);
}

function registerCreating(supplier: Command): void {
  supplier
    .command('create')
    .description('lägg upp en leverantör')
    .requiredOption('--name <namn>', 'leverantörens namn', text(200))
    .option('--org-number <nummer>', 'organisationsnummer', organizationNumber)
    .option('--vat-number <nummer>', 'momsnummer', vatNumber)
    .option('--endpoint <adress>', 'elektronisk adress, t.ex. 0007:5560360793', text(100))
    .option('--bankgiro <nummer>', 'kan upprepas', collect(accountOf('bankgiro')))
    .option('--plusgiro <nummer>', 'kan upprepas', collect(accountOf('plusgiro')))
    .option('--iban <nummer>', 'kan upprepas', collect(accountOf('iban')))
    .option('--country <land>', 'landets två bokstäver', country, 'SE')
    .option('--account <konto>', 'kontot som inköpen bokförs på', integer(1000, 8999))
    .option('--terms <dagar>', 'betalningsvillkor från fakturadatumet', integer(0, 365))
    .option(...externalIdOption)
    .option(...jsonOption)
    .action(async (options: SupplierOptions) => {
      const { name, orgNumber = null, vatNumber: vat = null, endpoint = null } = options;
      const accounts = (['bankgiro', 'plusgiro', 'iban'] as const).flatMap((kind) =>
        (options[kind] ?? []).map((number) => ({ kind, number })),
      );
      const created = await asOwner((tx) =>
        createSupplier(
          tx,
          {
            name,
            organizationNumber: orgNumber,
            vatNumber: vat,
            endpoint,
            countryCode: options.country,
            account: options.account ?? null,
            paymentDays: options.terms ?? null,
            externalId: options.externalId ?? null,
            accounts,
          },
          actor,
        ),
      );
      print(options.json, created, `Leverantören ${created.name} har id ${created.id}.`);
    });
}

interface SupplierOptions extends Json {
  readonly name: string;
  readonly orgNumber?: string;
  readonly vatNumber?: string;
  readonly endpoint?: string;
  readonly bankgiro?: string[];
  readonly plusgiro?: string[];
  readonly iban?: string[];
  readonly country: string;
  readonly account?: number;
  readonly terms?: number;
  readonly externalId?: string;
}

function registerMarking(supplier: Command): void {
  supplier
    .command('mark')
    .description('säg vad en leverantör säljer; avgör rutorna när ni redovisar momsen')
    .argument('<id>', 'leverantörens id, se supplier list', uuid)
    .requiredOption('--sells <vad>', 'goods, services eller unknown', sells)
    .option('--rate <procent>', `momssats i Sverige: ${vatRateWords} (undantaget)`, rate, 25)
    .option(...jsonOption)
    .action(async (id: string, { sells: supply, rate: percent, json }: MarkOptions) => {
      await asOwner((tx) => markSupplier(tx, id, { supply, rate: percent }, actor));
      print(json, { id, supply, rate: percent }, 'Leverantören är märkt.');
    });
}

interface MarkOptions extends Json {
  readonly sells: SupplyMark['supply'];
  readonly rate: SupplyMark['rate'];
}

function sells(value: string): SupplyMark['supply'] {
  if (value === 'unknown') return null;
  if (value === 'goods' || value === 'services') return value;
  throw new InvalidArgumentError('Välj bland goods, services och unknown.');
}

function rate(value: string): SupplyMark['rate'] {
  const known = vatRates.find((one) => String(one) === value);
  if (known === undefined) throw new InvalidArgumentError(`Välj ${vatRateWords}.`);
  return known;
}

function country(value: string): string {
  const code = countryOf(value);
  if (code === null) throw new InvalidArgumentError('Ange landets två bokstäver, t.ex. SE.');
  return code;
}

const accountExamples = {
  bankgiro: 'ett bankgiro, t.ex. 991-2346',
  plusgiro: 'ett plusgiro, t.ex. 28 65 43-4',
  iban: 'ett IBAN, t.ex. SE45 5000 0000 0583 9825 7466',
};

const accountOf =
  (kind: keyof typeof accountExamples) =>
  (value: string): string => {
    const number = normalizePaymentAccount(kind, value);
    if (number !== null) return number;
    throw new InvalidArgumentError(
      `${value} stämmer inte; ange ${accountExamples[kind]}, där kontrollsiffran går ihop.`,
    );
  };

function registerListing(supplier: Command): void {
  supplier
    .command('list')
    .description('visa alla leverantörer')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const suppliers = await withPool((pool) => listSuppliers(db(pool)));
      print(
        json,
        suppliers,
        suppliers.map(supplierLine).join('\n') || 'Det finns inga leverantörer.',
      );
    });
}

function supplierLine(supplier: SupplierWithMark): string {
  const accounts = supplier.accounts.map(({ kind, number }) => `${kind} ${number}`).join(', ');
  const mark =
    supplier.supply === null
      ? ''
      : `  säljer ${supplier.supply === 'goods' ? 'varor' : 'tjänster'}, ${supplier.reverse_charge_rate} %`;
  return `${supplier.id}  ${supplier.name}  ${supplier.organization_number ?? supplier.vat_number ?? '–'}  ${accounts}${mark}`;
}
