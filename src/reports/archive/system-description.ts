/** Systemdokumentation of the running installation (BFNAR 2013:2 kapitel 9). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { scopeMeanings } from '../../access/keys/scopes.ts';
import { roleHelp, roleNames } from '../../access/users/roles.ts';
import { keptThrough } from '../../domain/ledger/retention.ts';
import { reservedSources } from '../../domain/ledger/voucher.ts';
import { serviceAccounts } from '../../ledger/accounts/service-accounts.ts';
import { sourceName } from '../../ledger/vouchers/source-words.ts';
import { appVersion } from '../../lib/version.ts';
import { loadTemplate, type Render } from '../../render/templates.ts';
import { orgNumberText, runningTexts } from '../../render/wording.ts';
import type { ArchivedSeries, InstallationFacts } from './store.ts';

export interface SystemFacts {
  readonly installation: InstallationFacts;
  readonly series: readonly ArchivedSeries[];
  readonly year: { readonly year: number; readonly start: string; readonly end: string };
  readonly madeAt: string;
}

let template: Render | undefined;

/** What the database must have had before this program serves it. */
const lastMigration = (): string =>
  readdirSync(join(import.meta.dirname, '../../../migrations'))
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .at(-1)
    ?.replace('.sql', '') ?? '';

/** What the program books by itself, by where the voucher comes from. */
const postings: Readonly<Record<(typeof reservedSources)[number], string>> = {
  app: 'Skrivs för hand av en inloggad; raderna är dennes.',
  invoice:
    'När en kundfaktura bokförs, serie B: kundfordran 1510 debet, försäljning och utgående moms kredit efter raderna, öresutjämning 3740.',
  payment:
    'När en kundbetalning registreras, serie C: pengarnas konto debet, 1510 kredit; avgifter, öresskillnad och kundförlust på sina konton.',
  reminder: 'När en påminnelse med avgift registreras: 1510 debet, påminnelseavgift kredit.',
  order: 'Order som blivit fakturor bokförs som dessa, efter reglerna för momssats och land.',
  supplier_invoice:
    'När en leverantörsfaktura bokförs, serie D: kostnad och ingående moms debet, 2440 kredit; omvänd betalningsskyldighet efter leverantörens uppgifter. En e-faktura utan anmärkning bokförs av sig själv när företaget har valt det.',
  supplier_payment:
    'När en leverantörsbetalning registreras, serie E: 2440 debet, pengarnas konto kredit.',
  purchase_by_hand:
    'När ett inköp skrivet för hand bokförs: kostnad och ingående moms efter raderna, mot 2440 eller det konto där ett utlägg skuldförs.',
  bank: 'En rad i kontoutdraget som någon bokför: pengarnas konto mot det konto som väljs.',
  provider_settlement:
    'När en betaltjänst har avräknat en utbetalning, serie A: försäljningen kredit på avräkningskontot, avgifter och moms på sina konton, och det som banken ska få debet på avräkningskontot.',
  till_report:
    'När en kassas Z-rapport har kommit, serie A: betalsätten på kontona de går över, försäljning och utgående moms kredit per momssats, sålda presentkort och dricks som skuld, öresavrundning 3740.',
  accrual_posting:
    'När en periodisering eller avskrivning faller ut, serien den är upplagd med: resultatkontot mot balanskontot, utan momskod.',
  vat: 'När en momsperiod redovisas, serie M: momskontona 26xx nollställs mot 2650.',
  reversal: 'Ett verifikat som rättas tas tillbaka rad för rad, med hänvisning åt båda hållen.',
  opening: 'Ingående balans, när böckerna börjar.',
  closing: 'Årets resultat vid bokslut.',
  import: 'Verifikat ur en SIE-fil, med filens egna serier, nummer och datum bevarade.',
};

export function systemHtml({ installation, series, year, madeAt }: SystemFacts): string {
  template ??= loadTemplate('documents/system');
  const { company } = installation;
  const title = `Systemdokumentation ${year.year}`;
  const ended = (day: string | null): string => (day === null ? '' : `till ${day}`);
  return template({
    title,
    ...runningTexts(title, { name: company.name, orgNumber: company.organization_number }),
    company: company.name,
    orgNumber: orgNumberText(company.organization_number),
    span: `${year.start}–${year.end}`,
    keptThrough: keptThrough(year.end),
    madeAt,
    facts: [
      { label: 'Program', value: `Huvudbok ${appVersion}` },
      { label: 'Regler och rutiner', value: `de som hör till Huvudbok ${appVersion}` },
      { label: 'Databas', value: `PostgreSQL ${installation.database}` },
      { label: 'Databasens senaste ändring', value: lastMigration() },
      { label: 'Momsredovisning', value: company.vat_period },
      { label: 'Perioden låst till', value: installation.locks.period_locked_to ?? 'inte låst' },
      { label: 'Momsen låst till', value: installation.locks.vat_locked_to ?? 'inte låst' },
    ],
    series: series.map(({ code, name, last }) => ({ code, name, last: String(last) })),
    postings: reservedSources.map((source) => ({
      name: sourceName(source),
      text: postings[source],
    })),
    serviceAccounts: serviceAccounts(company.organization_number, company.purchase_account).map(
      ({ account, use }) => ({ account: String(account), use }),
    ),
    rates: installation.rates.map((rate) => ({ ...rate, sfs: rate.sfs ?? '' })),
    roles: Object.entries(roleNames).map(([role, name]) => ({
      name,
      text: roleHelp[role as keyof typeof roleHelp],
    })),
    users: installation.users.map(({ role, deactivated, ...user }) => ({
      ...user,
      role: roleNames[role as keyof typeof roleNames] ?? role,
      ended: ended(deactivated),
    })),
    scopes: Object.entries(scopeMeanings).map(([scope, text]) => ({ scope, text })),
    keys: installation.keys.map(({ scopes, ended: day, ...key }) => ({
      ...key,
      scopes: scopes.join(' '),
      ended: ended(day),
    })),
    agencies: installation.agencies.map(({ ended: day, ...one }) => ({
      ...one,
      ended: ended(day),
    })),
    webhooks: installation.webhooks.map(({ types, ...one }) => ({
      ...one,
      types: types.join(' ') || 'alla händelser',
    })),
    accounts: installation.accounts.map(({ vat_code, is_active, ...account }) => ({
      ...account,
      number: String(account.number),
      vatCode: vat_code ?? '',
      state: is_active ? '' : 'inaktivt',
    })),
  });
}
