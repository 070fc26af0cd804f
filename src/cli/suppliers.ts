/** huvudbok supplier create · mark · list, and purchase list · show · match · code · book · reject · pay */
import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { db } from '../db/pool.ts';
import { countryOf } from '../domain/countries.ts';
import { formatKronor, type Ore, oreToNumber } from '../domain/money.ts';
import { normalizePaymentAccount } from '../domain/payment-accounts.ts';
import { reverseChargeRates, type SupplyMark } from '../domain/reverse-charge.ts';
import { type PostingRow, signedRow } from '../domain/supplier-posting.ts';
import { OperatorError } from '../operator-error.ts';
import {
  bookPurchases,
  createSupplier,
  createSupplierOf,
  type ListedSupplier,
  listSuppliers,
  markSupplier,
  matchToSupplier,
  payPurchase,
  rejectPurchase,
  setRows,
} from '../purchases/service.ts';
import {
  getPurchase,
  type ListedPurchase,
  listPurchases,
  listRefused,
} from '../purchases/store.ts';
import { asOwner, print, withPool } from './context.ts';
import {
  ACTOR,
  collect,
  date,
  integer,
  type Json,
  jsonOption,
  kronor,
  organizationNumber,
  text,
  uuid,
  vatNumber,
} from './options.ts';
import { printed } from './pdf.ts';

const purchaseId = ['<id>', 'leverantörsfakturans id, se purchase list', uuid] as const;

export function registerSuppliers(program: Command): void {
  const supplier = program.command('supplier').description('leverantörer');
  registerCreating(supplier);
  registerMarking(supplier);
  registerListing(supplier);
  const purchase = program.command('purchase').description('leverantörsinkorgen');
  registerInbox(purchase);
  registerDeciding(purchase);
  registerBooking(purchase);
  registerPdf(purchase);
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
            accounts,
          },
          ACTOR,
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
}

function registerMarking(supplier: Command): void {
  supplier
    .command('mark')
    .description('säg vad en leverantör säljer; avgör rutorna när ni redovisar momsen')
    .argument('<id>', 'leverantörens id, se supplier list', uuid)
    .requiredOption('--sells <vad>', 'goods, services eller unknown', sells)
    .option('--rate <procent>', 'momssats i Sverige: 25, 12, 6 eller 0 (undantaget)', rate, 25)
    .option(...jsonOption)
    .action(async (id: string, { sells: supply, rate: percent, json }: MarkOptions) => {
      await asOwner((tx) => markSupplier(tx, id, { supply, rate: percent }, ACTOR));
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
  const known = reverseChargeRates.find((one) => String(one) === value);
  if (known === undefined) throw new InvalidArgumentError('Välj bland 25, 12, 6 och 0.');
  return known;
}

function country(value: string): string {
  const code = countryOf(value);
  if (code === null) throw new InvalidArgumentError('Ange landets två bokstäver, t.ex. SE.');
  return code;
}

const accountExamples = {
  bankgiro: 'ett bankgiro, t.ex. 5050-1055',
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

function supplierLine(supplier: ListedSupplier): string {
  const accounts = supplier.accounts.map(({ kind, number }) => `${kind} ${number}`).join(', ');
  const mark =
    supplier.supply === null
      ? ''
      : `  säljer ${supplier.supply === 'goods' ? 'varor' : 'tjänster'}, ${supplier.reverse_charge_rate} %`;
  return `${supplier.id}  ${supplier.name}  ${supplier.organization_number ?? supplier.vat_number ?? '–'}  ${accounts}${mark}`;
}

function registerInbox(purchase: Command): void {
  purchase
    .command('list')
    .description('visa leverantörsfakturorna; de som väntar på någon först')
    .option('--status <läge>', 'new, review, booked eller rejected', status)
    .option(...jsonOption)
    .action(async ({ status: only, json }: Json & { status?: string }) => {
      const purchases = await withPool((pool) =>
        listPurchases(db(pool), only === undefined ? {} : { status: only }),
      );
      print(
        json,
        purchases.map(forWire),
        purchases.map(purchaseLine).join('\n') || 'Leverantörsinkorgen är tom.',
      );
    });

  purchase
    .command('refused')
    .description('visa e-fakturor som kom men avvisades, med skäl')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const refused = await withPool((pool) => listRefused(db(pool)));
      const lines = refused.map(
        (one) =>
          `${one.id}  ${one.received_at.toISOString()}  ${one.key_name}  ${one.size} byte  ${one.reason}  ${one.message ?? ''}`,
      );
      print(json, refused, lines.join('\n') || 'Ingen e-faktura har avvisats.');
    });

  purchase
    .command('show')
    .description('visa en leverantörsfaktura med varningar och konteringsrader')
    .argument(...purchaseId)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const found = await withPool((pool) => getPurchase(db(pool), id));
      if (!found) throw new OperatorError(`Det finns ingen leverantörsfaktura ${id}.`);
      const { rows, booking_refusal: refusal, ...shown } = found;
      const lines = [
        purchaseLine(shown),
        ...(refusal ? [`  Inte bokförd: ${refusal.message}`] : []),
        ...shown.warnings.map(({ rule, message }) => `  ${rule}: ${message}`),
        ...rows.map(
          (row) => `  ${row.account}  debet ${row.debit}  kredit ${row.credit}  ${row.note ?? ''}`,
        ),
      ];
      print(json, { ...forWire(shown), booking_refusal: refusal, rows }, lines.join('\n'));
    });
}

function registerPdf(purchase: Command): void {
  purchase
    .command('pdf')
    .description('skriv fakturan som PDF; görs av huvudbok worker render')
    .argument(...purchaseId)
    .requiredOption('--out <fil>', 'dit den skrivs', text(4_000))
    .option(...jsonOption)
    .action(async (id: string, { out, json }: Json & { out: string }) => {
      const { purchaseHtml } = await import('../e-invoices/html.ts');
      const pdf = await withPool(async (pool, url) => {
        const html = await purchaseHtml(db(pool), id);
        if (html === undefined)
          throw new OperatorError(`Det finns ingen leverantörsfaktura ${id}.`);
        return printed(pool, url, html);
      });
      await writeFile(out, pdf);
      print(json, { id, file: out, bytes: pdf.length }, `${out} är skriven.`);
    });
}

function status(value: string): string {
  if (!['new', 'review', 'booked', 'rejected'].includes(value)) {
    throw new InvalidArgumentError('Välj bland new, review, booked och rejected.');
  }
  return value;
}

const forWire = ({ payable_ore, open_ore, ...purchase }: ListedPurchase) => ({
  ...purchase,
  payable: oreToNumber(payable_ore),
  open_amount: oreToNumber(open_ore),
});

function purchaseLine(purchase: ListedPurchase): string {
  const { id, supplier, invoice_number, issue_date, due_date, currency, payable_ore } = purchase;
  const amount = `${formatKronor(payable_ore).replace(/\s*kr$/, '')} ${currency}`;
  const count = purchase.warnings.length;
  const warnings = count === 0 ? '' : `  ${count} ${count === 1 ? 'varning' : 'varningar'}`;
  return `${id}  ${purchase.status}  ${supplier}  ${invoice_number}  ${issue_date}  ${amount}  förfaller ${due_date ?? '–'}${warnings}`;
}

function registerDeciding(purchase: Command): void {
  purchase
    .command('match')
    .description('koppla fakturan till en leverantör, eller lägg upp avsändaren som en')
    .argument(...purchaseId)
    .option('--supplier <id>', 'leverantörens id, se supplier list', uuid)
    .option('--create', 'lägg upp avsändaren som leverantör')
    .option(...jsonOption)
    .action(async (id: string, { supplier, create, json }: MatchOptions) => {
      if ((supplier === undefined) === (create === undefined)) {
        throw new OperatorError('Ange antingen --supplier <id> eller --create.');
      }
      const supplierId = await asOwner(async (tx) => {
        if (supplier === undefined) return (await createSupplierOf(tx, id, ACTOR)).id;
        await matchToSupplier(tx, { purchaseId: id, supplierId: supplier }, ACTOR);
        return supplier;
      });
      print(json, { id, supplier_id: supplierId }, `Fakturan hör till leverantören ${supplierId}.`);
    });

  purchase
    .command('code')
    .description('ange konteringsraderna i kronor, i stället för de föreslagna')
    .argument(...purchaseId)
    .requiredOption('--row <konto=belopp>', 'debet, eller kredit med minus; upprepas', collect(row))
    .option(...jsonOption)
    .action(async (id: string, { row: rows, json }: Json & { row: PostingRow[] }) => {
      await asOwner((tx) => setRows(tx, id, rows, ACTOR));
      print(json, { id, rows: rows.length }, 'Raderna är ändrade.');
    });

  purchase
    .command('reject')
    .description('avvisa fakturan; den bokförs aldrig')
    .argument(...purchaseId)
    .requiredOption('--reason <skäl>', 'varför', text(500))
    .option(...jsonOption)
    .action(async (id: string, { reason, json }: Json & { reason: string }) => {
      await asOwner((tx) => rejectPurchase(tx, id, reason, ACTOR));
      print(json, { id, status: 'rejected' }, 'Fakturan är avvisad.');
    });
}

interface MatchOptions extends Json {
  readonly supplier?: string;
  readonly create?: true;
}

function row(value: string): PostingRow {
  const [, account, amount] = /^([1-8]\d{3})=(.+)$/.exec(value) ?? [];
  if (account === undefined || amount === undefined) {
    throw new InvalidArgumentError('Ange konto och belopp, t.ex. 5410=1000 eller 2440=-1250.');
  }
  const ore = kronor(amount);
  if (ore === 0n) throw new InvalidArgumentError('Beloppet får inte vara noll.');
  return signedRow(Number(account), ore);
}

function registerBooking(purchase: Command): void {
  purchase
    .command('book')
    .description('bokför en leverantörsfaktura')
    .argument(...purchaseId)
    .option('--date <datum>', 'bokföringsdatum; annars fakturadatum', date)
    .option(...jsonOption)
    .action(async (id: string, { date: on, json }: Json & { date?: string }) => {
      const [outcome] = await asOwner((tx) => bookPurchases(tx, [id], ACTOR, on));
      if (!outcome) throw new OperatorError(`Det finns ingen leverantörsfaktura ${id}.`);
      if (outcome.refusal) {
        const { code: error, message, detail } = outcome.refusal;
        print(json, { error, message, detail }, `Fakturan är inte bokförd. ${message}`);
        process.exitCode = 1;
        return;
      }
      const { voucherId } = outcome;
      print(json, { id, voucher_id: voucherId }, `Fakturan är bokförd (verifikat ${voucherId}).`);
    });

  purchase
    .command('pay')
    .description('bokför en betalning av en bokförd leverantörsfaktura')
    .argument(...purchaseId)
    .requiredOption('--date <datum>', 'betalningsdag', date)
    .requiredOption('--amount <kronor>', 'belopp; minus när leverantören betalar tillbaka', kronor)
    .option('--account <konto>', 'kontot pengarna lämnade', integer(1000, 9999), 1930)
    .option(...jsonOption)
    .action(async (id: string, { json, amount: amountOre, ...payment }: PayOptions) => {
      const { voucherId, openOre } = await asOwner((tx) =>
        payPurchase(tx, { purchaseId: id, amountOre, ...payment }, ACTOR),
      );
      const answer = { id, voucher_id: voucherId, open_amount: oreToNumber(openOre) };
      print(json, answer, `Betalningen är bokförd. Återstår: ${formatKronor(openOre)}.`);
    });
}

interface PayOptions extends Json {
  readonly date: string;
  readonly amount: Ore;
  readonly account: number;
}
