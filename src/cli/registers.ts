/** huvudbok customer list · create, dimension list · create, and article list */
import { type Command, InvalidArgumentError } from 'commander';
import { e4ToNumber, oreToNumber } from '../domain/basics/money.ts';
import { createDimension, nameDimensionOutside } from '../ledger/dimensions/service.ts';
import { listDimensions, type NewDimension } from '../ledger/dimensions/store.ts';
import { decimalText, formatKronor } from '../lib/swedish.ts';
import { listArticles, nameArticleOutside } from '../sales/articles/store.ts';
import { createCustomer, nameCustomerOutside } from '../sales/customers/service.ts';
import { listCustomers } from '../sales/customers/store.ts';
import { asOwner, print } from './context.ts';
import { addExternalId, externalIdOption } from './external-ids.ts';
import { addList } from './listing.ts';
import {
  actor,
  email,
  integer,
  type Json,
  jsonOption,
  organizationNumber,
  text,
  uuid,
  vatNumber,
  word,
} from './options.ts';

export function registerRegisters(program: Command): void {
  registerCustomers(program);
  registerDimensions(program);
  registerArticles(program);
}

function registerCustomers(program: Command): void {
  const customer = program.command('customer').description('kunder');
  addList(customer, {
    description: 'visa kunderna i bokstavsordning, och vad de är skyldiga',
    empty: 'Det finns inga sådana kunder.',
    read: (tx, { search = '' }: Search) =>
      listCustomers(tx, { search, isActive: null }, undefined, all),
    cells: (one) => [
      one.id,
      one.name,
      one.organization_number,
      one.email,
      formatKronor(one.open_ore),
      one.is_active ? '' : 'inaktiv',
    ],
    wire: ({ open_ore, place: _, ...one }) => ({ ...one, open_amount: oreToNumber(open_ore) }),
  }).option('--search <text>', 'del av namn eller e-post, eller början av ett nummer', text(200));
  customer
    .command('create')
    .description('lägg upp en kund')
    .requiredOption('--name <namn>', 'kundens namn', text(200))
    .option('--email <adress>', 'e-post', email)
    .option('--org-number <nummer>', 'organisationsnummer', organizationNumber)
    .option('--vat-number <nummer>', 'momsnummer', vatNumber)
    .option('--country <kod>', 'landskod, två bokstäver', country, 'SE')
    .option('--address <adress>', 'gatuadress', text(200))
    .option('--postal-code <nummer>', 'postnummer', text(20))
    .option('--city <ort>', 'ort', text(100))
    .option('--phone <nummer>', 'telefon', text(50))
    .option('--shares-number', 'en annan kund har samma nummer, och det ska vara så')
    .option('--payment-terms <dagar>', 'betalningsvillkor', integer(0, 90))
    .option(...externalIdOption)
    .option(...jsonOption)
    .action(async (options: CustomerOptions) => {
      const made = await asOwner((tx) =>
        createCustomer(
          tx,
          {
            name: options.name,
            email: options.email ?? null,
            organizationNumber: options.orgNumber ?? null,
            vatNumber: options.vatNumber ?? null,
            countryCode: options.country,
            paymentTermsDays: options.paymentTerms ?? null,
            address: options.address ?? null,
            postalCode: options.postalCode ?? null,
            city: options.city ?? null,
            phone: options.phone ?? null,
            agreedRateE2: null,
            externalId: options.externalId ?? null,
            sharesNumber: options.sharesNumber ?? false,
          },
          actor,
        ),
      );
      print(options.json, made, `Kunden ${made.name} har id ${made.id}.`);
    });
  const key = { name: 'id', words: 'kundens id, se customer list', parse: uuid };
  addExternalId(customer, key, nameCustomerOutside);
}

function registerDimensions(program: Command): void {
  const dimension = program.command('dimension').description('kostnadsställen och projekt');
  addList(dimension, {
    description: 'visa kostnadsställen och projekt',
    empty: 'Det finns inga kostnadsställen eller projekt.',
    read: listDimensions,
    cells: ({ id, kind, code, name, is_active: isActive }) => [
      id,
      kind === 'project' ? 'projekt' : 'kostnadsställe',
      code,
      name,
      isActive ? '' : 'inaktiv',
    ],
  });
  dimension
    .command('create')
    .description('lägg upp ett kostnadsställe eller ett projekt')
    .requiredOption('--kind <slag>', 'cost_center eller project', word(['cost_center', 'project']))
    .requiredOption('--code <kod>', 'kort kod', text(20))
    .requiredOption('--name <namn>', 'namn', text(200))
    .option(...externalIdOption)
    .option(...jsonOption)
    .action(async ({ json, externalId, ...dimension }: DimensionOptions) => {
      const made = await asOwner((tx) => createDimension(tx, dimension, actor, externalId));
      print(json, made, `Dimensionen ${made.code} ${made.name} har id ${made.id}.`);
    });
  const key = { name: 'id', words: 'dimensionens id, se dimension list', parse: uuid };
  addExternalId(dimension, key, nameDimensionOutside);
}

function registerArticles(program: Command): void {
  const article = program.command('article').description('artiklar');
  const key = { name: 'nummer', words: 'artikelns nummer, se article list', parse: text(100) };
  addExternalId(article, key, nameArticleOutside);
  addList(article, {
    description: 'visa artiklarna i nummerordning',
    empty: 'Det finns inga sådana artiklar.',
    read: (tx, { search = '' }: Search) =>
      listArticles(tx, { search, isActive: null }, undefined, all),
    cells: (one) => [
      one.number,
      one.description,
      one.supply === 'goods' ? 'vara' : 'tjänst',
      one.account,
      one.unit_price_e4 === null ? null : `${decimalText(one.unit_price_e4, 2)} kr`,
      one.is_active ? '' : 'inaktiv',
    ],
    wire: ({ unit_price_e4: price, ...one }) => ({
      ...one,
      unit_price: price === null ? null : e4ToNumber(price),
    }),
  }).option('--search <text>', 'del av nummer eller beskrivning', text(200));
}

interface Search {
  readonly search?: string;
}

/** More than a register holds. */
const all = 1_000_000;

interface CustomerOptions extends Json {
  name: string;
  email?: string;
  orgNumber?: string;
  vatNumber?: string;
  country: string;
  address?: string;
  postalCode?: string;
  city?: string;
  phone?: string;
  sharesNumber?: true;
  paymentTerms?: number;
  externalId?: string;
}

interface DimensionOptions extends NewDimension, Json {
  readonly externalId?: string;
}

function country(value: string): string {
  const code = value.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) throw new InvalidArgumentError('Ange två bokstäver, t.ex. SE.');
  return code;
}
