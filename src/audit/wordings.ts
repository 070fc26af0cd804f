/**
 * What each audit event is called, how it is told, and the page of what it was done to. Names and plain sentences stand
 * in Swedish in the tables, and are translated as they are read.
 */

import { settingInWords } from '../domain/basics/company-settings.ts';
import { language, say, translated } from '../lib/language.ts';

export type Detail = Readonly<Record<string, unknown>>;

export interface Wording {
  /** In the list of what can be searched for; Swedish. */
  readonly name: string;
  /** After who did it: `bokförde …`. */
  readonly sentence: (subject: string, detail: Detail) => string;
  /** The route of its page, where `:id` stands for the subject. */
  readonly page?: string;
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
/** ` namn`, or nothing. */
const named = (value: unknown): string => (text(value) === '' ? '' : ` ${text(value)}`);
const because = (reason: unknown): string => (text(reason) === '' ? '' : `: ${text(reason)}`);

/** `1 faktura`, `2 fakturor`. */
const counted = (count: unknown, one: string, several: string): string =>
  `${text(count)} ${count === 1 ? one : several}`;

/** A sentence that needs no more than what stands here. */
const plain = (name: string, sentence: string, page?: string): Wording => ({
  name,
  sentence: () => translated(sentence),
  ...(page === undefined ? {} : { page }),
});
/** A sentence that ends with the name that the detail gives. */
const withName = (name: string, sentence: string, page?: string, key = 'name'): Wording => ({
  ...plain(name, sentence, page),
  sentence: (_, detail) => `${translated(sentence)}${named(detail[key])}`,
});
/** A sentence that ends with the subject. */
const withSubject = (name: string, sentence: string, page?: string): Wording => ({
  ...plain(name, sentence, page),
  sentence: (subject) => `${translated(sentence)} ${subject}`,
});
/** A sentence that ends with the reason, when one was given. */
const withReason = (name: string, sentence: string, page?: string): Wording => ({
  ...plain(name, sentence, page),
  sentence: (_, { reason }) => `${translated(sentence)}${because(reason)}`,
});

const keys = '/installningar/api-nycklar/:id';
const users = '/installningar/anvandare/:id';
const webhooks = '/installningar/webhooks/:id';
const invoices = '/kundfakturor/:id';
const purchases = '/leverantorsinkorg/:id';
const years = '/rakenskapsar';
const documents = '/underlag/:id';
const paymentFiles = '/betalningar/:id';
const accruals = '/periodiseringar/:id';
const proposals = '/forslag/:id';

/** Which letter, and to whom. */
const mailed = (name: string, verb: string): Wording => ({
  name,
  sentence: (_, { reminderNo, recipients }) =>
    say`${translated(verb)} ${reminderNo == null ? say`en faktura` : say`påminnelse ${text(reminderNo)}`} med e-post till ${Array.isArray(recipients) ? recipients.map(text).join(', ') : ''}`,
  page: invoices,
});

const books: Readonly<Record<string, Wording>> = {
  'account.changed': withSubject('Konto ändrat', 'ändrade kontot', '/kontoplan/:number'),
  'account.created': withSubject('Konto upplagt', 'lade upp kontot', '/kontoplan/:number'),
  'proposal.made': plain('Förslag lagt', 'lade ett förslag', proposals),
  'proposal.approved': plain('Förslag godkänt', 'godkände ett förslag', proposals),
  'proposal.rejected': withReason('Förslag avvisat', 'avvisade ett förslag', proposals),
  'proposal.withdrawn': plain('Förslag återtaget', 'tog tillbaka ett förslag', proposals),
  'accrual.added': withName('Periodisering upplagd', 'lade upp periodiseringen', accruals),
  'accrual.moved': {
    name: 'Periodisering flyttad',
    sentence: (_, { to }) => say`flyttade det som väntade i en periodisering till den ${text(to)}`,
    page: accruals,
  },
  'accrual.cancelled': withName('Periodisering avbruten', 'avbröt periodiseringen', accruals),
  'opening_items.customers_taken_over': {
    name: 'Kundfakturor övertagna',
    sentence: (_, { count }) =>
      say`tog över ${counted(count, say`kundfaktura`, say`kundfakturor`)} med den ingående balansen`,
    page: '/ingaende-poster/kunder',
  },
  'opening_items.suppliers_taken_over': {
    name: 'Leverantörsfakturor övertagna',
    sentence: (_, { count }) =>
      say`tog över ${counted(count, say`leverantörsfaktura`, say`leverantörsfakturor`)} med den ingående balansen`,
    page: '/ingaende-poster/leverantorer',
  },
  'opening_items.removed': plain('Ingående post borttagen', 'tog bort en ingående post'),
  'chart.completed': {
    name: 'Kontoplanen kompletterad',
    sentence: (_, { accounts }) =>
      say`kompletterade kontoplanen${Array.isArray(accounts) ? say` med ${accounts.join(', ')}` : ''}`,
    page: '/kontoplan',
  },
  'account.removed': withSubject('Konto borttaget', 'tog bort kontot'),
  'archive.exported': withSubject('Arkiv hämtat', 'hämtade arkivet för räkenskapsåret', '/arkiv'),
  'archive.broken_off': withSubject(
    'Arkiv inte helt',
    'fick inte hela arkivet för räkenskapsåret',
    '/arkiv',
  ),
  'attachment.added': plain(
    'Underlag tillagt',
    'lade ett underlag till ett verifikat',
    '/verifikat/:id',
  ),
  'voucher.documents_withheld': plain(
    'Underlag hålls utanför API:t',
    'håller underlagen till ett verifikat utanför API:t',
    '/verifikat/:id',
  ),
  'voucher.documents_released': plain(
    'Underlag släppta till API:t',
    'släppte underlagen till ett verifikat till API:t',
    '/verifikat/:id',
  ),
  'document.described': plain('Underlag beskrivet', 'skrev vad ett underlag är', documents),
  'document.received': withName('Underlag mottaget', 'tog emot underlaget', documents),
  'document.set_aside': withReason('Underlag undanlagt', 'lade undan ett underlag', documents),
  'document.taken_up': plain('Underlag framtaget', 'tog fram ett undanlagt underlag', documents),
  'bank.balance_stated': {
    name: 'Bankens saldo antecknat',
    sentence: (_, { closing_date }) => say`antecknade bankens saldo den ${text(closing_date)}`,
    page: '/bank',
  },
  'bank.imported': {
    name: 'Kontoutdrag inlästa',
    sentence: (_, { rows }) => say`läste in kontoutdrag med ${text(rows)} nya rader`,
    page: '/bank/import/:id',
  },
  'bank.matched': plain('Bankrad matchad', 'matchade en bankrad mot ett verifikat', '/bank/:id'),
  'bank.row_added': {
    name: 'Bankrad inskriven',
    sentence: (_, { booked_on }) => say`skrev in en bankrad den ${text(booked_on)}`,
    page: '/bank',
  },
  'bank.row_removed': plain('Bankrad borttagen', 'tog bort en bankrad inskriven för hand', '/bank'),
  'account.paired': {
    name: 'Poster avprickade',
    sentence: (subject) => say`prickade av poster på konto ${text(subject)}`,
    page: '/kontoplan/:id/poster',
  },
  'account.unpaired': {
    name: 'Avprickning hävd',
    sentence: (subject) => say`hävde en avprickning på konto ${text(subject)}`,
    page: '/kontoplan/:id/poster',
  },
  'provider_settlement.booked': {
    name: 'Avräkning bokförd',
    sentence: (_, { provider, number }) =>
      say`bokförde avräkningen ${text(number)} från ${text(provider)}`,
    page: '/bank/avrakningar/:id',
  },
  'provider_settlement.paid': plain(
    'Avräkning utbetald',
    'sade vilket verifikat som bokför utbetalningen av en avräkning',
    '/bank/avrakningar/:id',
  ),
  'bank.unmatched': plain('Matchning hävd', 'hävde matchningen av en bankrad', '/bank/:id'),
  'bank_mapping.kept': {
    name: 'Kolumner i bankfiler',
    sentence: (_, { headings }) => say`sade vad kolumnerna är i bankfiler med ${text(headings)}`,
    page: '/bank/kolumner',
  },
  'bank_mapping.removed': plain(
    'Kolumner i bankfiler glömda',
    'tog bort vad kolumner i bankfiler är',
    '/bank/kolumner',
  ),
  'bank_rule.added': {
    name: 'Regel för bankrader',
    sentence: (_, { text: begins, account }) =>
      say`sade att bankrader som börjar ”${text(begins)}” hör till konto ${text(account)}`,
    page: '/bank/regler',
  },
  'bank_rule.removed': {
    name: 'Regel för bankrader borttagen',
    sentence: (_, { text: begins }) =>
      say`tog bort regeln för bankrader som börjar ”${text(begins)}”`,
    page: '/bank/regler',
  },
  'bank.signed_off': {
    name: 'Bank avstämd',
    sentence: (_, { day }) => say`stämde av ett bankkonto till och med ${text(day)}`,
    page: '/bank/konton/:id',
  },
  'bank_account.changed': withName('Bankkonto ändrat', 'ändrade bankkontot', '/bank/konton/:id'),
  'bank_account.identified': withName(
    'Bankkonto igenkänt',
    'lät kontoutdrag säga vilket nummer bankkontot har:',
    '/bank/konton/:id',
  ),
  'bank_account.created': withName('Bankkonto upplagt', 'lade upp bankkontot', '/bank'),
  'books.verified': {
    name: 'Böckerna kontrollerade',
    sentence: (_, { vouchers, problems }) =>
      say`kontrollerade ${text(vouchers)} verifikat: ${Number(problems) === 0 ? say`allt stämmer` : say`${text(problems)} fel`}`,
    page: '/drift',
  },
  'dimension.changed': {
    name: 'Dimension ändrad',
    sentence: (_, { code, name, is_active, before }) => {
      const { name: earlier } = (before ?? {}) as { name?: unknown };
      const renamed = earlier === name ? '' : say`, som hette${named(earlier)}`;
      return say`ändrade dimensionen ${text(code)}${named(name)}${renamed}${is_active === false ? say`, som inte används på nya verifikat` : ''}`;
    },
    page: '/dimensioner/:id',
  },
  'dimension.created': withName('Dimension upplagd', 'lade upp dimensionen', '/dimensioner/:id'),
  'dimension.removed': withName('Dimension borttagen', 'tog bort dimensionen'),
  'fiscal_year.created': withSubject('Räkenskapsår upplagt', 'lade upp räkenskapsåret', years),
  'fiscal_year.closed': withSubject('Räkenskapsår stängt', 'stängde räkenskapsåret', years),
  'fiscal_year.reopened': {
    name: 'Räkenskapsår öppnat igen',
    sentence: (subject, { reason }) =>
      say`öppnade räkenskapsåret ${subject} igen${because(reason)}`,
    page: years,
  },
  'fiscal_year.opening_booked': withSubject(
    'Ingående balanser bokförda',
    'bokförde ingående balanser för',
    years,
  ),
  'fiscal_year.closing_booked': withSubject(
    'Årets resultat bokfört',
    'bokförde årets resultat för',
    years,
  ),
  'fiscal_year.adjustment_booked': withSubject(
    'Skatt eller avsättning bokförd',
    'bokförde skatt eller avsättning för',
    years,
  ),
  'fiscal_year.revalued': withSubject(
    'Annan valuta omräknad',
    'räknade om fordringar och skulder i annan valuta för',
    years,
  ),
  'lock.period': {
    name: 'Perioden låst',
    sentence: (to, { reason }) =>
      `${to === 'none' ? say`hävde periodlåset` : say`låste perioden till ${to}`}${because(reason)}`,
    page: years,
  },
  'lock.vat': {
    name: 'Momsen låst',
    sentence: (to, { reason }) =>
      `${to === 'none' ? say`hävde momslåset` : say`låste momsen till ${to}`}${because(reason)}`,
    page: years,
  },
  'month.acknowledged': {
    name: 'Månad kvitterad',
    sentence: (subject, { reason }) =>
      say`kvitterade månaden ${subject.slice(0, 7)}${text(reason) === '' ? '' : say`, trots villkor som återstod: ${text(reason)}`}`,
    page: '/manadsavslut',
  },
  'month.reopened': {
    name: 'Månad öppnad igen',
    sentence: (subject, { reason }) => say`öppnade ${subject.slice(0, 7)} igen${because(reason)}`,
    page: '/manadsavslut',
  },
  'sie.exported': {
    name: 'Bokföringen exporterad',
    sentence: (year, { type, from, to }) =>
      type === '4I'
        ? say`exporterade verifikaten ${text(from)}–${text(to)} som SIE 4I`
        : say`exporterade räkenskapsåret ${year} som SIE 4E`,
    page: '/sie',
  },
  'sie.imported': {
    name: 'SIE-fil inläst',
    sentence: (_, { file_name, vouchers }) =>
      say`läste in SIE-filen ${text(file_name)} (${text(vouchers)} verifikat)`,
    page: '/sie/importer/:id',
  },
  'sie.import_undone': {
    name: 'SIE-import ångrad',
    sentence: (_, { file_name, vouchers }) =>
      say`ångrade importen av ${text(file_name)} (${text(vouchers)} verifikat togs tillbaka)`,
    page: '/sie/importer/:id',
  },
  'books.begun_anew': {
    name: 'Böckerna tömda',
    sentence: (_, { vouchers, imports }) =>
      say`tömde böckerna, som bara hade inlästa verifikat, och började om (${text(vouchers)} verifikat ur ${text(imports)} importer)`,
    page: '/sie',
  },
  'series.created': withSubject('Serie upplagd', 'lade upp serien', '/serier'),
  'series.removed': withSubject('Serie borttagen', 'tog bort serien', '/serier'),
  'series.renamed': {
    name: 'Serie omdöpt',
    sentence: (subject, { name }) => say`döpte serien ${subject} till${named(name)}`,
    page: '/serier',
  },
  'vat.assigned': {
    name: 'Verifikat räknat till lämnad moms',
    sentence: (_, { voucher, period_end }) =>
      say`räknade ${text(voucher)} till momsen till och med ${text(period_end)}, som det rättar`,
    page: '/verifikat/:id',
  },
  'vat.filed': {
    name: 'Momsdeklaration lämnad',
    sentence: (subject, { reference }) =>
      say`antecknade momsdeklarationen till ${subject} som lämnad${reference ? ` (${text(reference)})` : ''}`,
    page: '/moms',
  },
  'vat.judged': {
    name: 'Importerat verifikat bedömt',
    sentence: (_, { voucher, period_end }) =>
      period_end
        ? say`sade att ${text(voucher)} redovisar momsen till och med ${text(period_end)}`
        : say`sade att ${text(voucher)} inte redovisar moms`,
    page: '/verifikat/:id',
  },
  'vat.settled': {
    name: 'Moms omförd till 2650',
    sentence: (subject) => say`bokade om momsen för perioden till ${subject} till konto 2650`,
    page: '/moms',
  },
  'vat.unassigned': {
    name: 'Verifikat inte längre räknat till lämnad moms',
    sentence: (_, { voucher, period_end }) =>
      say`lät ${text(voucher)} räknas där det står, och inte till momsen till och med ${text(period_end)}`,
    page: '/verifikat/:id',
  },
  'vat.unjudged': {
    name: 'Bedömning av importerat verifikat tillbakatagen',
    sentence: (_, { voucher }) => say`tog tillbaka det som var sagt om ${text(voucher)} och moms`,
    page: '/verifikat/:id',
  },
  'vat.withdrawn': {
    name: 'Momsdeklaration inte lämnad',
    sentence: (subject, { reason }) =>
      say`tog tillbaka att momsdeklarationen till ${subject} är lämnad${because(reason)}`,
    page: '/moms',
  },
  'voucher.corrected': plain(
    'Verifikat rättat',
    'rättade ett verifikat med ett nytt',
    '/verifikat/:id',
  ),
  'voucher_template.created': withSubject(
    'Mall sparad',
    'sparade verifikatmallen',
    '/verifikat/mallar',
  ),
  'voucher_template.deleted': withSubject(
    'Mall borttagen',
    'tog bort verifikatmallen',
    '/verifikat/mallar',
  ),
};

const trade: Readonly<Record<string, Wording>> = {
  'article.changed': withSubject('Artikel ändrad', 'ändrade artikeln', '/artiklar'),
  'article.created': withSubject('Artikel upplagd', 'lade upp artikeln', '/artiklar'),
  'article.removed': withSubject('Artikel borttagen', 'tog bort artikeln', '/artiklar'),
  'collection.exported': withName(
    'Inkassounderlag hämtat',
    'hämtade inkassounderlag som',
    invoices,
    'format',
  ),
  'customer.changed': withName('Kund ändrad', 'ändrade kunden', '/kunder/:id'),
  'customer.created': withName('Kund upplagd', 'lade upp kunden', '/kunder/:id'),
  'customer.removed': withName('Kund borttagen', 'tog bort kunden'),
  'invoice.disputed': withReason(
    'Faktura tvistig',
    'antecknade en kundfaktura som tvistig',
    invoices,
  ),
  'invoice.dispute_over': plain(
    'Tvist avslutad',
    'antecknade att en kundfaktura inte längre är tvistig',
    invoices,
  ),
  'recurring_invoice.added': {
    name: 'Återkommande faktura upplagd',
    sentence: (_, { nextDate }) => say`lade upp en återkommande faktura från ${text(nextDate)}`,
    page: '/aterkommande/:id',
  },
  'recurring_invoice.changed': plain(
    'Återkommande faktura ändrad',
    'ändrade en återkommande faktura',
    '/aterkommande/:id',
  ),
  'recurring_invoice.ended': plain(
    'Återkommande faktura avslutad',
    'avslutade en återkommande faktura',
    '/aterkommande/:id',
  ),
  'invoice.draft_changed': plain('Fakturautkast ändrat', 'ändrade ett fakturautkast', invoices),
  'invoice.draft_deleted': plain('Fakturautkast borttaget', 'tog bort ett fakturautkast'),
  'invoice.fee_withdrawn': {
    name: 'Påminnelseavgift återtagen',
    sentence: (_, { reminderNo, reason }) =>
      say`tog tillbaka avgiften på påminnelse ${text(reminderNo)}${because(reason)}`,
    page: invoices,
  },
  'invoice.set_off': {
    name: 'Faktura kvittad',
    sentence: (_, { amount }) =>
      Number(amount) < 0
        ? say`tog tillbaka en kvittning av en kundfaktura`
        : say`kvittade en kundfaktura mot en leverantörsfaktura`,
    page: invoices,
  },
  'invoice.loss_taken_back': withReason(
    'Avskrivning återtagen',
    'tog tillbaka avskrivningen av en faktura',
    invoices,
  ),
  'invoice.reminders_paused': {
    name: 'Påminnelser pausade',
    sentence: (_, { kind, lastDay, reason }) =>
      `${kind === 'promise' ? say`antecknade ett löfte att betala senast` : say`pausade påminnelser om en faktura till och med`} ${text(lastDay)}${because(reason)}`,
    page: invoices,
  },
  'invoice.reminders_unpaused': plain(
    'Påminnelser igång igen',
    'hävde en paus i påminnelserna om en faktura',
    invoices,
  ),
  'reminders.run': {
    name: 'Påminnelser skickade',
    sentence: (_, { count, mailed }) =>
      say`gjorde en körning med ${counted(count, say`påminnelse`, say`påminnelser`)}, ${text(mailed)} med e-post`,
    page: '/paminnelser/:id',
  },
  'invoice.written_off': withReason(
    'Faktura avskriven',
    'skrev av en faktura som kundförlust',
    invoices,
  ),
  'invoice.mail_requested': mailed('Utskick beställt', 'beställde utskick av'),
  'invoice.mailed': mailed('Faktura mejlad', 'skickade'),
  'invoice.mail_failed': {
    ...mailed('Utskick misslyckat', 'kunde inte skicka'),
    sentence: (subject, detail) =>
      `${mailed('', 'kunde inte skicka').sentence(subject, detail)}${because(detail['error'])}`,
  },
  'order.change_settled': plain(
    'Ändrad order sedd till',
    'såg till en order som ändrats efter faktureringen',
    '/order/:id',
  ),
  'order.dismissed': withReason('Order avvisad', 'avvisade en order', '/order/:id'),
  'order.invoiced': plain(
    'Order fakturerad för hand',
    'fakturerade en order för hand',
    '/order/:id',
  ),
  'order.retried': plain('Order prövad igen', 'lät en order prövas igen', '/order/:id'),
  'till_report.booked': {
    name: 'Dagskassa bokförd',
    sentence: (_, { till, number }) => `bokförde Z ${text(number)} från ${text(till)}`,
    page: '/dagskassor/:id',
  },
  'till_report.dismissed': withReason(
    'Dagskassa avvisad',
    'avvisade en dagskassa',
    '/dagskassor/:id',
  ),
  'till_report.retried': plain(
    'Dagskassa prövad igen',
    'lät en dagskassa prövas igen',
    '/dagskassor/:id',
  ),
  'payment_file.answered': {
    name: 'Bankens svar på betalfil',
    sentence: (_, { accepted, refused }) =>
      say`läste in bankens svar på en betalfil: ${text(accepted)} godtagna, ${text(refused)} avvisade`,
    page: paymentFiles,
  },
  'payment_file.approved': plain('Betalfil godkänd', 'godkände en betalfil', paymentFiles),
  'payment_file.booked': {
    name: 'Betalfil bokförd som betald',
    sentence: (_, { payments }) =>
      say`bokförde ${counted(payments, say`betalning`, say`betalningar`)} i en betalfil som betalda`,
    page: paymentFiles,
  },
  'payment_file.cancelled': withReason('Betalfil avbruten', 'avbröt en betalfil', paymentFiles),
  'payment_file.created': {
    name: 'Betalfil skapad',
    sentence: (_, { payments }) =>
      say`skapade en betalfil med ${counted(payments, say`betalning`, say`betalningar`)}`,
    page: paymentFiles,
  },
  'payment_file.downloaded': plain('Betalfil hämtad', 'hämtade en betalfil', paymentFiles),
  'payment_file.sent': plain(
    'Betalfil sänd',
    'markerade en betalfil som sänd till banken',
    paymentFiles,
  ),
  'purchase.booked': plain(
    'Leverantörsfaktura bokförd',
    'bokförde en leverantörsfaktura',
    purchases,
  ),
  'purchase.coded': plain(
    'Leverantörsfaktura konterad',
    'ändrade konteringen av en leverantörsfaktura',
    purchases,
  ),
  'purchase.documented': plain(
    'Underlag på leverantörsfaktura',
    'lade ett underlag på en leverantörsfaktura',
    purchases,
  ),
  'purchase.matched': plain(
    'Leverantörsfaktura kopplad',
    'kopplade en leverantörsfaktura till en leverantör',
    purchases,
  ),
  'purchase.paid': plain(
    'Leverantörsfaktura betald',
    'bokförde en betalning av en leverantörsfaktura',
    purchases,
  ),
  'purchase.rejected': withReason(
    'Leverantörsfaktura avvisad',
    'avvisade en leverantörsfaktura',
    purchases,
  ),
  'purchase.set_off': {
    name: 'Leverantörsfaktura kvittad',
    sentence: (_, { amount }) =>
      Number(amount) < 0
        ? say`tog tillbaka en kvittning av en leverantörs kreditfaktura`
        : say`kvittade en leverantörs kreditfaktura mot en faktura`,
    page: purchases,
  },
  'purchase.taken_in': plain(
    'Avvisat dokument intaget',
    'tog in ett avvisat dokument i leverantörsinkorgen',
    purchases,
  ),
  'purchase.written': plain(
    'Leverantörsfaktura skriven',
    'skrev en leverantörsfaktura eller ett utlägg för hand',
    purchases,
  ),
  'reference_rate.added': withSubject(
    'Referensränta inlagd',
    'lade in referensräntan från',
    '/installningar/referensrantor',
  ),
  'reference_rate.changed': withSubject(
    'Referensränta ändrad',
    'ändrade referensräntan från',
    '/installningar/referensrantor',
  ),
  'supplier.account_added': plain(
    'Betalkonto tillagt',
    'lade till ett betalkonto hos en leverantör',
    '/leverantorer/:id',
  ),
  'supplier.account_removed': plain(
    'Betalkonto borttaget',
    'tog bort ett betalkonto hos en leverantör',
    '/leverantorer/:id',
  ),
  'supplier.changed': withName('Leverantör ändrad', 'ändrade leverantören', '/leverantorer/:id'),
  'supplier.created': withName('Leverantör upplagd', 'lade upp leverantören', '/leverantorer/:id'),
  'supplier.marked': plain(
    'Leverantör märkt',
    'sade vad en leverantör säljer',
    '/leverantorer/:id',
  ),
  'supplier.removed': withName('Leverantör borttagen', 'tog bort leverantören'),
};

const installation: Readonly<Record<string, Wording>> = {
  'agency.created': withName(
    'Byrånyckel skapad',
    'skapade byrånyckeln',
    '/installningar/byranycklar',
  ),
  'agency.revoked': withName(
    'Byrånyckel återkallad',
    'återkallade byrånyckeln',
    '/installningar/byranycklar',
  ),
  'backup.failed': withReason('Säkerhetskopia misslyckad', 'fick ingen säkerhetskopia', '/drift'),
  'backup.taken': withSubject('Säkerhetskopia tagen', 'tog en säkerhetskopia', '/drift'),
  'books.restored': withSubject(
    'Böckerna återställda',
    'återställde böckerna ur säkerhetskopian från',
    '/drift',
  ),
  'books.held': plain(
    'Utskick stoppade',
    'stoppade det som skulle gå ut av sig självt, efter en återställning',
    '/drift',
  ),
  'backup.done': withSubject(
    'Säkerhetskopia antecknad',
    'antecknade en säkerhetskopia från',
    '/drift',
  ),
  'company.created': withName('Företag upplagt', 'lade upp företaget'),
  'demo.reset': plain('Exempelföretaget lagt upp på nytt', 'lade upp exempelföretaget på nytt'),
  'jobs.retried': {
    name: 'Jobb gjorda om',
    sentence: (subject, { jobs }) =>
      say`lät ${counted(jobs, say`misslyckat`, say`misslyckade`)} jobb i ${subject} göras om`,
    page: '/drift',
  },
  'key.created': withName('API-nyckel skapad', 'skapade API-nyckeln', keys),
  'key.legacy_set': withName(
    'Äldre hemlighet satt',
    'satte den äldre hemligheten',
    '/installningar/aldre-hemligheter',
  ),
  'key.quota_changed': withName('Kvot ändrad', 'ändrade kvoten för API-nyckeln', keys),
  'key.revoked': withName('API-nyckel återkallad', 'återkallade API-nyckeln', keys),
  'key.rotated': withName('API-nyckel utbytt', 'bytte ut API-nyckeln', keys),
  'setting.changed': {
    name: 'Inställning ändrad',
    sentence: (subject, { value }) => {
      // Settings have a form in Swedish only; whoever reads English is told what they are stored as.
      const words =
        language() === 'sv'
          ? settingInWords(subject, text(value))
          : { name: subject, value: text(value) || say`tomt` };
      return say`ändrade ${words.name} till ${words.value}`;
    },
    page: '/installningar',
  },
  'user.changed': plain('Användare ändrad', 'ändrade en användare', users),
  'user.created': withName('Användare upplagd', 'lade upp användaren', users, 'email'),
  'user.deactivated': withName('Användare utestängd', 'stängde ute användaren', users, 'email'),
  'user.invitation_accepted': plain(
    'Inbjudan använd',
    'valde ett eget lösenord med länken i en inbjudan',
  ),
  'user.invitation_withdrawn': withName(
    'Inbjudan tillbakadragen',
    'drog tillbaka inbjudan till användaren',
    users,
    'email',
  ),
  'user.invited': withName('Användare inbjuden', 'bjöd in användaren', users, 'email'),
  'user.logged_in': {
    name: 'Inloggning',
    sentence: (_, { address }) =>
      say`loggade in${text(address) === '' ? '' : say` från ${text(address)}`}`,
  },
  'user.login_refused': plain('Inloggning nekad', 'skrev fel lösenord till en användare'),
  'user.password_changed': plain('Lösenord bytt', 'bytte sitt lösenord'),
  'user.password_reset': plain('Lösenord återställt', 'gav en användare ett nytt lösenord', users),
  'user.reactivated': withName(
    'Användare insläppt igen',
    'släppte in användaren igen:',
    users,
    'email',
  ),
  'user.recovery_code_used': plain(
    'Återställningskod använd',
    'använde en återställningskod i stället för koden ur appen',
  ),
  'user.recovery_codes_renewed': plain(
    'Nya återställningskoder',
    'skapade nya återställningskoder',
  ),
  'user.language_chosen': withName('Språk valt', 'valde språk:', undefined, 'language'),
  'user.renamed': plain('Namn ändrat', 'ändrade sitt namn'),
  'secrets.key_lost': plain(
    'Krypteringsnyckeln förlorad',
    'glömde den förlorade krypteringsnyckeln (SECRETS_KEY)',
  ),
  'secrets.rotated': plain('Ny krypteringsnyckel', 'bytte krypteringsnyckel (SECRETS_KEY)'),
  'user.second_factor_on': plain(
    'Andra steget påslaget',
    'slog på det andra steget vid inloggning',
  ),
  'user.second_factor_off': plain(
    'Andra steget avslaget',
    'slog av det andra steget vid inloggning',
  ),
  'user.second_factor_removed': plain(
    'Andra steget borttaget',
    'tog bort det andra steget för en användare',
    users,
  ),
  'user.sessions_ended': plain('Utloggad överallt', 'loggade ut överallt'),
  'webhook.created': withName('Webhook upplagd', 'lade upp webhooken', webhooks, 'url'),
  'webhook.deleted': withName('Webhook borttagen', 'tog bort webhooken', undefined, 'url'),
  'webhook.disabled': plain('Webhook avstängd', 'stängde av en webhook', webhooks),
  'webhook.enabled': plain('Webhook påslagen', 'slog på en webhook', webhooks),
  'webhook.resent': plain('Leverans skickad igen', 'skickade en webhookleverans igen'),
  'webhook.rotated': plain('Webhook fick ny hemlighet', 'gav en webhook en ny hemlighet', webhooks),
  'webhook.tested': plain('Webhook provad', 'provade en webhook', webhooks),
};

export const wordings: Readonly<Record<string, Wording>> = { ...books, ...trade, ...installation };
